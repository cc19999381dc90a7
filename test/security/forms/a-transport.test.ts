import {expect} from 'chai'
import {endpoints, refusedAsInvalid} from '../shop/endpoints.js'
import {invalidClient, stdErr, stdOk} from '../shop/expectations.js'
import {openShop, type Shop} from '../shop/shop.js'
import {answerOf, basic, exchange, formOf, formType, raw, requestBytes, send} from '../shop/wire.js'

describe('security · A transport of all endpoints', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())
  beforeEach(() => {
    shop.clock.now += 120_000
  })
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const auth = () => ({authorization: basic(shop.clients.ADM.id, shop.clients.ADM.secret)})

  for (const endpoint of endpoints) {
    const {path} = endpoint
    const form = () => endpoint.form(shop)

    it(`A01 answers GET with 405 at ${path}`, async () => {
      const answer = await send(shop.origin, {path: `${path}?${formOf(await form())}`, headers: auth()})
      stdErr(answer, 405, 'MethodNotAllowed')
      expect(answer.headers.get('allow')).to.equal('POST')
    })

    it(`A02 answers every other method with 405 and allows no origin at ${path}`, async () => {
      for (const method of ['PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE']) {
        const answer = await send(shop.origin, {method, path, headers: auth()})
        expect(answer.status, method).to.equal(405)
        expect(answer.headers.get('allow')).to.equal('POST')
        expect(answer.headers.has('access-control-allow-origin')).to.equal(false)
      }
    })

    it(`A16 limits body, headers and parameters at ${path}`, async () => {
      const large = await shop.post(path, `x=${'y'.repeat(65_536)}`)
      stdErr(large, 413, 'ContentTooLarge')
      expect(large.headers.get('connection')).to.equal('close')
      const headers = await shop.post(path, await form(), 'ADM', {'x-large': 'y'.repeat(66_000)})
      expect(headers.status).to.equal(431)
      const many = Array.from({length: 100}, (_, at) => `p${at}=1`).join('&')
      refusedAsInvalid(endpoint, await shop.post(path, `${formOf(await form())}&${many}`))
    })

    it(`A19 knows no alias of ${path}`, async () => {
      const [first = '', ...rest] = path.slice(1).split('/')
      const aliases = [
        `${path}/`,
        `/${path}`,
        path.replace('/oauth/', '/oauth//'),
        path.toUpperCase(),
        `/${first}/%2e%2e/${first}/${rest.join('/')}`,
        `/${first}/../${first}/${rest.join('/')}`,
        path.replace('/oauth/', '/oauth/./'),
      ]
      for (const alias of aliases) {
        const {status} = await shop.post(alias, await form())
        expect(status, alias).to.equal(404)
      }
    })

    it(`A21 never redirects at ${path}`, async () => {
      for (const target of [path, `${path}/`, `/${path}`, `${path}?next=//evil.example`]) {
        const {status, headers} = await shop.post(target, await form())
        expect(status < 300 || status > 399).to.equal(true)
        expect(headers.has('location')).to.equal(false)
      }
    })

    it(`A22 repeats a sound correlation id and refuses others at ${path}`, async () => {
      const body = await form()
      const sound = await shop.post(path, body, 'ADM', {'x-correlation-id': 'shop/abc-1'})
      expect(sound.headers.get('x-correlation-id')).to.equal('shop/abc-1')
      for (const id of ['x'.repeat(10_000), 'a b', 'é', 'a\tb', '']) {
        const {status, headers} = await shop.post(path, await form(), 'ADM', {'x-correlation-id': id})
        expect(status).to.equal(400)
        expect(headers.get('x-correlation-id')).to.match(/^frontdesk-[0-9a-f-]{36}$/)
      }
    })

    it(`A24 shows no banner at ${path}`, async () => {
      const {headers} = await shop.post(path, await form())
      expect(headers.has('server')).to.equal(false)
      expect(headers.has('x-powered-by')).to.equal(false)
      expect(headers.get('x-content-type-options')).to.equal('nosniff')
    })
  }

  for (const endpoint of endpoints.filter(({path}) => path.endsWith('/token'))) {
    it(`A12 issues a token in the form of RFC 6749 at ${endpoint.path}`, async () => {
      const body = stdOk(await shop.post(endpoint.path, await endpoint.form(shop)))
      expect(body.access_token).to.match(/^[A-Za-z0-9._~+/-]{43,}=*$/)
      expect(body).to.include({expires_in: 172_800, token_type: 'Bearer'})
      expect(body.scope).to.be.a('string')
    })
  }

  it('A20 answers for another project and for none with the same bytes', async () => {
    for (const tail of ['customers/token', 'in-store/key=S1/customers/token', 'anonymous/token']) {
      const [other, none] = await Promise.all(
        ['shop2', 'nope'].map((key) => shop.post(`/oauth/${key}/${tail}`, {grant_type: 'password'})),
      )
      if (!other || !none) throw new Error('two answers were expected')
      invalidClient(other)
      expect(none.text).to.equal(other.text)
      expect([...none.headers.keys()]).to.deep.equal([...other.headers.keys()])
    }
  })

  it('A23 refuses a body of two lengths and one that ends early, and keeps serving others', async () => {
    const headers = {...auth(), 'content-type': formType}
    const both = requestBytes(shop.origin, {
      method: 'POST',
      path: '/oauth/token',
      headers: {...headers, 'content-length': '29', 'transfer-encoding': 'chunked'},
      body: '1d\r\ngrant_type=client_credentials\r\n0\r\n\r\n',
    })
    expect(answerOf(await raw(shop.origin, both)).status).to.equal(400)
    const short = requestBytes(shop.origin, {
      method: 'POST',
      path: '/oauth/token',
      headers: {...headers, 'content-length': '100'},
      body: 'grant_type=client',
    })
    const cutOff = await exchange(shop.origin, (socket) => socket.end(short))
    expect(answerOf(cutOff).status).to.be.oneOf([400, 408])
    stdOk(await shop.post('/oauth/token', {grant_type: 'client_credentials'}))
  })

  it('A25 keeps clients apart over one connection', async () => {
    const order = Array.from({length: 100}, (_, at) => (['RW', 'RO', 'ADM'] as const)[at % 3] ?? 'RW')
    const text = await exchange(shop.origin, (socket) => {
      order.forEach((name, at) => {
        const {id, secret} = shop.clients[name]
        const headers = {
          authorization: basic(id, secret),
          'content-type': formType,
          connection: at === order.length - 1 ? 'close' : 'keep-alive',
        }
        const sent = {method: 'POST', path: '/oauth/token', headers, body: 'grant_type=client_credentials'}
        socket.write(requestBytes(shop.origin, sent))
      })
    })
    const granted = [...text.matchAll(/"scope":"([^"]*)"/g)].map(([, scope]) => scope)
    const scopes = {RW: 'manage_customers:shop', RO: 'view_customers:shop', ADM: 'manage_project:shop'}
    expect(granted).to.deep.equal(order.map((name) => scopes[name as keyof typeof scopes]))
  })
})
