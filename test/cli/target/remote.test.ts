import {chmodSync, existsSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {expect} from 'chai'
import {readAudit} from '../../../src/cli/safety/audit.js'
import {type RunningServer, startServer} from '../../../src/index.js'
import {allScopes} from '../../../src/oauth/scopes.js'
import {Desk} from '../run.js'

/** The same commands against a server, with profiles, stored secrets and credentials of the environment. */
describe('cli · remote targets', () => {
  let server: RunningServer
  let desk: Desk
  let secretFile = ''

  before(async () => {
    server = await startServer({dataDir: ':memory:', projectKey: 'shop'})
  })
  after(() => server.stop())
  beforeEach(() => {
    desk = new Desk()
    secretFile = join(desk.folder, 'secret')
    writeFileSync(secretFile, `${server.client.clientSecret}\n`, {mode: 0o600})
  })
  afterEach(() => desk.remove())

  const place = () => ['--project-key', 'shop', '--api-url', server.apiUrl, '--auth-url', server.authUrl]
  const ci = () => ({
    FRONTDESK_API_URL: server.apiUrl,
    FRONTDESK_PROJECT_KEY: 'shop',
    FRONTDESK_CLIENT_ID: server.client.clientId,
    FRONTDESK_CLIENT_SECRET: server.client.clientSecret,
  })
  /** Adds the profile untested, without a secret unless a flag names its place. */
  const add = (...more: string[]) =>
    desk.run([
      ...['login', 'staging', ...place(), '--client-id', server.client.clientId],
      ...[more.includes('--secret-from') ? '--no-check' : '--no-secret', ...more],
    ])

  it('works with credentials of the environment alone', async () => {
    const argv = ['customers', 'create', '--email', 'ci@example.com', '--key', 'ci', '--external-auth']
    const {code, stderr} = await desk.run(argv, {env: ci()})
    expect(code, stderr).to.equal(0)
    expect(stderr).to.equal(`target: ${new URL(server.apiUrl).host} (shop)\n`)
    expect((await desk.run(['customers', 'exists', 'key=ci'], {env: ci()})).code).to.equal(0)
    expect((await desk.run(['customers', 'exists', 'key=ci'])).code, 'the embedded target is another').to.equal(3)
  })

  it('reads the secret of a profile from the environment, a file or a command', async () => {
    for (const from of ['env:STAGING_SECRET', `file:${secretFile}`, `command:cat ${secretFile}`]) {
      expect((await add('--secret-from', from, '--replace')).code).to.equal(0)
      const env = {STAGING_SECRET: server.client.clientSecret}
      const {code, stderr} = await desk.run(['customers', 'query', '-P', 'staging'], {env})
      expect(code, `${from}: ${stderr}`).to.equal(0)
      desk.forgetTokens()
    }
  })

  it('says where a credential is missing, and how to get one', async () => {
    await add()
    const none = await desk.run(['customers', 'query', '-P', 'staging'])
    expect(none.code).to.equal(4)
    expect(none.stderr).to.include('frontdesk login')
    await add('--secret-from', 'env:NOWHERE', '--replace')
    expect((await desk.run(['customers', 'query', '-P', 'staging'])).code).to.equal(4)
    await add('--secret-from', 'command:false', '--replace')
    expect((await desk.run(['customers', 'query', '-P', 'staging'])).code).to.equal(4)
    chmodSync(secretFile, 0o644)
    await add('--secret-from', `file:${secretFile}`, '--replace')
    const loose = await desk.run(['customers', 'query', '-P', 'staging'])
    expect(loose.code).to.equal(13)
    expect(loose.stderr).to.include('chmod 600')
    expect((await add('--secret-from', 'hunter2', '--replace')).code).to.equal(2)
  })

  it('logs in after trying the secret, and out after revoking the token', async () => {
    await add()
    const wrong = await desk.run(['login', 'staging', '--secret-stdin'], {stdin: 'wrong\n'})
    expect(wrong.code).to.equal(4)
    const {code, stdout, stderr} = await desk.run(['login', 'staging', '--secret-file', secretFile])
    expect(code, stderr).to.equal(0)
    expect(stdout + stderr).to.not.include(server.client.clientSecret)
    const stored = join(desk.folder, 'config', 'secrets', 'staging')
    expect(statSync(stored).mode & 0o777).to.equal(0o600)
    expect((await desk.run(['whoami', '-P', 'staging', '--json'])).json).to.include({
      projectKey: 'shop',
      scope: allScopes('shop').join(' '),
    })
    expect((await desk.run(['customers', 'query', '-P', 'staging'])).code).to.equal(0)
    expect((await desk.run(['logout', 'staging', '--json'])).json).to.include({revoked: true})
    expect(existsSync(stored)).to.equal(false)
    expect((await desk.run(['customers', 'query', '-P', 'staging'])).code).to.equal(4)
  })

  it('requests one token for many commands', async () => {
    await add('--secret-from', `file:${secretFile}`)
    const seen = await desk.run(['customers', 'query', '-P', 'staging', '-v'])
    expect(seen.stderr).to.include('/oauth/token')
    const again = await desk.run(['customers', 'query', '-P', 'staging', '-v'])
    expect(again.stderr).to.include('/shop/customers').and.not.include('/oauth/token')
  })

  it('refuses writes of a read-only profile, and asks before those of a protected one', async () => {
    const create = ['customers', 'create', '--email', 'p@example.com', '--external-auth', '-P', 'staging']
    await add('--secret-from', `file:${secretFile}`, '--read-only')
    expect((await desk.run(create)).code).to.equal(2)
    expect((await desk.run([...create, '--dry-run'])).code).to.equal(0)
    await add('--secret-from', `file:${secretFile}`, '--protected', '--replace')
    expect((await desk.run([...create, '--yes'])).code, '--yes is not the name').to.equal(12)
    expect((await desk.run([...create, '--confirm-profile', 'prod'])).code).to.equal(2)
    expect((await desk.run(create, {answers: ['stagin', 'Staging', 'stag']})).code).to.equal(2)
    expect((await desk.run(create, {answers: ['staging']})).code).to.equal(0)
    expect(
      (await desk.run(['customers', 'delete', 'p@example.com', '-P', 'staging', '-y', '--confirm-profile', 'staging']))
        .code,
    ).to.equal(0)
  })

  it('asks for a reason where the profile wants one, and writes it down', async () => {
    await add('--secret-from', `file:${secretFile}`, '--require-reason')
    const create = ['customers', 'create', '--email', 'r@example.com', '--external-auth', '-P', 'staging']
    expect((await desk.run(create)).code).to.equal(2)
    expect((await desk.run([...create, '--reason', ' '])).code).to.equal(2)
    expect((await desk.run([...create, '--reason', 'x'.repeat(5000)])).code).to.equal(2)
    const {code} = await desk.run([...create, '--reason', 'phone\u001b[2J\ncall', '--ticket', 'CS-1'])
    expect(code).to.equal(0)
    const {lines} = readAudit(join(desk.folder, 'data', '_audit'))
    expect(lines.at(-1)).to.deep.include({
      reason: 'phone\\x1b[2J\\ncall',
      ticket: 'CS-1',
      profile: 'staging',
      result: 'done',
    })
    expect((await desk.run(['audit', 'list', '--ticket', 'CS-1', '--json'])).json).to.have.property('count', 1)
  })

  it('writes a trace without secrets', async () => {
    const file = join(desk.folder, 'trace.har')
    const argv = ['customers', 'create', '--email', 't@example.com', '--password-stdin', '--trace-http', file]
    expect((await desk.run(argv, {env: ci(), stdin: 'hunter2-secret'})).code).to.equal(0)
    const text = readFileSync(file, 'utf8')
    expect(JSON.parse(text)).to.have.nested.property('log.entries').with.length(2)
    expect(text).to.not.include('hunter2-secret').and.not.include(server.client.clientSecret)
    expect(text).to.not.match(/Bearer [\w-]{20}/)
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    const bare = await desk.run(['customers', 'query', '--trace-http'], {env: ci()})
    expect(bare.stderr).to.include('GET ')
  })

  it('shows the correlation id that was sent', async () => {
    const {stderr} = await desk.run(['customers', 'get', 'key=none', '--correlation-id', 'my-request-1'], {env: ci()})
    expect(stderr).to.include('request my-request-1')
    expect((await desk.run(['customers', 'query', '--correlation-id', 'a b\n'], {env: ci()})).code).to.equal(2)
  })
})

describe('cli · bad servers', () => {
  let server: Server
  let answer: {status: number; headers?: Record<string, string>; body?: string} | 'hang up' = {status: 200}
  const desk = new Desk()
  const env = (): Record<string, string> => ({
    FRONTDESK_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    FRONTDESK_PROJECT_KEY: 'shop',
    FRONTDESK_TOKEN: 'token',
    FRONTDESK_RETRIES: '0',
  })

  before((done) => {
    server = createServer((request, response) => {
      request.resume()
      if (answer === 'hang up') request.socket.destroy()
      else response.writeHead(answer.status, answer.headers).end(answer.body)
    }).listen(0, '127.0.0.1', done)
  })
  after(() => {
    server.close()
    desk.remove()
  })

  const get = () => desk.run(['customers', 'get', 'key=ada', '--json'], {env: env()})
  const update = ['customers', 'create', '--email', 'a@example.com', '--external-auth', '--json']

  it('follows no redirect, and takes nothing that is not the API’s', async () => {
    answer = {status: 302, headers: {location: 'http://evil.example/'}}
    expect((await get()).code).to.equal(7)
    answer = {status: 200, headers: {'content-type': 'text/html'}, body: '<html>'}
    expect((await get()).code).to.equal(7)
    answer = {status: 500, body: 'oops'}
    expect((await get()).code).to.equal(7)
  })

  it('takes no other JSON for an answer of the API', async () => {
    const headers = {'content-type': 'application/json'}
    for (const other of [{}, [], {results: 5}, {results: [null]}, {results: [{id: 1, version: 1}]}, {status: 'ok'}]) {
      answer = {status: 200, headers, body: JSON.stringify(other)}
      const read = [
        ['customers', 'query', '--json'],
        ['customers', 'get', 'key=ada', '--json'],
        ['customers', 'get', 'ada@example.com', '--json'],
      ]
      for (const argv of read) {
        const {code, json} = await desk.run(argv, {env: env()})
        expect(code, `${argv.join(' ')}: ${answer.body}`).to.equal(7)
        expect(json).to.have.nested.property('error.exitCode', 7)
      }
      expect((await desk.run(update, {env: env()})).code, answer.body).to.equal(8)
    }
  })

  it('shows what a server says made safe', async () => {
    const message = 'gone \u001b]0;owned\u0007 \u202e'
    answer = {
      status: 404,
      body: JSON.stringify({statusCode: 404, message, errors: [{code: 'ResourceNotFound', message}]}),
    }
    const text = await desk.run(['customers', 'get', 'key=ada'], {env: env()})
    expect(text.code).to.equal(3)
    expect(text.stderr).to.include('\\x1b]0;owned\\x07 \\u202e').and.not.include('\u001b')
    expect((await get()).stdout).to.not.match(/[\u001b\u202e]/)
  })

  it('says that a proxy is in between, where one is', async () => {
    const before = process.env['HTTPS_PROXY']
    process.env['HTTPS_PROXY'] = 'http://127.0.0.1:1'
    try {
      const remote = {...env(), FRONTDESK_API_URL: 'https://api.example.com'}
      const {code, stderr} = await desk.run(['customers', 'query'], {env: remote})
      expect(code).to.equal(7)
      expect(stderr).to.include('No answer from https://api.example.com').and.include('HTTPS_PROXY names a proxy')
      answer = 'hang up'
      expect((await desk.run(['customers', 'query'], {env: env()})).stderr).to.not.include('proxy')
    } finally {
      if (before === undefined) delete process.env['HTTPS_PROXY']
      else process.env['HTTPS_PROXY'] = before
    }
  })

  it('tells a read that failed from a write whose outcome nobody knows', async () => {
    answer = 'hang up'
    expect((await get()).code).to.equal(7)
    const written = await desk.run(update, {env: env()})
    expect(written.code).to.equal(8)
    expect(written.json).to.have.nested.property('error.code', 'UnknownOutcome')
    server.closeAllConnections()
    const refused = {...env(), FRONTDESK_API_URL: 'http://127.0.0.1:1'}
    expect((await desk.run(update, {env: refused})).code, 'nothing was sent').to.equal(7)
  })
})
