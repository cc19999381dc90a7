import {expect} from 'chai'
import {ApiError} from '../../../src/domain/errors.js'
import {checkQuotable, offerOf, type QuotableCart} from '../../../src/domain/quotes/offer.js'
import {pack} from '../../fixtures/pack.js'

const cartOf = (key: string): QuotableCart => {
  const cart = pack.carts.find((one) => one.key === key)
  if (!cart) throw new Error(`no cart ${key}`)
  return cart as unknown as QuotableCart
}

const zofia = {id: cartOf('zofia-to-quote').customerId ?? ''}

describe('quotes · from a cart', () => {
  const refused: readonly [string, object][] = [
    ['belongs to no customer', {customerId: undefined}],
    ['belongs to another customer', {customerId: 'other'}],
    ["is in state 'Merged'", {cartState: 'Merged'}],
    ['ships to several addresses', {shippingMode: 'Multiple'}],
    ['has no shipping address', {shippingAddress: undefined}],
    ['has discount codes', {discountCodes: [{}]}],
    ['is empty', {lineItems: [], customLineItems: []}],
  ]
  for (const [why, members] of refused) {
    it(`is refused if it ${why}`, () => {
      const cart = {...cartOf('zofia-to-quote'), ...members} as QuotableCart
      expect(() => checkQuotable(cart, zofia)).to.throw(ApiError, why)
      expect(() => checkQuotable(cartOf('zofia-to-quote'), zofia)).to.not.throw()
    })
  }

  it('takes the goods, the party and the terms, and points at its request and staged quote', () => {
    const cart: QuotableCart = {
      ...cartOf('ingrid-mill'),
      store: {typeId: 'store', key: 'berlin'},
      purchaseOrderNumber: 'PO-7',
    }
    const ids = {quoteRequest: 'r', quotationCart: 'c', stagedQuote: 's', quote: 'q'}
    const offer = offerOf(cart, {id: 'i', customerGroup: {typeId: 'customer-group', id: 'g'}}, ids, {
      validTo: 'later',
      key: 'k',
    })
    const copied = [
      'lineItems',
      'totalPrice',
      'taxedPrice',
      'shippingAddress',
      'billingAddress',
      'taxMode',
      'businessUnit',
    ]
    for (const name of [...copied, 'store', 'purchaseOrderNumber', 'country', 'shippingInfo']) {
      expect(offer.quote[name as never], name).to.deep.equal(cart[name])
      expect(offer.quoteRequest[name], name).to.deep.equal(cart[name])
    }
    expect(offer.quote).to.deep.include({
      id: 'q',
      key: 'k',
      version: 1,
      quoteState: 'Pending',
      validTo: 'later',
      customer: {typeId: 'customer', id: 'i'},
      quoteRequest: {typeId: 'quote-request', id: 'r'},
      stagedQuote: {typeId: 'staged-quote', id: 's'},
    })
    expect(offer.stagedQuote).to.deep.include({stagedQuoteState: 'Sent', quotationCart: {typeId: 'cart', id: 'c'}})
    expect(offer.quotationCart).to.include({id: 'c', origin: 'Quote'}).and.to.not.have.property('key')
    expect(offer.quote).to.not.have.any.keys('cartState', 'customerId', 'customerEmail', 'type', 'origin')
  })
})
