import {writeFileSync} from 'node:fs'
import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

interface Answer {
  readonly status: number
  readonly body: string
}

/** A target that is down, throttled or not the API is an error, whatever asks it; never a check that is false. */
describe('cli · checks without an answer', () => {
  let desk: Desk
  let server: Server
  let answer: Answer = {status: 503, body: ''}
  let requests = 0

  before(async () => {
    desk = new Desk()
    server = createServer((request, response) => {
      request.resume()
      if (request.url?.startsWith('/oauth/')) {
        response.end(
          JSON.stringify({access_token: 'x', token_type: 'Bearer', expires_in: 9999, scope: 'manage_project:shop'}),
        )
        return
      }
      requests += 1
      response.statusCode = answer.status
      response.end(answer.body)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const checks = [
      {name: 'query', query: {resource: 'customers'}, assert: ['key exists']},
      {name: 'get', get: {resource: 'customers', ref: 'key=ada'}},
      {name: 'exists', exists: {resource: 'customers', ref: 'key=ada'}},
      {name: 'raw', raw: {path: 'customers'}, expectStatus: 200},
    ]
    for (const check of checks) writeFileSync(join(desk.folder, check.name), JSON.stringify({checks: [check]}))
    writeFileSync(join(desk.folder, 'all'), JSON.stringify({checks}))
    Object.assign(desk.env, {
      FRONTDESK_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      FRONTDESK_PROJECT_KEY: 'shop',
      FRONTDESK_CLIENT_ID: 'a',
      FRONTDESK_CLIENT_SECRET: 'b',
    })
  })
  after(() => {
    server.close()
    desk.remove()
  })

  const error = (code: string) => JSON.stringify({statusCode: 0, message: code, errors: [{code, message: code}]})
  const none: readonly (readonly [string, Answer])[] = [
    ['503', {status: 503, body: error('ServiceUnavailable')}],
    ['500', {status: 500, body: error('General')}],
    ['429', {status: 429, body: error('OverCapacity')}],
    ['a page that says 200', {status: 200, body: '<html>Welcome</html>'}],
    ['a page that says 403', {status: 403, body: '<html>Blocked</html>'}],
    ['a page that says 404', {status: 404, body: '<html>Nothing here</html>'}],
    ['a redirect', {status: 302, body: ''}],
  ]

  for (const [what, given] of none) {
    it(`is an error with 7 at ${what}, in each kind of check, assertion and report`, async () => {
      answer = given
      for (const name of ['query', 'get', 'exists', 'raw', 'all']) {
        const {code, json} = await desk.run(['check', 'run', join(desk.folder, name), '--json', '--retries', '0'])
        expect(code, name).to.equal(7)
        expect(json, name).to.deep.include({ok: false, failed: 0, errors: 1})
      }
      const {stdout} = await desk.run([
        ...['check', 'run', join(desk.folder, 'all'), '--reporter', 'junit', '--retries', '0'],
      ])
      expect(stdout).to.include('tests="4" failures="0" errors="1" skipped="3"').and.include('<error message=')
      const others = [
        ['customers', 'get', 'key=ada', '--assert', 'key = ada'],
        ['customers', 'query', '--expect-count', '0'],
        ['check', 'smoke', '--read-only'],
      ]
      for (const argv of others)
        expect((await desk.run([...argv, '--retries', '0'])).code, argv.join(' ')).to.equal(
          given.status === 403 && argv[0] !== 'check' ? 4 : 7,
        )
    })
  }

  it('is false where the API refuses', async () => {
    answer = {status: 400, body: error('InvalidInput')}
    const {code, json} = await desk.run(['check', 'run', join(desk.folder, 'query'), '--json'])
    expect(code).to.equal(9)
    expect(json).to.deep.include({failed: 1, errors: 0})
  })

  it('is what a check expects if it names that status', async () => {
    answer = {status: 503, body: error('ServiceUnavailable')}
    writeFileSync(join(desk.folder, 'down'), '{"checks":[{"name":"d","raw":{"path":"x"},"expectStatus":503}]}')
    expect((await desk.run(['check', 'run', join(desk.folder, 'down'), '--retries', '0'])).code).to.equal(0)
  })

  it('begins no repeat once the budget of the run is spent', async () => {
    answer = {status: 503, body: error('ServiceUnavailable')}
    requests = 0
    const began = performance.now()
    const argv = ['check', 'run', join(desk.folder, 'all'), '--retries', '20', '--timeout', '100ms']
    expect((await desk.run(argv)).code).to.equal(7)
    expect(performance.now() - began).to.be.below(5000)
    expect(requests).to.be.within(1, 12)
  })

  it('asserts over no rows only where --expect-count allows none', async () => {
    const page = {status: 200, body: JSON.stringify({limit: 20, offset: 0, count: 0, total: 0, results: []})}
    answer = page
    const query = ['customers', 'query', '--assert', 'isEmailVerified = true']
    for (const more of [[], ['-o', 'jsonl', '--all'], ['--all']]) {
      const {code, stderr} = await desk.run([...query, ...more])
      expect([code, more], stderr).to.deep.equal([9, more])
      expect(stderr).to.include('nothing matches').and.include('--expect-count 0')
    }
    expect((await desk.run([...query, '--expect-count', '0'])).code).to.equal(0)
    expect((await desk.run([...query, '--expect-count', '1..'])).code).to.equal(9)
    expect((await desk.run(['check', 'run', join(desk.folder, 'query')])).code).to.equal(9)
  })
})
