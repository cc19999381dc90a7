import {cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {startServer} from '../../../src/index.js'
import {copyFolder} from '../../store/copied-folder.js'
import {config, Desk, type Ended, root} from '../run.js'

/** Every example of every command runs as it is written, on a machine where the people of the examples exist. */

/** Commands whose examples need a process, files or a past of their own; the tests of their folders run them. */
const elsewhere = new Set([
  ...['callback check', 'callback serve', 'introspection check', 'introspection serve'],
  ...[
    'customers import',
    'jobs show',
    'messages forward',
    'undo',
    'login',
    'quotes update',
    'server clock',
    'server faults',
  ],
  ...[
    'server env',
    'server exec',
    'server migrate-store',
    'server open',
    'server outbox',
    'server requests',
    'server start',
    'server status',
    'server stop',
  ],
])

/** Examples that show another end than success: a finding, a false assertion, no server. */
const otherEnds = new Map([
  ['check run', 9],
  ['customers erased', 9],
  ['deprecations check', 9],
  ['quotes get', 9],
  ['deprecations list', 13],
])

interface Seeded {
  readonly email: string
  readonly password: string
}

function words(line: string): string[] {
  return [...line.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(
      /'([^']*)'|"([^"]*)"/g,
      (_, single: string | undefined, double: string | undefined) => single ?? double ?? '',
    ),
  )
}

describe('cli · examples', () => {
  const desk = new Desk()
  const snapshot = `${desk.folder}-snapshot`
  const home = process.cwd()
  const replaced = new Map<string, string>()
  let stop: () => Promise<void> = () => Promise.resolve()

  const must = async (argv: readonly string[], stdin = '', answers?: readonly string[]): Promise<Ended> => {
    const ended = await desk.run(argv, {stdin, ...(answers ? {answers} : {})})
    const codes = [0, otherEnds.get(argv.slice(0, 2).join(' '))]
    expect(codes, `${argv.join(' ')}\n${ended.stderr}`).to.include(ended.code)
    return ended
  }

  before(async () => {
    const server = await startServer({dataDir: ':memory:', projectKey: 'shop'})
    stop = () => server.stop()
    const {clientId, clientSecret} = server.client
    await must(['server', 'seed', join(root, 'fixtures/demo')])
    replaced.set('abc', clientId)
    const ada = ['--email', 'ada@example.com', '--key', 'ada', '--first-name', 'Ada', '--last-name', 'Lovelace']
    await must(
      [
        'customers',
        'create',
        ...ada,
        '--customer-number',
        '1001',
        '--set',
        'addresses.0.country=GB',
        '--set',
        'addresses.0.city=London',
        '--password-stdin',
      ],
      clientSecret,
    )
    await must(['customers', 'verify-email', 'key=ada'])
    const [hazel] = JSON.parse(readFileSync(join(root, 'fixtures/demo/customers.json'), 'utf8')) as Seeded[]
    const signIn = ['token', 'issue', '--flow', 'password', '--email', hazel?.email ?? '', '--password-stdin']
    await must([...signIn, '--save', 'ada'], hazel?.password)
    const quote = ['--quote-for', 'key=hazel-brandvold', '--cart', 'hazel-current', '--quote-key', 'spring-order']
    await must(['server', 'seed', ...quote])
    await must(['login', 'scratch', '--local', '--project-key', 'scratch'])
    const place = ['--project-key', 'shop', '--api-url', server.apiUrl, '--auth-url', server.authUrl]
    await must(['login', 'staging', '--no-secret', ...place])
    await must(['login', 'test', '--local', '--project-key', 'test'])
    await must(['login', 'staging', '--client-id', clientId, '--secret-stdin'], clientSecret)
    const {json} = await must(['messages', 'list', '-n', '1', '--json'])
    replaced.set('7d1b2c3e-0000-4000-8000-000000000000', (json as {results: {id: string}[]}).results[0]?.id ?? '')
    writeFileSync(join(desk.folder, 'secret.txt'), clientSecret, {mode: 0o600})
    copyFolder(desk.folder, snapshot)
  })
  after(async () => {
    process.chdir(home)
    desk.remove()
    rmSync(snapshot, {recursive: true})
    await stop()
  })

  /** The machine as it was prepared, with the files that examples name. */
  async function renew(id: string): Promise<void> {
    process.chdir(home)
    desk.remove()
    copyFolder(snapshot, desk.folder)
    const cwd = join(desk.folder, 'cwd')
    mkdirSync(join(cwd, 'src'), {recursive: true})
    process.chdir(cwd)
    symlinkSync(join(root, 'fixtures'), 'fixtures')
    writeFileSync('draft.json', '{"anonymousCartId":"x"}')
    cpSync(join(desk.folder, 'secret.txt'), 'secret.txt')
    cpSync('secret.txt', 'old.txt')
    writeFileSync('new.txt', 'ein neues Passwort', {mode: 0o600})
    if (id === 'login') rmSync(join(desk.folder, 'config'), {recursive: true})
    if (id !== 'customers:export')
      writeFileSync('customers.csv', 'key,email,firstName,authenticationMode\nada,ada@example.com,Ada,ExternalAuth\n')
    writeFileSync(
      'customers.jsonl',
      '{"key":"ada","email":"ada@example.com","firstName":"Ada","authenticationMode":"ExternalAuth"}\n',
    )
    writeFileSync('crm.csv', 'Customer Id,E-Mail\n1,ada@example.com\n')
    writeFileSync('map.json', '{"columns":{}}')
    writeFileSync('wishes.txt', 'Ten per cent, please.')
    if (id === 'server:snapshot:restore') await must(['server', 'snapshot', 'save', 'before-import'])
    if (id === 'customers:undo') await must(['customers', 'update', 'key=ada', '--set', 'firstName=Augusta'])
    for (const kind of ['password-token', 'email-token']) {
      if (!id.includes(`${kind}:`)) continue
      const {json} = await must(['customers', kind, 'create', 'key=ada', '--show-secret', '--json'])
      writeFileSync('token.txt', (json as {value: string}).value, {mode: 0o600})
    }
  }

  async function play(example: string): Promise<void> {
    let stdin = ''
    for (const piece of example.split(' | ')) {
      const [part = '', file] = piece.split(' > ')
      const [program, ...argv] = words(part).map((word) => replaced.get(word) ?? word)
      if (program === 'echo') stdin = `${argv.join(' ')}\n`
      // No program of ours; tests of the store give PostgreSQL the statements.
      else if (program === 'psql') expect(stdin).to.match(/^CREATE TABLE /im)
      else stdin = (await must(argv, stdin, ['yes'])).stdout
      if (file !== undefined) writeFileSync(file, stdin)
    }
  }

  it('run', async () => {
    const failed: string[] = []
    const {commands} = await config()
    const names = new Set(commands.map(({id}) => id.replaceAll(':', ' ')))
    expect([...elsewhere, ...otherEnds.keys()].filter((name) => !names.has(name))).to.deep.equal([])
    for (const {id, examples = []} of commands) {
      const name = id.replaceAll(':', ' ')
      if (elsewhere.has(name)) continue
      for (const example of examples) {
        const text = String(typeof example === 'string' ? example : example.command).replaceAll(
          '<%= config.bin %>',
          'frontdesk',
        )
        await renew(id)
        // No database is there to be examined.
        if (text.includes('--store-url')) continue
        await play(text).catch((error: unknown) => failed.push(String(error)))
      }
    }
    expect(failed.join('\n')).to.equal('')
  })
})
