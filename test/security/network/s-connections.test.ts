import {once} from 'node:events'
import {connect, type Socket} from 'node:net'
import {expect} from 'chai'
import type {FrontLimits} from '../../../src/server/http/connections.js'
import {type RunningServer, startServer} from '../../../src/server/start.js'
import {answerOf, requestBytes} from '../shop/wire.js'

const quick = {headersTimeoutMs: 200, requestTimeoutMs: 400, checkingIntervalMs: 50}

describe('security · S connections that never become requests', () => {
  const running: RunningServer[] = []
  after(async () => {
    for (const server of running) await server.stop()
  })
  const start = async (limits: Partial<FrontLimits>): Promise<URL> => {
    const server = await startServer({dataDir: ':memory:', projectKey: 'shop', limits})
    running.push(server)
    return new URL(server.apiUrl)
  }

  /** Connections that do something, keep their own side open and read nothing. */
  const attack = async (count: number, {port}: URL, talk: (socket: Socket) => void): Promise<Socket[]> => {
    const sockets = Array.from({length: count}, () =>
      connect({port: Number(port), host: '127.0.0.1', allowHalfOpen: true}),
    )
    for (const socket of sockets) socket.on('error', () => undefined).pause()
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    for (const socket of sockets) talk(socket)
    return sockets
  }
  /** Resolves when the server has closed both sides of each: a byte is then answered by a reset. */
  const closed = (sockets: readonly Socket[]): Promise<unknown> =>
    Promise.all(
      sockets.map(async (socket) => {
        if (!socket.destroyed)
          await new Promise((resolve) => socket.once('end', resolve).once('close', resolve).resume())
        const timer = setInterval(() => socket.write('x'), 50)
        if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve))
        clearInterval(timer)
      }),
    )
  const dribble = (bytes: string) => (socket: Socket) => {
    let at = 0
    const timer = setInterval(() => socket.write(bytes.charAt(at++ % bytes.length)), 40)
    socket.once('close', () => clearInterval(timer))
  }
  const health = async (url: URL): Promise<number> => {
    const socket = connect({port: Number(url.port), host: url.hostname})
    socket.write(requestBytes(url.origin, {path: '/health'}))
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    return answerOf(Buffer.concat(chunks).toString()).status
  }

  const talks: Readonly<Record<string, (socket: Socket) => void>> = {
    'say nothing': () => undefined,
    dribble: dribble('GET /health HTTP/1.1\r\nx: '),
    'talk nonsense': (socket) => socket.write('nonsense\r\n\r\n'),
    'close their side at once': (socket) => socket.end('GET /'),
  }
  for (const [what, talk] of Object.entries(talks)) {
    it(`S-302 closes those that ${what}, and serves others meanwhile`, async () => {
      const url = await start(quick)
      const sockets = await attack(100, url, talk)
      expect(await health(url)).to.equal(200)
      await closed(sockets)
    })
  }

  it(`S-302 counts connections from their first byte`, async () => {
    const url = await start({sockets: 8})
    const sockets = await attack(20, url, () => undefined)
    await closed(sockets.slice(0, 12))
    expect(sockets.slice(12).map(({destroyed}) => destroyed)).to.not.include(true)
    expect(await health(url)).to.equal(200)
    for (const socket of sockets) socket.destroy()
  })

  it(`S-302 stops while connections wait`, async () => {
    const url = await start({})
    const sockets = await attack(20, url, () => undefined)
    await running.pop()?.stop()
    await closed(sockets)
  })
})
