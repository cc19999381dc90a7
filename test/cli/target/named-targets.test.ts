import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk} from '../run.js'
import {everyCommand} from '../safety/every-command.js'

/** No command goes to a target by accident: what CI forgot is said, and what nobody named is not written to. */
describe('cli · no target by accident', () => {
  let desk: Desk
  let server: RunningServer
  before(async () => {
    server = await startServer({dataDir: ':memory:', projectKey: 'demo', seedDir: 'fixtures/demo'})
  })
  after(() => server.stop())
  beforeEach(() => {
    desk = new Desk()
  })
  const home = process.cwd()
  afterEach(() => {
    process.chdir(home)
    desk.remove()
  })

  const remote = () => ({
    FRONTDESK_API_URL: server.apiUrl,
    FRONTDESK_PROJECT_KEY: 'demo',
    FRONTDESK_CLIENT_ID: server.client.clientId,
    FRONTDESK_CLIENT_SECRET: server.client.clientSecret,
  })
  const place = () => ['--project-key', 'demo', '--api-url', server.apiUrl, '--auth-url', server.authUrl]
  const create = ['customers', 'create', '--email', 'a@example.com', '--external-auth']

  it('refuses each variable of the target that is set and empty, by its name', async () => {
    for (const name of [
      ...['FRONTDESK_PROFILE', 'FRONTDESK_API_URL', 'FRONTDESK_AUTH_URL', 'FRONTDESK_PROJECT_KEY', 'FRONTDESK_STORE'],
      ...[
        'FRONTDESK_DATA_DIR',
        'FRONTDESK_CONFIG_DIR',
        'FRONTDESK_CLIENT_ID',
        'FRONTDESK_CLIENT_SECRET',
        'FRONTDESK_TOKEN',
      ],
    ]) {
      for (const argv of [['customers', 'query'], create, ['whoami', '--check'], ['server', 'seed', 'demo']]) {
        for (const value of ['', ' ', '\t\n']) {
          const {code, stderr} = await desk.run(argv, {env: {[name]: value}})
          expect(code, `${name} ${argv.join(' ')}`).to.equal(2)
          expect(stderr).to.include(`${name} is set and empty`)
        }
      }
    }
    const secrets = {FRONTDESK_CLIENT_ID: '', FRONTDESK_CLIENT_SECRET: ''}
    const {stderr} = await desk.run(['whoami', '--check'], {env: {...remote(), CI: '1', ...secrets}})
    expect(stderr).to.include('FRONTDESK_CLIENT_ID, FRONTDESK_CLIENT_SECRET are set and empty')
    expect((await desk.run(['customers', 'query'], {env: {FRONTDESK_OUTPUT: ''}})).code).to.equal(0)
  })

  it('names every project where a command concerns them all, and takes no key of one', async () => {
    const whole = [
      ...['server snapshot save kept', 'server snapshot restore kept', 'server snapshot list', 'server compact'],
      ...['server faults set --status 503', 'server clock advance --by 1h', 'server status', 'server doctor'],
    ]
    for (const words of [...whole, 'server stop']) {
      const {code, stderr} = await desk.run([...words.split(' '), '--project-key', 'demo'])
      expect([code, stderr.includes('--project-key has no effect')], words).to.deep.equal([2, true])
    }
    const {stderr} = await desk.run(['server', 'snapshot', 'save', 'kept'])
    expect(stderr).to.match(/^target: .*data \(every project\)$/m)
  })

  /** These need none: they show, or work on this machine, its files and its server, or name their targets as arguments. */
  const needNone = [
    ...['audit list', 'callback check', 'callback serve', 'completion', 'customers copy', 'customers template'],
    ...['deprecations check', 'deprecations get', 'deprecations list', 'deprecations scopes'],
    ...['introspection check', 'introspection serve', 'jobs list', 'jobs show', 'login', 'logout'],
    ...['profiles list', 'profiles show', 'profiles use', 'token forget', 'token list', 'token scopes'],
  ]

  it('wants a named target in CI of every command that reads or writes one', async () => {
    process.chdir(desk.folder)
    const refused: string[] = []
    const words = Object.keys(everyCommand).filter((one) => !one.startsWith('server '))
    for (const one of words.filter((each) => !needNone.includes(each))) {
      const argv = [...one.split(' '), ...(everyCommand[one] ?? [])]
      const {code, stderr, stdout} = await desk.run(argv, {env: {CI: 'true'}})
      expect([code, stdout], `${one}: ${stderr}`).to.deep.equal([2, ''])
      expect(stderr, one).to.include('needs a named target').and.include('--local').and.include('FRONTDESK_API_URL')
      refused.push(one)
    }
    expect(refused).to.include.members([
      'customers query',
      'customers export',
      'messages wait',
      'quotes exists',
      'undo',
    ])
    for (const argv of [
      ['whoami'],
      ['--help'],
      ['customers', 'get', '--help'],
      ['help', 'environment'],
      ['jobs', 'list'],
    ])
      expect((await desk.run(argv, {env: {CI: 'true'}})).code, argv.join(' ')).to.equal(0)
    for (const one of needNone.filter((each) => !/ serve$/.test(each))) {
      const {stderr} = await desk.run([...one.split(' '), ...(everyCommand[one] ?? [])], {env: {CI: 'true'}})
      expect(stderr, one).to.not.include('needs a named target')
    }
  })

  it('takes each way to name a target in CI', async () => {
    for (const argv of [
      [...create, '--dry-run'],
      ['customers', 'query', '-o', 'jsonl', '--expect-count', '0'],
    ])
      expect((await desk.run(argv, {env: {CI: '1'}})).code, argv.join(' ')).to.equal(2)
    const named: readonly (readonly [string[], Record<string, string>])[] = [
      [['--local'], {}],
      [[], {FRONTDESK_PROJECT_KEY: 'demo'}], // beside the FRONTDESK_DATA_DIR of the run
      [['-P', 'local'], {}],
      [['--data', join(desk.folder, 'data')], {}],
      [[], {FRONTDESK_PROFILE: 'local'}],
      [[], remote()],
      [place().slice(2), {...remote(), FRONTDESK_API_URL: 'http://127.0.0.1:9'}],
    ]
    for (const [flags, env] of named) {
      const {code, stderr} = await desk.run(['whoami', '--check', ...flags], {env: {CI: '1', ...env}})
      expect(code, `${flags.join(' ')} ${stderr}`).to.equal(0)
    }
    await desk.run(['login', 'used', '--local', '--project-key', 'demo'])
    await desk.run(['profiles', 'use', 'used'])
    expect((await desk.run(create, {env: {CI: '1'}})).code, 'a profile that somebody chose once').to.equal(2)
    expect((await desk.run(['server', 'seed', 'demo'], {env: {CI: '1'}})).code, 'the local server').to.equal(0)
  })

  it('begins each report with profile, project and address', async () => {
    await desk.run(['login', 'staging', ...place(), '--no-secret', '--store', 'berlin'])
    const {FRONTDESK_API_URL: _, ...credentials} = remote()
    const env = {...credentials, FRONTDESK_PROFILE: 'staging'}
    const told = `target: staging (demo, store berlin) at ${server.apiUrl}`
    for (const argv of [
      ['whoami', '--check'],
      ['check', 'scopes', 'customers query'],
      ['check', 'smoke', '--read-only'],
    ]) {
      const first = async (reporter: string) =>
        (await desk.run([...argv, '--reporter', reporter], {env})).stdout.split('\n')
      expect((await first('text'))[0], argv.join(' ')).to.equal(told)
      expect((await first('tap'))[1]).to.equal(`# ${told}`)
      expect((await first('github'))[0]).to.equal(told)
      expect((await first('junit')).join('')).to.include(`<property name="address" value="${server.apiUrl}"/>`)
      const {json} = await desk.run([...argv, '--json'], {env})
      expect(json).to.have.deep.property('target', {
        ...{profile: 'staging', projectKey: 'demo', storeKey: 'berlin', address: server.apiUrl},
      })
    }
  })

  it('takes the store of a named profile whole, and says so', async () => {
    const secret = join(desk.folder, 'secret')
    writeFileSync(secret, server.client.clientSecret, {mode: 0o600})
    const client = ['--client-id', server.client.clientId, '--secret-file', secret]
    const login = await desk.run(['login', 'shop', ...place(), ...client, '--store', 'berlin'])
    expect(login.code, login.stderr).to.equal(0)
    const env = {FRONTDESK_STORE: 'hamburg'}
    const made = await desk.run([...create, '--key', 'of-berlin', '-P', 'shop'], {env})
    expect(made.code, made.stderr).to.equal(0)
    expect(made.stderr).to.include("FRONTDESK_STORE not used: the profile 'shop' names the target.")
    expect(made.stderr).to.include('target: shop (demo, store berlin)')
    const chosen = await desk.run(['whoami', '--origins', '--json'], {env: {...env, FRONTDESK_PROFILE: 'shop'}})
    expect(chosen.json).to.have.deep.nested.property('store.origin', {by: 'environment', name: 'FRONTDESK_STORE'})
    const flag = await desk.run(['whoami', '--origins', '--json', '-P', 'shop', '--store', 'paris'], {env})
    expect(flag.json).to.have.nested.property('store.value', 'paris')
  })

  it('gives no token of another flow than the flags mean', async () => {
    const issue = ['token', 'issue', '--print', 'raw', '--show-secret']
    for (const flags of [
      ['--email', 'a@example.com'],
      ['--anonymous-id', 'x'],
      ['--saved', 'ada'],
    ]) {
      const {code, stdout, stderr} = await desk.run([...issue, ...flags], {env: remote()})
      expect([code, stdout], flags.join(' ')).to.deep.equal([2, ''])
      expect(stderr).to.include(`${flags[0]} has no effect in the client flow`).and.include('--flow ')
    }
  })

  it('says that the secret of a variable ends with a line break', async () => {
    const broken = {FRONTDESK_CLIENT_SECRET: `${server.client.clientSecret}\n`}
    const refused = await desk.run(['customers', 'query'], {env: {...remote(), ...broken}})
    expect(refused.code).to.equal(2)
    expect(refused.stderr).to.include('FRONTDESK_CLIENT_SECRET ends with a line break')
    const from = ['login', 'ci', ...place(), '--client-id', 'x', '--secret-from', 'env:SHOP_SECRET']
    const login = await desk.run(from, {env: {SHOP_SECRET: 'a\nb'}})
    expect(login.code).to.equal(2)
    expect(login.stderr).to.include('SHOP_SECRET has a line break')
    const token = await desk.run(['customers', 'query'], {env: {...remote(), FRONTDESK_TOKEN: 'x\n'}})
    expect([token.code, token.stderr.includes('FRONTDESK_TOKEN ends')]).to.deep.equal([2, true])
  })
})
