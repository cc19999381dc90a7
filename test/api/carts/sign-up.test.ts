import {expect} from 'chai'
import {keyed, pack} from '../../fixtures/pack.js'
import {type Desk, draft, errorOf, openDesk} from '../harness.js'
import {cartCalled, cartId, goods, signUp, storedCart} from './harness.js'

const wholesale = {customerGroup: {typeId: 'customer-group', id: keyed(pack.groups, 'wholesale').id}}

describe('api · sign-up · carts', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk({seed: true})
  })

  const customers = async (): Promise<number> => (await desk.ask('GET', '/customers?limit=0')).body.total

  it('makes the anonymous cart the new customer’s, at the prices of its group', async () => {
    const {status, body} = await signUp(desk, {anonymousCart: cartCalled('anonymous-plain'), ...wholesale})
    expect(status).to.equal(201)
    expect(body.cart).to.include({
      id: cartId('anonymous-plain'),
      version: 4,
      customerId: body.customer.id,
      customerEmail: body.customer.email,
    })
    expect(body.cart).to.not.have.property('anonymousId')
    expect(body.cart.totalPrice.centAmount).to.equal(2 * 950 + 15_995)
    expect(body.customer).to.not.have.any.keys('anonymousCart', 'anonymousId')
    expect(await storedCart(desk, 'anonymous-plain')).to.deep.equal(body.cart)
  })

  it('gives an empty cart too', async () => {
    const {body} = await signUp(desk, {anonymousCart: cartCalled('anonymous-empty')})
    expect(body.cart).to.include({id: cartId('anonymous-empty'), customerId: body.customer.id})
  })

  it('assigns all carts of an anonymous id and gives the latest', async () => {
    const {body} = await signUp(desk, {anonymousId: 'demo-anon-two'})
    expect(body.cart.id).to.equal(cartId('anonymous-two-second'))
    expect(await storedCart(desk, 'anonymous-two-first')).to.include({customerId: body.customer.id})
  })

  it('has no member for the cart of an anonymous id without any', async () => {
    const {status, body} = await signUp(desk, {anonymousId: 'nobody'})
    expect(status).to.equal(201)
    expect(body).to.have.all.keys('customer')
  })

  it('takes anonymousCartId with a notice', async () => {
    const {body, headers} = await signUp(desk, {anonymousCartId: cartId('anonymous-breakfast')})
    expect(goods(body.cart)).to.deep.equal(['mug/1×3', 'lantern/2×1', 'gift-wrapping×1'])
    expect(headers['x-deprecation-notice']).to.contain('anonymousCart')
  })

  it('expands references of the cart', async () => {
    const body = draft({anonymousCart: cartCalled('anonymous-plain'), ...wholesale})
    const path = '/customers?expand=cart.customerGroup&expand=customer.customerGroup'
    const answer = await desk.ask('POST', path, {body})
    expect(answer.body.cart.customerGroup.obj.key).to.equal('wholesale')
    expect(answer.body.customer.customerGroup.obj.key).to.equal('wholesale')
  })

  const refusals: [string, object, string][] = [
    ['an unknown cart', {anonymousCart: {id: 'nowhere'}}, 'ReferencedResourceNotFound'],
    [
      'a session that is not the cart’s',
      {anonymousCart: cartCalled('anonymous-plain'), anonymousId: 'x'},
      'InvalidOperation',
    ],
    ['the cart of a customer', {anonymousCart: cartCalled('hazel-current')}, 'InvalidOperation'],
    ['a missing price', {anonymousCart: cartCalled('anonymous-unpriced')}, 'MatchingPriceNotFound'],
    ['a missing tax rate', {anonymousId: 'demo-anon-untaxed'}, 'MissingTaxRateForCountry'],
  ]
  for (const [name, members, code] of refusals) {
    it(`creates no customer for ${name}, and the email stays free`, async () => {
      const before = await customers()
      const messages = (await desk.ask('GET', '/messages?limit=0')).body.total
      const body = draft(members)
      const refused = await desk.ask('POST', '/customers', {body})
      expect([refused.status, errorOf(refused).code]).to.deep.equal([400, code])
      expect(await customers()).to.equal(before)
      expect((await desk.ask('GET', '/messages?limit=0')).body.total).to.equal(messages)
      const again = await desk.ask('POST', '/customers', {body: {email: body['email'], password: 'correct horse'}})
      expect(again.status).to.equal(201)
    })
  }

  it('takes no cart over when the customer cannot be created', async () => {
    const taken = {email: 'HAZEL.brandvold@example.com', anonymousCart: cartCalled('anonymous-plain')}
    const refused = await signUp(desk, taken)
    expect(errorOf(refused).code).to.equal('DuplicateField')
    expect(await storedCart(desk, 'anonymous-plain')).to.include({version: 3, anonymousId: 'demo-anon-plain'})
  })

  it('wants a cart of the store in a store', async () => {
    const path = '/in-store/key=berlin'
    const foreign = await signUp(desk, {anonymousCart: cartCalled('anonymous-london')}, path)
    expect(errorOf(foreign).code).to.equal('InvalidOperation')
    const own = await signUp(desk, {anonymousCart: cartCalled('anonymous-berlin')}, path)
    expect(own.body.cart).to.deep.include({id: cartId('anonymous-berlin'), store: {typeId: 'store', key: 'berlin'}})
    expect(own.body.customer.stores).to.deep.equal([{typeId: 'store', key: 'berlin'}])
  })
})
