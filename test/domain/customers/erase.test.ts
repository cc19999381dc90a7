import {expect} from 'chai'
import {withoutCustomer} from '../../../src/domain/customers/erase.js'

describe('customers · erasure', () => {
  const cart = {
    id: 'cart-1',
    version: 3,
    key: 'basket',
    cartState: 'Active',
    customerId: 'c-1',
    customerEmail: 'ada@example.com',
    shippingAddress: {country: 'DE', city: 'Ulm'},
    totalPrice: {currencyCode: 'EUR', centAmount: 100},
  }

  it('keeps what the goods cost and forgets whose they were', () => {
    expect(withoutCustomer(cart, 'c-1')).to.deep.equal({
      id: 'cart-1',
      version: 3,
      key: 'basket',
      cartState: 'Active',
      totalPrice: {currencyCode: 'EUR', centAmount: 100},
    })
  })

  it('forgets a member that it does not know', () => {
    expect(withoutCustomer({...cart, giftCardText: 'for Ada'}, 'c-1')).to.not.have.property('giftCardText')
  })

  it('forgets addresses and free fields inside what it keeps', () => {
    const erased = withoutCustomer(
      {
        ...cart,
        lineItems: [{id: 'l-1', quantity: 1, custom: {fields: {engraving: 'Ada'}}}],
        shipping: [{shippingKey: 's', shippingAddress: {city: 'Ulm'}, shippingCustomFields: {fields: {note: 'Ada'}}}],
        shippingInfo: {shippingMethodName: 'Post', deliveries: [{id: 'd-1', address: {lastName: 'Ada'}}]},
      },
      'c-1',
    )
    expect(erased).to.deep.include({
      lineItems: [{id: 'l-1', quantity: 1}],
      shipping: [{shippingKey: 's'}],
      shippingInfo: {shippingMethodName: 'Post', deliveries: [{id: 'd-1'}]},
    })
  })

  it('takes only the associate out of a business unit', () => {
    const associate = (id: string) => ({customer: {typeId: 'customer', id}})
    const unit = {id: 'u-1', name: 'Mill', associates: [associate('c-1'), associate('c-2')]}
    expect(withoutCustomer(unit, 'c-1', ['associates'])).to.deep.equal({...unit, associates: [associate('c-2')]})
  })
})
