import {execFileSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {createServer, type Server, type Socket} from 'node:net'
import {join} from 'node:path'
import {expect} from 'chai'
import {addressOf} from '../client/foreign-server.js'
import {openSandbox, type Sandbox} from '../e2e/binary.js'
import {hasPty, Pty} from '../e2e/pty.js'
import {processLimitMs} from '../patience.js'
import {answers, built, endBy, Run, some, until, ways} from './signalled.js'

describe('e2e · signals · server start --detach', function () {
  if (process.platform !== 'linux' || !hasPty()) return
  this.timeout(processLimitMs)
  let sandbox: Sandbox
  /** Takes connections and says nothing: a start with this database takes as long as it has patience. */
  let silent: Server
  const sockets = new Set<Socket>()
  let connections = 0
  before(async () => {
    sandbox = openSandbox()
    silent = createServer((socket) => {
      connections += 1
      sockets.add(socket.on('error', () => undefined))
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  })
  after(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
    sandbox.remove()
  })
  const starting = (data: string) => [
    ...['server', 'start', '--detach', '--data', data, '--project-key', 'shop'],
    ...['--store-url', `postgres://clerk@127.0.0.1:${addressOf(silent)}/shop`],
  ]
  const processesOf = (data: string): string[] =>
    execFileSync('ps', ['-eo', 'args'], {encoding: 'utf8'})
      .split('\n')
      .filter((line) => line.includes(' server start ') && line.includes(data))

  it('ends the process that it started with itself, and leaves no lock', async () => {
    for (const way of some('SIGTERM')) {
      const data = join(sandbox.home, `slow-${way.replace(/\W/g, '')}`)
      const before = connections
      const words = starting(data)
      const run = ways[way].at === 'terminal' ? new Pty(words, {home: sandbox.home}) : new Run(sandbox.home, words)
      await until(
        () => `it starts: ${run.text}`,
        () => connections > before,
      )
      endBy(run, way)
      expect(await run.ended, `${way}: ${run.text}`).to.equal(ways[way].code)
      if (ways[way].code !== null) expect(run.text).to.match(/its\s+process \d+ has ended/)
      await until('its process has gone', () => processesOf(data).length === 0)
      expect(existsSync(join(data, 'LOCK'))).to.equal(false)
    }
  })

  it('lives on when its terminal goes away, and ends by server stop', async () => {
    const data = join(sandbox.home, 'lives')
    const pty = new Pty(['server', 'start', '--detach', '--json', '--data', data], {
      home: sandbox.home,
      script: `'${process.execPath}' '${built}' server start --detach --json --data '${data}'; read -r line`,
    })
    const [, url = ''] = /"apiUrl":"([^"]+)"/.exec(await pty.answers('"pid"')) ?? []
    pty.hangUp()
    await pty.ended
    expect(await answers(`${url}/health`)).to.equal(true)
    const stop = new Run(sandbox.home, ['server', 'stop', '--data', data])
    expect(await stop.ended, stop.text).to.equal(0)
    await until('the server has gone', () => processesOf(data).length === 0)
    expect([await answers(`${url}/health`), existsSync(join(data, 'LOCK'))]).to.deep.equal([false, false])
  })
})
