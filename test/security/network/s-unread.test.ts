import {once} from 'node:events'
import {connect, type Socket} from 'node:net'
import {expect} from 'chai'
import * as v from 'valibot'
import {operation} from '../../../src/api/operation/operation.js'
import {openShop, type Shop, type ShopOptions} from '../shop/shop.js'
import {raw, requestBytes, send} from '../shop/wire.js'

/** More than the buffers of two kernels hold. */
const size = 16_000_000

describe('security · S answers that nobody reads', () => {
  let made = 0
  const large = operation({
    method: 'GET',
    area: 'Tests',
    permission: {kind: 'open'},
    id: 'large',
    path: '/large',
    summary: 'answer with a large text',
    handle: async () => {
      made += 1
      return {text: 'x'.repeat(size)}
    },
  })
  const takes = operation({
    method: 'POST',
    area: 'Tests',
    permission: {kind: 'open'},
    id: 'takes',
    path: '/takes',
    summary: 'take a text',
    body: v.object({texts: v.array(v.string())}),
    handle: async () => {
      takenAtOnce += 1
      mostAtOnce = Math.max(mostAtOnce, takenAtOnce)
      for (let turns = 0; turns < 50 || mostAtOnce < wantedAtOnce; turns += 1) await turn()
      takenAtOnce -= 1
      return {}
    },
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  let [takenAtOnce, mostAtOnce, wantedAtOnce] = [0, 0, 0]
  const shops: Shop[] = []
  const open = async (limits: ShopOptions['limits'] = {}): Promise<Shop> => {
    made = 0
    const shop = await openShop({moreOperations: [large, takes], limits: {checkingIntervalMs: 50, ...limits}})
    shops.push(shop)
    return shop
  }
  after(() => Promise.all(shops.map((shop) => shop.close())))

  const request = (path: string, origin: string, connection = 'keep-alive'): string =>
    requestBytes(origin, {path, headers: {connection}}).toString('latin1')

  /** A connection that asks and reads nothing. */
  const unread = async (origin: string, bytes: string): Promise<Socket> => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    socket.on('error', () => undefined).pause()
    await once(socket, 'connect')
    socket.write(bytes)
    return socket
  }
  const madeAll = async (count: number): Promise<void> => {
    while (made < count) await new Promise((resolve) => setImmediate(resolve))
  }
  /** Resolves once the server has closed it: what is written then is answered by a reset. */
  const closed = (socket: Socket): Promise<unknown> => {
    // Line breaks between requests mean nothing.
    const timer = setInterval(() => socket.write('\r\n'), 20)
    return new Promise((resolve) => socket.once('close', resolve)).finally(() => clearInterval(timer))
  }

  it('S-301 begins a request when the answer before it was taken', async () => {
    const {origin} = await open()
    const socket = await unread(origin, request('/large', origin).repeat(100))
    await madeAll(1)
    expect((await send(origin, {path: '/health'})).status).to.equal(200)
    expect(made).to.equal(1)
    socket.resume()
    await madeAll(3)
    expect(socket.bytesRead).to.be.greaterThan(size)
    socket.destroy()
  })

  it('S-301 answers what is pipelined in its order, and no more than so many', async () => {
    const {origin} = await open({pipelined: 10})
    const paths = Array.from({length: 9}, (_, at) => (at % 3 === 1 ? '/nowhere' : '/health'))
    const said = await raw(
      origin,
      paths.map((path) => request(path, origin)).join('') + request('/health', origin, 'close'),
    )
    const statuses = [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
    expect(statuses).to.deep.equal([...paths.map((path) => (path === '/health' ? 200 : 401)), 200])
    const socket = await unread(origin, request('/health', origin).repeat(11))
    await closed(socket)
  })

  it('S-301 ends a connection that takes nothing of its answer for too long', async () => {
    const {origin} = await open({unreadMs: 200})
    const socket = await unread(origin, request('/large', origin))
    await closed(socket)
    expect(made).to.equal(1)
  })

  it('S-301 ends the longest unread connection when all together hold too much', async () => {
    // Not for having taken nothing for long.
    const {origin} = await open({unreadBytes: 2.5 * size, unreadMs: 3_600_000})
    const sockets: Socket[] = []
    for (let count = 1; count <= 4; count += 1) {
      sockets.push(await unread(origin, request('/large', origin)))
      await madeAll(count)
      expect((await send(origin, {path: '/health'})).status).to.equal(200)
    }
    await Promise.all(sockets.slice(0, 2).map(closed))
    expect(sockets.slice(2).map(({destroyed}) => destroyed)).to.deep.equal([false, false])
    for (const socket of sockets) socket.destroy()
  })

  it('S-301 works on few large bodies at once, and small ones do not wait for them', async () => {
    const {origin} = await open({largeBodies: 2})
    const headers = {'content-type': 'application/json'}
    const post = (texts: readonly string[]) =>
      send(origin, {method: 'POST', path: '/takes', headers, body: JSON.stringify({texts})})
    const statusesOf = async (texts: readonly string[], wanted: number): Promise<Set<number>> => {
      wantedAtOnce = wanted
      mostAtOnce = 0
      return new Set((await Promise.all(Array.from({length: 20}, () => post(texts)))).map(({status}) => status))
    }
    expect([...(await statusesOf(['x'.repeat(40_000), 'x'.repeat(40_000)], 2))]).to.deep.equal([200])
    expect(mostAtOnce).to.equal(2)
    expect([...(await statusesOf(['x'], 3))]).to.deep.equal([200])
    expect(mostAtOnce).to.be.greaterThan(2)
    wantedAtOnce = 0
  })

  it('S-301 ends the slowest sender when bodies that come hold too much together', async () => {
    const {origin} = await open({unreadBytes: 2_500_000})
    const body = JSON.stringify({texts: Array.from({length: 16}, () => 'x'.repeat(60_000))})
    const headers = {'content-type': 'application/json'}
    const asked = {method: 'POST', path: '/takes', headers, body}
    const bytes = requestBytes(origin, {...asked, headers: {...headers, connection: 'keep-alive'}})
    const sockets: Socket[] = []
    for (let count = 1; count <= 4; count += 1) {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => undefined)
      sockets.push(socket)
      await once(socket, 'connect')
      await new Promise((resolve) => socket.write(bytes.subarray(0, -1), resolve))
      expect((await send(origin, {path: '/health'})).status).to.equal(200)
      // It is read piece by piece, one a turn.
      for (let turns = 0; turns < 100; turns += 1) await turn()
    }
    // What they sent is not read to its end, so that they may see a reset.
    const ended = (socket: Socket) => new Promise((resolve) => socket.resume().once('close', resolve))
    await Promise.all(sockets.slice(0, 2).map((socket) => socket.closed || ended(socket)))
    for (const socket of sockets.slice(2)) {
      socket.write(bytes.subarray(-1))
      const [answer] = await once(socket, 'data')
      expect(String(answer)).to.match(/^HTTP\/1\.1 200 /)
    }
    // What they held was given back: as much is taken again, one after the other.
    for (let count = 1; count <= 4; count += 1) {
      expect((await send(origin, asked)).status).to.equal(200)
    }
    for (const socket of sockets) socket.destroy()
  })
})
