import {expect} from 'chai'
import {startServer} from '../../../src/server/start.js'
import {shopWithFallback} from '../shop/fallback.js'
import {startUpstream} from '../shop/upstream.js'
import {raw, requestBytes} from '../shop/wire.js'

describe('security · M what is never handed to the fallback server', () => {
  const fallback = shopWithFallback((url) => ({url: `${url}/base/`}))
  const {ask, received} = fallback

  it('M07 answers every path that it serves itself, whatever its method, letters and slashes', async () => {
    const handedOn = await received(async () => {
      for (const [method, path, status] of [
        ['PATCH', '/shop/customers', 405],
        ['PUT', '/shop/customers/x', 405],
        ['POST', '/shop/messages', 405],
        ['POST', '/shop/customers/', 400],
        ['POST', '/shop//customers', 404],
        ['POST', '/shop/Customers', 404],
        ['POST', '/shop/LOGIN', 404],
        ['POST', '/shop/me/password/', 403],
        ['POST', '/oauth/shop/nothing', 404],
        ['POST', '/OAuth/token', 404],
        ['GET', '/_admin/nothing', 404],
        ['GET', '/shop/_frontdesk/nothing', 404],
        ['GET', '/_admin/status/', 404],
        ['GET', '/shop', 200],
        ['GET', '/shop/', 200],
        ['GET', '/shop//', 404],
        ['GET', '/', 404],
        ['GET', '/Health', 403],
        ['GET', '/no.project/x', 404],
        ['TRACE', '/shop/categories', 404],
      ] as const) {
        expect((await ask(path, {method})).status, `${method} ${path}`).to.equal(status)
      }
    })
    expect(handedOn).to.deep.equal([])
  })

  it('M08 reaches no other origin, and climbs nowhere', async () => {
    const other = await startUpstream()
    const host = new URL(other.url).host
    const handedOn = await received(async () => {
      for (const path of [
        `${other.url}/shop/categories`,
        `//${host}/shop/categories`,
        `/\\${host}/shop/categories`,
        `/@${host}/categories`,
        '/shop/../categories/x',
        '/shop/%2e%2e/categories',
        '/shop/x/..%2f..%2fadmin',
        '/shop/x/%2e%2e%5cadmin',
        '/shop/x\\..\\admin',
        '/shop/x/%00',
        '/shop/x/%zz',
        '/shop/x//y',
        '/shop/x#y',
        '*',
      ]) {
        expect((await ask(path)).status, path).to.be.oneOf([400, 404])
      }
      const connect = await raw(
        fallback.shop.origin,
        requestBytes(fallback.shop.origin, {
          method: 'CONNECT',
          path: host,
          headers: {authorization: `Bearer ${fallback.admin}`},
        }),
      )
      expect(connect).to.match(/^HTTP\/1\.1 405/)
    })
    expect([...handedOn, ...other.asked]).to.deep.equal([])
    await other.close()
  })

  it('M15 drops what speaks for the other origin', async () => {
    fallback.upstream.answer = (response) => {
      response.writeHead(302, {
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        'alt-svc': 'h2="evil.example:443"',
        'strict-transport-security': 'max-age=1',
        location: 'https://elsewhere.example/',
      })
      response.end()
    }
    const answer = await ask('/shop/categories')
    expect(answer.status).to.equal(302)
    expect([...answer.headers.keys()].filter((name) => /^(access-control|alt-svc|strict)/.test(name))).to.deep.equal([])
    expect(answer.headers.get('via')).to.equal('1.1 frontdesk-of-this-shop')
  })

  it('M16 refuses an address that it must not use', async () => {
    for (const fallback of [
      'no url',
      'file:///etc/passwd',
      'ftp://shop.example',
      'http://ada:hush@fallback.shop.example',
      'http://shop.example?x=1',
      'http://shop.example#x',
      {url: 'http://shop.example', authorization: 'Bearer hush'},
      {url: 'https://shop.example', authorization: 'Bearer hush\r\nx: y'},
    ]) {
      let refused: unknown
      try {
        const server = await startServer({dataDir: ':memory:', projectKey: 'shop', fallback})
        await server.stop()
      } catch (error) {
        refused = error
      }
      expect(refused, JSON.stringify(fallback)).to.include({code: 'InvalidSetup'})
      expect(String(refused)).not.to.include('hush')
    }
  })
})
