import {type ChildProcess, spawn} from 'node:child_process'
import {existsSync, mkdirSync, readdirSync, readFileSync} from 'node:fs'
import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {patienceMs} from '../patience.js'
import {cleanEnvironment, openSandbox, type Sandbox} from './binary.js'

const run = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const secret = 'Quittenmus'

/** A project whose second page of customers never comes. */
function halfProject(): Promise<Server> {
  const results = Array.from({length: 500}, (_, at) => ({
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    version: 1,
    email: `${at}@example.com`,
    firstName: secret.repeat(20),
    createdAt: '2026-11-20T10:00:00.000Z',
    lastModifiedAt: '2026-11-20T10:00:00.000Z',
  }))
  const server = createServer(({url = ''}, answer) => {
    const {pathname, searchParams} = new URL(url, 'http://localhost')
    if (searchParams.get('where')?.includes('id >')) return
    const body = pathname.endsWith('/customers')
      ? {limit: 500, offset: 0, count: 500, total: 1_000, results}
      : {
          key: 'shop',
          access_token: 'x',
          token_type: 'Bearer',
          expires_in: 3600,
          scope: 'manage_project:shop',
          results: [],
        }
    answer.setHeader('content-type', 'application/json')
    answer.end(JSON.stringify(body))
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

describe('e2e · what bulk commands keep for themselves', () => {
  let sandbox: Sandbox
  let project: Server
  let env: NodeJS.ProcessEnv
  let remote: NodeJS.ProcessEnv
  let scratch: string

  before(async () => {
    sandbox = openSandbox()
    project = await halfProject()
    scratch = join(sandbox.home, 'tmp')
    mkdirSync(scratch)
    env = {...cleanEnvironment(sandbox.home), FRONTDESK_DATA_DIR: sandbox.data, TMPDIR: scratch, HALF_SECRET: 'x'}
    const url = `http://127.0.0.1:${(project.address() as AddressInfo).port}`
    const at = ['--api-url', url, '--auth-url', url, '--project-key', 'shop', '--client-id', 'x']
    await sandbox.frontdesk(['login', 'half', '--no-check', ...at, '--secret-from', 'env:HALF_SECRET'])
    await sandbox.frontdesk(['login', 'here', '--local', '--project-key', 'shop'])
    remote = {FRONTDESK_API_URL: url, FRONTDESK_AUTH_URL: url, FRONTDESK_PROJECT_KEY: 'shop', FRONTDESK_TOKEN: 'x'}
  })
  after(() => {
    project.closeAllConnections()
    project.close()
    sandbox.remove()
  })

  const kept = (): readonly string[] =>
    readdirSync(scratch, {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .filter(({parentPath, name}) => readFileSync(join(parentPath, name), 'utf8').includes(secret))
      .map(({name}) => name)

  const commands: Readonly<
    Record<string, {readonly words: readonly string[]; readonly isLocal?: true; readonly input?: string}>
  > = {
    'customers import': {
      words: ['customers', 'import', '-', '--format', 'csv', '--yes'],
      isLocal: true,
      input: `key,email,password\nada,ada@example.com,${secret}\n`,
    },
    'customers export': {words: ['customers', 'export', '--format', 'csv', '--out', 'all.csv']},
    'customers copy': {words: ['customers', 'copy', '--from', 'half', '--to', 'here', '--yes'], isLocal: true},
  }

  /** Begins a command and waits until it keeps rows of persons. */
  async function begun(
    name: string,
  ): Promise<{child: ChildProcess; ended: Promise<number | string | null>; said: () => string}> {
    const {words, isLocal, input} = commands[name] ?? {words: []}
    const child = spawn(process.execPath, [run, ...words], {
      cwd: sandbox.home,
      env: isLocal ? env : {...env, ...remote},
    })
    let text = ''
    child.stderr.on('data', (chunk: Buffer) => (text += String(chunk)))
    child.stdout.resume()
    const ended = new Promise<number | string | null>((resolve) =>
      child.once('close', (code, signal) => resolve(code ?? signal)),
    )
    if (input !== undefined) child.stdin.write(input)
    const deadline = Date.now() + patienceMs
    while (kept().length === 0) {
      if (Date.now() > deadline || child.exitCode !== null) throw new Error(`${name} keeps no rows: ${text}`)
      await pause(20)
    }
    return {child, ended, said: () => text}
  }

  for (const name of Object.keys(commands)) {
    for (const [signal, code] of [
      ['SIGHUP', 129],
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      it(`S-310 ${name} leaves no rows behind ${signal}`, async () => {
        const {child, ended, said} = await begun(name)
        child.kill(signal)
        expect(await ended, said()).to.equal(code)
        expect(kept()).to.deep.equal([])
      })
    }

    it(`S-310 what ${name} leaves behind kill -9 is gone with the next command`, async () => {
      const {child, ended} = await begun(name)
      child.kill('SIGKILL')
      expect(await ended).to.equal('SIGKILL')
      expect(kept()).to.have.length(1)
      await sandbox.frontdesk(['jobs', 'list'], {env: {TMPDIR: scratch}})
      expect(readdirSync(scratch)).to.deep.equal([])
    })
  }

  it('S-310 a command leaves alone what another one keeps', async () => {
    const {child, ended} = await begun('customers import')
    await sandbox.frontdesk(['jobs', 'list'], {env: {TMPDIR: scratch}})
    expect(kept()).to.have.length(1)
    child.stdin?.end()
    expect(await ended).to.be.a('number')
    expect(existsSync(scratch) && readdirSync(scratch)).to.deep.equal([])
  })
})
