import {expect} from 'chai'
import {stdErr, stdOk} from '../shop/expectations.js'
import {type ClientName, openShop, type Shop, storedToken} from '../shop/shop.js'
import {type Answer, type Body, basic} from '../shop/wire.js'

describe('security · C client credentials', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const ask = (by: ClientName | string, scope?: string): Promise<Answer> =>
    shop.post('/oauth/token', {grant_type: 'client_credentials', scope}, by)
  const granted = async (by: ClientName, scope?: string): Promise<string> => stdOk(await ask(by, scope)).scope
  const refused = async (by: ClientName, scope: string): Promise<Body> =>
    stdErr(await ask(by, scope), 400, 'invalid_scope')

  it('C01 grants all scopes of the client when none is asked for', async () => {
    expect(await granted('ADM')).to.equal('manage_project:shop')
    expect(await granted('ST1')).to.equal('view_customers:shop:S1 manage_customers:shop:S1')
  })

  it('C02 gives no refresh token', async () => {
    expect(stdOk(await ask('ADM'))).to.have.all.keys('access_token', 'expires_in', 'scope', 'token_type')
  })

  it('C03 grants nothing that manage_project only implies (decision 63)', async () => {
    const {message} = await refused('ADM', 'view_customers:shop')
    const allowed = 'Permissions exceeded. Only the following permissions can be requested: manage_project:shop'
    expect(message).to.equal(allowed)
  })

  it('C04 grants no view that a manage scope only implies', async () => {
    await refused('RW', 'view_customers:shop')
  })

  it('C05 refuses a scope that the client lacks', async () => {
    await refused('RO', 'manage_customers:shop')
    await refused('RW', 'view_orders:shop')
    await refused('RW', 'manage_project:shop')
  })

  it('C06 grants nothing when a part is refused', async () => {
    await refused('RO', 'view_customers:shop manage_customers:shop')
  })

  it('C07 does not narrow to a store', async () => {
    await refused('RW', 'manage_customers:shop:S1')
  })

  it('C08 does not widen from a store to the project', async () => {
    await refused('ST1', 'manage_customers:shop')
  })

  it('C09 does not take S10 or S2 for S1', async () => {
    await refused('ST1', 'manage_customers:shop:S10')
    await refused('ST1', 'manage_customers:shop:S2')
    await refused('ST1', 'manage_customers:shop:S')
  })

  it('C10 refuses scopes of another project', async () => {
    await refused('ADM', 'manage_project:shop2')
    await refused('ADM', 'view_customers:sho')
  })

  it('C11 refuses what has not the form of a known scope', async () => {
    const texts = [
      'ManageProject',
      'manage_project',
      'manage_project:',
      'manage_project:shop:',
      'manage_customers:shop:S1:x',
      'manage_project:shop:S1',
      ':shop',
      'fly:shop',
      'toString:shop',
    ]
    for (const text of texts) await refused('ADM', text)
  })

  it('C12 refuses bindings, which come from a flow alone (decision 23)', async () => {
    for (const text of [`customer_id:${shop.customers.G.id}`, 'anonymous_id:x', 'customer_id:shop']) {
      await refused('ADM', text)
    }
  })

  it('C13 refuses characters and blanks that RFC 6749 does not allow', async () => {
    const ok = 'view_customers:shop'
    for (const text of [
      `"${ok}"`,
      `${ok}\\`,
      `${ok}\t${ok}`,
      `${ok}\n`,
      ` ${ok}`,
      `${ok} `,
      `${ok}  ${ok}`,
      `é:shop`,
    ]) {
      await refused('ADM', text)
    }
  })

  it('C14 grants a repeated scope once and compares with case', async () => {
    expect(await granted('RO', 'view_customers:shop view_customers:shop')).to.equal('view_customers:shop')
    await refused('ADM', 'Manage_project:shop')
    await refused('ADM', 'manage_project:SHOP')
  })

  it('C15 refuses hundreds of scopes and huge texts', async () => {
    await refused('ADM', Array.from({length: 500}, (_, at) => `view_customers:shop:S${at}`).join(' '))
    await refused('ADM', `view_customers:shop:${'x'.repeat(20_000)}`)
  })

  it('C16 refuses other grant types and a missing one', async () => {
    stdErr(await shop.post('/oauth/token', {scope: 'view_customers:shop'}), 400, 'invalid_request')
    for (const grant_type of [
      'implicit',
      'authorization_code',
      'foo',
      'CLIENT_CREDENTIALS',
      '__proto__',
      'constructor',
    ]) {
      stdErr(await shop.post('/oauth/token', {grant_type}), 400, 'unsupported_grant_type')
    }
  })

  it('C17 keeps the password grant to its own path', async () => {
    const form = {grant_type: 'password', username: 'g@example.com', password: 'right horse G'}
    stdErr(await shop.post('/oauth/token', form), 400, 'unsupported_grant_type')
    expect(shop.verified.count).to.equal(0)
  })

  it('C18 issues a thousand distinct tokens that show no counter or time', async () => {
    const values: string[] = []
    for (let at = 0; at < 1000; at += 1) values.push(stdOk(await ask('RO')).access_token)
    expect(new Set(values).size).to.equal(1000)
    for (const value of values) expect(value).to.match(/^[A-Za-z0-9_-]{43}$/)
    for (let place = 0; place < 42; place += 1) {
      expect(new Set(values.map((value) => value[place])).size, `place ${place}`).to.be.above(48)
    }
  })

  it('C19 refuses a client without scopes', async () => {
    stdErr(await ask('NONE'), 400, 'invalid_scope')
  })

  it('C20 says the same scope in the answer, in introspection and in what routes enforce', async () => {
    const client = await shop.addClient('view_customers:shop view_orders:shop')
    const by = basic(client.id, client.secret)
    for (const scope of ['view_customers:shop', undefined]) {
      const body = stdOk(await ask(by, scope))
      const inspected = stdOk(await shop.post('/oauth/introspect', {token: body.access_token}, by))
      expect(body.scope).to.equal(scope ?? 'view_customers:shop view_orders:shop')
      expect(inspected.scope).to.equal(body.scope)
      expect((await shop.api('GET', '/shop/customers', body.access_token)).status).to.equal(200)
      expect((await shop.api('POST', '/shop/customers', body.access_token, {})).status).to.equal(403)
      expect((await shop.api('GET', '/shop/carts', body.access_token)).status).to.equal(scope ? 403 : 200)
    }
  })

  it('C21 stores all scopes of a client as one digest, however they are asked for, and keeps them when the client changes', async () => {
    const scopes = ['view_customers:shop', 'view_orders:shop']
    const client = await shop.addClient(scopes.join(' '))
    const by = basic(client.id, client.secret)
    const tokens = [await ask(by), await ask(by, scopes.toReversed().join(' '))].map((answer) => stdOk(answer))
    for (const {access_token, scope} of tokens) {
      expect(scope.split(' ')).to.have.members(scopes)
      expect((await storedToken(shop, access_token))?.scopes)
        .to.be.a('string')
        .with.lengthOf(43)
    }
    await shop.changeClient(client, {scope: 'view_customers:shop manage_customers:shop'})
    for (const {access_token, scope} of tokens) {
      expect((await shop.api('GET', '/shop/carts', access_token)).status).to.equal(200)
      expect((await shop.api('POST', '/shop/customers', access_token, {})).status).to.equal(403)
      expect(stdOk(await shop.post('/oauth/introspect', {token: access_token}, by)).scope.split(' ')).to.have.members(
        scope.split(' '),
      )
    }
    // Whoever changes the scopes of a client without its former ones ends such tokens: nobody knows what they opened.
    await shop.changeClient(client, {formerScopes: []})
    for (const {access_token} of tokens) {
      expect((await shop.api('GET', '/shop/customers', access_token)).status).to.equal(401)
      expect(await shop.isActive(access_token)).to.equal(false)
    }
  })
})
