import {mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {expect} from 'chai'
import {startServer} from '../../../src/index.js'
import {Desk, root} from '../run.js'

/** What people and scripts get wrong: a clear error with its code, the same with and without --json, and nothing sent. */
describe('cli · nonsense', () => {
  const desk = new Desk()
  const file = (name: string, text: string): string => {
    const path = join(desk.folder, name)
    writeFileSync(path, text, {mode: 0o600})
    return path
  }
  after(() => desk.remove())

  const both = async (
    argv: readonly string[],
    code: number,
    options: Parameters<Desk['run']>[1] = {},
  ): Promise<string> => {
    const text = await desk.run(argv, options)
    const json = await desk.run([...argv, '--json'], options)
    expect(text.code, `${argv.join(' ')}\n${text.stderr}`).to.equal(code)
    expect(json.code, `${argv.join(' ')} --json`).to.equal(code)
    expect(text.stdout).to.equal('')
    // A write names its target first.
    expect(
      text.stderr
        .replace(/^target: .*\n/, '')
        .trimEnd()
        .split('\n'),
      text.stderr,
    ).to.have.length(3)
    expect(json.json).to.have.nested.property('error.exitCode', code)
    return text.stderr
  }

  it('is refused as a usage error with code 2', async () => {
    const secret = file('secret', 'geheim')
    for (const argv of [
      ['customers', 'create', '--email', 'a@b.de', '--password-stdin', '--password-file', secret],
      ['customers', 'create', '--email', 'a@b.de', '--password-file', desk.folder],
      ['customers', 'create', '--body', '@nowhere.json'],
      ['customers', 'create', '--body', '[]'],
      ['customers', 'create', '--body', '{'],
      ['customers', 'get', ''],
      ['customers', 'get', 'key='],
      ['customers', 'get', 'x', '--output', 'xml'],
      ['customers', 'get', 'x', '--timeout', '30'],
      ['customers', 'get', 'x', '--retries', '-1'],
      ['customers', 'get', 'x', '--ca-file', 'nowhere.pem'],
      ['customers', 'get', 'x', '--api-url', 'http://api.example'],
      ['customers', 'get', 'x', '--api-url', 'javascript:alert(1)'],
      ['customers', 'get', 'x', '--api-url', 'https://user:hunter2@api.example'],
      ['customers', 'get', 'x', '--project-key', '../../etc'],
      ['customers', 'get', 'x', '--profile', 'nobody'],
      ['customers', 'get', 'x', '--profile', '../x'],
      ['customers', 'query', '--all', '--limit', '5'],
      ['customers', 'query', '--var', 'x'],
      ['customers', 'query', '--expect-count', 'many'],
      ['customers', 'exists'],
      ['customers', 'delete'],
      ['server', 'start', '--port', '70000'],
      ['server', 'start', '--port', 'abc'],
      ['server', 'start', '--host', '0.0.0.0'],
      ['api', 'PATCH', 'customers'],
      ['api', 'GET', '../other/customers'],
      ['api', 'GET', '%2e%2e/other'],
      ['api', 'GET', 'https://evil.example/'],
      ['completion', 'tcsh'],
    ]) {
      const shown = await both(argv, 2)
      expect(shown).to.not.match(/hunter2|\n\s+at /)
    }
  })

  it('never replaces a file, follows a link or writes to a device with --out', async () => {
    const taken = file('taken', 'mine')
    symlinkSync(join(desk.folder, 'elsewhere'), join(desk.folder, 'link'))
    for (const path of [taken, join(desk.folder, 'link'), '/dev/full', desk.folder]) {
      await both(['customers', 'query', '--out', path], 2)
    }
    expect(readFileSync(taken, 'utf8')).to.equal('mine')
  })

  it('names both servers when a port or a state is taken, with code 13', async () => {
    const other = await startServer({dataDir: join(desk.folder, 'held'), projectKey: 'shop'})
    try {
      const {port} = new URL(other.apiUrl)
      expect(await both(['server', 'start', '--port', port], 13)).to.include(port)
      expect(await both(['server', 'start', '--data', join(desk.folder, 'held')], 13)).to.include(
        'another copy of the library',
      )
      await both(['server', 'reset', '--data', join(desk.folder, 'held'), '--yes'], 13)
    } finally {
      await other.stop()
    }
    await both(['server', 'stop'], 13)
    await both(['server', 'env'], 13)
  })

  it('says where a state is corrupt, and does not start empty', async () => {
    const broken = join(desk.folder, 'broken')
    await desk.run(['customers', 'create', '--email', 'a@b.de', '--external-auth', '--data', broken])
    for (const name of readdirSync(join(broken, 'local'))) writeFileSync(join(broken, 'local', name), '{"no')
    expect(await both(['customers', 'query', '--data', broken], 13)).to.include(broken)
  })

  it('refuses configuration that others could have written', async () => {
    const shared = new Desk()
    mkdirSync(join(shared.folder, 'config'), {mode: 0o700})
    writeFileSync(join(shared.folder, 'config', 'profiles.json'), '{"profiles":{}}', {mode: 0o644})
    const {code, stderr} = await shared.run(['customers', 'query'])
    expect(code).to.equal(13)
    expect(stderr).to.include('chmod 600')
    shared.remove()
  })

  it('asks for a store where an email names several customers, with code 5', async () => {
    const demo = new Desk()
    demo.env['FRONTDESK_PROJECT_KEY'] = 'demo'
    await demo.run(['server', 'seed', join(root, 'fixtures/demo')])
    const {code, stderr} = await demo.run(['customers', 'get', 'mira.solheim@example.org'])
    expect(code).to.equal(5)
    expect(stderr).to.include('--store')
    const inStore = await demo.run(['customers', 'get', 'mira.solheim@example.org', '--store', 'berlin', '--json'])
    expect(inStore.json).to.have.property('key', 'mira-berlin')
    demo.remove()
  })
})

describe('cli · a server that refuses for a while', () => {
  let server: Server
  let requests = 0
  const desk = new Desk()
  before((done) => {
    server = createServer((request, response) => {
      request.resume()
      requests += 1
      response.writeHead(429, {'retry-after': '0'}).end('{"statusCode":429,"message":"slow down","errors":[]}')
    }).listen(0, '127.0.0.1', done)
  })
  after(() => {
    server.close()
    desk.remove()
  })

  it('ends with code 7 after the retries that were asked for', async () => {
    const env = {
      FRONTDESK_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      FRONTDESK_PROJECT_KEY: 'shop',
      FRONTDESK_TOKEN: 'token',
    }
    const {code} = await desk.run(['customers', 'get', 'x', '--retries', '2'], {env})
    expect({code, requests}).to.deep.equal({code: 7, requests: 3})
  })
})

describe('cli · secrets', () => {
  const desk = new Desk()
  after(() => desk.remove())

  const filesBelow = (folder: string): string[] =>
    readdirSync(folder, {recursive: true, encoding: 'utf8'})
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile())

  it('are in no output, trace, log, audit line or state file', async () => {
    const server = await startServer({dataDir: join(desk.folder, 'state'), projectKey: 'shop'})
    const {clientId, clientSecret} = server.client
    const env = {
      FRONTDESK_API_URL: server.apiUrl,
      FRONTDESK_PROJECT_KEY: 'shop',
      FRONTDESK_CLIENT_ID: clientId,
      FRONTDESK_CLIENT_SECRET: clientSecret,
      FRONTDESK_VERBOSE: '1',
    }
    const canaries = ['canary-password-1', 'canary-password-2', 'canary-password-3']
    let shown = ''
    const run = async (argv: readonly string[], stdin: string): Promise<void> => {
      const trace = join(desk.folder, `${argv.slice(0, 2).join('-')}.har`)
      const {stdout, stderr, code} = await desk.run([...argv, '--trace-http', trace], {stdin, env})
      expect(code, stderr).to.be.lessThan(5)
      shown += stdout + stderr
    }
    await run(
      ['customers', 'create', '--email', 'c@example.com', '--key', 'canary', '--password-stdin'],
      'canary-password-1',
    )
    await run(['customers', 'sign-in', 'c@example.com', '--password-stdin', '--check-only'], 'canary-password-1')
    await run(['customers', 'reset-password', 'key=canary', '--set', '--new-password-stdin'], 'canary-password-2')
    await run(
      ['token', 'issue', '--flow', 'password', '--email', 'c@example.com', '--password-stdin'],
      'canary-password-3',
    )
    await run(['messages', 'list'], '')
    const tokens = filesBelow(join(desk.folder, 'cache')).map(
      (path) => (JSON.parse(readFileSync(path, 'utf8')) as {accessToken: string}).accessToken,
    )
    expect(tokens).to.have.length.greaterThan(0)
    await server.stop()
    for (const canary of canaries) {
      expect(shown).to.not.include(canary)
      for (const path of filesBelow(desk.folder)) expect(readFileSync(path, 'latin1'), path).to.not.include(canary)
    }
    for (const secret of [clientSecret, ...tokens]) {
      expect(shown).to.not.include(secret)
      const own = /\.client\.json$|\/cache\//
      for (const path of filesBelow(desk.folder).filter((name) => !own.test(name))) {
        expect(readFileSync(path, 'latin1'), path).to.not.include(secret)
      }
    }
  })
})
