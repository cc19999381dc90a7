import {expect} from 'chai'
import {forbidden, missingToken, unauthorized} from '../shop/expectations.js'
import {addQuotes} from '../shop/quotes.js'
import {emails, openShop, passwords, type Shop} from '../shop/shop.js'
import {type Answer, basic, formType, send} from '../shop/wire.js'

describe('security · I bearer tokens', () => {
  let shop: Shop
  let admin: string
  before(async () => {
    shop = await openShop()
    admin = await shop.token('ADM')
    await addQuotes(shop)
  })
  after(() => shop.close())
  beforeEach(() => {
    shop.clock.now += 60_000
  })
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const header = (authorization: string, path = '/shop/customers', method = 'GET'): Promise<Answer> =>
    send(shop.origin, {method, path, headers: {authorization}})

  it('I01 asks for a token without one, and says nothing of an error', async () => {
    unauthorized(await shop.api('GET', '/shop/customers'), missingToken)
  })

  it('I02 refuses an unknown, an expired and a revoked token', async () => {
    const [revoked, expired] = [await shop.token('ADM'), await shop.token('ADM')]
    await shop.post('/oauth/token/revoke', {token: revoked})
    for (const token of ['x'.repeat(43), revoked]) unauthorized(await shop.api('GET', '/shop/customers', token))
    shop.clock.now += 172_800_000
    unauthorized(await shop.api('GET', '/shop/customers', expired))
    admin = await shop.token('ADM')
  })

  it('I03 reads the scheme in any case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      expect((await header(`${scheme} ${admin}`)).status).to.equal(200)
    }
  })

  it('I04 refuses other schemes and forms', async () => {
    for (const text of [
      'Bearer',
      'Bearer  ',
      `Bearer ${admin} b`,
      `Token ${admin}`,
      basic('a', 'b'),
      admin,
      'Bearer ä',
    ]) {
      unauthorized(await header(text), missingToken)
    }
  })

  it('I05 does not look for a token in the query or in a form', async () => {
    unauthorized(await shop.api('GET', `/shop/customers?access_token=${admin}`), missingToken)
    const headers = {'content-type': formType}
    const sent = {method: 'POST', path: '/shop/customers', headers, body: `access_token=${admin}`}
    unauthorized(await send(shop.origin, sent), missingToken)
  })

  it('I06 refuses a token in header and query', async () => {
    const answer = await shop.api('GET', `/shop/customers?access_token=${admin}`, admin)
    expect(answer.status).to.equal(400)
    expect(answer.body.errors[0].code).to.equal('invalid_request')
  })

  it('I07 refuses two Authorization headers', async () => {
    const headers = [
      ['authorization', `Bearer ${admin}`],
      ['authorization', `Bearer ${admin}`],
    ] as const
    expect((await send(shop.origin, {path: '/shop/customers', headers})).status).to.equal(400)
  })

  it('I08 names the missing scope', async () => {
    const answer = await shop.api('POST', '/shop/customers', await shop.token('RO'), {})
    forbidden(answer)
    expect(answer.body.message).to.equal(
      'Insufficient scope. One of the following scopes is missing: manage_customers.',
    )
    expect(answer.headers.get('www-authenticate')).to.include('scope="manage_customers"')
  })

  it('I09 checks token, scope, body and existence in this order (decision 5)', async () => {
    const reader = await shop.token('RO')
    const path = '/shop/customers/no-such-id'
    expect((await shop.api('POST', path, null, '{broken')).status).to.equal(401)
    expect((await shop.api('POST', path, reader, '{broken')).status).to.equal(403)
    expect((await shop.api('GET', '/shop/carts/no-such-id', reader)).status).to.equal(403)
    expect((await shop.api('POST', path, admin, '{broken')).status).to.equal(400)
    const headers = {authorization: `Bearer ${admin}`, 'content-type': 'text/plain'}
    expect((await send(shop.origin, {method: 'POST', path, headers, body: '{}'})).status).to.equal(415)
    expect((await shop.api('POST', path, admin, {version: 1, actions: []})).status).to.equal(404)
    const stale = {version: 7, actions: [{action: 'setKey', key: '!'}]}
    expect((await shop.api('POST', `/shop/customers/${shop.customers.G.id}`, admin, stale)).status).to.equal(400)
    const moved = {version: 7, actions: [{action: 'setLocale', locale: 'de'}]}
    expect((await shop.api('POST', `/shop/customers/${shop.customers.G.id}`, admin, moved)).status).to.equal(409)
  })

  it('I10 answers HEAD with headers alone', async () => {
    for (const [token, status] of [
      [null, 401],
      [await shop.token('INT'), 403],
    ] as const) {
      const answer = await shop.api('HEAD', '/shop/customers', token)
      expect(answer.status).to.equal(status)
      expect(answer.headers.get('www-authenticate')).to.match(/^Bearer /)
      expect(answer.text).to.equal('')
    }
  })

  it('I11 refuses a refresh token', async () => {
    const {refresh_token} = await shop.session(emails.G, passwords.G)
    unauthorized(await shop.api('GET', '/shop/me', refresh_token), missingToken)
  })

  it('I12 answers for other projects alike, whether they exist or not', async () => {
    const answers = await Promise.all(
      ['shop2', 'sho', 'SHOP', 'nope', 'shop%32'].map((key) => shop.api('GET', `/${key}/customers`, admin)),
    )
    for (const answer of answers) {
      forbidden(answer)
      expect(answer.text).to.equal(answers[0]?.text)
      expect([...answer.headers.keys()]).to.deep.equal([...(answers[0]?.headers.keys() ?? [])])
    }
  })

  it('I13 keeps the scope of a store to its paths', async () => {
    const token = await shop.token('ST1')
    expect((await shop.api('GET', '/shop/in-store/key=S1/customers', token)).status).to.equal(200)
    forbidden(await shop.api('GET', '/shop/customers', token))
    const others = await Promise.all(
      ['S10', 'S2', 'S', 'nowhere'].map((key) => shop.api('GET', `/shop/in-store/key=${key}/customers`, token)),
    )
    for (const answer of others) {
      forbidden(answer)
      expect(answer.text).to.equal(others[0]?.text)
    }
  })

  it('I14 lets scopes decide for a customer token, and keeps a store token to its store (decision 26)', async () => {
    const my = await shop.session(emails.G, passwords.G)
    forbidden(await shop.api('GET', '/shop/customers', my.access_token))
    forbidden(await shop.api('POST', '/shop/login', my.access_token, {}))
    const broad = await shop.session(emails.G, passwords.G, undefined, 'ADM')
    expect((await shop.api('GET', '/shop/customers', broad.access_token)).status).to.equal(200)
    const inStore = await shop.session(emails.K1, passwords.K1, 'S1', 'ADM')
    expect((await shop.api('GET', '/shop/in-store/key=S1/customers', inStore.access_token)).status).to.equal(200)
    for (const path of ['/shop/customers', '/shop/in-store/key=S2/customers', '/shop/me', '/shop']) {
      forbidden(await shop.api('GET', path, inStore.access_token))
    }
  })

  it('I15 wants a customer on /me/quotes, not only its scope', async () => {
    forbidden(await shop.api('GET', '/shop/me/quotes', await shop.token('MY')))
    forbidden(await shop.api('GET', '/shop/me/quotes', admin))
  })

  it('I16 wants a customer, not a visitor', async () => {
    forbidden(await shop.api('GET', '/shop/me/quotes', (await shop.anonymous('ADM')).access_token))
  })

  it('I17 refuses a store token on the global /me/quotes (decision 26)', async () => {
    const {access_token} = await shop.session(emails.K1, passwords.K1, 'S1')
    forbidden(await shop.api('GET', '/shop/me/quotes', access_token))
    expect((await shop.api('GET', '/shop/in-store/key=S1/me/quotes', access_token)).status).to.equal(200)
  })

  it('I18 answers for the quote of another as for one that is not there', async () => {
    const {access_token} = await shop.session(emails.G, passwords.G)
    expect((await shop.api('GET', '/shop/me/quotes/quote-of-G', access_token)).status).to.equal(200)
    for (const [theirs, none] of [
      ['quote-of-K1', 'quote-of-no'],
      ['key=key-of-K1', 'key=key-of-no'],
    ] as const) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const body = method === 'POST' ? {version: 1, actions: []} : undefined
        const [first, second] = await Promise.all(
          [theirs, none].map((name) => shop.api(method, `/shop/me/quotes/${name}`, access_token, body)),
        )
        expect(first?.status).to.equal(404)
        expect(first?.text.replaceAll('K1', 'no')).to.equal(second?.text)
      }
    }
  })

  it('I19 wants manage for writing and takes it for reading', async () => {
    const [reader, writer] = [await shop.token('RO'), await shop.token('RW')]
    forbidden(await shop.api('POST', '/shop/customers', reader, {}))
    forbidden(await shop.api('DELETE', '/shop/customers/x?version=1', reader))
    expect((await shop.api('GET', '/shop/customers', writer)).status).to.equal(200)
  })

  it('I20 opens nothing of the API for introspection or visits alone', async () => {
    const client = await shop.addClient('create_anonymous_token:shop')
    const answer = await shop.post('/oauth/token', {grant_type: 'client_credentials'}, basic(client.id, client.secret))
    for (const token of [await shop.token('INT'), answer.body.access_token]) {
      for (const path of ['/shop', '/shop/customers', '/shop/messages', '/shop/api-clients', '/shop/me']) {
        forbidden(await shop.api('GET', path, token))
      }
    }
  })

  it('I21 lets nobody keep an answer', async () => {
    for (const token of [admin, null]) {
      expect((await shop.api('GET', '/shop/customers', token)).headers.get('cache-control')).to.equal('no-store')
    }
  })

  it('I22 takes nothing from the request into the challenge', async () => {
    const answer = await shop.api('GET', '/canary/customers?where=canary', await shop.token('INT'))
    expect(answer.headers.get('www-authenticate')).to.not.include('canary')
  })

  it('I23 leaves an issued token what it has when its client loses a scope', async () => {
    const client = await shop.addClient('manage_customers:shop')
    const form = {grant_type: 'client_credentials'}
    const {access_token} = (await shop.post('/oauth/token', form, basic(client.id, client.secret))).body
    await shop.changeClient(client, {scope: 'view_customers:shop'})
    expect((await shop.api('POST', '/shop/customers', access_token, {})).status).to.equal(400)
  })

  it('I24 writes down the client of the token, whatever headers say', async () => {
    const headers = {
      authorization: `Bearer ${await shop.token('RW')}`,
      'content-type': 'application/json',
      'x-client-id': 'forged',
      'x-external-user-id': 'agent-7',
    }
    const body = JSON.stringify({email: 'i24@example.com', password: 'right horse', createdBy: {clientId: 'forged'}})
    const {customer} = (await send(shop.origin, {method: 'POST', path: '/shop/customers', headers, body})).body
    expect(customer.createdBy).to.deep.include({clientId: shop.clients.RW.id, externalUserId: 'agent-7'})
    expect(customer.lastModifiedBy.clientId).to.equal(shop.clients.RW.id)
  })
})
