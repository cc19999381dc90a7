import {expect} from 'chai'
import {checkedAllowedOrigins} from '../../../src/server/http/origins.js'
import {windowPath} from '../../../src/server/window-paths.js'
import {openShop, type Shop} from '../shop/shop.js'
import {type Answer, send} from '../shop/wire.js'

const page = 'http://localhost:5173'

describe('security · S pages of listed origins', () => {
  let shop: Shop
  let token: string
  before(async () => {
    shop = await openShop({allowedOrigins: [page]})
    token = await shop.token('ADM')
  })
  after(() => shop.close())
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const shared = ({headers}: Answer): string[] =>
    [...headers.keys()].filter((name) => name.startsWith('access-control-')).sort()
  const asked = (
    path: string,
    origin: string | undefined,
    more: Readonly<Record<string, string>> = {},
    method = 'GET',
  ) =>
    send(shop.origin, {
      method,
      path,
      headers: {authorization: `Bearer ${token}`, ...(origin === undefined ? {} : {origin}), ...more},
    })
  const preflight = (path: string, origin: string | undefined) =>
    asked(path, origin, {'access-control-request-method': 'POST', 'sec-fetch-site': 'cross-site'}, 'OPTIONS')

  it('S-04 answers a listed origin and its preflights, exactly, and never with credentials', async () => {
    const answer = await asked('/shop/customers', page, {'sec-fetch-site': 'cross-site'})
    expect([answer.status, shared(answer)]).to.deep.equal([
      200,
      ['access-control-allow-origin', 'access-control-expose-headers'],
    ])
    expect(answer.headers.get('access-control-allow-origin')).to.equal(page)
    expect(answer.headers.get('vary')).to.equal('Origin')
    const missing = await asked('/shop/customers/nobody', page)
    expect([missing.status, missing.headers.get('access-control-allow-origin')]).to.deep.equal([404, page])
    const long = `/shop/customers/${'x'.repeat(9_000)}`
    for (const path of ['/shop/customers', '/oauth/shop/anonymous/token', '/shop/orders', long]) {
      const {status, headers} = await preflight(path, page)
      expect([status, headers.get('access-control-allow-origin')], path).to.deep.equal([204, page])
      expect(headers.get('access-control-allow-headers')).to.include('authorization').and.include('content-type')
      expect(headers.get('access-control-allow-methods')).to.include('POST').and.include('DELETE')
      expect(headers.has('access-control-allow-credentials')).to.equal(false)
    }
    expect(shared(await asked('/shop/customers', undefined))).to.deep.equal([])
  })

  it('S-04 lets a listed page read every refusal', async () => {
    const json = {'content-type': 'application/json'}
    const large = {method: 'POST', path: '/shop/customers', headers: json, body: JSON.stringify('x'.repeat(1_100_000))}
    const refusals: readonly (readonly [number, Parameters<typeof send>[1]])[] = [
      [401, {path: '/shop/customers', headers: {authorization: 'Bearer nobody'}}],
      [403, {path: '/shop2/customers', headers: {}}],
      [404, {path: '/shop/customers/nobody', headers: {}}],
      [404, {path: '/shop/customers/../x', headers: {}}],
      [405, {method: 'DELETE', path: '/shop/customers', headers: {}}],
      [413, large],
      [414, {path: `/shop/customers/${'x'.repeat(9_000)}`, headers: {}}],
      [415, {method: 'POST', path: '/shop/customers', headers: {'content-type': 'text/plain'}, body: 'x'}],
      [
        431,
        {path: '/shop/customers', headers: Object.fromEntries(Array.from({length: 110}, (_, at) => [`x-${at}`, 'x']))},
      ],
    ]
    for (const [status, {headers, ...sent}] of refusals) {
      const answer = await send(shop.origin, {
        ...sent,
        headers: {authorization: `Bearer ${token}`, origin: page, ...(headers as object)},
      })
      expect([answer.status, answer.headers.get('access-control-allow-origin')], sent.path).to.deep.equal([
        status,
        page,
      ])
    }
  })

  it('S-04 refuses every other origin, and gives it nothing', async () => {
    const others = [
      ...[
        'http://localhost:5174',
        'https://localhost:5173',
        'http://127.0.0.1:5173',
        `${page}/`,
        `${page}.evil.example`,
      ],
      ...['http://LOCALHOST:5173', 'null', '*', ''],
    ]
    for (const origin of others) {
      for (const answer of [await asked('/shop/customers', origin), await preflight('/shop/customers', origin)]) {
        expect([answer.status, shared(answer)], origin).to.deep.equal([403, []])
        expect(answer.body.message, origin).to.include('--allowed-origin')
      }
    }
    const twice = await send(shop.origin, {
      path: '/shop/customers',
      headers: [
        ['origin', page],
        ['origin', 'https://evil.example'],
      ],
    })
    expect([twice.status, shared(twice)]).to.deep.equal([403, []])
    const nameless = await asked('/shop/customers', undefined, {'sec-fetch-site': 'cross-site'})
    expect([nameless.status, shared(nameless)]).to.deep.equal([403, []])
  })

  it('S-04 keeps the administration closed to listed origins', async () => {
    for (const path of ['/_admin/status', windowPath, '/shop/_frontdesk/customers']) {
      for (const answer of [await asked(path, page), await preflight(path, page)]) {
        expect([answer.status, shared(answer)], path).to.deep.equal([403, []])
        expect(answer.body.message).to.equal('This path is not open to pages of other origins.')
      }
    }
  })

  it('S-04 takes exact origins of HTTP alone', () => {
    expect([...checkedAllowedOrigins(['http://localhost:5173/', 'https://shop.test'])]).to.deep.equal([
      page,
      'https://shop.test',
    ])
    for (const origin of [
      '*',
      'null',
      '',
      'localhost:5173',
      'http://*.shop.test',
      'http://a@shop.test',
      `${page}/shop`,
    ]) {
      expect(() => checkedAllowedOrigins([origin]), origin).to.throw('is not the origin of a page')
    }
  })
})
