import {expect} from 'chai'
import {invalidClient, invalidRequest, stdErr, stdOk} from '../shop/expectations.js'
import {type ClientName, emails, openShop, passwords, type Shop} from '../shop/shop.js'
import {type Answer, basic} from '../shop/wire.js'

const path = '/oauth/introspect'

describe('security · G introspection', () => {
  let shop: Shop
  let inactive: Answer
  before(async () => {
    shop = await openShop()
    inactive = await ask('nothing')
  })
  after(() => shop.close())
  beforeEach(() => {
    shop.clock.now += 120_000
  })
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const ask = (token: string, by: ClientName | string = 'ADM', token_type_hint?: string): Promise<Answer> =>
    shop.post(path, {token, token_type_hint}, by)

  /** The same bytes whatever the reason. */
  function expectInactive(answer: Answer): void {
    expect(stdOk(answer)).to.deep.equal({active: false})
    expect(answer.text).to.equal(inactive.text)
    expect([...answer.headers.keys()]).to.deep.equal([...inactive.headers.keys()])
  }

  it('G01 tells exactly four things of an own token', async () => {
    const body = stdOk(await ask(await shop.token('RO'), 'RO'))
    expect(body).to.have.all.keys('active', 'scope', 'exp', 'client_id')
    expect(body).to.include({active: true, scope: 'view_customers:shop', client_id: shop.clients.RO.id})
  })

  it('G02 tells the end in milliseconds', async () => {
    const issued = shop.clock.now
    const {exp} = stdOk(await ask(await shop.token('ADM')))
    expect(exp).to.satisfy(Number.isInteger)
    expect(exp).to.be.above(1e12)
    expect(Math.abs(exp - issued - 172_800_000)).to.be.below(600_000)
  })

  it('G03 calls an unknown token inactive', async () => {
    expectInactive(await ask('x'.repeat(43)))
  })

  it('G04 calls an expired token inactive', async () => {
    const client = await shop.addClient('view_customers:shop', {accessTokenValiditySeconds: 2})
    const by = basic(client.id, client.secret)
    const {access_token} = stdOk(await shop.post('/oauth/token', {grant_type: 'client_credentials'}, by))
    expect(stdOk(await ask(access_token, by)).active).to.equal(true)
    shop.clock.now += 2000
    expectInactive(await ask(access_token, by))
  })

  it('G05 calls a revoked token inactive', async () => {
    const token = await shop.token('ADM')
    await shop.post('/oauth/token/revoke', {token})
    expectInactive(await ask(token))
  })

  it('G06 calls a malformed token inactive', async () => {
    for (const token of ['a b', '…', 'ä', '"', '%', "' or 1=1"]) expectInactive(await ask(token))
  })

  it('G07 calls a refresh token inactive (decision 29)', async () => {
    const {refresh_token} = await shop.session(emails.G, passwords.G)
    expectInactive(await ask(refresh_token, 'MY'))
    expectInactive(await ask(refresh_token, 'ADM', 'refresh_token'))
  })

  it('G08 calls the token of another client inactive to those without permission', async () => {
    expectInactive(await ask(await shop.token('ADM'), 'RW'))
  })

  it('G09 calls a token of another project inactive', async () => {
    expectInactive(await ask(await shop.token('P2A')))
  })

  it('G10 calls the token of a deleted client inactive', async () => {
    const client = await shop.addClient('view_customers:shop')
    const by = basic(client.id, client.secret)
    const {access_token} = stdOk(await shop.post('/oauth/token', {grant_type: 'client_credentials'}, by))
    await shop.api('DELETE', `/shop/api-clients/${client.id}`, await shop.token('ADM', 'manage_api_clients:shop'))
    expectInactive(await ask(access_token))
  })

  it('G11 calls the token of a deleted customer inactive', async () => {
    const admin = await shop.token('ADM')
    const draft = {email: 'gone@example.com', password: 'right horse'}
    const {id, version} = (await shop.api('POST', '/shop/customers', admin, draft)).body.customer
    const {access_token} = await shop.session(draft.email, draft.password)
    expect(await shop.isActive(access_token)).to.equal(true)
    await shop.api('DELETE', `/shop/customers/${id}?version=${version}`, admin)
    expectInactive(await ask(access_token))
  })

  it('G12 tells a client with introspect_oauth_tokens of any token of the project', async () => {
    const body = stdOk(await ask(await shop.token('RW'), 'INT'))
    expect(body).to.include({active: true, client_id: shop.clients.RW.id})
  })

  it('G13 takes manage_project for that permission', async () => {
    expect(stdOk(await ask(await shop.token('RW'), 'ADM'))).to.include({active: true, client_id: shop.clients.RW.id})
  })

  it('G14 keeps that permission to the project', async () => {
    expectInactive(await ask(await shop.token('P2A'), 'INT'))
    expectInactive(await ask(await shop.token('RW'), 'P2A'))
    const foreign = await shop.addClient('introspect_oauth_tokens:shop', {projectKey: 'shop2'})
    expectInactive(await ask(await shop.token('RW'), basic(foreign.id, foreign.secret)))
  })

  it('G15 ends with the scope of the asking client', async () => {
    const client = await shop.addClient('introspect_oauth_tokens:shop')
    const by = basic(client.id, client.secret)
    const token = await shop.token('RW')
    expect(stdOk(await ask(token, by)).active).to.equal(true)
    await shop.changeClient(client, {scope: 'view_customers:shop'})
    expectInactive(await ask(token, by))
  })

  it('G16 names a missing token', async () => {
    expect(invalidRequest(await shop.post(path, {})).message).to.equal('Missing required parameter: token.')
  })

  it('G17 refuses two tokens', async () => {
    invalidRequest(await shop.post(path, 'token=a&token=b'))
  })

  it('G18 refuses a wrong client and a bearer token', async () => {
    const token = await shop.token('ADM')
    invalidClient(await shop.post(path, {token}, basic(shop.clients.ADM.id, 'wrong')))
    invalidClient(await shop.post(path, {token}, `Bearer ${token}`))
  })

  it('G19 answers the same whatever the hint says', async () => {
    const token = await shop.token('ADM')
    const [first, ...rest] = await Promise.all(
      [undefined, 'access_token', 'refresh_token', 'nonsense'].map((hint) => ask(token, 'ADM', hint)),
    )
    expect(stdOk(first as Answer).active).to.equal(true)
    for (const {text} of rest) expect(text).to.equal(first?.text)
  })

  it('G20 answers GET with 405 and does not log the token', async () => {
    const answer = await shop.api('GET', `${path}?token=canary-token`)
    stdErr(answer, 405, 'MethodNotAllowed')
    expect(JSON.stringify(shop.log)).to.not.include('canary-token')
  })

  it('G21 calls a token of an external server inactive', async () => {
    expectInactive(await ask('eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'))
  })

  it('G22 calls every nonsense inactive and nothing fails inside', async () => {
    for (const token of ['x'.repeat(10_000), '😀', 'eyJhbGciOiJub25lIn0.e30.', '__proto__', 'constructor']) {
      expectInactive(await ask(token))
    }
  })

  it('G23 shows the customer of a token', async () => {
    const {access_token} = await shop.session(emails.G, passwords.G)
    expect(stdOk(await ask(access_token)).scope).to.match(new RegExp(` customer_id:${shop.customers.G.id}$`))
  })

  it('G24 prolongs nothing', async () => {
    const token = await shop.token('ADM')
    const {exp} = stdOk(await ask(token))
    shop.clock.now += 60_000
    expect(stdOk(await ask(token)).exp).to.equal(exp)
  })

  it('G25 knows of a revocation from its 200 on', async () => {
    for (let round = 0; round < 20; round += 1) {
      const token = await shop.token('ADM')
      expect((await shop.post('/oauth/token/revoke', {token})).status).to.equal(200)
      expectInactive(await ask(token))
    }
  })

  it('G26 refuses a client that only finds inactive tokens, and no other', async () => {
    const client = await shop.addClient('view_customers:shop')
    const by = basic(client.id, client.secret)
    for (let count = 0; count < 1000; count += 100) {
      await Promise.all(Array.from({length: 100}, (_, at) => ask(`guess${count + at}`, by)))
    }
    const limited = await ask('guess', by)
    stdErr(limited, 429, 'TooManyRequests')
    expect(Number(limited.headers.get('retry-after'))).to.be.within(1, 60)
    expectInactive(await ask('guess'))
    shop.clock.now += 60_001
    expectInactive(await ask('guess', by))
  })
})
