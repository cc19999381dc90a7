import {expect} from 'chai'
import {json, openStub, type Stub} from '../shop/authorization-stub.js'
import {forbidden, missingToken, unauthorized} from '../shop/expectations.js'
import {addQuotes} from '../shop/quotes.js'
import {emails, openShop, passwords, type Shop} from '../shop/shop.js'
import {type Answer, type Body, send} from '../shop/wire.js'

describe('security · K external tokens', () => {
  let shop: Shop
  let stub: Stub
  let counter = 0
  before(async () => {
    ;[shop, stub] = await Promise.all([openShop(), openStub()])
    await addQuotes(shop)
    expect((await configure(stub.url)).status).to.equal(200)
  })
  after(() => Promise.all([shop.close(), stub.close()]))
  beforeEach(() => {
    stub.asked.length = 0
    shop.clock.now += 60_000
  })
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const secret = 'Basic Y2FuYXJ5OnNlY3JldA=='
  async function configure(url: string, authorizationHeader = secret, at = shop): Promise<Answer> {
    const admin = await at.token('ADM')
    const {version} = (await at.api('GET', '/shop', admin)).body
    const actions = [{action: 'setExternalOAuth', externalOAuth: {url, authorizationHeader}}]
    return at.api('POST', '/shop', admin, {version, actions})
  }

  /** A token that nobody used before. */
  const foreign = (): string => {
    counter += 1
    return `foreign.token.${counter}`
  }
  const read = (token: string, path = '/shop/customers'): Promise<Answer> => shop.api('GET', path, token)
  const active = (scope: unknown, members: object = {}) => json({active: true, scope, ...members})

  function failed({status, body}: Answer, message?: string): Body {
    const isLate = message === 'External OAuth did not respond in time.'
    expect([status, body.statusCode]).to.deep.equal(isLate ? [504, 504] : [502, 502])
    expect(body.errors[0].code).to.equal('ExternalOAuthFailed')
    if (message !== undefined) expect(body.message).to.equal(message)
    return body
  }

  it('K01 S-80 asks once, with the token alone, the configured header and the correlation id', async () => {
    stub.answer = active('view_customers:shop')
    const token = foreign()
    const headers = {authorization: `Bearer ${token}`, 'x-correlation-id': 'trace/k01'}
    expect((await send(shop.origin, {path: '/shop/customers', headers})).status).to.equal(200)
    expect(stub.asked).to.have.lengthOf(1)
    const [asked] = stub.asked
    expect(asked).to.include({method: 'POST', path: '/introspect', body: `token=${token}`})
    expect(asked?.headers).to.include({
      authorization: secret,
      'content-type': 'application/x-www-form-urlencoded',
      'x-correlation-id': 'trace/k01',
    })
  })

  it('K02 lets our scopes decide and ignores the others', async () => {
    stub.answer = active('openid profile view_customers:shop view_orders:other')
    const token = foreign()
    expect((await read(token)).status).to.equal(200)
    forbidden(await shop.api('POST', '/shop/customers', token, {}))
    stub.answer = active('openid email manage_project:shop2')
    forbidden(await read(foreign()))
  })

  it('K03 refuses an inactive token', async () => {
    stub.answer = json({active: false, scope: 'manage_project:shop'})
    unauthorized(await read(foreign()))
  })

  it('K04 takes nothing but true for active', async () => {
    for (const value of ['true', 1, null, undefined, [true], {}]) {
      stub.answer = json({active: value, scope: 'manage_project:shop'})
      unauthorized(await read(foreign()))
    }
  })

  it('K05 takes a scope of another type for none', async () => {
    for (const scope of [undefined, ['manage_project:shop'], 7, null, {}]) {
      stub.answer = active(scope)
      forbidden(await read(foreign()))
    }
  })

  it('K06 fails for whatever is no answer, asks once a call, and again at the next', async () => {
    const answers: Stub['answer'][] = [
      json({active: true, scope: 'manage_project:shop'}, 500),
      json({active: true, scope: 'manage_project:shop'}, 404),
      (response) => response.writeHead(302, {location: stub.url}).end(),
      (response) => response.writeHead(200).end(),
      (response) => response.writeHead(200, {'content-type': 'text/html'}).end('<html></html>'),
      (response) => response.writeHead(200).end('{"active": tr'),
      (response) => response.writeHead(200).end('[{"active": true}]'),
      (response) => response.writeHead(200).end('{"__proto__": {"active": true}}'),
      (response) => response.writeHead(200).end(`{"active": true, "x": "${'y'.repeat(66_000)}"}`),
      (response) => response.socket?.destroy(),
    ]
    for (const [at, answer] of answers.entries()) {
      stub.answer = answer
      const token = foreign()
      stub.asked.length = 0
      failed(await read(token))
      expect(stub.asked, `answer ${at}`).to.have.lengthOf(1)
      stub.answer = active('view_customers:shop')
      expect((await read(token)).status).to.equal(200)
      expect(stub.asked, `answer ${at}`).to.have.lengthOf(2)
    }
  })

  it('K07 waits half a second in all, also for a body that trickles', async () => {
    const usual = await openShop({externalOAuth: {}})
    await configure(stub.url, secret, usual)
    const silent: Stub['answer'] = () => undefined
    const trickle: Stub['answer'] = (response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(timer))
    }
    for (const answer of [silent, trickle]) {
      stub.answer = answer
      const started = performance.now()
      failed(await usual.api('GET', '/shop/customers', foreign()), 'External OAuth did not respond in time.')
      expect(performance.now() - started).to.be.above(450)
    }
    await usual.close()
  })

  it('K08 keeps an active answer for half an hour, never past its exp, and no other answer', async () => {
    stub.answer = active('view_customers:shop')
    const token = foreign()
    const asks = async (minutes: number, value = token): Promise<number> => {
      shop.clock.now += minutes * 60_000
      stub.asked.length = 0
      await read(value)
      return stub.asked.length
    }
    expect([await asks(0), await asks(29), await asks(0), await asks(2)]).to.deep.equal([1, 0, 0, 1])
    const short = foreign()
    stub.answer = active('view_customers:shop', {exp: Math.floor(shop.clock.now / 1000) + 600})
    expect([await asks(0, short), await asks(9, short)]).to.deep.equal([1, 0])
    stub.answer = json({active: false})
    expect([await asks(1, short), await asks(0, short)]).to.deep.equal([1, 1])
    stub.answer = active('view_customers:shop')
    const shared = foreign()
    stub.asked.length = 0
    await Promise.all(Array.from({length: 10}, () => read(shared)))
    expect(stub.asked).to.have.lengthOf(1)
    await configure(stub.url, 'Bearer another-secret')
    expect(await asks(0, shared)).to.equal(1)
    await configure(stub.url)
  })

  it('K09 never sends our own tokens outside, dead or alive', async () => {
    stub.answer = active('manage_project:shop')
    const [revoked, expired, other] = [await shop.token('ADM'), await shop.token('ADM'), await shop.token('P2A')]
    const {access_token, refresh_token} = await shop.session(emails.G, passwords.G)
    await shop.post('/oauth/token/revoke', {token: revoked})
    unauthorized(await read(revoked))
    forbidden(await read(other))
    forbidden(await read(access_token))
    unauthorized(await read(refresh_token), missingToken)
    shop.clock.now += 172_800_000
    unauthorized(await read(expired))
    expect(stub.asked).to.deep.equal([])
  })

  it('K10 binds to a customer who exists and to one subject', async () => {
    const scope = (...subjects: string[]) => ['manage_my_quotes:shop', ...subjects].join(' ')
    const own = `customer_id:${shop.customers.G.id}`
    stub.answer = active(scope(own))
    expect((await read(foreign(), '/shop/me/quotes/quote-of-G')).status).to.equal(200)
    expect((await read(foreign(), '/shop/me/quotes/quote-of-K1')).status).to.equal(404)
    for (const subjects of [
      [],
      ['customer_id:nobody'],
      ['customer_id:'],
      ['anonymous_id:visitor'],
      [own, 'anonymous_id:visitor'],
      [own, `customer_id:${shop.customers.K1.id}`],
    ]) {
      stub.answer = active(scope(...subjects))
      forbidden(await read(foreign(), '/shop/me/quotes'))
    }
    stub.answer = active('view_customers:shop customer_id:nobody')
    forbidden(await read(foreign()))
  })

  it('K11 serves our tokens and foreign ones side by side', async () => {
    stub.answer = active('view_customers:shop')
    const own = await shop.token('RO')
    const answers = await Promise.all([own, foreign(), own, foreign()].map((token) => read(token)))
    expect(answers.map(({status}) => status)).to.deep.equal([200, 200, 200, 200])
    expect(stub.asked).to.have.lengthOf(2)
  })

  it('K12 follows no redirect with the header', async () => {
    const elsewhere = await openStub()
    stub.answer = (response) => response.writeHead(307, {location: elsewhere.url}).end()
    failed(await read(foreign()), 'External OAuth answered with status 307.')
    expect(elsewhere.asked).to.deep.equal([])
    await elsewhere.close()
  })

  it('K15 never shows or logs the configured header', async () => {
    const {text, body} = await shop.api('GET', '/shop', await shop.token('ADM'))
    expect(body.externalOAuth).to.deep.equal({url: stub.url, authorizationHeader: 'Basic ****'})
    const refused = await configure(stub.url, ' Y2FuYXJ5OnNlY3JldA')
    expect(refused.status).to.equal(400)
    for (const shown of [text, refused.text, JSON.stringify(shop.log)]) expect(shown).to.not.include('Y2FuYXJ5')
  })

  it('K16 takes a token that is over, or has not begun, for inactive', async () => {
    const seconds = Math.floor(shop.clock.now / 1000)
    const wrong = [
      {exp: seconds - 1},
      {exp: seconds},
      {exp: shop.clock.now - 1},
      {exp: 0},
      {exp: 'tomorrow'},
      {nbf: seconds + 60},
      {iat: seconds + 3600},
    ]
    for (const members of wrong) {
      stub.answer = active('manage_project:shop', members)
      unauthorized(await read(foreign()))
    }
    stub.answer = active('view_customers:shop', {exp: shop.clock.now + 1000, nbf: seconds - 1, iat: seconds})
    expect((await read(foreign())).status).to.equal(200)
  })

  it('K17 sends no text outside that is no token', async () => {
    for (const text of ['ä', 'a"b', 'a%20b', 'shop:abc', 'a,b', '<script>']) {
      const headers = {authorization: `Bearer ${text}`}
      unauthorized(await send(shop.origin, {path: '/shop/customers', headers}), missingToken)
    }
    expect(stub.asked).to.deep.equal([])
  })
})
