import {once} from 'node:events'
import {createServer as createHttpServer} from 'node:http'
import {createServer, type Server, type Socket} from 'node:net'
import {setImmediate as nextTurn} from 'node:timers/promises'
import {expect} from 'chai'
import {fallbackTo} from '../../../src/server/fallback/fallback.js'
import {type RunningServer, startServer} from '../../../src/server/start.js'
import {patienceMs} from '../../patience.js'
import {bearer, ownFallbacks, refusal} from '../shop/fallback.js'
import type {Upstream} from '../shop/upstream.js'
import {exchange, requestBytes, send} from '../shop/wire.js'

describe('security · M trouble with the fallback server', () => {
  const {closeAll, kept, upstreamOf, shopAt} = ownFallbacks()

  /** Answers every connection with bytes, or with nothing. */
  async function rawServer(talk: (socket: Socket) => void): Promise<string> {
    const sockets = new Set<Socket>()
    const server: Server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined))
      socket.once('data', () => talk(socket))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    kept({
      close: async () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      },
    })
    return `http://127.0.0.1:${(server.address() as {port: number}).port}`
  }

  it('M09 ends a request that comes back', async () => {
    const targets = {first: '', second: ''}
    const relay = async (to: 'first' | 'second') => {
      const handOn: Upstream['answer'] = (response, {target, headers}, request) => {
        const sent = Object.fromEntries(headers.filter(([name]) => ['via', 'x-external-user-id'].includes(name)))
        const next = {...sent, authorization: `Bearer ${sent['x-external-user-id']}`}
        fetch(`${targets[to]}${target}`, {method: request.method ?? '', headers: next})
          .then(async (answer) => {
            response.writeHead(answer.status, {'content-type': 'application/json'}).end(await answer.text())
          })
          .catch(() => response.destroy())
      }
      return (await upstreamOf(handOn)).url
    }
    const {shop, token} = await shopAt(await relay('first'))
    targets.first = shop.origin
    const answer = await shop.api('GET', '/shop/categories', token)
    expect(answer.status).to.equal(401)
    const looped = await send(shop.origin, {
      path: '/shop/categories',
      headers: {...bearer(token), 'x-external-user-id': token, connection: 'close'},
    })
    expect(looped.status).to.equal(502)
    expect(shop.log.filter(({path}) => path === '/shop/categories').map(({status}) => status)).to.deep.equal([
      401, 401, 502, 502,
    ])
  })

  it('M10 answers 502 and 504 in the usual shape, and names the cause in the log alone', async () => {
    const gone = await rawServer(() => undefined)
    await closeAll()
    const garbage = await rawServer((socket) => socket.end('SSH-2.0-none\r\n'))
    const closing = await rawServer((socket) => socket.destroy())
    const badHeader = await rawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nx-name: \u00e9\u0142\r\ncontent-length: 0\r\n\r\n'),
    )
    for (const url of [gone, garbage, closing]) {
      const {shop, token} = await shopAt(url)
      const answer = await shop.api('POST', '/shop/categories', token, {name: 'x'})
      expect(refusal(answer), url).to.deep.equal([502, 502, 'BadGateway'])
      expect(answer.text).not.to.match(/127\.0\.0\.1|ECONN|UND_/)
      expect(shop.faults.map((fault) => (fault as Error).cause !== undefined)).to.deep.equal([true])
      expect((await shop.api('GET', '/shop/customers', token)).status).to.equal(200)
    }
    const {shop: odd, token: oddToken} = await shopAt(badHeader)
    expect((await odd.api('GET', '/shop/categories', oddToken)).status).to.be.oneOf([200, 502])
    const silent = await rawServer(() => undefined)
    const {shop, token} = await shopAt(silent, 50)
    expect(refusal(await shop.api('GET', '/shop/categories', token))).to.deep.equal([504, 504, 'GatewayTimeout'])
  })

  it('M13 ends the request to the other server when its caller leaves, at the body or at the answer', async () => {
    let left: Promise<unknown> = Promise.resolve()
    const arrived: (() => void)[] = []
    const upstream = await upstreamOf((response) => {
      left = once(response, 'close')
      response.writeHead(200).write('begun')
      for (const tell of arrived.splice(0)) tell()
    }, false)
    // Only the caller's leaving ends it in time.
    const {shop, token} = await shopAt(upstream.url, 3_600_000)
    const ended = new AbortController()
    const answer = await fetch(`${shop.origin}/shop/categories`, {headers: bearer(token), signal: ended.signal})
    expect(answer.status).to.equal(200)
    ended.abort()
    await left
    const reached = new Promise<void>((resolve) => arrived.push(resolve))
    await exchange(shop.origin, (socket) => {
      const path = '/shop/categories'
      const headers = {...bearer(token), 'content-length': '10'}
      socket.write(requestBytes(shop.origin, {method: 'POST', path, headers, body: 'half'}))
      void reached.then(() => socket.end().destroy())
    })
    await left
    expect(shop.faults).to.deep.equal([])
    expect((await shop.api('GET', '/shop/customers', token)).status).to.equal(200)
  })

  it('M13 ends it too where its caller had closed its side before it was handed on', async () => {
    let told: () => void = () => undefined
    const left = new Promise<void>((resolve) => (told = resolve))
    const upstream = await upstreamOf((response) => {
      response.once('close', told)
      response.writeHead(200).write('begun')
    }, false)
    // Only the caller's leaving ends it in time.
    const fallback = kept(fallbackTo({url: upstream.url, answerTimeoutMs: 3_600_000}, 'here'))
    const front = createHttpServer((request, response) => {
      request.socket.once('end', () => {
        expect(request.socket.readableEnded).to.equal(true)
        const onward = {target: '/shop/categories', correlationId: 'request-of-test'}
        fallback.forward(request, response, onward).catch(() => response.destroy())
      })
    })
    Object.assign(front, {httpAllowHalfOpen: true}).listen(0, '127.0.0.1')
    await once(front, 'listening')
    kept({close: async () => front.close()})
    const origin = `http://127.0.0.1:${(front.address() as {port: number}).port}`
    await exchange(origin, (socket) => socket.end(requestBytes(origin, {path: '/shop/categories'})))
    const late = new Promise((resolve) => setTimeout(resolve, patienceMs, 'late').unref())
    expect(await Promise.race([left, late])).to.equal(undefined)
  })

  it('M14 breaks off where the answer did', async () => {
    const short = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'))
    const {shop, token} = await shopAt(short)
    const answer = await fetch(`${shop.origin}/shop/categories`, {headers: bearer(token)})
    let text: string | undefined
    try {
      text = await answer.text()
    } catch {
      text = undefined
    }
    expect([answer.status, text]).to.deep.equal([200, undefined])
    // The caller hears of it before the log does.
    const logged = () => shop.log.find(({path}) => path === '/shop/categories')
    for (let turn = 0; turn < 1_000 && !logged(); turn += 1) await nextTurn()
    expect(logged()?.note).to.match(/broke off/)
  })

  it('M17 lets go of the other server when it stops', async () => {
    const upstream = await upstreamOf()
    const closed: Promise<unknown>[] = []
    upstream.answer = (response, _, {socket}) => {
      closed.push(once(socket, 'close'))
      // Undici keeps an idle connection for as long as it is told.
      response.writeHead(200, {'keep-alive': 'timeout=600'}).end('{}')
    }
    const server: RunningServer = await startServer({dataDir: ':memory:', projectKey: 'shop', fallback: upstream.url})
    const {clientId, clientSecret} = server.client
    const granted = await fetch(`${server.authUrl}/oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    })
    const {access_token: token} = (await granted.json()) as {access_token: string}
    const answer = await fetch(`${server.apiUrl}/shop/categories`, {headers: bearer(token)})
    expect([answer.status, await answer.text()]).to.deep.equal([200, '{}'])
    await server.stop()
    const late = new Promise((resolve) => setTimeout(resolve, patienceMs, 'late').unref())
    expect(await Promise.race([Promise.all(closed), late])).to.have.length(1)
  })
})
