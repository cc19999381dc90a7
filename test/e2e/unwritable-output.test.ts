import {execFileSync, spawn, spawnSync} from 'node:child_process'
import {closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {rounds} from '../rounds.js'
import {cleanEnvironment, openSandbox, type Sandbox} from './binary.js'

const bin = join(fileURLToPath(new URL('../../', import.meta.url)), 'bin', 'run.js')

/** Results of more bytes than the small disk, the limit or a pipe takes; the first ones always, all thoroughly. */
const results: readonly (readonly string[])[] = [
  ['customers', 'export', '--format', 'csv'],
  ['customers', 'query', '--all', '--json'],
  ['customers', 'query', '--all', '-o', 'jsonl'],
  ['deprecations', 'list', '--json'],
  ['customers', 'query', '--all', '-o', 'yaml'],
  ['customers', 'query', '--all', '-o', 'csv'],
  ['customers', 'export', '--format', 'jsonl'],
  ['messages', 'list', '--limit', '500', '--json'],
  ['deprecations', 'list', '-o', 'yaml'],
]
const tried = results.slice(0, rounds(4, results.length))

describe('e2e · an output that cannot be written', () => {
  let sandbox: Sandbox
  let env: NodeJS.ProcessEnv
  before(async function () {
    if (!existsSync('/dev/full')) this.skip()
    sandbox = openSandbox()
    env = {...cleanEnvironment(sandbox.home), FRONTDESK_DATA_DIR: sandbox.data}
    const rows = Array.from({length: 200}, (_, at) => `row-${at},row-${at}@example.com,${'x'.repeat(2000)}\n`)
    const input = `key,email,companyName\n${rows.join('')}`
    const imported = await sandbox.frontdesk(['customers', 'import', '-', '--password-mode', 'external-auth'], {input})
    expect(imported.code, imported.stderr).to.equal(0)
  })
  after(() => sandbox?.remove())

  it('is an error of the disk, not a bug', () => {
    const create = ['customers', 'create', '--email', 'a@example.com', '--key', 'ada', '--external-auth']
    const json = ['customers', 'query', '--json']
    for (const argv of [['--version'], ['help', 'exit-codes'], ['profiles', 'list'], json, create]) {
      const full = openSync('/dev/full', 'w')
      const {status, stderr} = spawnSync(process.execPath, [bin, ...argv], {env, stdio: ['ignore', full, 'pipe']})
      closeSync(full)
      expect(status, argv.join(' ')).to.equal(13)
      expect(stderr.toString()).to.match(/^(?:target: .*\n)?Error: The output cannot be written: no space is left/)
      expect(stderr.toString()).to.not.match(/bug|Unexpected/)
    }
    const ids = execFileSync(process.execPath, [bin, 'customers', 'get', 'key=ada', '-o', 'ids'], {env}).toString()
    expect(ids, 'what was written before').to.match(/^[0-9a-f-]{36}\n$/)
  })

  it('says on stderr the error that stdout does not take as JSON', () => {
    const full = openSync('/dev/full', 'w')
    const argv = [bin, 'customers', 'get', 'key=nobody', '--json']
    const {status, stderr} = spawnSync(process.execPath, argv, {env, stdio: ['ignore', full, 'pipe']})
    closeSync(full)
    expect({status, stderr: stderr.toString()}).to.deep.include({status: 3})
    expect(stderr.toString()).to.match(/^Error: The Customer with key 'nobody' was not found/)
  })

  it('is no success without the password that is shown only once', () => {
    const full = openSync('/dev/full', 'w')
    const argv = [bin, 'customers', 'create', '--email', 'b@example.com', '--generate-password', '--show-secret']
    const {status} = spawnSync(process.execPath, argv, {env, stdio: ['ignore', 'pipe', full]})
    closeSync(full)
    expect(status).to.equal(13)
  })

  /** Runs a command whose result has room for a part only. */
  function cut(argv: readonly string[], file: string, shell: string, begins = 0): void {
    const {status, stderr} = spawnSync('bash', ['-c', shell, file, process.execPath, bin, ...argv], {env})
    const said = `${argv.join(' ')}: ${stderr.toString()}`
    expect(status, said).to.equal(13)
    expect(said).to.match(/Error: The output cannot be written: (no space is left|the file is too large)/)
    expect(said).to.not.match(/exported/)
    expect(statSync(file).size - begins, said).to.be.within(1, 16_384)
    rmSync(file)
  }

  it('is not taken for whole where a disk has room for a part of it', function () {
    const folder = join(sandbox.home, 'small')
    mkdirSync(folder)
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', folder]).status !== 0) {
      console.warn('    File systems cannot be mounted here: the test of a nearly full disk is skipped.')
      this.skip()
    }
    try {
      for (const argv of tried) cut(argv, join(folder, 'out'), '"$@" > "$0"')
      cut(['customers', 'import', '--help'], join(folder, 'out'), 'head -c 4000 /dev/zero > "$0.filler"; "$@" > "$0"')
    } finally {
      execFileSync('umount', [folder])
    }
  })

  it('is not taken for whole where a file may have no more', () => {
    // Files of the state are shorter than the limit; the output begins just below it.
    const shell = 'truncate -s 99996k "$0"; ulimit -f 100000; "$@" >> "$0"'
    for (const argv of tried) cut(argv, join(sandbox.home, 'limited'), shell, 99_996 * 1024)
  })

  /** What a reader gets that reads nothing for a while, and the code of the command. */
  async function slowly(argv: readonly string[], read: (pid: number) => Promise<void>) {
    const child = spawn(process.execPath, [bin, ...argv], {env, stdio: ['ignore', 'pipe', 'pipe']})
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    const parts: Buffer[] = []
    await read(child.pid as number)
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    return {code: await ended, text: Buffer.concat(parts).toString()}
  }

  /** Resolves once the process sleeps and its pipe is full. */
  async function blocked(pid: number): Promise<void> {
    let before = ''
    for (let at = 0; at < 600; at += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      const [state, ...times] = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ')
      const now = `${state} ${times[10]} ${times[11]}`
      if (state === 'S' && now === before) return
      before = now
    }
    throw new Error('It goes on working.')
  }

  it('reaches a reader that is slow as a whole, and lets a signal end the command meanwhile', async function () {
    if (!existsSync('/proc/self/stat')) this.skip()
    const argv = ['customers', 'query', '--all', '--json']
    const whole = execFileSync(process.execPath, [bin, ...argv], {env}).toString()
    expect(whole.length, 'more than a pipe holds').to.be.above(400_000)
    const slow = await slowly(argv, blocked)
    expect(slow).to.deep.equal({code: 0, text: whole})
    const ended = await slowly(argv, async (pid) => {
      await blocked(pid)
      process.kill(pid, 'SIGTERM')
    })
    expect(ended.code).to.equal(143)
  })
})
