import {type ChildProcessByStdio, spawn} from 'node:child_process'
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Readable} from 'node:stream'
import {expect} from 'chai'
import {root} from '../run.js'

/** The compiled binary as a process: only what needs one. */

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-built-'))
const env = {
  PATH: process.env['PATH'],
  HOME: folder,
  FRONTDESK_CONFIG_DIR: join(folder, 'config'),
  FRONTDESK_DATA_DIR: join(folder, 'data'),
  FRONTDESK_CACHE_DIR: join(folder, 'cache'),
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const children: ChildProcessByStdio<null, Readable, Readable>[] = []

function begin(argv: readonly string[], more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(root, 'bin/run.js'), ...argv], {
    env: {...env, ...more},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  return child
}

function run(argv: readonly string[], more: Record<string, string> = {}): Promise<Ended> {
  const child = begin(argv, more)
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({code, stdout, stderr})))
}

/**
 * What a run loaded: files, Node's own modules, and the modules of the bundle, each part of which is a function. V8 counts
 * what was called.
 */
const loadsOf = async (argv: readonly string[], more: Record<string, string> = {}): Promise<string[]> => {
  const coverage = mkdtempSync(join(folder, 'coverage-'))
  const {code, stderr} = await run(argv, {...more, NODE_V8_COVERAGE: coverage})
  expect(code, stderr).to.be.oneOf([0, 13])
  const parts = new Map(
    Object.entries(JSON.parse(readFileSync(join(root, 'dist/cli/parts.json'), 'utf8')) as Record<string, string[]>),
  )
  const scripts = readdirSync(coverage).flatMap((name) => {
    const {result} = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as {result: readonly Script[]}
    return result
  })
  const called = scripts.flatMap(({functions}) => functions.filter(({ranges}) => (ranges[0]?.count ?? 0) > 0))
  return [...scripts.map(({url}) => url), ...called.flatMap(({functionName}) => parts.get(functionName) ?? [])]
}

interface Script {
  readonly url: string
  readonly functions: readonly {readonly functionName: string; readonly ranges: readonly {readonly count: number}[]}[]
}

const heavy =
  /^node:http$|node_modules\/(undici|inquirer|@inquirer|pg|bcryptjs|graphql|csv-\w+|yaml|chalk|cli-table3|find-my-way|lowdb|valibot|i18n-iso-countries)\//
const server = /^src\/(server|api|secrets|store\/lowdb\/(?!folder\/(?:holder|lock)\.|file\/))/

describe('cli · built binary', () => {
  before(() => {
    expect(existsSync(join(root, 'dist/cli/frontdesk.cjs')), 'run: npm run build').to.equal(true)
  })
  after(() => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, {recursive: true, force: true})
  })

  it('loads neither server, HTTP client nor prompts for help, version and static commands', async () => {
    for (const argv of [
      ['--version'],
      ['--help'],
      ['customers', 'get', '--help'],
      ['profiles', 'list'],
      ['server', 'status'],
    ]) {
      const loaded = await loadsOf(argv)
      expect(
        loaded.filter((url) => heavy.test(url) || server.test(url)),
        argv.join(' '),
      ).to.deep.equal([])
    }
  })

  it('loads neither undici nor the HTTP front for an embedded command', async () => {
    const loaded = await loadsOf(['customers', 'query'])
    expect(
      loaded.filter((url) =>
        /node_modules\/undici|src\/server\/http\/|src\/client\/transports\/http|^node:http$/.test(url),
      ),
    ).to.deep.equal([])
    expect(loaded.some((url) => url.startsWith('src/api/'))).to.equal(true)
  })

  it('keeps compiled code with the caches of the user, and ships none', async () => {
    const compiled = join(folder, 'cache', 'compiled')
    await run(['profiles', 'list'])
    const [name = '', ...others] = readdirSync(compiled)
    expect(others).to.deep.equal([])
    const {mtimeMs, size} = statSync(join(compiled, name))
    expect(size).to.be.greaterThan(100_000)
    expect((await run(['profiles', 'list'])).code).to.equal(0)
    expect(statSync(join(compiled, name)).mtimeMs, 'written once').to.equal(mtimeMs)
    expect(readdirSync(join(root, 'dist', 'cli')).filter((file) => file.endsWith('.code'))).to.deep.equal([])
  })

  it('starts without the compiled code that is kept when it is told to, and answers the same', async () => {
    const cache = join(folder, 'plain-cache')
    const plain = {FRONTDESK_PLAIN_START: '1', FRONTDESK_CACHE_DIR: cache}
    for (const argv of [
      ['customers', 'get', '--help'],
      ['profiles', 'list', '--json'],
      ['custmers', 'get'],
    ]) {
      expect(await run(argv, plain), argv.join(' ')).to.deep.equal(await run(argv))
    }
    expect(existsSync(join(cache, 'compiled'))).to.equal(false)
  })

  it('tells its version without loading anything', async () => {
    const {code, stdout} = await run(['--version'])
    expect(code).to.equal(0)
    expect(stdout).to.match(/^frontdesk\/\d+\.\d+\.\d+ \S+ node-v\d+/)
  })

  it('ends with the codes of the table, and without a stack', async () => {
    const unknown = await run(['custmers', 'get'])
    expect(unknown.code).to.equal(2)
    expect(unknown.stderr).to.not.match(/\n\s+at /)
    const absent = await run(['customers', 'get', 'key=nobody', '--json'])
    expect(absent.code).to.equal(3)
    expect(JSON.parse(absent.stdout)).to.have.nested.property('error.exitCode', 3)
  })

  it('ends quietly when whoever reads has had enough', async () => {
    const child = begin(['deprecations', 'list', '-o', 'yaml'])
    child.stdout.destroy()
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk)
    })
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect({code, stderr}).to.deep.equal({code: 141, stderr: ''})
  })

  it('ends with 130 on Ctrl-C', async () => {
    // First, as the tail holds the state in the folder until it ends.
    const created = await run(['customers', 'create', '--email', 'tail@example.com', '--external-auth'])
    expect(created.code, created.stderr).to.equal(0)
    const child = begin(['messages', 'tail', '--since', '1m', '--every', '100ms'])
    const ended = new Promise((resolve) => child.on('close', resolve))
    const shown = new Promise((resolve) => child.stdout.once('data', () => resolve('a message')))
    expect(await Promise.race([shown, ended])).to.equal('a message')
    child.kill('SIGINT')
    expect(await ended).to.equal(130)
  })

  it('starts a server that says so in one line, is found by the others, and ends on SIGTERM with 143', async () => {
    const child = begin(['server', 'start', '--json'])
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    const line = await new Promise<string>((resolve) => {
      let text = ''
      child.stdout.on('data', (chunk) => {
        text += String(chunk)
        if (text.endsWith('\n')) resolve(text)
      })
    })
    const {apiUrl, pid} = JSON.parse(line) as {apiUrl: string; pid: number}
    expect(line.split('\n')).to.have.length(2)
    expect(pid).to.equal(child.pid)
    const status = await run(['server', 'status', '--json'])
    expect(JSON.parse(status.stdout)).to.include({running: true, apiUrl, pid})
    const made = await run(['customers', 'create', '--email', 'a@example.com', '--key', 'ada', '--external-auth'])
    expect(made.code, made.stderr).to.equal(0)
    const stop = await run(['server', 'stop'])
    expect(stop.code, stop.stderr).to.equal(0)
    expect(await ended).to.equal(143)
    expect((await run(['server', 'stop'])).code).to.equal(13)
    expect((await run(['customers', 'exists', 'key=ada'])).code).to.equal(0)
  })
})
