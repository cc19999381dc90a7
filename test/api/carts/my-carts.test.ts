import {expect} from 'chai'
import {keyed, pack} from '../../fixtures/pack.js'
import {type Answer, type Body, type Desk, errorOf, openDesk} from '../harness.js'
import {goods, signUp} from './harness.js'

const hazel = keyed(pack.customers, 'hazel-brandvold')

describe('api · me · carts', () => {
  let desk: Desk
  let customer: string
  let visitor: string
  before(async () => {
    desk = await openDesk({seed: true})
    const {body} = await signUp(desk, {email: 'own-carts@example.com'})
    customer = await desk.token('manage_my_orders', {customerId: body.customer.id})
    visitor = await desk.token('manage_my_orders manage_my_profile', {anonymousId: 'visitor-of-carts'})
  })

  const ask = (method: string, path: string, token: string, body?: object): Promise<Answer> =>
    desk.ask(method, path, {token, ...(body ? {body} : {})})
  const create = async (token: string, members: object = {}, place = ''): Promise<Body> => {
    const answer = await ask('POST', `${place}/me/carts`, token, {currency: 'EUR', ...members})
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201)
    return answer.body
  }

  it('makes carts of the customer or session of the token, whoever the body names', async () => {
    const claims = {customerId: hazel.id, anonymousId: 'somebody', origin: 'Merchant', customerGroup: {key: 'vip'}}
    const ofCustomer = await create(customer, {...claims, lineItems: [{sku: 'MUG-BLUE'}]})
    expect(ofCustomer).to.include({customerEmail: 'own-carts@example.com', origin: 'Customer'})
    expect(ofCustomer.customerId).not.to.equal(hazel.id)
    expect(ofCustomer).not.to.have.any.keys('anonymousId', 'customerGroup')
    expect(ofCustomer.createdBy.customer.id).to.equal(ofCustomer.customerId)
    const ofVisitor = await create(visitor, claims)
    expect(ofVisitor).to.include({anonymousId: 'visitor-of-carts'}).and.not.have.property('customerId')
  })

  it('shows and deletes the carts of the token and nobody else’s', async () => {
    const own = await create(customer, {key: 'own-cart'})
    const theirs = await create(visitor, {key: 'visitors-cart'})
    for (const [token, mine, other] of [
      [customer, own, theirs],
      [visitor, theirs, own],
    ] as const) {
      for (const method of ['GET', 'HEAD', 'DELETE']) {
        const version = method === 'DELETE' ? '?version=1' : ''
        for (const name of [other.id, `key=${other.key}`]) {
          expect((await ask(method, `/me/carts/${name}${version}`, token)).status, `${method} ${name}`).to.equal(404)
        }
      }
      expect((await ask('GET', `/me/carts/key=${mine.key}`, token)).body).to.deep.equal(mine)
      const {results} = (await ask('GET', '/me/carts?limit=500', token)).body
      expect(results.map(({id}: Body) => id))
        .to.include(mine.id)
        .and.not.include(other.id)
      const foreign = encodeURIComponent(`id = "${other.id}"`)
      expect((await ask('HEAD', `/me/carts?where=${foreign}`, token)).status).to.equal(404)
      expect((await ask('GET', `/me/carts?where=${foreign}`, token)).body.results).to.deep.equal([])
      expect(errorOf(await ask('DELETE', `/me/carts/${mine.id}?version=9`, token)).code).to.equal(
        'ConcurrentModification',
      )
      expect((await ask('DELETE', `/me/carts/${mine.id}?version=1&dataErasure=true`, token)).status).to.equal(200)
    }
  })

  it('shows a session no cart that names a customer too', async () => {
    const session = await desk.token('manage_my_orders', {anonymousId: 'beside-a-customer'})
    // No request makes such a cart, but a seed pack may.
    const doc = {id: desk.runtime.secrets.uuid(), version: 1, customerId: hazel.id, anonymousId: 'beside-a-customer'}
    await desk.runtime.state.commit('demo', [{kind: 'cart', expect: 0, doc}])
    expect((await ask('GET', `/me/carts/${doc.id}`, session)).status).to.equal(404)
    expect((await ask('DELETE', `/me/carts/${doc.id}?version=1`, session)).status).to.equal(404)
    expect((await ask('GET', '/me/carts', session)).body.count).to.equal(0)
    expect((await ask('GET', '/me/active-cart', session)).status).to.equal(404)
  })

  it('gives the latest active cart, and none to a session whose cart became a customer’s', async () => {
    const session = await desk.token('manage_my_orders manage_my_profile', {anonymousId: 'session-to-customer'})
    expect((await ask('GET', '/me/active-cart', session)).status).to.equal(404)
    await create(session, {lineItems: [{sku: 'MUG-MOSS', quantity: 1}]})
    desk.clock.now += 1000
    const latest = await create(session, {lineItems: [{sku: 'MUG-BLUE', quantity: 2}]})
    expect((await ask('GET', '/me/active-cart', session)).body.id).to.equal(latest.id)
    expect((await ask('HEAD', '/me/active-cart', session)).status).to.equal(200)
    const person = {email: 'from-session@example.com', password: 'a good one'}
    const signedUp = await ask('POST', '/me/signup', session, person)
    expect([signedUp.status, signedUp.body.cart.id]).to.deep.equal([201, latest.id])
    expect((await ask('GET', '/me/active-cart', session)).status).to.equal(404)
    expect((await ask('GET', '/me/carts', session)).body.count).to.equal(0)
    const own = await desk.token('manage_my_orders', {customerId: signedUp.body.customer.id})
    expect(goods((await ask('GET', '/me/active-cart', own)).body)).to.deep.equal(['mug/1×2'])
    expect((await ask('GET', '/me/carts', own)).body.count).to.equal(2)
  })

  it('signs in under /me with a cart of the session, either way', async () => {
    const {email} = hazel
    for (const [mode, isKept] of [
      ['MergeWithExistingCustomerCart', false],
      ['UseAsNewActiveCustomerCart', true],
    ] as const) {
      const session = await desk.token('manage_my_orders manage_my_profile', {anonymousId: `before-${mode}`})
      desk.clock.now += 1000
      const cart = await create(session, {lineItems: [{sku: 'MUG-MOSS'}]})
      const body = {email, password: 'demo-only-hazel', activeCartSignInMode: mode}
      const answer = await ask('POST', '/me/login', session, body)
      expect([answer.status, answer.body.cart.id === cart.id]).to.deep.equal([200, isKept])
      expect(goods(answer.body.cart)).to.include('mug/2×1')
    }
  })

  it('keeps to the store of the path', async () => {
    const place = '/in-store/key=berlin'
    const inBerlin = await create(customer, {}, place)
    const anywhere = await create(customer)
    expect(inBerlin.store.key).to.equal('berlin')
    const status = async (id: string, at: string) => (await ask('GET', `${at}/me/carts/${id}`, customer)).status
    expect([await status(inBerlin.id, place), await status(anywhere.id, place)]).to.deep.equal([200, 404])
    expect(await status(inBerlin.id, '/in-store/key=london')).to.equal(404)
    expect(await status(inBerlin.id, '')).to.equal(200)
    expect((await ask('GET', `${place}/me/active-cart`, customer)).body.id).to.equal(inBerlin.id)
  })

  it('takes a bound token with the scope', async () => {
    const unbound = await desk.token('manage_my_orders')
    const other = await desk.token('manage_my_profile', {anonymousId: 'no-orders'})
    for (const token of [unbound, other]) {
      expect((await ask('POST', '/me/carts', token, {currency: 'EUR'})).status).to.equal(403)
      expect((await ask('GET', '/me/active-cart', token)).status).to.equal(403)
    }
  })
})
