import {execFileSync, spawn} from 'node:child_process'
import {existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {expect} from 'chai'
import {startServer} from '../../src/index.js'
import {addressOf} from '../client/foreign-server.js'
import {cleanEnvironment, openSandbox, type Sandbox} from '../e2e/binary.js'
import {hasPty, Pty} from '../e2e/pty.js'
import {processLimitMs} from '../patience.js'
import {answers, built, Gate, isAlive, Run, until} from './signalled.js'

/** Says its process and the folder of the state, what it hears and whether the server answers then; ends at the third signal. */
const program = `
  let heard = 0
  const url = process.env.FRONTDESK_API_URL + '/health'
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, async () => {
    heard += 1
    const last = heard === 3
    console.log([signal, heard, (await fetch(url)).status].join(' '))
    if (last) process.exit(7)
  })
  console.log(['up', process.pid, process.env.FRONTDESK_DATA_DIR, url].join(' '))
  setInterval(() => 0, 1000)`

describe('e2e · signals', function () {
  if (process.platform !== 'linux' || !hasPty()) return
  this.timeout(processLimitMs)
  let sandbox: Sandbox
  before(() => (sandbox = openSandbox()))
  after(() => sandbox.remove())

  const exec = ['server', 'exec', '--', process.execPath, '-e', program]
  const upIn = (text: string) => {
    const [, pid = '', folder = '', url = ''] = /up (\d+) (\S+) (\S+)/.exec(text) ?? []
    return {pid: Number(pid), folder, url}
  }
  const isGone = async ({pid, folder, url}: ReturnType<typeof upIn>) => [
    isAlive(pid),
    existsSync(folder),
    await answers(url),
  ]

  describe('server exec', () => {
    it('leaves Ctrl-C to the program, as often as it comes, and ends after it with its code', async () => {
      const pty = new Pty(exec, {home: sandbox.home})
      await pty.answers('/health', '\x03')
      await pty.answers('SIGINT 1 200', '\x03')
      await pty.answers('SIGINT 2 200', '\x03')
      expect(await pty.ended).to.equal(7)
      expect(pty.text).to.include('SIGINT 3')
      expect(await isGone(upIn(pty.text))).to.deep.equal([false, false, false])
    })

    it('hands on a signal from outside once', async () => {
      for (const [signal, code] of [
        ['SIGINT', 130],
        ['SIGTERM', 143],
        ['SIGHUP', 129],
      ] as const) {
        const run = new Run(sandbox.home, exec)
        await run.says('/health')
        run.child.kill(signal)
        await run.says(`${signal} 1 200`)
        process.kill(upIn(run.text).pid, 'SIGHUP')
        await run.says('SIGHUP 2 200')
        process.kill(upIn(run.text).pid, 'SIGHUP')
        expect(await run.ended, signal).to.equal(code)
        expect(await isGone(upIn(run.text))).to.deep.equal([false, false, false])
      }
    })

    it('hands on SIGTERM twice, and then ends the program', async () => {
      const run = new Run(sandbox.home, exec)
      await run.says('/health')
      run.child.kill('SIGTERM')
      await run.says('SIGTERM 1 200')
      run.child.kill('SIGTERM')
      await run.says('SIGTERM 2 200')
      run.child.kill('SIGTERM')
      expect(await run.ended).to.equal(143)
      expect(run.text).to.not.include('SIGTERM 3')
      expect(await isGone(upIn(run.text))).to.deep.equal([false, false, false])
    })

    it('ends with its program when the terminal goes away', async () => {
      const quiet = `process.on('SIGHUP', () => process.exit(0)); ${program.replace(", 'SIGHUP'", '')}`
      const pty = new Pty(['server', 'exec', '--', process.execPath, '-e', quiet], {home: sandbox.home})
      await pty.answers('/health')
      pty.hangUp()
      const up = upIn(pty.text)
      await until('all of it has gone', async () => (await isGone(up)).every((left) => !left))
    })
  })

  describe('server start', () => {
    const start = (data: string, ...words: string[]) =>
      new Run(sandbox.home, ['server', 'start', '--json', '--data', data, ...words])
    const urlIn = (text: string): string =>
      `${(JSON.parse(text.split('\n')[0] ?? '') as {apiUrl: string}).apiUrl}/health`

    it('ends cleanly at each signal', async () => {
      for (const [signal, code] of [
        ['SIGINT', 130],
        ['SIGTERM', 143],
        ['SIGHUP', 129],
      ] as const) {
        const data = join(sandbox.home, signal)
        const run = start(data)
        await run.says('apiUrl')
        run.child.kill(signal)
        expect(await run.ended, signal).to.equal(code)
        expect([existsSync(join(data, 'LOCK')), await answers(urlIn(run.text))]).to.deep.equal([false, false])
      }
    })

    it('ends at Ctrl-C of its terminal', async () => {
      const data = join(sandbox.home, 'terminal')
      const pty = new Pty(['server', 'start', '--data', data], {home: sandbox.home})
      await pty.answers('listening on', '\x03')
      expect(await pty.ended).to.equal(130)
      expect(existsSync(join(data, 'LOCK'))).to.equal(false)
    })

    it('serves after the reader of its line has gone, and ends at SIGTERM', async () => {
      const data = join(sandbox.home, 'unread')
      const run = start(data, '--port', '0')
      run.child.stdout?.destroy()
      const port = () => readFileSync(join(data, 'server.port'), 'utf8').trim()
      await until('it listens', () => existsSync(join(data, 'server.port')))
      const url = `http://127.0.0.1:${port()}/health`
      expect(await answers(url)).to.equal(true)
      run.child.kill('SIGTERM')
      expect(await run.ended).to.equal(143)
      expect([existsSync(join(data, 'LOCK')), await answers(url)]).to.deep.equal([false, false])
    })

    it('serves though its port cannot be noted', async () => {
      const data = join(sandbox.home, 'unnoted')
      const first = start(data)
      await first.says('apiUrl')
      first.child.kill('SIGTERM')
      await first.ended
      rmSync(join(data, 'server.port'))
      mkdirSync(join(data, 'server.port'))
      const run = start(data, '--port', '0')
      await run.says('apiUrl')
      expect(run.text).to.include('could not be noted')
      run.child.kill('SIGTERM')
      expect(await run.ended).to.equal(143)
      expect(existsSync(join(data, 'LOCK'))).to.equal(false)
    })

    it('holds no descriptor of the caller in the background', async () => {
      const [data, lock] = [join(sandbox.home, 'background'), join(sandbox.home, 'lk')]
      const detached = `'${process.execPath}' '${built}' server start --detach --data '${data}' --json`
      const shell = spawn('bash', ['-c', `( flock -n 200 || exit 1; ${detached} ) 200>'${lock}' 17>'${lock}'`], {
        env: cleanEnvironment(sandbox.home),
      })
      let text = ''
      shell.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
      expect(await new Promise((resolve) => shell.once('close', resolve))).to.equal(0)
      const {pid} = JSON.parse(text) as {pid: number}
      const free = spawn('flock', ['-n', lock, 'true'])
      expect(await new Promise((resolve) => free.once('close', resolve))).to.equal(0)
      process.kill(pid, 'SIGTERM')
      await until('the server has gone', () => !isAlive(pid))
      expect(existsSync(join(data, 'LOCK'))).to.equal(false)
    })
  })

  it('ends the desk at Ctrl-C, and where the terminal goes away, also while it waits', async () => {
    await using server = await startServer({dataDir: ':memory:', projectKey: 'shop'})
    const gate = await new Gate(server.apiUrl).listen()
    const {clientId, clientSecret} = server.client
    const env = {
      FRONTDESK_API_URL: gate.url,
      FRONTDESK_PROJECT_KEY: 'shop',
      FRONTDESK_CLIENT_ID: clientId,
      FRONTDESK_CLIENT_SECRET: clientSecret,
    }
    const desk = new Pty(['desk'], {home: sandbox.home, env})
    gate.shut((asked) => /customers/.test(asked))
    await desk.answers('Who is calling?', 'ada\r')
    await until('the desk asks', () => gate.held > 0)
    const gone = new Pty(['desk'], {home: sandbox.home, env})
    await gone.answers('Who is calling?')
    const pids = execFileSync('pgrep', ['-f', `${built} desk`], {encoding: 'utf8'})
      .trim()
      .split('\n')
      .map(Number)
    gone.hangUp()
    // A step back, and the end: it depends on what it asks meanwhile how many are needed.
    let isOver = false
    void desk.ended.then(() => (isOver = true))
    await until('the desk ends', () => {
      if (!isOver) desk.types('\x03')
      return isOver
    })
    expect(await desk.ended, desk.text).to.be.oneOf([0, 130])
    await until('both have gone', () => pids.every((pid) => !isAlive(pid)))
    await gate.close()
  })

  describe('what follows or moves customers', () => {
    const codes = {SIGINT: 130, SIGTERM: 143, SIGHUP: 129} as const

    it('ends with the code of the signal while it waits for an answer', async () => {
      // Never answers: each of these commands waits for it when the signal comes.
      const asked: string[] = []
      const silent = createServer((request) => asked.push(request.url ?? ''))
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
      const address = `http://127.0.0.1:${addressOf(silent)}`
      const remote = ['--api-url', address, '--project-key', 'shop']
      for (const words of [
        ['messages', 'tail'],
        ['messages', 'wait', '--type', 'CustomerCreated'],
        ['customers', 'query'],
      ]) {
        for (const signal of Object.keys(codes) as (keyof typeof codes)[]) {
          asked.length = 0
          const run = new Run(sandbox.home, [...words, ...remote], {FRONTDESK_TOKEN: 'a-token'})
          await until(`${words.join(' ')} asks: ${run.text}`, () => asked.length > 0 || run.child.exitCode !== null)
          run.child.kill(signal)
          expect(await run.ended, `${words.join(' ')} ${signal}: ${run.text}`).to.equal(codes[signal])
        }
      }
      silent.closeAllConnections()
      silent.close()
    })
  })
})
