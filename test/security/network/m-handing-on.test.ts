import {expect} from 'chai'
import {shopWithFallback} from '../shop/fallback.js'
import {emails, openShop, passwords, type Shop} from '../shop/shop.js'
import {valuesOf} from '../shop/upstream.js'
import {basic} from '../shop/wire.js'

describe('security · M what is handed to the fallback server', () => {
  const fallback = shopWithFallback((url) => ({url: `${url}/base/`}))
  const {ask, received} = fallback
  const last = () => {
    const received = fallback.upstream.asked.at(-1)
    if (!received) throw new Error('nothing was handed on')
    return received
  }

  it('M01 hands nothing on without a fallback, and says what is served', async () => {
    const lonely = await openShop()
    const token = await lonely.token('ADM')
    const {status, body} = await lonely.api('GET', '/shop/categories', token)
    await lonely.close()
    expect(status).to.equal(404)
    expect(body.errors[0].code).to.equal('ResourceNotFound')
    expect(body.message)
      .to.match(/customers/)
      .and.match(/\/openapi\.json/)
    expect(body.message).not.to.match(/_admin/)
  })

  it('M02 carries method, path, query, body and headers there, and the answer back', async () => {
    fallback.upstream.answer = (response) => {
      response.writeHead(418, {'content-type': 'text/plain', 'x-shop': 'tea'})
      response.end('short and stout')
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await fetch(`${fallback.shop.origin}/shop/categories/key=a-b?expand=parent&expand=x%20y`, {
        method,
        headers: {authorization: `Bearer ${fallback.admin}`, 'content-type': 'application/x-thing', 'if-match': 'mine'},
        body: 'grüße',
      })
      expect(answer.status).to.equal(418)
      expect(await answer.text()).to.equal('short and stout')
      expect(answer.headers.get('x-shop')).to.equal('tea')
      expect(last()).to.include({
        method,
        target: '/base/shop/categories/key=a-b?expand=parent&expand=x%20y',
        body: 'grüße',
      })
      expect(valuesOf(last(), 'content-type')).to.deep.equal(['application/x-thing'])
      expect(valuesOf(last(), 'if-match')).to.deep.equal(['mine'])
    }
    fallback.upstream.answer = (response) => response.writeHead(200, {'content-length': '12'}).end()
    const head = await fetch(`${fallback.shop.origin}/shop/categories`, {
      method: 'HEAD',
      headers: {authorization: `Bearer ${fallback.admin}`, 'x-correlation-id': 'my/own-id-1'},
    })
    expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, '12'])
    expect(head.headers.get('x-correlation-id')).to.equal('my/own-id-1')
    expect(valuesOf(last(), 'x-correlation-id')).to.deep.equal(['my/own-id-1'])
    expect(fallback.shop.log.at(-1)).to.include({path: '/shop/categories', status: 200, note: 'handed on'})
    fallback.upstream.answer = (response) => response.writeHead(204, {'content-length': '5', 'x-shop': 'tea'}).end()
    const empty = await ask('/shop/categories', {method: 'DELETE'})
    expect([empty.status, empty.text, empty.headers.get('x-shop')]).to.deep.equal([204, '', 'tea'])
    expect(empty.headers.has('content-length')).to.equal(false)
  })

  it('M03 keeps every access token here, and refuses one in the address', async () => {
    expect((await ask('/shop/categories')).status).to.equal(200)
    expect(valuesOf(last(), 'authorization')).to.deep.equal([])
    expect(JSON.stringify(last())).not.to.include(fallback.admin)
    const doubled = await received(async () => {
      expect((await ask(`/shop/categories?access_token=${fallback.admin}`)).status).to.equal(400)
      expect((await ask(`/shop/categories?access_token=${fallback.admin}`, {token: ''})).status).to.equal(401)
    })
    expect(doubled).to.deep.equal([])
  })

  it('M03 gives the other server the authorization that was set for it', async () => {
    const own = await openShop({fallback: {url: fallback.upstream.url, authorization: 'Bearer of-the-emulator'}})
    const token = await own.token('ADM')
    await own.api('GET', '/shop/categories', token)
    expect(valuesOf(last(), 'authorization')).to.deep.equal(['Bearer of-the-emulator'])
    expect(last().target).to.equal('/shop/categories')
    const unknown = await received(async () => {
      expect((await own.api('GET', '/shop/categories', 'nobodys-token')).status).to.equal(401)
    })
    expect(unknown).to.deep.equal([])
    await own.close()
  })

  it('M04 lets only valid tokens of the project pass, and of the store in the path', async () => {
    const tokenOf = async (by: Parameters<Shop['token']>[0]) => fallback.shop.token(by)
    const {access_token: kept} = await fallback.shop.session(emails.K1, passwords.K1, 'S1')
    const refused: [string, string, number][] = [
      ['/shop/categories', '', 401],
      ['/shop/categories', 'no-such-token', 401],
      ['/shop/categories', await tokenOf('P2A'), 403],
      ['/shop2/categories', fallback.admin, 403],
      ['/nope/categories', fallback.admin, 403],
      ['/shop/categories', await tokenOf('INT'), 403],
      ['/shop/categories', await tokenOf('ST1'), 403],
      ['/shop/in-store/key=S10/product-projections', await tokenOf('ST1'), 403],
      ['/shop/in-store/key=S1/orders', await tokenOf('ST1'), 403],
      ['/shop/payments', await tokenOf('RW'), 403],
      ['/shop/nothing-known', await tokenOf('RW'), 403],
      ['/shop/categories', kept, 403],
      ['/shop/in-store/key=S2/me/orders', kept, 403],
    ]
    const handedOn = await received(async () => {
      for (const [path, token, status] of refused) {
        const answer = await ask(path, {token, method: 'POST', body: '{}'})
        expect([path, answer.status, answer.body.statusCode]).to.deep.equal([path, status, status])
      }
    })
    expect(handedOn).to.deep.equal([])
    const {access_token: own} = await fallback.shop.session(emails.G, passwords.G)
    for (const [path, token, status] of [
      ['/shop/in-store/key=S1/me/orders', kept, 200],
      ['/shop/me/orders', own, 200],
      ['/shop/product-projections', own, 403],
      ['/shop/nothing-known', fallback.admin, 200],
    ] as const) {
      expect((await ask(path, {token})).status, path).to.equal(status)
    }
    const strict = await openShop({settings: {strictTokens: true}, fallback: {url: fallback.upstream.url}})
    const seller = await strict.addClient('manage_my_orders:shop view_published_products:shop')
    const by = basic(seller.id, seller.secret)
    const {access_token: bound} = await strict.session(emails.G, passwords.G, undefined, by)
    expect((await strict.api('GET', '/shop/product-projections', bound)).status).to.equal(403)
    expect((await strict.api('GET', '/shop/me/orders', bound)).status).to.equal(200)
    await strict.close()
  })

  it('M05 keeps the headers of a connection on it, in both directions', async () => {
    fallback.upstream.answer = (response) => {
      response.writeHead(200, {
        connection: 'close, X-Hop-Back',
        'x-hop-back': '1',
        'proxy-authenticate': 'Basic',
        'keep-alive': 'timeout=77',
        trailer: 'x-late',
        'x-stays': '1',
      })
      response.end('ok')
    }
    const answer = await ask('/shop/categories', {
      headers: {
        connection: 'close, If-Match, TE',
        'if-match': '1',
        te: 'trailers',
        trailer: 'x-late',
        'keep-alive': 'timeout=7',
        'proxy-authorization': 'Basic aHVzaA==',
        'proxy-connection': 'keep-alive',
        upgrade: 'h2c',
        'http2-settings': 'AAMAAABkAAQ',
        'if-none-match': '1',
      },
    })
    const dropped = ['if-match', 'te', 'trailer', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'upgrade']
    for (const name of [...dropped, 'http2-settings']) expect(valuesOf(last(), name), name).to.deep.equal([])
    expect(valuesOf(last(), 'if-none-match')).to.deep.equal(['1'])
    for (const name of ['x-hop-back', 'proxy-authenticate', 'trailer'])
      expect(answer.headers.has(name), name).to.equal(false)
    expect(answer.headers.get('keep-alive') ?? '').not.to.include('77')
    expect(answer.headers.get('x-stays')).to.equal('1')
    await ask('/shop/categories', {method: 'POST', body: 'x', headers: {expect: '100-continue'}})
    expect([valuesOf(last(), 'expect'), last().body]).to.deep.equal([[], 'x'])
  })

  it('M06 says itself who asks and through whom', async () => {
    await ask('/shop/categories', {
      headers: {
        via: '1.0 ahead',
        forwarded: 'for=10.0.0.9',
        'x-forwarded-for': '10.0.0.9',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        'x-real-ip': '10.0.0.9',
      },
    })
    const shown = ['host', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-real-ip']
    expect(shown.map((name) => valuesOf(last(), name))).to.deep.equal([
      [new URL(fallback.upstream.url).host],
      ['1.0 ahead, 1.1 frontdesk-of-this-shop'],
      ['127.0.0.1'],
      [new URL(fallback.shop.origin).host],
      ['http'],
      [],
      [],
    ])
  })
})
