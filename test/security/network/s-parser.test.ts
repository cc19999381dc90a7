import {expect} from 'chai'
import {operation} from '../../../src/api/operation/operation.js'
import {openShop, type Shop} from '../shop/shop.js'
import {answerOf, exchange, raw, requestBytes} from '../shop/wire.js'

const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

describe('security · S what the parser refuses', () => {
  let shop: Shop
  let token: string
  let release: () => void
  const slow = operation({
    method: 'GET',
    area: 'Tests',
    permission: {kind: 'open'},
    id: 'slow',
    path: '/slow',
    summary: 'answer once released',
    handle: async () => {
      await new Promise<void>((resolve) => (release = resolve))
      return {}
    },
  })
  const large = operation({
    method: 'GET',
    area: 'Tests',
    permission: {kind: 'open'},
    id: 'large',
    path: '/large',
    summary: 'answer a megabyte',
    handle: async () => ({text: 'x'.repeat(1_000_000)}),
  })
  before(async () => {
    shop = await openShop({moreOperations: [slow, large], limits: {halfClosedMs: 60_000}})
    token = await shop.token('ADM')
  })
  after(() => shop.close())

  const creation = (email: string, connection: string): string =>
    requestBytes(shop.origin, {
      method: 'POST',
      path: '/shop/customers',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json', connection},
      body: JSON.stringify({email, password: 'right horse'}),
    }).toString('latin1')

  it('S-340 answers a write that took effect by its result, whatever follows it on the connection', async () => {
    const behind = ['GARBAGE\r\n\r\n', 'CONNECT x.io:1 HTTP/1.1\r\nHost: x.io\r\n\r\n']
    const cases = behind.flatMap((text) => ['keep-alive', 'close'].map((connection) => [text, connection] as const))
    for (const [at, [text, connection]] of cases.entries()) {
      const said = await raw(shop.origin, `${creation(`after-${at}@x.io`, connection)}${text}`)
      expect(statusesIn(said), `${text} ${connection}`).to.deep.equal([201])
      expect(answerOf(said).body.customer.email).to.equal(`after-${at}@x.io`)
    }
    expect(statusesIn(await raw(shop.origin, 'GARBAGE\r\n\r\n'))).to.deep.equal([400])
  })

  it('S-340 sends all of a large answer, whatever follows its request', async () => {
    const host = new URL(shop.origin).host
    for (const behind of ['GARBAGE\r\n\r\n', `CONNECT x.io:1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`]) {
      const said = await raw(shop.origin, `GET /large HTTP/1.1\r\nHost: ${host}\r\n\r\n${behind}`)
      expect(answerOf(said).body.text, behind).to.have.lengthOf(1_000_000)
    }
  })

  it('S-341 answers a client that has closed its side', async () => {
    const said = await exchange(shop.origin, (socket) => socket.end(creation('half@x.io', 'keep-alive')))
    expect(statusesIn(said)).to.deep.equal([201])
  })

  it('S-342 refuses framings that readers take differently, other versions, fragments and expectations', async () => {
    const host = new URL(shop.origin).host
    const heads = [
      `GET /health HTTP/2.0\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      `POST /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      `POST /health HTTP/1.0\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `GET /health#x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      `GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nExpect: zzz\r\n\r\n`,
    ]
    for (const head of heads) expect(statusesIn(await raw(shop.origin, head)), head).to.deep.equal([400])
    const plain = `GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    expect(statusesIn(await raw(shop.origin, plain))).to.deep.equal([200])
  })

  it('S-342 counts requests with an unknown expectation among those that are pipelined', async () => {
    const host = new URL(shop.origin).host
    const request = `GET /health HTTP/1.1\r\nHost: ${host}\r\nExpect: zzz\r\n\r\n`
    const first = `GET /slow HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    expect(statusesIn(await raw(shop.origin, first + request.repeat(200)).catch(() => ''))).to.deep.equal([])
    release()
  })

  it('S-343 logs each request with time, project and client, and what was no request', async () => {
    await shop.api('GET', '/shop/customers', token)
    const line = shop.log.at(-1)
    expect(line).to.include({projectKey: 'shop', clientId: shop.clients.ADM.id, status: 200})
    expect(line?.at).to.match(/^\d{4}-\d\d-\d\dT.*Z$/)
    await raw(shop.origin, 'GARBAGE\r\n\r\n')
    expect(shop.log.at(-1)).to.include({method: '-', path: '-', status: 400})
    expect(shop.log.at(-1)?.at).to.match(/Z$/)
  })
})
