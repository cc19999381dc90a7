import {spawn} from 'node:child_process'
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {expect} from 'chai'
import {root} from './run.js'

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

function run(argv: readonly string[], more: Record<string, string> = {}, node: readonly string[] = []): Promise<Ended> {
  const child = spawn(process.execPath, [...node, join(root, 'bin/run.js'), ...argv], {
    env: {...env, ...more},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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

const loadsOf = async (argv: readonly string[]): Promise<string[]> => {
  const file = join(folder, `loads-${argv.join('-')}`)
  await run(argv, {LOADS: file}, ['--import', pathToFileURL(join(root, 'test/cli/loads.mjs')).href])
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
}

const heavy =
  /^node:http$|node_modules\/(undici|inquirer|@inquirer|pino|pg|bcryptjs|graphql|csv-\w+|yaml|chalk|cli-table3|find-my-way|lowdb|valibot|i18n-iso-countries)\//
const server = /dist\/src\/(server|api|secrets|store\/lowdb\/(?!holder))/

describe('cli · built binary', () => {
  before(() => {
    expect(existsSync(join(root, 'dist/src/cli/main.js')), 'run: npm run build').to.equal(true)
  })
  after(() => rmSync(folder, {recursive: true, force: true}))

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
    expect(loaded.filter((url) => /undici|http-front|http-transport|^node:http$/.test(url))).to.deep.equal([])
    expect(loaded.some((url) => url.includes('dist/src/api/'))).to.equal(true)
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
    const child = spawn(process.execPath, [join(root, 'bin/run.js'), 'messages', 'types', '-o', 'yaml'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk)
    })
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect({code, stderr}).to.deep.equal({code: 0, stderr: ''})
  })

  it('ends with 130 on Ctrl-C', async () => {
    const argv = ['messages', 'tail', '--every', '100ms', '-v']
    const child = spawn(process.execPath, [join(root, 'bin/run.js'), ...argv], {env, stdio: ['ignore', 'pipe', 'pipe']})
    const ended = new Promise((resolve) => child.on('close', resolve))
    await run(['customers', 'create', '--email', 'tail@example.com', '--external-auth'])
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.kill('SIGINT')
    expect(await ended).to.equal(130)
  })

  it('starts a server that says so in one line, is found by the others, and ends on SIGTERM with 143', async () => {
    const child = spawn(process.execPath, [join(root, 'bin/run.js'), 'server', 'start', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
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
