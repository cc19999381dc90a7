import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {readAudit} from '../../../src/cli/safety/audit.js'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk} from '../run.js'

describe('cli · api', () => {
  let server: RunningServer
  const desk = new Desk()
  before(async () => {
    server = await startServer({dataDir: ':memory:', projectKey: 'shop'})
  })
  after(async () => {
    desk.remove()
    await server.stop()
  })

  it('gets the same answers of the state itself as of a server', async () => {
    const remote = {
      FRONTDESK_API_URL: server.apiUrl,
      FRONTDESK_CLIENT_ID: server.client.clientId,
      FRONTDESK_CLIENT_SECRET: server.client.clientSecret,
    }
    for (const [words, status] of [
      [['GET', 'nowhere'], 404],
      [['GET', 'customers/'], undefined],
      [['GET', 'customers//'], 404],
      [['DELETE', 'customers', '--yes'], 405],
      [['GET', 'customers/key=nobody'], 404],
      [['GET', 'customers?where=email%20%3D%20%22a?b%22'], undefined],
    ] as const) {
      const argv = ['api', ...words, '--json']
      const own = await desk.run(argv, {env: {FRONTDESK_PROJECT_KEY: 'shop'}})
      const other = await desk.run(argv, {env: {FRONTDESK_PROJECT_KEY: 'shop', ...remote}})
      const told = ({json, code}: typeof own) => {
        const {error = {}} = json as {error?: Record<string, unknown>}
        return {code, status: error['statusCode'], message: error['message']}
      }
      expect(told(own), words.join(' ')).to.deep.equal(told(other)).and.include({status})
    }
  })

  it('traces the state itself as it traces a server', async () => {
    const file = join(desk.folder, 'own.har')
    const {stderr} = await desk.run(['customers', 'query', '-v', '--trace-http', file])
    expect(stderr).to.match(/^GET embedded:\/local\/customers\S* · 200 · \d+ ms · request \S+$/m)
    expect(JSON.parse(readFileSync(file, 'utf8')))
      .to.have.nested.property('log.entries')
      .with.length.greaterThan(0)
  })

  it('reads and changes the project itself', async () => {
    for (const path of ['/', ''])
      expect((await desk.run(['api', 'GET', path, '--json'])).json, path).to.have.property('key')
    const {version} = (await desk.run(['api', 'GET', '/', '--json'])).json as {version: number}
    const body = {version, actions: [{action: 'changeCustomerSearchStatus', status: 'Deactivated'}]}
    const {json} = await desk.run(['api', 'POST', '/', '--body', JSON.stringify(body), '--json'])
    expect(json).to.have.nested.property('searchIndexing.customers.status', 'Deactivated')
  })

  it('writes a refusal down as what it is', async () => {
    const {code} = await desk.run(['api', 'POST', 'customers/key=nobody', '--body', '{"version":1,"actions":[]}'])
    expect(code).to.equal(3)
    const {lines} = readAudit(join(desk.folder, 'data', '_audit'))
    expect(lines.at(-1)).to.include({phase: 'result', result: 'ResourceNotFound', target: 'customers/key=nobody'})
  })

  it('takes no secret within its path or body', async () => {
    for (const words of [
      ['GET', 'customers/password-token=geheim'],
      ['GET', 'customers/email%2Dtoken%3Dgeheim'],
      ['POST', 'customers', '--body', '{"email":"a@example.com","password":"geheim"}'],
      ['POST', 'customers/email/confirm', '--body', '{"tokenValue":"geheim"}'],
    ]) {
      const {code, stdout, stderr} = await desk.run(['api', ...words, '--json'])
      expect(code, words.join(' ')).to.equal(2)
      expect(stdout + stderr)
        .to.include('SecretInArguments')
        .and.not.include('geheim')
    }
    const body = '{"email":"a@example.com","password":"geheim","custom":{"fields":{"password":"hint"}}}'
    const piped = await desk.run(['customers', 'create', '--body', '-', '--dry-run'], {stdin: body})
    expect(piped.stderr).to.not.include('never a flag value')
  })
})
