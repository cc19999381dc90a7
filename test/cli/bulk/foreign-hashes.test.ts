import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {type ForeignServer, json, startForeignServer} from '../../client/foreign-server.js'
import {bareDigests, bcryptHash, foreignPassword, otherHashes} from '../../fixtures/foreign-hashes.js'
import {Desk} from '../run.js'

const hash = `$2b$04$${'abcdefghijklmnopqrstuv'}${'w'.repeat(31)}`
const hashes = `key,email,passwordHash\nh1,h1@example.com,${hash}\n`

describe('cli · password hashes and other servers', () => {
  let server: ForeignServer
  let desk: Desk
  let writes: string[]
  let known: Record<string, unknown>[]

  before(async () => {
    server = await startForeignServer()
  })
  after(() => server.close())
  beforeEach(() => {
    desk = new Desk()
    writes = []
    known = []
    server.answer = (response, request) => {
      const path = new URL(request.url ?? '', server.url).pathname
      const answer = (status: number, body: unknown) => response.writeHead(status, json).end(JSON.stringify(body))
      if (path === '/oauth/token')
        return answer(200, {access_token: 'a', expires_in: 3600, scope: 'manage_project:shop'})
      if (path === '/shop/customers' && request.method === 'GET') {
        return answer(200, {limit: 500, offset: 0, count: known.length, total: known.length, results: known})
      }
      if (request.method !== 'GET') writes.push(path)
      return answer(path === '/openapi.json' ? openApi : 404, {message: 'Route not found'})
    }
  })
  afterEach(() => desk.remove())

  let openApi = 404
  const env = () => ({
    FRONTDESK_API_URL: server.url,
    FRONTDESK_PROJECT_KEY: 'shop',
    FRONTDESK_CLIENT_ID: 'me',
    FRONTDESK_CLIENT_SECRET: 'hush',
    FRONTDESK_RETRIES: '0',
  })
  const run = (...argv: string[]) => desk.run(argv, {env: env()})
  const file = (text = hashes) => {
    const path = join(desk.folder, 'hashes.csv')
    writeFileSync(path, text)
    return path
  }

  it('are refused in the check, the difference and the import, before anything is written', async () => {
    for (const argv of [
      ['customers', 'import', file(), '--dry-run'],
      ['customers', 'diff', file()],
      ['customers', 'import', file()],
    ]) {
      const {code, stderr} = await run(...argv)
      expect(code, stderr).to.equal(2)
      expect(stderr).to.include('line 2, passwordHash').and.include('--password-mode generate or external-auth')
    }
    expect(writes).to.deep.equal([])
  })

  it('are refused in the draft of one customer, also in a dry run', async () => {
    const draft = join(desk.folder, 'draft.json')
    writeFileSync(draft, JSON.stringify({email: 'h1@example.com', passwordHash: hash}))
    for (const also of [['--dry-run'], []]) {
      const {code, stderr} = await run('customers', 'create', '--body', `@${draft}`, ...also)
      expect(code, stderr).to.equal(6)
      expect(stderr).to.include('keeps no password hashes').and.include('--external-auth')
    }
    expect(writes).to.deep.equal([])
  })

  it('give way to passwords that are made up, and to none', async () => {
    const generated = join(desk.folder, 'made.csv')
    const links = join(desk.folder, 'links.csv')
    const modes = [
      ['generate', '--generated-passwords', generated],
      ['reset-links', '--reset-links', links],
      ['external-auth'],
    ]
    for (const [mode = '', ...flags] of modes) {
      const {json: plan} = await run(
        'customers',
        'import',
        file(),
        '--password-mode',
        mode,
        ...flags,
        '--dry-run',
        '--json',
      )
      expect(plan, mode).to.include({create: 1, invalid: 0})
    }
  })

  it('do not matter to customers that are there', async () => {
    known = [{id: 'x', version: 1, key: 'h1', email: 'h1@example.com', addresses: [], stores: []}]
    const {json: plan, stderr} = await run('customers', 'import', file(), '--dry-run', '--json')
    expect(plan, stderr).to.include({unchanged: 1, create: 0, invalid: 0})
  })

  it('are not decided about by a server that is down', async () => {
    openApi = 503
    expect((await run('customers', 'import', file(), '--dry-run')).code).to.equal(7)
    openApi = 404
  })
})

describe('cli · password hashes and a local server', () => {
  const desk = new Desk()
  let server: RunningServer
  before(async () => {
    server = await startServer({dataDir: join(desk.folder, 'data'), projectKey: 'local'})
  })
  after(async () => {
    await server.stop()
    desk.remove()
  })

  it('are kept by one that is reached by its address', async () => {
    const lines = (await desk.run(['server', 'env', '--project-key', 'local', '--json'])).json
    const {FRONTDESK_DATA_DIR: _, ...env} = desk.env
    const elsewhere = {...env, ...(lines as Record<string, string>), FRONTDESK_DATA_DIR: join(desk.folder, 'none')}
    const path = join(desk.folder, 'hashes.csv')
    writeFileSync(path, hashes)
    const imported = await desk.run(['customers', 'import', path, '--json'], {env: elsewhere})
    expect(imported.code, imported.stderr).to.equal(0)
    expect(imported.json).to.include({created: 1})
    const draft = JSON.stringify({email: 'h2@example.com', passwordHash: hash})
    const created = await desk.run(['customers', 'create', '--body', '-'], {env: elsewhere, stdin: draft})
    expect(created.code, created.stderr).to.equal(0)
  })

  const others = [...Object.values(otherHashes).flat(), ...bareDigests].filter((text) => !/[,"]/.test(text))
  const table = (column: string, texts: readonly string[]) => {
    const path = join(desk.folder, `${column}.csv`)
    const rows = texts.map((text, at) => `o${at},o${at}@example.com,"${text}"`)
    writeFileSync(path, [`key,email,${column}`, ...rows, ''].join('\n'))
    return path
  }
  const modes = () => [
    ['column'],
    ['generate', '--generated-passwords', join(desk.folder, 'made.csv')],
    ['reset-links', '--reset-links', join(desk.folder, 'links.csv')],
    ['external-auth'],
  ]

  it('become no password in any mode, whatever their form', async () => {
    const env = {FRONTDESK_DATA_DIR: join(desk.folder, 'shapes')}
    const path = table('password', [bcryptHash, ...others])
    for (const [mode = '', ...flags] of modes()) {
      const argv = ['customers', 'import', path, '--password-mode', mode, ...flags]
      const {code, stdout, stderr} = await desk.run([...argv, '--json'], {env})
      expect(code, mode).to.equal(2)
      const {causes} = (JSON.parse(stdout) as {error: {causes: {rows: number}[]}}).error
      expect(
        causes.map(({rows}) => rows),
        stderr,
      ).to.deep.equal([others.length + 1])
    }
    expect((await desk.run(['customers', 'query', '--json'], {env})).json).to.include({total: 0})
  })

  it('of other forms than bcrypt are refused with the way, and the way works', async () => {
    const env = {FRONTDESK_DATA_DIR: join(desk.folder, 'ways')}
    const path = table('passwordHash', [bcryptHash, ...others])
    const refused = await desk.run(['customers', 'import', path], {env})
    expect(refused.code).to.equal(10)
    expect(refused.stdout).to.include(`1 created, ${others.length} failed`)
    expect(refused.stderr).to.include('--password-mode reset-links')
    const links = join(desk.folder, 'made-links.csv')
    const flags = ['--password-mode', 'reset-links', '--reset-links', links, '--json']
    const made = await desk.run(['customers', 'import', path, ...flags], {env})
    expect(made.json, made.stderr).to.include({created: others.length, unchanged: 1, failed: 0})
    const emails = readFileSync(links, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0])
    expect(emails).to.have.lengthOf(others.length).and.not.include('o0@example.com')
    const signIn = ['customers', 'sign-in', 'o0@example.com', '--password-stdin', '--json']
    expect((await desk.run(signIn, {env, stdin: foreignPassword})).code).to.equal(0)
  })

  it('are kept by the state in a folder', async () => {
    const env = {FRONTDESK_DATA_DIR: join(desk.folder, 'embedded')}
    const draft = JSON.stringify({email: 'h3@example.com', passwordHash: hash})
    const {code, stderr} = await desk.run(['customers', 'create', '--body', '-'], {env, stdin: draft})
    expect(code, stderr).to.equal(0)
  })
})
