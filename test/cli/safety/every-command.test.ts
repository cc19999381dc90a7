import {createHash} from 'node:crypto'
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join, relative} from 'node:path'
import {expect} from 'chai'
import type {Client} from '../../../src/client/client.js'
import {connect} from '../../../src/client/connect.js'
import {type RunningServer, startServer} from '../../../src/index.js'
import {config, Desk} from '../run.js'
import {everyCommand} from './every-command.js'
import {recordReaders, recordReads} from './record-reads.js'

/** Files of the state that the server of the test holds: what they hold is compared as documents. */
const isState = (path: string): boolean => /^data\/(?!_|demo\.callback)/.test(path)

/** Reading that needs a token of its own, which the server writes down. */
const asksForToken = /^(check scopes|whoami|quotes .*)$/

describe('cli · every command', () => {
  const desk = new Desk()
  const home = process.cwd()
  const work = join(desk.folder, 'work')
  let server: RunningServer
  let client: Client
  let job = ''

  before(async () => {
    mkdirSync(work)
    process.chdir(work)
    server = await startServer({dataDir: desk.env['FRONTDESK_DATA_DIR'] as string, projectKey: 'demo', seedDir: 'demo'})
    const {clientId, clientSecret} = server.client
    const credentials = {kind: 'client', clientId, secret: async () => clientSecret} as const
    client = await connect({...server, kind: 'remote', projectKey: 'demo', credentials})
    writeFileSync('secret', 'a-secret-of-these-tests', {mode: 0o600})
    writeFileSync('customers.csv', 'key,email\nnew-1,new-1@example.com\nowen-pell,owen.pell@quayside.example\n')
    writeFileSync('bad.csv', 'key,email,customerGroup.key\nbad-1,bad-1@example.com,none\n')
    writeFileSync(
      'checks.json',
      '{"checks":[{"name":"a","query":{"resource":"customers"},"assert":["results exists"]}]}',
    )
    await must('login', 'demo', '--local', '--project-key', 'demo')
    await must('login', 'spare', '--local', '--project-key', 'spare')
    await must('profiles', 'use', 'demo')
    await must('server', 'snapshot', 'save', 'kept')
    await must('token', 'issue', '--flow', 'anonymous', '--save', 'ada')
    await must('customers', 'update', 'key=petra-vance', '--set', 'title=Dame')
    const imported = await desk.run(['customers', 'import', 'bad.csv', '--password-mode', 'external-auth', '--json'])
    job = (imported.json as {job: string}).job
    await desk.run(['customers', 'query', '-P', 'spare'])
    // What any read leaves behind is there before anything is compared.
    await desk.run(['quotes', 'query', '--as', 'key=hazel-brandvold'])
  })
  after(async () => {
    process.chdir(home)
    await client.close()
    await server.stop()
    desk.remove()
  })

  async function must(...argv: string[]): Promise<void> {
    const {code, stderr} = await desk.run(argv)
    expect(code, `${argv.join(' ')}: ${stderr}`).to.equal(0)
  }

  /** Every file of the machine beside the state, and every document of the project. */
  async function digest(): Promise<Readonly<Record<string, string>>> {
    const files = readdirSync(desk.folder, {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .map((entry) => relative(desk.folder, join(entry.parentPath, entry.name)))
      .filter((path) => !isState(path))
    const documents = await Promise.all(
      ['customers', 'messages', 'carts', 'quotes'].map(async (path) => {
        const {body} = await client.raw('GET', `/demo/${path}`, {query: {limit: 500}})
        return [`/${path}`, JSON.stringify(body)] as const
      }),
    )
    const texts = [...files.map((path) => [path, readFileSync(join(desk.folder, path))] as const), ...documents]
    return Object.fromEntries(texts.map(([name, text]) => [name, createHash('sha256').update(text).digest('hex')]))
  }

  const argsOf = (id: string): string[] =>
    (everyCommand[id] ?? []).map((word) =>
      word === 'JOB' ? job : word === 'DATA' ? (desk.env['FRONTDESK_DATA_DIR'] as string) : word,
    )

  it('has a row here', async () => {
    const ids = (await config()).commands.filter(({hidden}) => !hidden).map(({id}) => id.replaceAll(':', ' '))
    expect(Object.keys(everyCommand).toSorted()).to.deep.equal(ids.toSorted())
  })

  it('changes nothing anywhere in a dry run, and reads records where two places were compared', async () => {
    const faults: string[] = []
    const readers: string[] = []
    let before = await digest()
    for (const id of Object.keys(everyCommand)) {
      const words = [...id.split(' '), ...beforeDash(argsOf(id), '--dry-run')]
      const {reads, result} = await recordReads(desk.folder, () => desk.run(words))
      if (reads.length > 0) readers.push(id)
      const {code, stderr} = result
      if (code === 1) faults.push(`${id}: ${stderr}`)
      const after = await digest()
      const names = new Set([...Object.keys(before), ...Object.keys(after)])
      const isOwnToken = (name: string) => name.startsWith('data/_/') && asksForToken.test(id)
      for (const name of names)
        if (before[name] !== after[name] && !isOwnToken(name)) faults.push(`${id} changes ${name}`)
      before = after
    }
    expect(readers.toSorted()).to.deep.equal(Object.keys(recordReaders).toSorted())
    expect(faults).to.deep.equal([])
  })

  it('says that its result was cut short, and by how the reader took it, with 13 or 141', async () => {
    // What prints more than its dry run, or than for things that do not exist.
    const printing: Readonly<Record<string, readonly string[]>> = {
      'customers erased': ['3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
      'deprecations get': ['customers-change-name'],
      'messages tail': ['--since', '1h'],
      'messages wait': ['--type', 'CustomerTitleSet', '--since', '1h'],
    }
    const [faults, silent]: [string[], string[]] = [[], []]
    const cut = async (id: string, words: readonly string[]): Promise<void> => {
      const argv = [...id.split(' '), ...words]
      // It ends by itself where its output is not taken, and nowhere else.
      const {stdout} = id === 'messages tail' ? {stdout: 'a line of it'} : await desk.run(argv)
      if (Buffer.byteLength(stdout) < 2) return void silent.push(id)
      const room = Math.floor(Buffer.byteLength(stdout) / 2)
      const full = await desk.run(argv, {full: {room, code: 'ENOSPC'}})
      if (full.code !== 13 || !full.stderr.includes('The output cannot be written: no space is left'))
        faults.push(`${id} on a full disk: ${full.code} ${full.stderr}`)
      if (/\d+ customers? exported/.test(full.stderr)) faults.push(`${id} counts what was not written`)
      const closed = await desk.run(argv, {full: {room, code: 'EPIPE'}})
      if (closed.code !== 141 || /^Error/m.test(closed.stderr))
        faults.push(`${id} without a reader: ${closed.code} ${closed.stderr}`)
    }
    const ofTokens = (id: string): boolean => /-token get$/.test(id)
    for (const id of Object.keys(everyCommand))
      if (!ofTokens(id)) await cut(id, printing[id] ?? beforeDash(argsOf(id), '--dry-run'))
    // These last, since the outbox shows their tokens.
    const petra = await client.raw('GET', '/demo/customers/key=petra-vance')
    const {id, email} = petra.body as {id: string; email: string}
    for (const command of Object.keys(everyCommand).filter(ofTokens)) {
      const path = command.replace(/^customers (.*) get$/, '/demo/customers/$1')
      const {body} = await client.raw('POST', path, {body: path.includes('email') ? {id, ttlMinutes: 9} : {email}})
      writeFileSync('token', (body as {value: string}).value, {mode: 0o600})
      await cut(command, ['--token-file', 'token'])
      rmSync('token')
    }
    expect(faults).to.deep.equal([])
    // It is for a person at a terminal.
    expect(silent).to.deep.equal(['desk'])
  })

  it('refuses to change the target of a read-only profile', async () => {
    await must('login', 'frozen', '--local', '--project-key', 'demo', '--read-only')
    await must('login', 'frozen-spare', '--local', '--project-key', 'spare', '--read-only')
    const {commands} = await config()
    const writing = commands.filter(({flags}) => 'reason' in flags).map(({id}) => id.replaceAll(':', ' '))
    const faults: string[] = []
    const before = await digest()
    for (const id of writing.filter((one) => one !== 'desk')) {
      for (const choice of [[], ['-P', 'frozen']]) {
        if (id === 'customers copy' && choice.length > 0) continue
        const {code, stderr} = await desk.run([...id.split(' '), ...argsOf(id), ...choice])
        if (code !== 2 || !stderr.includes('read-only')) faults.push(`${id} ${choice.join(' ')}: ${code} ${stderr}`)
      }
    }
    const after = await digest()
    for (const name of Object.keys(after)) {
      if (before[name] !== after[name] && !/^(data\/_|work)\//.test(name)) faults.push(`${name} is changed`)
    }
    expect(faults).to.deep.equal([])
  })
})

function beforeDash(words: readonly string[], flag: string): string[] {
  const at = words.indexOf('--')
  return at < 0 ? [...words, flag] : [...words.slice(0, at), flag, ...words.slice(at)]
}

describe('cli · a dry run on a machine without any state', () => {
  it('makes none', async () => {
    const desk = new Desk()
    const rows = join(desk.folder, 'rows.csv')
    writeFileSync(rows, 'key,email\nrow-one,row-one@example.com\n')
    const before = readdirSync(desk.folder, {recursive: true})
    const created = ['customers', 'create', '--email', 'a@example.com', '--external-auth', '--dry-run']
    expect((await desk.run(created)).code).to.equal(0)
    expect((await desk.run(['customers', 'update', 'key=nobody', '--set', 'title=Sir', '--dry-run'])).code).to.equal(3)
    const imported = ['customers', 'import', rows, '--password-mode', 'external-auth', '--dry-run']
    expect((await desk.run(imported)).stdout).to.include('1 create')
    expect(readdirSync(desk.folder, {recursive: true})).to.deep.equal(before)
    desk.remove()
  })
})

describe('cli · a result that the audit log cannot record', () => {
  const desk = new Desk()

  /** Runs a command whose first request to write makes the audit log unwritable. */
  async function unrecorded(...argv: string[]) {
    const folder = join(desk.folder, 'data', '_audit')
    const server = createServer((request, response) => {
      rmSync(folder, {recursive: true, force: true})
      writeFileSync(folder, '')
      const forwarded = fetch(new URL(request.url ?? '', target.apiUrl), {
        method: request.method ?? 'GET',
        headers: request.headers as Record<string, string>,
        ...(request.method === 'POST' ? {body: request as unknown as ReadableStream, duplex: 'half'} : {}),
      } as RequestInit)
      void forwarded.then(async (answer) => {
        response.writeHead(answer.status, {'content-type': 'application/json'}).end(await answer.text())
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const env = {
        FRONTDESK_API_URL: url,
        FRONTDESK_AUTH_URL: target.authUrl,
        FRONTDESK_PROJECT_KEY: 'shop',
        FRONTDESK_CLIENT_ID: target.client.clientId,
        FRONTDESK_CLIENT_SECRET: target.client.clientSecret,
      }
      return await desk.run(argv, {env})
    } finally {
      server.closeAllConnections()
      server.close()
      rmSync(folder, {force: true})
    }
  }

  let target: RunningServer
  before(async () => {
    target = await startServer({dataDir: ':memory:', projectKey: 'shop'})
  })
  after(async () => {
    await target.stop()
    desk.remove()
  })

  it('is shown, new password and all, with a word about the log and code 13', async () => {
    const create = ['customers', 'create', '--email', 'a@example.com', '--key', 'the-key', '--generate-password']
    const created = await unrecorded(...create, '--show-secret')
    expect(created.code).to.equal(13)
    expect(created.stdout).to.match(/^created /)
    expect(created.stderr).to.include('It happened, and the audit log lacks its result.')
    expect(created.stderr).to.match(/password, shown only once: \S{12}/)
  })
})
