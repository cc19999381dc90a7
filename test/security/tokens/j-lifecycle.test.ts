import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {stdErr, stdOk} from '../shop/expectations.js'
import {emails, openShop, passwords, type Shop} from '../shop/shop.js'
import type {Answer, Body} from '../shop/wire.js'

describe('security · J lifecycle across endpoints', () => {
  let shop: Shop
  let admin: string
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())
  beforeEach(async () => {
    shop.clock.now += 16 * 60_000
    admin = await shop.token('ADM')
  })
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  let counter = 0
  const customer = async (): Promise<Body> => {
    counter += 1
    const draft = {email: `j${counter}@example.com`, password: 'right horse'}
    const {status, text, body} = await shop.api('POST', '/shop/customers', admin, draft)
    expect(status, text).to.equal(201)
    return body.customer
  }
  const current = async ({id}: Body): Promise<Body> => (await shop.api('GET', `/shop/customers/${id}`, admin)).body
  const resetToken = async ({email}: Body, members: object = {}): Promise<string> =>
    (await shop.api('POST', '/shop/customers/password-token', admin, {email, ...members})).body.value
  const emailToken = async ({id, version}: Body, members: object = {}): Promise<string> =>
    (await shop.api('POST', '/shop/customers/email-token', admin, {id, version, ttlMinutes: 60, ...members})).body.value
  const reset = (tokenValue: string, members: object = {}, path = '/shop'): Promise<Answer> =>
    shop.api('POST', `${path}/customers/password/reset`, admin, {tokenValue, newPassword: 'new horse', ...members})
  const confirm = (tokenValue: string): Promise<Answer> =>
    shop.api('POST', '/shop/customers/email/confirm', admin, {tokenValue})
  const act = async (who: Body, ...actions: object[]): Promise<Body> => {
    const {version} = await current(who)
    const answer = await shop.api('POST', `/shop/customers/${who.id}`, admin, {version, actions})
    expect(answer.status, answer.text).to.equal(200)
    return answer.body
  }
  const signIn = ({email}: Body) => shop.session(email, 'right horse')
  const refresh = (refresh_token: string) =>
    shop.post('/oauth/token', {grant_type: 'refresh_token', refresh_token}, 'MY')
  function gone({status, body}: Answer): void {
    expect(status).to.equal(404)
    expect(body.errors[0].code).to.equal('ResourceNotFound')
  }

  it('J01 ends the sessions of a customer by a reset, and nobody else’s', async () => {
    const [who, other] = [await customer(), await customer()]
    const [first, second, theirs] = [await signIn(who), await signIn(who), await signIn(other)]
    const renewed = stdOk(await refresh(first.refresh_token)).access_token
    const visitor = await shop.anonymous()
    expect((await reset(await resetToken(who))).status).to.equal(200)
    for (const token of [first.access_token, second.access_token, renewed]) {
      expect(await shop.isActive(token)).to.equal(false)
      expect((await shop.api('GET', '/shop/me', token)).status).to.equal(401)
    }
    stdErr(await refresh(first.refresh_token), 400, 'invalid_grant')
    for (const token of [theirs.access_token, admin, visitor.access_token]) {
      expect(await shop.isActive(token)).to.equal(true)
    }
    stdOk(await refresh(theirs.refresh_token))
  })

  it('J01 ends a session that began with the old password while the reset went on', async () => {
    const who = await customer()
    const token = await resetToken(who)
    const passwords = shop.runtime.passwords as {verify: Shop['runtime']['passwords']['verify']}
    const {verify} = passwords
    passwords.verify = async (...given) => {
      passwords.verify = verify
      const matches = await verify(...given)
      expect((await reset(token)).status).to.equal(200)
      return matches
    }
    const raced = await signIn(who)
    expect(await shop.isActive(raced.access_token)).to.equal(false)
    stdErr(await refresh(raced.refresh_token), 400, 'invalid_grant')
  })

  it('J02 takes a reset token once, and then none of the earlier ones', async () => {
    const who = await customer()
    const [earlier, used] = [await resetToken(who), await resetToken(who)]
    expect((await reset(used)).status).to.equal(200)
    gone(await reset(used))
    gone(await reset(earlier))
  })

  it('J03 lets one of twenty uses of a token succeed', async () => {
    const token = await resetToken(await customer())
    const answers = await Promise.all(Array.from({length: 20}, () => reset(token)))
    expect(answers.filter(({status}) => status === 200)).to.have.lengthOf(1)
  })

  it('J04 does not know a token of a store’s customer in another store', async () => {
    const path = '/shop/in-store/key=S2'
    const {value} = (await shop.api('POST', `${path}/customers/password-token`, admin, {email: emails.K2})).body
    gone(await reset(value, {}, '/shop/in-store/key=S1'))
    expect((await reset(value, {newPassword: passwords.K2}, path)).status).to.equal(200)
  })

  it('J05 keeps a token that failed for a stale version', async () => {
    const who = await customer()
    const token = await resetToken(who)
    const stale = await reset(token, {version: 99})
    expect(stale.status).to.equal(409)
    expect((await reset(token, {version: who.version})).status).to.equal(200)
  })

  it('J06 invalidates earlier tokens of the same kind alone', async () => {
    const who = await customer()
    const [oldReset, verification] = [await resetToken(who), await emailToken(who)]
    const newReset = await resetToken(who, {invalidateOlderTokens: true})
    gone(await reset(oldReset))
    expect((await confirm(verification)).status).to.equal(200)
    expect((await reset(newReset)).status).to.equal(200)
  })

  it('J07 refuses a token past its time, also for reading', async () => {
    const who = await customer()
    const token = await resetToken(who, {ttlMinutes: 5})
    const read = () => shop.api('GET', `/shop/customers/password-token=${token}`, admin)
    expect((await read()).status).to.equal(200)
    shop.clock.now += 5 * 60_000
    expect((await reset(token)).body.errors[0].code).to.equal('ExpiredCustomerPasswordToken')
    expect((await read()).status).to.be.oneOf([400, 404])
  })

  it('J08 verifies an email, ends the other email tokens, and keeps the two kinds apart', async () => {
    const who = await customer()
    const [first, second, password] = [await emailToken(who), await emailToken(who), await resetToken(who)]
    gone(await confirm(password))
    gone(await reset(first))
    const confirmed = await confirm(first)
    expect(confirmed.body.isEmailVerified).to.equal(true)
    gone(await confirm(second))
  })

  it('J09 ends all one-time tokens with the old address', async () => {
    const who = await customer()
    const [verification, password] = [await emailToken(who), await resetToken(who)]
    const changed = await act(who, {action: 'changeEmail', email: `new-${who.email}`})
    expect(changed.isEmailVerified).to.equal(false)
    gone(await confirm(verification))
    gone(await reset(password))
  })

  it('J10 ends password, tokens and sessions with the password mode (decision 21)', async () => {
    const who = await customer()
    const [session, token] = [await signIn(who), await resetToken(who)]
    const changed = await act(who, {action: 'setAuthenticationMode', authMode: 'ExternalAuth'})
    expect(changed).to.not.have.property('password')
    gone(await reset(token))
    expect(await shop.isActive(session.access_token)).to.equal(false)
    stdErr(await refresh(session.refresh_token), 400, 'invalid_grant')
    const form = {grant_type: 'password', username: who.email, password: 'right horse'}
    stdErr(await shop.post('/oauth/shop/customers/token', form), 400, 'invalid_customer_account_credentials')
  })

  it('J11 puts a token into its message for up to an hour of validity, and into no log', async () => {
    const who = await customer()
    const [short, long] = [await resetToken(who, {ttlMinutes: 60}), await resetToken(who, {ttlMinutes: 61})]
    const where = encodeURIComponent('type="CustomerPasswordTokenCreated"')
    const {text} = await shop.api('GET', `/shop/messages?where=${where}&limit=500`, admin)
    expect(text).to.include(short)
    expect(text).to.not.include(long)
    await shop.api('GET', `/shop/customers/password-token=${short}`, admin)
    await shop.api('GET', `/shop/customers/password%2dtoken=${short}`, admin)
    await shop.api('GET', `/shop/customers/password-token=${short}/more`, admin)
    for (const token of [short, long]) expect(JSON.stringify(shop.log)).to.not.include(token)
  })

  it('J12 counts wrong current passwords, and ends other sessions with a right one (decision 21)', async () => {
    const who = await customer()
    const session = await signIn(who)
    const change = (currentPassword: string) =>
      shop.api('POST', '/shop/customers/password', admin, {
        id: who.id,
        version: who.version,
        currentPassword,
        newPassword: 'new horse',
      })
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await change('wrong')).body.errors[0].code).to.equal('InvalidCurrentPassword')
    }
    expect((await change('right horse')).status).to.equal(429)
    shop.clock.now += 15 * 60_000 + 1
    expect((await change('right horse')).status).to.equal(200)
    expect(await shop.isActive(session.access_token)).to.equal(false)
  })

  it('J13 ends the tokens of a deleted client at once', async () => {
    const clients = await shop.token('ADM', 'manage_api_clients:shop manage_my_profile:shop')
    const {body} = await shop.api('POST', '/shop/api-clients', clients, {name: 'j13', scope: 'manage_my_profile:shop'})
    const by = `Basic ${Buffer.from(`${body.id}:${body.secret}`).toString('base64')}`
    const {access_token, refresh_token} = await shop.session(emails.G, passwords.G, undefined, by)
    expect((await shop.api('GET', '/shop/me', access_token)).status).to.equal(200)
    await shop.api('DELETE', `/shop/api-clients/${body.id}`, clients)
    expect((await shop.api('GET', '/shop/me', access_token)).status).to.equal(401)
    const form = {grant_type: 'refresh_token', refresh_token}
    stdErr(await shop.post('/oauth/token', form, by), 401, 'invalid_client')
  })
})

describe('security · J state', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-j-'))
  after(() => rmSync(folder, {recursive: true, force: true}))

  for (const dataDir of [':memory:', join(folder, 'j15')]) {
    it(`J15 answers the life of a session from ${dataDir === ':memory:' ? 'memory' : 'files'} alike`, async () => {
      const shop = await openShop({dataDir})
      const {access_token, refresh_token} = await shop.session(emails.G, passwords.G)
      expect((await shop.api('GET', '/shop/me', access_token)).status).to.equal(200)
      const form = {grant_type: 'refresh_token', refresh_token}
      const renewed = stdOk(await shop.post('/oauth/token', form, 'MY')).access_token
      await shop.post('/oauth/token/revoke', {token: renewed}, 'MY')
      expect([await shop.isActive(access_token), await shop.isActive(renewed)]).to.deep.equal([true, false])
      await shop.post('/oauth/token/revoke', {token: refresh_token}, 'MY')
      expect(await shop.isActive(access_token)).to.equal(false)
      stdErr(await shop.post('/oauth/token', form, 'MY'), 400, 'invalid_grant')
      await shop.close()
    })
  }

  it('J14 keeps active what was active and revoked what was revoked over restarts', async () => {
    const dataDir = join(folder, 'j14')
    const shop = await openShop({dataDir})
    const [kept, revoked] = [await shop.token('ADM'), await shop.token('ADM')]
    const session = await shop.session(emails.G, passwords.G)
    await shop.post('/oauth/token/revoke', {token: revoked})
    await shop.close()
    const again = await openShop({dataDir, filled: shop})
    expect([await again.isActive(kept), await again.isActive(revoked)]).to.deep.equal([true, false])
    const form = {grant_type: 'refresh_token', refresh_token: session.refresh_token}
    stdOk(await again.post('/oauth/token', form, 'MY'))
    await again.post('/oauth/token/revoke', {token: session.refresh_token}, 'MY')
    await again.close()
    const last = await openShop({dataDir, filled: shop})
    expect(await last.isActive(session.access_token)).to.equal(false)
    stdErr(await last.post('/oauth/token', form, 'MY'), 400, 'invalid_grant')
    await last.close()
  })
})
