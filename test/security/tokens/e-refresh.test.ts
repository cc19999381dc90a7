import {expect} from 'chai'
import {invalidClient, invalidRequest, stdErr, stdOk} from '../shop/expectations.js'
import {type ClientName, emails, openShop, passwords, type Shop, storedToken} from '../shop/shop.js'
import {type Answer, type Body, basic} from '../shop/wire.js'

const dayMs = 86_400_000

describe('security · E refresh tokens', () => {
  let shop: Shop
  let session: Body
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())
  beforeEach(async () => {
    shop.clock.now += 16 * 60_000
    session = await shop.session(emails.G, passwords.G)
  })
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const refresh = (
    refresh_token: string | undefined,
    by: ClientName | string | null = 'MY',
    scope?: string,
  ): Promise<Answer> => shop.post('/oauth/token', {grant_type: 'refresh_token', refresh_token, scope}, by)
  const refreshed = async (...given: Parameters<typeof refresh>): Promise<Body> => stdOk(await refresh(...given))
  const refused = async (...given: Parameters<typeof refresh>): Promise<Body> =>
    stdErr(await refresh(...given), 400, 'invalid_grant')

  it('E01 gives a new access token with the same scopes and binding, and no refresh token', async () => {
    const body = await refreshed(session.refresh_token)
    expect(body).to.have.all.keys('access_token', 'expires_in', 'scope', 'token_type')
    expect(body.access_token).to.not.equal(session.access_token)
    expect(body.scope).to.equal(session.scope)
  })

  it('E02 leaves the old access token as it is', async () => {
    await refreshed(session.refresh_token)
    expect((await shop.api('GET', '/shop/me', session.access_token)).status).to.equal(200)
  })

  it('E03 names a missing refresh token', async () => {
    expect(invalidRequest(await refresh(undefined)).message).to.equal('Missing required parameter: refresh_token.')
  })

  it('E04 refuses an unknown one', async () => {
    const {message} = await refused(`shop:${'x'.repeat(43)}`)
    expect(message).to.equal('The refresh token was not found. It may have expired.')
  })

  it('E05 refuses another client, and still serves the owner', async () => {
    await refused(session.refresh_token, 'ADM')
    await refreshed(session.refresh_token)
  })

  it('E06 refuses an access token in its place', async () => {
    await refused(session.access_token)
  })

  it('E07 refuses a client of another project', async () => {
    await refused(session.refresh_token, 'P2A')
  })

  it('E08 narrows one access token and gives all scopes again to the next', async () => {
    const narrow = await refreshed(session.refresh_token, 'MY', 'manage_my_profile:shop')
    expect(narrow.scope).to.equal(`manage_my_profile:shop customer_id:${shop.customers.G.id}`)
    expect((await refreshed(session.refresh_token)).scope).to.equal(session.scope)
  })

  it('E09 refuses more than was granted', async () => {
    const few = await shop.session(emails.G, passwords.G, undefined, 'MY', 'manage_my_profile:shop')
    for (const scope of ['manage_my_orders:shop', 'manage_my_profile:shop manage_my_orders:shop']) {
      stdErr(await refresh(few.refresh_token, 'MY', scope), 400, 'invalid_scope')
    }
  })

  it('E10 refuses another subject', async () => {
    const scope = `customer_id:${shop.customers.K1.id}`
    stdErr(await refresh(session.refresh_token, 'MY', scope), 400, 'invalid_scope')
  })

  it('E11 keeps and shows the binding when the scope does not name it', async () => {
    const body = await refreshed(session.refresh_token, 'MY', 'manage_my_profile:shop')
    expect(body.scope).to.include(`customer_id:${shop.customers.G.id}`)
    expect((await storedToken(shop, body.access_token))?.customerId).to.equal(shop.customers.G.id)
  })

  it('E12 refuses a revoked one', async () => {
    await shop.post('/oauth/token/revoke', {token: session.refresh_token}, 'MY')
    await refused(session.refresh_token)
  })

  it('E13 refuses it after 200 days without use, and each use starts them again', async () => {
    shop.clock.now += 199 * dayMs
    await refreshed(session.refresh_token)
    shop.clock.now += 199 * dayMs
    await refreshed(session.refresh_token)
    shop.clock.now += 200 * dayMs
    await refused(session.refresh_token)
  })

  it('E13 takes the idle time of the client, where it has one', async () => {
    const client = await shop.addClient('manage_my_profile:shop', {refreshTokenValiditySeconds: 30})
    const by = basic(client.id, client.secret)
    const {refresh_token} = await shop.session(emails.G, passwords.G, undefined, by)
    for (const milliseconds of [29_000, 29_000]) {
      shop.clock.now += milliseconds
      await refreshed(refresh_token, by)
    }
    shop.clock.now += 30_000
    await refused(refresh_token, by)
  })

  it('E14 refuses those of a customer whose password was reset, and of nobody else', async () => {
    const other = await shop.session(emails.K1, passwords.K1, 'S1')
    const admin = await shop.token('ADM')
    const {body: token} = await shop.api('POST', '/shop/customers/password-token', admin, {email: emails.G})
    const reset = {tokenValue: token.value, newPassword: passwords.G}
    expect((await shop.api('POST', '/shop/customers/password/reset', admin, reset)).status).to.equal(200)
    await refused(session.refresh_token)
    await refreshed(other.refresh_token)
  })

  it('E15 refuses those of a customer who is deleted or signs in elsewhere (decision 21)', async () => {
    const admin = await shop.token('ADM')
    for (const email of ['deleted@example.com', 'elsewhere@example.com']) {
      const {body} = await shop.api('POST', '/shop/customers', admin, {email, password: 'right horse'})
      const {id, version} = body.customer
      const {refresh_token} = await shop.session(email, 'right horse')
      const actions = [{action: 'setAuthenticationMode', authMode: 'ExternalAuth'}]
      const {status, text} = email.startsWith('deleted')
        ? await shop.api('DELETE', `/shop/customers/${id}?version=${version}`, admin)
        : await shop.api('POST', `/shop/customers/${id}`, admin, {version, actions})
      expect(status, text).to.equal(200)
      await refused(refresh_token)
    }
  })

  it('E16 refuses a deleted client', async () => {
    const client = await shop.addClient('manage_my_profile:shop')
    const by = basic(client.id, client.secret)
    const {refresh_token} = await shop.session(emails.G, passwords.G, undefined, by)
    await refreshed(refresh_token, by)
    await shop.api('DELETE', `/shop/api-clients/${client.id}`, await shop.token('ADM', 'manage_api_clients:shop'))
    invalidClient(await refresh(refresh_token, by))
  })

  it('E17 gives only what the client still holds', async () => {
    const granted = 'manage_my_profile:shop manage_my_orders:shop'
    const client = await shop.addClient(`${granted} create_anonymous_token:shop`)
    const by = basic(client.id, client.secret)
    const {refresh_token} = await shop.session(emails.G, passwords.G, undefined, by, granted)
    const whole = await shop.session(emails.G, passwords.G, undefined, by)
    await shop.changeClient(client, {scope: 'manage_my_profile:shop'})
    const {scope} = await refreshed(refresh_token, by)
    expect(scope).to.equal(`manage_my_profile:shop customer_id:${shop.customers.G.id}`)
    stdErr(await refresh(refresh_token, by, 'manage_my_orders:shop'), 400, 'invalid_scope')
    // It had all scopes of the client, and does not name them.
    expect((await refreshed(whole.refresh_token, by)).scope).to.equal(scope)
  })

  it('E18 keeps a visitor and a store', async () => {
    const visitor = await shop.anonymous('ANON', 'visitor-of-e18')
    expect((await refreshed(visitor.refresh_token, 'ANON')).scope).to.include('anonymous_id:visitor-of-e18')
    const inStore = await shop.session(emails.K1, passwords.K1, 'S1')
    const {access_token} = await refreshed(inStore.refresh_token)
    expect((await shop.api('GET', '/shop/in-store/key=S1/me', access_token)).status).to.equal(200)
    expect((await shop.api('GET', '/shop/me', access_token)).status).to.equal(403)
  })

  it('E19 serves twenty at once with distinct tokens', async () => {
    const bodies = await Promise.all(Array.from({length: 20}, () => refreshed(session.refresh_token)))
    expect(new Set(bodies.map(({access_token}) => access_token)).size).to.equal(20)
    await refreshed(session.refresh_token)
  })

  it('E21 is not offered on the paths of a project', async () => {
    const form = {grant_type: 'refresh_token', refresh_token: session.refresh_token}
    for (const tail of ['customers/token', 'in-store/key=S1/customers/token', 'anonymous/token']) {
      stdErr(await shop.post(`/oauth/shop/${tail}`, form, 'ADM'), 400, 'unsupported_grant_type')
    }
  })

  it('E22 compares the text as it is', async () => {
    const value: string = session.refresh_token
    for (const changed of [` ${value}`, `${value} `, encodeURIComponent(value), value.toUpperCase(), value.slice(5)]) {
      await refused(changed)
    }
  })

  it('E23 counts as used only what succeeded for the owner', async () => {
    shop.clock.now += 199 * dayMs
    await refused(session.refresh_token, 'ADM')
    stdErr(await refresh(session.refresh_token, 'MY', 'manage_customers:shop'), 400, 'invalid_scope')
    shop.clock.now += 2 * dayMs
    await refused(session.refresh_token)
  })
})

describe('security · E limit of refresh tokens', () => {
  it('E20 evicts the least recently used one beyond the limit, and creation goes on', async () => {
    const shop = await openShop({settings: {maxRefreshTokens: 5}})
    const visit = async (): Promise<string> => {
      shop.clock.now += 1
      return (await shop.anonymous()).refresh_token
    }
    const refresh = (refresh_token: string) =>
      shop.post('/oauth/token', {grant_type: 'refresh_token', refresh_token}, 'ANON')
    const tokens: string[] = []
    for (let at = 0; at < 5; at += 1) tokens.push(await visit())
    const [first = '', second = '', third = ''] = tokens
    shop.clock.now += 90_000_000
    stdOk(await refresh(first))
    const sixth = await visit()
    stdErr(await refresh(second), 400, 'invalid_grant')
    for (const kept of [first, third, sixth]) stdOk(await refresh(kept))
    await Promise.all(Array.from({length: 20}, visit))
    const {total} = await shop.runtime.state.query('_', 'refresh-token', {limit: 0, offset: 0, count: {cap: 100}})
    expect(total).to.equal(5)
    await shop.close()
  })
})
