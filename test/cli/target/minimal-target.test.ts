import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type ForeignServer, json, startForeignServer} from '../../client/foreign-server.js'
import {Desk} from '../run.js'

/** Servers that answer less than ours, and things in front of them that answer something else. */
describe('cli · other servers', () => {
  let server: ForeignServer
  let desk: Desk
  type Answers = Record<string, readonly [status: number, body: unknown]>
  const token = {access_token: 'abc', expires_in: 3600, scope: 'manage_project:shop', token_type: 'Bearer'}
  const project = {key: 'shop', version: 3}
  const absent = [404, {message: 'Route not found'}] as const

  before(async () => {
    server = await startForeignServer()
  })
  after(() => server.close())
  beforeEach(() => {
    desk = new Desk()
  })
  afterEach(() => desk.remove())

  const answering = (answers: Answers) => {
    server.answer = (response, request) => {
      const path = new URL(request.url ?? '', server.url).pathname
      const [status, body] = answers[path] ?? absent
      response.writeHead(status, json).end(typeof body === 'string' ? body : JSON.stringify(body))
    }
  }
  const env = () => ({
    FRONTDESK_API_URL: server.url,
    FRONTDESK_PROJECT_KEY: 'shop',
    FRONTDESK_CLIENT_ID: 'me',
    FRONTDESK_CLIENT_SECRET: 'hush',
    FRONTDESK_RETRIES: '0',
  })
  const codes = async (...also: string[][]) => {
    const ended = await Promise.all(
      [['whoami', '--check'], ['whoami'], ...also].map((argv) => desk.run(argv, {env: env()})),
    )
    return ended.map(({code}) => code)
  }

  it('are fit for use without introspection', async () => {
    answering({'/oauth/token': [200, token], '/shop': [200, project]})
    expect(await codes()).to.deep.equal([0, 0])
    const {json: who} = await desk.run(['whoami', '--json'], {env: env()})
    expect(who).to.include({clientId: 'me', scope: 'manage_project:shop'}).and.have.property('expiresAt')
    const secret = join(desk.folder, 'secret')
    writeFileSync(secret, 'hush\n', {mode: 0o600})
    const place = ['--project-key', 'shop', '--api-url', server.url, '--client-id', 'me']
    const login = await desk.run(['login', 'ct', ...place, '--secret-file', secret])
    expect(login.code, login.stderr).to.equal(0)
  })

  it('are not logged in to with a secret that is refused, and the profile is named', async () => {
    const refused = {statusCode: 401, message: 'No.', errors: [{code: 'invalid_client', message: 'No.'}]}
    answering({'/oauth/token': [401, refused]})
    const place = ['--project-key', 'shop', '--api-url', server.url, '--client-id', 'me']
    const {code, stderr} = await desk.run(['login', 'ct', ...place, '--secret-stdin'], {stdin: 'wrong'})
    expect(code).to.equal(4)
    expect(stderr).to.include('profile ct').and.include('nothing was stored')
  })

  it('show the card of a customer with the fewest members, with and without messages', async () => {
    const ada = {id: 'i1', version: 1, email: 'ada@example.com'}
    for (const messages of [absent, [403, absent[1]], [200, {limit: 8, offset: 0, count: 0, results: []}]] as const) {
      answering({'/oauth/token': [200, token], '/shop/customers/i1': [200, ada], '/shop/messages': messages})
      for (const command of ['card', 'get']) {
        const {code, stdout, stderr} = await desk.run(['customers', command, 'id=i1'], {env: env()})
        expect(code, stderr).to.equal(0)
        expect(stdout).to.include('ada@example.com').and.include('i1')
      }
    }
  })

  it('are red if something else answers for the API', async () => {
    const pages: [number, unknown][] = [
      [403, '<html><title>Blocked by the firewall</title></html>'],
      [404, '<html>Not found</html>'],
      [200, '<html>Please sign in</html>'],
      [200, [project]],
      [302, ''],
      [200, {...project, key: 'another'}],
    ]
    for (const page of pages) {
      answering({'/oauth/token': [200, token], '/shop': page})
      const [check, whoami] = await codes()
      const name = JSON.stringify(page)
      expect(check, name).to.equal(9)
      expect(whoami, name).to.be.oneOf([3, 4, 7])
    }
    answering({'/oauth/token': [200, token], '/shop': [403, '<html>Blocked</html>']})
    expect((await desk.run(['whoami'], {env: env()})).stderr).to.include('It says: Blocked')
  })

  it('are red if they answer without a token', async () => {
    for (const body of ['<html>Please sign in</html>', {}, {access_token: 7}]) {
      answering({'/oauth/token': [200, body], '/shop': [200, project]})
      expect(await codes(['customers', 'query'], ['token', 'issue', '--show-secret'])).to.deep.equal([7, 7, 7, 7])
    }
  })

  it('are red if the scopes are those of another project, whatever the API answers', async () => {
    const scope = 'manage_customers:other view_orders:other:store'
    answering({'/oauth/token': [200, {...token, scope}], '/shop': [200, project]})
    expect(await codes()).to.deep.equal([9, 4])
    for (const known of ['manage_customers:shop:store', 'view_a:other view_b:shop', 'openid', undefined]) {
      answering({'/oauth/token': [200, {...token, scope: known}], '/shop': [200, project]})
      expect(await codes(), known).to.deep.equal([0, 0])
    }
  })
})
