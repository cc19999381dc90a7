import {connect, type Socket} from 'node:net'
import {expect} from 'chai'
import {startServer} from '../../../src/server/start.js'
import {openShop, type Shop} from '../shop/shop.js'
import {answerOf, exchange, formType, requestBytes, send} from '../shop/wire.js'

describe('security · S slow and many callers', () => {
  const limits = {headersTimeoutMs: 300, requestTimeoutMs: 600, checkingIntervalMs: 50, sockets: 64}
  let shop: Shop
  before(async () => {
    shop = await openShop({limits})
  })
  after(() => shop.close())

  /** Sends one byte at a time until the server has enough. */
  const dribble = (bytes: Buffer) => (socket: Socket) => {
    let at = 0
    const timer = setInterval(() => {
      if (socket.destroyed || at >= bytes.length) clearInterval(timer)
      else socket.write(bytes.subarray(at, at + 1))
      at += 1
    }, 40)
    socket.on('close', () => clearInterval(timer))
  }

  it('S-06 ends a request whose header or body dribbles', async () => {
    const head = requestBytes(shop.origin, {path: '/health', headers: {'x-slow': 'y'.repeat(500)}})
    expect(answerOf(await exchange(shop.origin, dribble(head))).status).to.equal(408)
    const {id, secret} = shop.clients.ADM
    const headers = {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': formType,
      'content-length': '500',
    }
    const start = requestBytes(shop.origin, {method: 'POST', path: '/oauth/token', headers, body: ''})
    const slow = await exchange(shop.origin, (socket) => {
      socket.write(start)
      dribble(Buffer.from('y'.repeat(500)))(socket)
    })
    expect(answerOf(slow).status).to.equal(408)
  })

  it('S-06 answers while more sockets idle than it keeps', async () => {
    const idle = Array.from({length: 100}, () => connect(Number(new URL(shop.origin).port), '127.0.0.1'))
    for (const socket of idle) socket.on('error', () => undefined)
    await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
    expect((await send(shop.origin, {path: '/health'})).status).to.equal(200)
    for (const socket of idle) socket.destroy()
  })

  it('S-06 lets go of connections that say nothing once there are more than it keeps', async () => {
    const patient = await openShop({limits: {sockets: 8}})
    const idle = Array.from({length: 20}, () => connect(Number(new URL(patient.origin).port), '127.0.0.1'))
    let closed = 0
    for (const socket of idle) socket.on('error', () => undefined).once('close', () => (closed += 1))
    await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
    for (let asked = 0; asked < 50 && closed < 12; asked += 1) await send(patient.origin, {path: '/health'})
    const gone = closed
    for (const socket of idle) socket.destroy()
    await patient.close()
    expect(gone).to.be.at.least(12)
  })

  it('S-07 answers what has begun before it stops', async () => {
    let begun = (): void => undefined
    const clock = () => {
      begun()
      return Date.now()
    }
    const server = await startServer({dataDir: ':memory:', projectKey: 'shop', settings: {passwordCost: 10}, clock})
    const {clientId, clientSecret} = server.client ?? {clientId: '', clientSecret: ''}
    const headers = {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': formType,
    }
    const form = {method: 'POST', headers, path: '/oauth/token', body: 'grant_type=client_credentials'}
    const {access_token} = (await send(server.authUrl, form)).body
    const draft = {
      method: 'POST',
      path: '/shop/customers',
      headers: {authorization: `Bearer ${access_token}`, 'content-type': 'application/json'},
      body: JSON.stringify({email: 'last@example.com', password: 'right horse'}),
    }
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const answer = exchange(server.apiUrl, (socket) => socket.write(requestBytes(server.apiUrl, draft)))
    await isBegun
    await server.stop()
    expect(answerOf(await answer).status).to.equal(201)
  })
})
