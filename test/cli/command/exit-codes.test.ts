import {spawn} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {expect} from 'chai'
import {type Ending, exitCodes} from '../../../src/cli/process/exit-codes.js'
import {built, Desk, type RunOptions} from '../run.js'

type Situation = RunOptions & {readonly argv: readonly string[]; readonly killedBy?: NodeJS.Signals}

/** Every ending in a situation that people meet. */
describe('cli · every exit code', () => {
  const desk = new Desk()
  const hangingUp = createServer((request) => request.socket.destroy())
  const at = (origin: string) => ({FRONTDESK_API_URL: origin, FRONTDESK_TOKEN: 'token', FRONTDESK_RETRIES: '0'})

  before(async () => {
    await new Promise<void>((resolve) => hangingUp.listen(0, '127.0.0.1', resolve))
    await desk.run(['customers', 'create', '--email', 'ada@example.com', '--key', 'ada', '--external-auth'])
    const rows = ['{"email":"x@example.com","key":"xx","authenticationMode":"ExternalAuth"}', '{"email":"no"}', '']
    writeFileSync(join(desk.folder, 'rows.jsonl'), rows.join('\n'))
  })
  after(() => {
    hangingUp.close()
    desk.remove()
  })

  const create = ['customers', 'create', '--email', 'ada@example.com']
  const wait = ['messages', 'wait', '--type', 'CustomerDeleted']
  const situations: Record<Ending, () => Situation> = {
    done: () => ({argv: ['customers', 'get', 'key=ada']}),
    // Nobody answers the prompt, which only a broken prompt library would do.
    bug: () => ({argv: ['customers', 'delete', 'key=ada'], answers: []}),
    usage: () => ({argv: ['customers', 'get', 'key=ada', '--profile', 'nobody']}),
    notFound: () => ({argv: ['customers', 'get', 'key=nobody']}),
    denied: () => ({argv: ['quotes', 'query']}),
    conflict: () => ({argv: [...create, '--external-auth']}),
    invalid: () => ({argv: ['customers', 'query', '--where', 'email =']}),
    unavailable: () => ({argv: ['customers', 'get', 'key=ada'], env: at('http://127.0.0.1:1')}),
    unknownOutcome: () => ({
      argv: [...create, '--external-auth'],
      env: at(`http://127.0.0.1:${(hangingUp.address() as AddressInfo).port}`),
    }),
    checkFailed: () => ({argv: ['customers', 'get', 'key=ada', '--assert', 'key = eve']}),
    partial: () => ({argv: ['customers', 'import', join(desk.folder, 'rows.jsonl'), '--skip-invalid']}),
    waitEnded: () => ({argv: [...wait, '--timeout', '1ms']}),
    needsAnswer: () => ({argv: create}),
    localState: () => ({argv: ['server', 'stop']}),
    hungUp: () => ({argv: [...wait, '--timeout', '1m'], killedBy: 'SIGHUP'}),
    interrupted: () => ({argv: [...wait, '--timeout', '1m'], killedBy: 'SIGINT'}),
    pipeClosed: () => ({argv: ['deprecations', 'list'], full: {room: 100, code: 'EPIPE'}}),
    terminated: () => ({argv: [...wait, '--timeout', '1m'], killedBy: 'SIGTERM'}),
  }

  /** In a process of its own, which gets the signal once it has sent a request. */
  function killed(argv: readonly string[], signal: NodeJS.Signals) {
    const child = spawn(process.execPath, [built, ...argv, '--verbose'], {
      env: {...process.env, ...desk.env},
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr === '') child.kill(signal)
      stderr += chunk.toString()
    })
    return new Promise<{code: number | null; stdout: string; stderr: string}>((resolve) => {
      child.once('close', (code) => resolve({code, stdout, stderr}))
    })
  }

  const ending = ({argv, killedBy, ...options}: Situation, more: readonly string[] = []) =>
    killedBy === undefined ? desk.run([...argv, ...more], options) : killed([...argv, ...more], killedBy)

  for (const [name, {code}] of Object.entries(exitCodes)) {
    it(`${code}: ${name}, the same with and without --json, which prints one document`, async () => {
      const situation = situations[name as Ending]()
      const text = await ending(situation)
      const json = await ending(situation, ['--json'])
      expect(text.code, text.stderr).to.equal(code)
      expect(json.code, json.stderr).to.equal(code)
      for (const {stderr} of [text, json]) expect(stderr).to.not.match(/^\s+at .+:\d+:\d+\)?$/m)
      if (name === 'pipeClosed') {
        expect([text.stderr, json.stderr]).to.deep.equal(['', ''])
        return
      }
      const document = JSON.parse(json.stdout) as {error?: {exitCode?: number}}
      // A bulk run with failed rows has a result: its counts.
      if (name === 'done' || name === 'partial') expect(document).to.not.have.property('error')
      else {
        expect(document.error).to.include({exitCode: code})
        expect(text.stdout).to.equal('')
        expect(text.stderr).to.match(new RegExp(`exit ${code}\n$`))
      }
    })
  }

  it('leaves one document also where nobody was ready for the signal', async () => {
    let asked: () => void = () => undefined
    const request = new Promise<void>((resolve) => {
      asked = resolve
    })
    const silent = createServer(() => asked())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const {port} = silent.address() as AddressInfo
    const child = spawn(process.execPath, [built, 'customers', 'get', 'key=ada', '--json'], {
      env: {...process.env, ...desk.env, ...at(`http://127.0.0.1:${port}`), FRONTDESK_PROJECT_KEY: 'shop'},
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let stdout = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    await Promise.race([request, ended])
    child.kill('SIGTERM')
    const code = await ended
    silent.closeAllConnections()
    silent.close()
    expect(code).to.equal(143)
    expect(JSON.parse(stdout)).to.have.nested.property('error.exitCode', 143)
  })
})
