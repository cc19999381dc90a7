import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type ForeignServer, json, startForeignServer} from '../../client/foreign-server.js'
import {Desk} from '../run.js'

/** A server with more customers than fit into a page, that ignores `sort`. */
describe('cli · a server that keeps no order', () => {
  let server: ForeignServer
  let desk: Desk
  const writes: string[] = []
  const customers = Array.from({length: 700}, (_, at) => ({
    // Neighbours are far apart, and none comes twice: 11 and 700 have no common factor.
    id: String((at * 11) % 700).padStart(5, '0'),
    version: 1,
    email: `c${at}@example.com`,
    addresses: [],
    stores: [],
    isEmailVerified: false,
    authenticationMode: 'ExternalAuth',
  }))

  before(async () => {
    server = await startForeignServer()
    server.answer = (response, request) => {
      const {searchParams, pathname} = new URL(request.url ?? '', server.url)
      response.writeHead(200, json)
      if (pathname === '/oauth/token') return void response.end('{"access_token":"abc","expires_in":3600,"scope":"x"}')
      if (request.method !== 'GET') writes.push(`${request.method} ${pathname}`)
      const after = searchParams.get('var.afterId')
      const results = customers
        .filter(({id}) => after === null || id > after)
        .slice(0, Number(searchParams.get('limit')))
      response.end(JSON.stringify({limit: 500, offset: 0, count: results.length, results}))
    }
  })
  after(() => server.close())
  beforeEach(() => {
    desk = new Desk()
  })
  afterEach(() => desk.remove())

  const env = () => ({
    FRONTDESK_API_URL: server.url,
    FRONTDESK_PROJECT_KEY: 'shop',
    FRONTDESK_TOKEN: 'abc',
    SECRET: 'hush',
  })

  it('ends what would read all of them with an error', async () => {
    const out = join(desk.folder, 'all.csv')
    for (const name of ['here', 'there']) {
      const place = [
        '--project-key',
        'shop',
        '--api-url',
        server.url,
        '--client-id',
        'me',
        '--secret-from',
        'env:SECRET',
      ]
      await desk.run(['login', name, '--no-check', ...place])
    }
    const commands = [
      ['customers', 'query', '--all', '-o', 'ids'],
      ['customers', 'query', '--all', '-o', 'jsonl'],
      ['customers', 'export', '--out', out],
      ['customers', 'export', '--format', 'jsonl'],
      ['customers', 'copy', '--from', 'here', '--to', 'there', '--match', 'email', '--yes'],
      ['customers', 'delete', '--where', 'version = 1', '--max', '1000', '--yes'],
    ]
    for (const argv of commands) {
      const {code, stderr} = await desk.run(argv, {env: env()})
      expect(code, `${argv.join(' ')}: ${stderr}`).to.equal(7)
      expect(stderr).to.include('does not keep the order of ids').and.include('not complete')
    }
    expect(existsSync(out)).to.equal(false)
    expect(writes).to.deep.equal([])
  })
})
