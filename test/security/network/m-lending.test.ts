import {expect} from 'chai'
import {limits} from '../../../src/limits.js'
import {shopWithFallback} from '../shop/fallback.js'
import {emails, openShop, passwords} from '../shop/shop.js'
import {type Received, valuesOf} from '../shop/upstream.js'
import {type Answer, basic, send} from '../shop/wire.js'

describe('security · M what the fallback server lends to whom', () => {
  const fallback = shopWithFallback((url) => ({url, authorization: 'Bearer lent'}))
  const {ask, received} = fallback
  const tokenFor = async (scope: string): Promise<string> => {
    const {id, secret} = await fallback.shop.addClient(scope)
    const {body} = await fallback.shop.post('/oauth/token', {grant_type: 'client_credentials'}, basic(id, secret))
    return body.access_token
  }

  it('S-308 lends its authorization to tokens of customers and visitors below /me alone', async () => {
    const {id, secret} = await fallback.shop.addClient('manage_project:shop')
    const by = basic(id, secret)
    const {access_token: customer} = await fallback.shop.session(emails.G, passwords.G, undefined, by)
    const {body} = await fallback.shop.post('/oauth/shop/anonymous/token', {grant_type: 'client_credentials'}, by)
    const visitor = body.access_token
    const handedOn = await received(async () => {
      for (const token of [customer, visitor]) {
        for (const [method, path] of [
          ['GET', '/shop/orders'],
          ['POST', '/shop/payments'],
          ['GET', '/shop/in-store/key=S1/orders'],
          ['GET', '/shop/as-associate/x/in-business-unit/key=y/orders'],
          ['GET', '/shop/%6de.x/orders'],
          ['GET', '/shop/ME/orders'],
        ] as const) {
          expect((await ask(path, {method, token})).status, path).to.equal(403)
        }
        expect((await ask('/shop/%6de/orders', {token})).status).to.equal(200)
      }
    })
    expect(handedOn.map(({target}) => target)).to.deep.equal(['/shop/me/orders', '/shop/me/orders'])
  })

  it('S-308 asks for a scope of the collection, to read or to write', async () => {
    for (const [scope, method, path, status] of [
      ['view_orders:shop', 'GET', '/shop/orders', 200],
      ['view_orders:shop', 'HEAD', '/shop/orders/edits', 200],
      ['view_orders:shop', 'POST', '/shop/orders/search', 200],
      ['view_orders:shop', 'POST', '/shop/orders', 403],
      ['view_orders:shop', 'POST', '/shop/orders/x/search', 403],
      ['view_orders:shop', 'DELETE', '/shop/orders/search', 403],
      ['view_orders:shop', 'GET', '/shop/payments', 403],
      ['view_customers:shop', 'GET', '/shop/orders', 403],
      ['manage_orders:shop', 'DELETE', '/shop/orders/x', 200],
      ['view_orders:shop:S1', 'GET', '/shop/in-store/key=S1/orders', 200],
      ['view_orders:shop:S1', 'GET', '/shop/in-store/key=S2/orders', 403],
      ['view_orders:shop:S1', 'GET', '/shop/orders', 403],
      ['view_published_products:shop', 'GET', '/shop/product-projections/key=x', 200],
      ['view_published_products:shop', 'GET', '/shop/inventory', 403],
      ['view_key_value_documents:shop', 'GET', '/shop/custom-objects/a/b', 200],
      ['manage_extensions:shop', 'GET', '/shop/extensions', 200],
      ['manage_my_orders:shop', 'GET', '/shop/me/orders', 200],
      ['manage_my_profile:shop', 'GET', '/shop/me/orders', 403],
      ['manage_my_payments:shop', 'POST', '/shop/me/payments', 200],
      ['manage_orders:shop', 'GET', '/shop/_orders', 404],
      ['manage_orders:shop manage_customers:shop', 'GET', '/shop/of-our-own', 403],
      ['manage_project:shop', 'GET', '/shop/of-our-own', 200],
    ] as const) {
      const token = await tokenFor(scope)
      expect((await ask(path, {method, token})).status, `${scope} ${method} ${path}`).to.equal(status)
    }
  })

  it('S-308 hands on only paths that every reader reads alike, and those decoded', async () => {
    const token = await tokenFor('manage_orders:shop:S1 manage_orders:shop')
    const handedOn = await received(async () => {
      for (const path of [
        '/shop/in-store/key=S1/..;/..;/orders',
        '/shop/in-store/key=S1/%252e%252e/%252e%252e/orders',
        '/shop/in-store/key=S1/..%3b/orders',
        '/shop/in-store/key=S1/.%2e/orders',
        '/shop/in-store/key=S1/%2e/orders',
        '/shop/orders;x',
        '/shop/orders,x',
        '/shop/orders%2fx',
        '/shop/orders%5cx',
        '/shop/orders%20',
        '/shop/orders%3fx',
        '/shop/orders%23x',
        '/shop/orders%25',
        '/shop/orders%c3%a9',
        '/shop/orders%ef%bc%8f..',
        "/shop/orders'x",
        '/shop/orders+x',
        '/shop/orders/',
      ]) {
        expect((await ask(path, {token})).status, path).to.equal(404)
      }
      for (const slip of [
        'customers;x',
        'customers%2f',
        'customers%20',
        'customers.json',
        'Customers.',
        '%63ustomers.x',
      ]) {
        expect((await ask(`/shop/${slip}`, {method: 'POST'})).status, slip).to.equal(404)
      }
      await ask('/shop/orders/order-number%3D4.2~a_b-c%3A%40?where=a%20b', {token})
    })
    expect(handedOn.map(({target}) => target)).to.deep.equal(['/shop/orders/order-number=4.2~a_b-c:@?where=a%20b'])
  })

  it('S-308 keeps cookies and API keys here unless they are asked for', async () => {
    const identifying = {cookie: 'sid=1', 'x-api-key': 'k', 'x-auth-token': 't', 'x-amz-security-token': 's'}
    fallback.upstream.answer = (response) => response.writeHead(200, {'set-cookie': 'sid=2'}).end('{}')
    const names = [...Object.keys(identifying), 'x-own']
    const arrived = () => names.filter((name) => valuesOf(fallback.upstream.asked.at(-1) as Received, name).length > 0)
    const plain = await ask('/shop/orders', {headers: {...identifying, 'x-own': '1'}})
    expect([arrived(), plain.headers.has('set-cookie')]).to.deep.equal([['x-own'], false])
    const open = await openShop({fallback: {url: fallback.upstream.url, cookies: true}})
    const headers = {
      ...identifying,
      'x-own': '1',
      'proxy-authorization': 'Basic eA==',
      authorization: `Bearer ${await open.token('ADM')}`,
    }
    const asked = await send(open.origin, {path: '/shop/orders', headers})
    expect([arrived(), asked.headers.get('set-cookie')]).to.deep.equal([names, 'sid=2'])
    const {headers: received} = fallback.upstream.asked.at(-1) as Received
    expect(received.filter(([name]) => name.includes('authorization'))).to.deep.equal([])
    await open.close()
  })

  it('S-308 leaves a caller a quarter of the places, and a client with its visitors half', async () => {
    const kept: (() => void)[] = []
    let arrived: () => void = () => undefined
    fallback.upstream.answer = (response) => {
      kept.push(() => response.writeHead(200).end('{}'))
      arrived()
    }
    const visitors = await Promise.all([1, 2, 3].map(() => fallback.shop.anonymous()))
    const sent: Promise<Answer>[] = []
    const fill = async (token: string) => {
      const all = kept.length + limits.forwardedOfCaller
      const full = new Promise<void>((resolve) => {
        arrived = () => (kept.length === all ? resolve() : undefined)
      })
      for (let at = 0; at < limits.forwardedOfCaller; at += 1) sent.push(ask('/shop/me/orders', {token}))
      await full
    }
    const [first, second, third] = visitors.map(({access_token}) => access_token as string)
    await fill(first as string)
    expect((await ask('/shop/me/orders', {token: first as string})).status).to.equal(503)
    await fill(second as string)
    expect((await ask('/shop/me/orders', {token: third as string})).status).to.equal(503)
    sent.push(ask('/shop/orders'))
    await new Promise<void>((resolve) => {
      arrived = resolve
    })
    for (const answer of kept) answer()
    expect(new Set((await Promise.all(sent)).map(({status}) => status))).to.deep.equal(new Set([200]))
    expect(limits.forwardedOfCaller * 4).to.equal(limits.forwarded)
  })
})
