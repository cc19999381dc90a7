import {expect} from 'chai'
import type {Cart} from '../../../src/domain/carts/cart.js'
import {type Involved, type TakeOver, takeOver} from '../../../src/domain/carts/take-over.js'
import {cart, customer, merging, method} from './demo-carts.js'

const hazel = customer('hazel-brandvold')
const active = cart('hazel-current')
const breakfast = cart('anonymous-breakfast')

const taken = (members: Partial<Involved>): TakeOver =>
  takeOver({customer: hazel, session: [], mode: 'MergeWithExistingCustomerCart', ...merging(), ...members})

const named = (given: Cart | undefined) => given?.key
const changes = ({changed}: TakeOver) => changed.map(({key, cartState}) => `${key} ${cartState}`)

describe('carts · take over', () => {
  it('does nothing without carts', () => {
    expect(taken({})).to.deep.equal({changed: [], keepTaxRates: false})
    expect(taken({active})).to.deep.equal({changed: [], keepTaxRates: false, result: active})
  })

  it('makes the anonymous cart the customer’s where there is no active one', () => {
    const {result, changed, keepTaxRates} = taken({anonymous: breakfast})
    expect(result).to.deep.include({id: breakfast.id, customerId: hazel.id, customerEmail: hazel.email})
    expect(result).to.not.have.property('anonymousId')
    expect(changed).to.deep.equal([result])
    expect(keepTaxRates).to.equal(false)
  })

  it('makes it the customer’s even if its shipping method forbids a merge: nothing is merged', () => {
    const anonymous = cart('anonymous-inactive-shipping')
    expect(named(taken({anonymous, method: method('pneumatic-post')}).result)).to.equal('anonymous-inactive-shipping')
  })

  it('merges it into the active one, which keeps its id, and ends it as one of the customer’s', () => {
    const outcome = taken({anonymous: breakfast, active})
    expect(outcome.result?.id).to.equal(active.id)
    expect(changes(outcome)).to.deep.equal(['hazel-current Active', 'anonymous-breakfast Merged'])
    const [, past] = outcome.changed
    expect(past).to.deep.include({customerId: hazel.id, lineItems: breakfast.lineItems})
    expect(past).to.not.have.property('anonymousId')
  })

  it('puts it in front of the active one when asked, and merges nothing', () => {
    const outcome = taken({anonymous: breakfast, active, mode: 'UseAsNewActiveCustomerCart'})
    expect(changes(outcome)).to.deep.equal(['anonymous-breakfast Active'])
    expect(outcome.result?.lineItems).to.deep.equal(breakfast.lineItems)
  })

  it('finds tax rates anew in front of another cart only if that one had an address and this one has none', () => {
    const without = (given: Cart): Cart => {
      const {shippingAddress: _, ...rest} = given
      return rest as Cart
    }
    const mode = 'UseAsNewActiveCustomerCart'
    const keeps = (anonymous: Cart, other?: Cart) =>
      taken({anonymous, mode, ...(other ? {active: other} : {})}).keepTaxRates
    expect(keeps(breakfast)).to.equal(false)
    expect(keeps(breakfast, active)).to.equal(true)
    expect(keeps(breakfast, without(active))).to.equal(true)
    expect(keeps(without(breakfast), without(active))).to.equal(true)
    expect(keeps(without(breakfast), active)).to.equal(false)
    expect(taken({anonymous: breakfast, active}).keepTaxRates).to.equal(false)
  })

  it('leaves a cart alone that may not be merged, and goes on with the active one', () => {
    for (const key of ['anonymous-dollar', 'anonymous-berlin']) {
      expect(taken({anonymous: cart(key), active})).to.deep.equal({changed: [], keepTaxRates: false, result: active})
    }
    const anonymous = cart('anonymous-inactive-shipping')
    expect(taken({anonymous, active, method: method('pneumatic-post')}).changed).to.deep.equal([])
  })

  describe('a whole session', () => {
    const session = [cart('anonymous-two-second'), cart('anonymous-two-first')]

    it('assigns all its carts without merging, and goes on with the latest', () => {
      const outcome = taken({session, active})
      expect(changes(outcome)).to.deep.equal(['anonymous-two-second Active', 'anonymous-two-first Active'])
      expect(outcome.changed.map(({customerId}) => customerId)).to.deep.equal([hazel.id, hazel.id])
      expect(named(outcome.result)).to.equal('anonymous-two-second')
    })

    it('merges the cart that is named beside it and assigns the others', () => {
      const outcome = taken({session, active, anonymous: session[1] as Cart})
      expect(changes(outcome)).to.deep.equal([
        'hazel-current Active',
        'anonymous-two-second Active',
        'anonymous-two-first Merged',
      ])
      expect(named(outcome.result)).to.equal('hazel-current')
    })

    it('goes on with the cart that is named in place of the active one', () => {
      const mode = 'UseAsNewActiveCustomerCart'
      const outcome = taken({session, active, anonymous: session[1] as Cart, mode})
      expect(named(outcome.result)).to.equal('anonymous-two-first')
      expect(changes(outcome)).to.deep.equal(['anonymous-two-first Active', 'anonymous-two-second Active'])
    })

    it('assigns even the cart that may not be merged', () => {
      const anonymous = cart('anonymous-dollar')
      const outcome = taken({session: [anonymous], anonymous, active})
      expect(changes(outcome)).to.deep.equal(['anonymous-dollar Active'])
      expect(named(outcome.result)).to.equal('anonymous-dollar')
    })

    it('goes on with none that was ordered, or made by a merchant', () => {
      const [second, firstOne] = session as [Cart, Cart]
      const outcome = taken({
        session: [
          {...second, cartState: 'Ordered'},
          {...firstOne, origin: 'Merchant'},
        ],
      })
      expect(outcome.changed).to.have.length(2)
      expect(outcome).to.not.have.property('result')
    })
  })
})
