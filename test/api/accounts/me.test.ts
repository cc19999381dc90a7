import {expect} from 'chai'
import {myCustomerActions} from '../../../src/api/accounts/me.js'
import {pack} from '../../fixtures/pack.js'
import {type Answer, type Ask, type Body, type Desk, errorOf, openDesk, signedUp} from '../harness.js'

describe('api · me', () => {
  let desk: Desk
  let customer: Body
  let token: string

  beforeEach(async () => {
    desk = await openDesk({seed: true})
    customer = await signedUp(desk)
    token = await desk.token('manage_my_profile', {customerId: customer.id})
  })

  const ask = (method: string, path: string, given: Ask = {}): Promise<Answer> =>
    desk.ask(method, `/me${path}`, {token, ...given})

  it('reads the customer of the token, if it satisfies the predicate', async () => {
    expect((await ask('GET', '')).body).to.deep.equal(customer)
    expect((await ask('GET', '?where=version%20%3D%201')).status).to.equal(200)
    expect((await ask('GET', '?where=version%20%3D%202')).status).to.equal(404)
  })

  it('takes the actions that belong to a person and refuses the others', async () => {
    const act = (action: object): Promise<Answer> => ask('POST', '', {body: {version: 1, actions: [action]}})
    expect([...myCustomerActions.keys()]).to.not.include.members(['setKey', 'setCustomerGroup', 'setStores'])
    const refused = await act({action: 'setCustomerNumber', customerNumber: 'x'})
    expect(errorOf(refused).code).to.equal('InvalidJsonInput')
    const done = await act({action: 'setFirstName', firstName: 'Ada'})
    expect(done.body).to.deep.include({firstName: 'Ada', version: 2})
    expect(done.body.lastModifiedBy.customer).to.deep.equal({typeId: 'customer', id: customer.id})
  })

  it('changes the own password, which ends the session', async () => {
    const body = {version: 1, currentPassword: 'correct horse', newPassword: 'changed'}
    expect((await ask('POST', '/password', {body})).status).to.equal(200)
    expect((await ask('GET', '')).status).to.equal(401)
  })

  it('uses one-time tokens of nobody else', async () => {
    const other = await signedUp(desk)
    const tokenOf = async ({email}: Body): Promise<string> =>
      (await desk.ask('POST', '/customers/password-token', {body: {email}})).body.value
    const [mine, theirs] = [await tokenOf(customer), await tokenOf(other)]
    const reset = (tokenValue: string): Promise<Answer> =>
      ask('POST', '/password/reset', {body: {tokenValue, newPassword: 'changed'}})
    expect((await reset(theirs)).status).to.equal(404)
    expect((await reset(mine)).status).to.equal(200)
  })

  it('lets a visitor use a reset token', async () => {
    const visitor = await desk.token('manage_my_profile', {anonymousId: 'visitor-1'})
    const {body} = await desk.ask('POST', '/customers/password-token', {body: {email: customer.email}})
    const reset = {tokenValue: body.value, newPassword: 'changed'}
    expect((await ask('POST', '/password/reset', {body: reset, token: visitor})).status).to.equal(200)
    expect((await ask('GET', '', {token: visitor})).status).to.equal(403)
  })

  it('verifies the own email', async () => {
    const made = await desk.ask('POST', '/customers/email-token', {body: {id: customer.id, ttlMinutes: 5}})
    const {body} = await ask('POST', '/email/confirm', {body: {tokenValue: made.body.value}})
    expect(body.isEmailVerified).to.equal(true)
  })

  it('signs up and in with the token of a client, which brings no carts', async () => {
    const client = await desk.token('manage_my_profile')
    const draft = {email: 'through.the.door@example.com', password: 'correct horse'}
    const signedUpBy = await ask('POST', '/signup', {body: draft, token: client})
    expect(signedUpBy.status).to.equal(201)
    const signedIn = await ask('POST', '/login', {body: draft, token: client})
    expect(signedIn.status).to.equal(200)
    expect(signedIn.body.customer.id).to.equal(signedUpBy.body.customer.id)
    expect(signedIn.body).to.not.have.property('cart')
    const elsewhere = await ask('POST', '/login', {body: draft, token: await desk.token('view_customers')})
    expect(elsewhere.status).to.equal(403)
  })

  it('deletes the customer of the token, and the token with it', async () => {
    expect((await ask('DELETE', '')).status).to.equal(400)
    expect((await ask('DELETE', '?version=9')).status).to.equal(409)
    expect((await ask('DELETE', '?version=1')).status).to.equal(200)
    expect((await ask('GET', '')).status).to.equal(401)
  })

  it('is closed to client tokens and other scopes', async () => {
    for (const scopes of ['manage_project', 'manage_my_profile', 'manage_customers']) {
      expect((await ask('GET', '', {token: await desk.token(scopes)})).status).to.equal(403)
    }
    const bound = await desk.token('manage_my_orders', {customerId: customer.id})
    expect((await ask('GET', '', {token: bound})).status).to.equal(403)
    expect((await ask('GET', '', {token: null})).status).to.equal(401)
  })

  it('stays in its store with a token from there', async () => {
    const bound = await desk.token('manage_my_profile:demo:berlin', {customerId: customer.id, storeKey: 'berlin'})
    const read = async (path: string): Promise<number> => (await desk.ask('GET', path, {token: bound})).status
    expect(await read('/in-store/key=berlin/me')).to.equal(200)
    expect(await read('/me')).to.equal(403)
    expect(await read('/in-store/key=london/me')).to.equal(403)
    const body = {version: 1, actions: [{action: 'setTitle', title: 'Dr'}]}
    expect((await desk.ask('POST', '/in-store/key=berlin/me', {token: bound, body})).status).to.equal(200)
  })

  it('signs a visitor up and in, with the carts of the session', async () => {
    const anonymousId = pack.carts.find(
      ({anonymousId: id, cartState}) => id !== undefined && cartState === 'Active',
    )?.anonymousId
    const visitor = await desk.token('manage_my_profile', {anonymousId: anonymousId ?? ''})
    const draft = {email: 'visitor@example.com', password: 'secret', key: 'not-mine-to-choose'}
    const up = await ask('POST', '/signup', {body: draft, token: visitor})
    expect(up.status).to.equal(201)
    expect(up.body.customer).to.not.have.property('key')
    expect(up.body.cart.customerId).to.equal(up.body.customer.id)
    const signIn = {email: draft.email, password: 'secret', activeCartSignInMode: 'MergeWithExistingCustomerCart'}
    const again = await ask('POST', '/login', {body: signIn, token: visitor})
    expect(again.body.cart.id).to.equal(up.body.cart.id)
    const wrong = await ask('POST', '/login', {body: {...signIn, password: 'x'}, token: visitor})
    expect(errorOf(wrong).code).to.equal('InvalidCredentials')
    const mode = await ask('POST', '/login', {body: {...signIn, activeCartSignInMode: 'Neither'}, token: visitor})
    expect(errorOf(mode).code).to.equal('InvalidJsonInput')
  })

  it('counts customers against the limit of the project', async () => {
    const full = await openDesk({settings: {maxCustomers: 2}})
    await signedUp(full)
    await signedUp(full)
    const third = await full.ask('POST', '/customers', {body: {email: 'third@example.com', password: 'x'}})
    expect(errorOf(third).code).to.equal('MaxResourceLimitExceeded')
  })
})
