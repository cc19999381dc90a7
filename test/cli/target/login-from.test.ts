import {chmodSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk} from '../run.js'

describe('cli · login with the file of a new API client', () => {
  let server: RunningServer
  let desk: Desk
  before(async () => {
    server = await startServer({dataDir: ':memory:', projectKey: 'shop'})
  })
  after(() => server.stop())
  beforeEach(() => {
    desk = new Desk()
  })
  afterEach(() => desk.remove())

  const values = () => ({
    CTP_PROJECT_KEY: 'shop',
    CTP_CLIENT_SECRET: server.client.clientSecret,
    CTP_CLIENT_ID: server.client.clientId,
    CTP_AUTH_URL: server.authUrl,
    CTP_API_URL: server.apiUrl,
    CTP_SCOPES: scopes,
  })
  const env = (given: object, line = (name: string, value: string) => `${name}=${value}`) =>
    Object.entries(given)
      .map(([name, value]) => `${line(name, String(value))}\n`)
      .join('')
  const scopes = 'manage_customers:shop view_messages:shop'
  const file = (text: string, name = 'client') => {
    const path = join(desk.folder, name)
    writeFileSync(path, text)
    return path
  }
  const login = (path: string, ...more: string[]) => desk.run(['login', 'x', '--from', path, ...more])
  const stored = async () => (await desk.run(['profiles', 'show', 'x', '--json'])).json

  it('reads .env files and every JSON form, stores the secret as always and prints it nowhere', async () => {
    const {clientId, clientSecret} = server.client
    const {authUrl, apiUrl} = server
    const original = new Map(Object.values(values()).map((value) => [value.toLowerCase(), value]))
    const forms = [
      env(values()),
      `\uFEFF# shop\r\n${env(values(), (name, value) => `export ${name}="${value}" # from the vendor\r`)}`,
      env(values()).replaceAll('\n', '\r'),
      `a line of words\n\nPATH\n${env(values())}`,
      env(values()).replaceAll('CTP_', 'export FRONTDESK_'),
      `HOST=0.0.0.0\nSECRET=of-cookies\n${env(values())
        .toLowerCase()
        .replace(/(?<==).*/g, (value) => original.get(value) ?? value)}`,
      JSON.stringify(values()),
      JSON.stringify({projectKey: 'shop', clientId, clientSecret, authUrl, apiUrl, scopes: scopes.split(' ')}),
      JSON.stringify({
        project_key: 'shop',
        client_id: clientId,
        secret: clientSecret,
        auth_url: authUrl,
        host: apiUrl,
        scope: scopes,
      }),
      JSON.stringify({
        'project-key': 'shop',
        CLIENT_ID: clientId,
        client_secret: clientSecret,
        oauthHost: authUrl,
        apiHost: apiUrl,
        scopes: scopes.replace(' ', ','),
      }),
    ]
    for (const form of forms) {
      const path = file(form)
      const {code, stdout, stderr} = await login(path, '--replace')
      expect(code, stderr).to.equal(0)
      expect(stdout + stderr).to.not.include(clientSecret)
      expect(stderr.replace(/\s+/g, ' ')).to.include('still holds the secret: delete it')
      expect(readFileSync(join(desk.folder, 'config', 'secrets', 'x'), 'utf8')).to.equal(`${clientSecret}\n`)
      expect(await stored()).to.deep.include({projectKey: 'shop', apiUrl, authUrl, clientId, scopes})
      expect((await desk.run(['customers', 'query', '-P', 'x'])).code).to.equal(0)
    }
    const piped = await desk.run(['login', 'piped', '--from', '-'], {stdin: env(values())})
    expect(piped.code, piped.stderr).to.equal(0)
    expect(piped.stderr).to.not.include('delete it')
  })

  it('names what a file lacks, and quotes nothing of it', async () => {
    const {CTP_CLIENT_SECRET: secret, CTP_API_URL: _url, ...rest} = values()
    const bad: readonly (readonly [string, string])[] = [
      [env(rest), 'lacks CTP_CLIENT_SECRET, CTP_API_URL'],
      [env({...values(), CTP_CLIENT_ID: ''}), 'lacks CTP_CLIENT_ID'],
      [JSON.stringify({projectKey: 'shop', secret}), 'lacks clientId, apiUrl, authUrl'],
      [`{"secret": "${secret}", }`, 'is not a JSON object'],
      ['', 'lacks CTP_PROJECT_KEY'],
      [env({...values(), CTP_API_URL: 'api.example'}), 'The address of the API'],
      [env({...values(), CTP_PROJECT_KEY: '<project_key>'}), 'The project key in'],
      [env({...values(), CTP_CLIENT_SECRET: `"${secret}\\n"`}), 'ends with a line break'],
      [env({...values(), CTP_CLIENT_SECRET: `"${secret} "`}), 'ends with a blank'],
      [`HOST=0.0.0.0\nSECRET=of-cookies\n${env(rest)}`, 'lacks CTP_CLIENT_SECRET, CTP_API_URL'],
      [Buffer.from(env(values()), 'utf16le').toString(), 'is no text in UTF-8'],
    ]
    for (const [text, why] of bad) {
      const {code, stdout, stderr} = await login(file(text))
      expect([code, stderr.replace(/\s+/g, ' ')], text).to.satisfy(
        ([is, said]: [number, string]) => is === 2 && said.includes(why),
      )
      expect(stdout + stderr).to.not.include(secret)
    }
    expect((await login(join(desk.folder, 'nowhere'))).code).to.equal(2)
    expect((await login(file(env({...values(), CTP_CLIENT_SECRET: 'wrong'})))).code).to.equal(4)
    expect((await desk.run(['profiles', 'list', '-o', 'ids'])).stdout.trim()).to.equal('local')
  })

  it('refuses flags that say the same; only --scopes takes precedence', async () => {
    const path = file(env(values()))
    const same = ['--project-key shop', `--api-url ${server.apiUrl}`, '--auth-url https://a.example', '--client-id abc']
    const others = ['--secret-stdin', '--secret-file s', '--secret-from env:S', '--no-secret', '--local', '--data d']
    for (const flags of [...same, ...others]) {
      const {code, stderr} = await login(path, ...flags.split(' '))
      expect(code, stderr).to.equal(2)
    }
    expect((await login(path, '--dry-run')).code).to.equal(0)
    const {code, stderr} = await login(path, '--scopes', 'manage_customers:shop', '--protected')
    expect(code, stderr).to.equal(0)
    expect(await stored()).to.include({scopes: 'manage_customers:shop', protected: true})
  })

  it('gives a profile that exists another secret, if the file is of its place', async () => {
    await login(file(env({...values(), CTP_CLIENT_ID: 'old', CTP_CLIENT_SECRET: 'old'})), '--no-check', '--protected')
    for (const other of [{CTP_PROJECT_KEY: 'else'}, {CTP_API_URL: 'https://api.example'}]) {
      const {code, stderr} = await login(file(env({...values(), ...other})), '--no-check')
      expect(code).to.equal(2)
      expect(stderr).to.include('another project or address').and.include('--replace')
    }
    const {code, stderr} = await login(file(env(values())))
    expect(code, stderr).to.equal(0)
    expect(await stored()).to.deep.include({protected: true, clientId: server.client.clientId})
  })

  it('says that a secret of stdin or a file ends with a line break too many', async () => {
    const place = ['--project-key', 'shop', '--api-url', server.apiUrl, '--client-id', 'abc']
    const piped = await desk.run(['login', 'x', ...place, '--secret-stdin'], {stdin: 'secret\n\n'})
    expect([piped.code, piped.stderr]).to.deep.include(2)
    expect(piped.stderr).to.include('stdin ends with more than one line break')
    const path = file('secret\n\n')
    chmodSync(path, 0o600)
    const named = await desk.run(['login', 'x', ...place, '--secret-from', `file:${path}`])
    expect([named.code, named.stderr]).to.deep.include(2)
    expect(named.stderr.replace(/\s+/g, ' ')).to.include('ends with a line break')
  })

  it('says what an editor or a shell has left around a secret, wherever it comes from', async () => {
    const place = ['--project-key', 'shop', '--api-url', server.apiUrl, '--client-id', 'abc']
    for (const [text, why] of [
      ['\uFEFFsecret', 'begins with a byte order mark'],
      [' secret', 'begins with a blank'],
      ['secret\t', 'ends with a blank'],
    ] as const) {
      const path = file(text)
      chmodSync(path, 0o600)
      for (const [flags, options] of [
        [['--secret-stdin'], {stdin: text}],
        [['--secret-file', path], {}],
        [['--secret-from', `file:${path}`], {}],
        [['--secret-from', `command:cat ${path}`], {}],
        [['--secret-from', 'env:S'], {env: {S: text}}],
      ] as const) {
        const {code, stderr} = await desk.run(['login', 'x', ...place, ...flags], options)
        expect(code, stderr).to.equal(2)
        expect(stderr.replace(/\s+/g, ' '), flags.join(' ')).to.include(why)
      }
    }
    const path = file('a password that is long\r')
    chmodSync(path, 0o600)
    const create = ['customers', 'create', '--email', 'a@example.com', '--password-file', path]
    expect((await desk.run(create)).code).to.equal(0)
  })
})
