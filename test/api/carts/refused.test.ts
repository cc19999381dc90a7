import {expect} from 'chai'
import {keyed, pack} from '../../fixtures/pack.js'
import {type Desk, errorOf, openDesk} from '../harness.js'
import {cartCalled, cartId, seededCart, signIn, storedCart} from './harness.js'

describe('api · sign-in · carts that are refused', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk({seed: true})
  })

  const cases: [string, object, string][] = [
    ['an unknown cart', {anonymousCart: {id: 'nowhere'}}, 'ReferencedResourceNotFound'],
    ['an unknown key', {anonymousCart: {key: '__proto__'}}, 'ReferencedResourceNotFound'],
    ['an unknown cart by the old name', {anonymousCartId: 'nowhere'}, 'ReferencedResourceNotFound'],
    [
      'a session that is not the cart’s',
      {anonymousCart: cartCalled('anonymous-plain'), anonymousId: 'x'},
      'InvalidOperation',
    ],
    [
      'a session for a cart that has none',
      {anonymousCart: cartCalled('hazel-older'), anonymousId: 'x'},
      'InvalidOperation',
    ],
    ['the cart of a customer', {anonymousCart: cartCalled('mira-berlin')}, 'InvalidOperation'],
    ['the own cart', {anonymousCart: cartCalled('hazel-older')}, 'InvalidOperation'],
    ['a merged cart', {anonymousCart: cartCalled('hazel-merged')}, 'InvalidOperation'],
    [
      'two carts at once',
      {anonymousCart: cartCalled('anonymous-plain'), anonymousCartId: cartId('anonymous-dollar')},
      'InvalidOperation',
    ],
    [
      'a cart with a variant that has no price',
      {anonymousCart: cartCalled('anonymous-unpriced')},
      'MatchingPriceNotFound',
    ],
    ['id and key', {anonymousCart: {id: 'a', key: 'bb'}}, 'InvalidJsonInput'],
    ['a reference to something else', {anonymousCart: {typeId: 'order', id: 'a'}}, 'InvalidJsonInput'],
    ['a cart that is text', {anonymousCart: 'a'}, 'InvalidJsonInput'],
    ['a session that is a number', {anonymousId: 7}, 'InvalidJsonInput'],
  ]
  for (const [name, wish, code] of cases) {
    it(`refuses ${name}`, async () => {
      const answer = await signIn(desk, 'hazel', wish)
      expect(answer.status).to.equal(400)
      expect(errorOf(answer).code).to.equal(code)
      expect(await storedCart(desk, 'hazel-current')).to.include({version: 7})
    })
  }

  for (const cartState of ['Merged', 'Ordered', 'Frozen']) {
    it(`refuses an anonymous cart that is ${cartState}`, async () => {
      await seededCart(desk, 'anonymous-plain', {cartState})
      const answer = await signIn(desk, 'walk-in', {anonymousCart: {key: 'another-anonymous-plain'}})
      expect(errorOf(answer)).to.include({code: 'InvalidOperation'})
      expect(errorOf(answer).message).to.contain(cartState)
    })
  }

  it('names the country of a missing tax rate, and takes nothing over', async () => {
    const answer = await signIn(desk, 'walk-in', {anonymousCart: cartCalled('anonymous-untaxed')})
    expect(errorOf(answer)).to.include({code: 'MissingTaxRateForCountry', country: 'FR'})
    const cart = await storedCart(desk, 'anonymous-untaxed')
    expect(cart).to.include({anonymousId: 'demo-anon-untaxed', version: 3})
  })

  it('lists the modes for an unknown one', async () => {
    const answer = await signIn(desk, 'hazel', {anonymousCartSignInMode: 'Merge'})
    expect(answer.status).to.equal(400)
    const text = JSON.stringify(answer.body)
    expect(text).to.contain('MergeWithExistingCustomerCart').and.to.contain('UseAsNewActiveCustomerCart')
  })

  it('says nothing about carts before the credentials fit', async () => {
    const wrong = {password: 'wrong'}
    const plain = await signIn(desk, 'hazel', wrong)
    for (const wish of [
      {anonymousCart: {id: 'nowhere'}},
      {anonymousCart: cartCalled('mira-berlin'), anonymousId: 'x'},
    ]) {
      expect((await signIn(desk, 'hazel', {...wrong, ...wish})).body).to.deep.equal(plain.body)
    }
    expect(errorOf(plain).code).to.equal('InvalidCredentials')
    const stranger = {email: keyed(pack.customers, 'mira-berlin').email, password: 'demo-only-mira-berlin'}
    const wish = {anonymousCart: cartCalled('anonymous-berlin')}
    expect(errorOf(await desk.ask('POST', '/login', {body: {...stranger, ...wish}})).code).to.equal(
      'InvalidCredentials',
    )
    expect(await storedCart(desk, 'anonymous-berlin')).to.include({version: 3})
  })

  describe('in a store', () => {
    const berlin = '/in-store/key=berlin'

    it('refuses the cart of another store and takes one of none', async () => {
      const foreign = await signIn(desk, 'hazel', {anonymousCart: cartCalled('anonymous-london')}, berlin)
      expect(errorOf(foreign).code).to.equal('InvalidOperation')
      const plain = await signIn(desk, 'noor', {anonymousCart: cartCalled('anonymous-plain')}, berlin)
      expect(plain.body.cart.id).to.equal(cartId('anonymous-plain'))
    })

    it('shows no cart of another store and assigns none', async () => {
      const inBerlin = {anonymousCart: cartCalled('anonymous-berlin')}
      expect((await signIn(desk, 'noor', inBerlin, berlin)).body.cart.id).to.equal(cartId('anonymous-berlin'))
      expect((await signIn(desk, 'noor', {}, berlin)).body.cart.id).to.equal(cartId('anonymous-berlin'))
      const elsewhere = keyed(pack.customers, 'two-shops').stores?.find(({key}) => key !== 'berlin')?.key
      const other = await signIn(desk, 'noor', {anonymousId: 'demo-anon-berlin'}, `/in-store/key=${elsewhere}`)
      expect(other.status).to.equal(200)
      expect(other.body).to.not.have.property('cart')
    })
  })
})
