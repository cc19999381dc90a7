import {expect} from 'chai'
import {limits} from '../../../src/work/limits.js'
import {shopWithFallback} from '../shop/fallback.js'
import {emails, passwords} from '../shop/shop.js'
import {type Received, valuesOf} from '../shop/upstream.js'
import {basic} from '../shop/wire.js'

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

  it('S-308 keeps cookies, API keys and every other header here that is not about the content or the answer', async () => {
    const stay = {
      cookie: 'sid=1',
      'x-api-key': 'k',
      'x-auth-token': 't',
      'proxy-authorization': 'Basic eA==',
      'x-http-method-override': 'DELETE',
      'x-original-url': '/shop/customers',
      'x-rewrite-url': '/shop/customers',
      'x-own': '1',
      'x-if-match': '1',
      'acceptable-risk': '1',
    }
    const leave = {
      accept: 'text/plain',
      'accept-language': 'de',
      'content-type': 'text/x-own',
      'if-none-match': '"1"',
      'user-agent': 'own/1',
      'x-external-user-id': 'clerk',
    }
    fallback.upstream.answer = (response) => response.writeHead(200, {'set-cookie': 'sid=2'}).end('{}')
    const answer = await ask('/shop/orders', {method: 'POST', body: 'x', headers: {...stay, ...leave}})
    const last = fallback.upstream.asked.at(-1) as Received
    for (const name of Object.keys(stay)) expect(valuesOf(last, name), name).to.deep.equal([])
    for (const [name, value] of Object.entries(leave)) expect(valuesOf(last, name), name).to.deep.equal([value])
    expect(valuesOf(last, 'authorization')).to.deep.equal(['Bearer lent'])
    expect(answer.headers.has('set-cookie')).to.equal(false)
  })

  it('S-308 refuses the request that is one too many, and takes another once one has ended', async () => {
    const kept: (() => void)[] = []
    const full = new Promise<void>((resolve) => {
      fallback.upstream.answer = (response) => {
        kept.push(() => response.writeHead(200).end('{}'))
        if (kept.length === limits.forwarded) resolve()
      }
    })
    const sent = Array.from({length: limits.forwarded}, () => ask('/shop/orders'))
    await full
    expect((await ask('/shop/orders')).status).to.equal(503)
    for (const answer of kept) answer()
    expect(new Set((await Promise.all(sent)).map(({status}) => status))).to.deep.equal(new Set([200]))
    fallback.upstream.answer = (response) => response.writeHead(200).end('{}')
    expect((await ask('/shop/orders')).status).to.equal(200)
  })
})
