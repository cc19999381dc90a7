import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import {operation} from '../../../src/api/operation/operation.js'
import {openShop, type Shop} from '../shop/shop.js'
import {raw, requestBytes, send} from '../shop/wire.js'

const texts = ['a\r\nset-cookie: b=1', 'a\tb', '\0', 'ä', '…', 'ﬁ😀', '\u2028', '\ud800', '"; x="']

const open = {method: 'GET', area: 'Tests', permission: {kind: 'open'}} as const
/** Operations that only answer with headers, one of which no header may be. */
const answering = [
  ...texts.map((text, at) =>
    operation({
      ...open,
      id: `text${at}`,
      path: `/texts/${at}`,
      summary: 'answer with a text in a header',
      headers: {'x-text': text},
      handle: async () => ({}),
    }),
  ),
  operation({
    ...open,
    id: 'broken',
    path: '/broken',
    summary: 'answer with a header that has no name',
    headers: {'no name': ''},
    handle: async () => ({}),
  }),
]

/** The statuses and the values of headers in what a server said. */
const statusesOf = (said: string): number[] =>
  [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code))
const headsOf = (said: string): string => said.replace(/\r\n\r\n.*?(?=HTTP\/1\.1|$)/gs, '\r\n')

describe('security · S headers', () => {
  let shop: Shop
  let admin: string
  before(async () => {
    shop = await openShop({moreOperations: answering})
    admin = await shop.token('ADM')
  })
  after(() => shop.close())

  it('S-305 writes any text as printable ASCII in its one header', async () => {
    for (const at of texts.keys()) {
      const {status, headers} = await send(shop.origin, {path: `/texts/${at}`})
      expect(status).to.equal(200)
      expect(headers.get('x-text'), JSON.stringify(texts[at])).to.match(/^[\x20-\x7e]+$/)
      expect(headers.has('set-cookie')).to.equal(false)
    }
    expect((await send(shop.origin, {path: '/texts/3'})).headers.get('x-text')).to.equal('%C3%A4')
  })

  it('S-305 answers every operation with printable heads, whatever text its parameters hold', async () => {
    const value = encodeURIComponent(texts.join('').toWellFormed())
    for (const {method, path, query = [], bodyKind} of operations) {
      const place = (path as string).replace('{projectKey}', 'shop').replace(/\{\w+\}/g, value)
      const parameters = query.map((name: string) => `${name.replace('*', 'a')}=${value}`).join('&')
      const body = method === 'POST' ? {body: bodyKind === 'form' ? `scope=${value}` : '{"actions":[]}'} : {}
      const type = bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
      const headers = {authorization: `Bearer ${admin}`, 'content-type': type}
      const said = await raw(
        shop.origin,
        requestBytes(shop.origin, {method, path: `${place}?${parameters}`, headers, ...body}),
      )
      expect(statusesOf(said), `${method} ${place}?${parameters}`).to.have.lengthOf(1)
      expect(statusesOf(said)).to.not.include(500)
      expect(headsOf(said)).to.match(/^[\x20-\x7e\r\n]+$/)
    }
    expect(shop.faults).to.deep.equal([])
  })

  it('S-305 answers a deprecated parameter with its notice', async () => {
    const headers = {authorization: `Bearer ${admin}`}
    const {status, headers: answered} = await send(shop.origin, {path: '/shop/carts?customerId=nobody', headers})
    expect(status).to.equal(200)
    expect(answered.get('x-deprecation-notice')).to.include('/carts/customer-id={customerId}')
  })

  it('S-305 answers one 500 when an answer cannot be sent, and the next request as usual', async () => {
    const request = (path: string, connection: string) =>
      requestBytes(shop.origin, {path, headers: {connection}}).toString('latin1')
    const said = await raw(shop.origin, request('/broken', 'keep-alive') + request('/health', 'close'))
    expect(statusesOf(said)).to.deep.equal([500, 200])
    expect(shop.faults).to.have.lengthOf(1)
    shop.faults.length = 0
  })
})
