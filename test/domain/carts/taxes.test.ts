import {expect} from 'chai'
import type {Cart, LineItem} from '../../../src/domain/carts/cart.js'
import {keyed, pack} from '../../fixtures/pack.js'
import {cart, current, first, group, refusal} from './demo-carts.js'

describe('carts · taxes', () => {
  it('takes the rate of the country, and of the state where there is one', () => {
    const dollars = cart('anonymous-dollar')
    const elsewhere = {...dollars, shippingAddress: {country: 'US', state: 'Ohio'}}
    expect(first(current(dollars)).taxRate?.amount).to.equal(0.08875)
    expect(refusal(() => current(elsewhere)).code).to.equal('MissingTaxRateForCountry')
    const inNorway = current(cart('hazel-current', {shippingAddress: {country: 'NO'}, lineItems: []}))
    expect(inNorway.customLineItems[0]?.taxRate).to.include({country: 'NO', amount: 0.25})
    expect(inNorway.shippingInfo?.taxRate).to.include({country: 'NO'})
  })

  it('names category, country and state of a rate that is missing', () => {
    const error = refusal(() => current(cart('anonymous-untaxed')))
    const taxCategoryId = keyed(pack.taxCategories, 'reduced').id
    expect(error.errors[0]).to.include({code: 'MissingTaxRateForCountry', taxCategoryId, country: 'FR'})
  })

  it('has no taxes without a shipping address', () => {
    const {shippingAddress: _, ...homeless} = cart('anonymous-breakfast')
    const next = current(homeless as Cart)
    expect(next).to.not.have.property('taxedPrice')
    for (const line of [...next.lineItems, ...next.customLineItems]) {
      expect(line).to.not.have.any.keys('taxRate', 'taxedPrice')
    }
  })

  it('has no taxes in all while one line has no tax category', () => {
    const twine = keyed(pack.products, 'twine')
    const [mug] = cart('anonymous-breakfast').lineItems as [LineItem]
    const next = current(cart('anonymous-breakfast', {lineItems: [mug, {...mug, productId: twine.id}]}))
    expect(next.lineItems.map(({taxedPrice}) => taxedPrice !== undefined)).to.deep.equal([true, false])
    expect(next).to.not.have.property('taxedPrice')
  })

  it('keeps the rates when told to, while the amounts follow the prices', () => {
    const given = cart('anonymous-untaxed', {lineItems: cart('anonymous-breakfast').lineItems})
    const next = current(given, {keepTaxRates: true, customerGroup: group('vip')})
    expect(first(next).taxRate?.country).to.equal('DE')
    expect(first(next).taxedPrice?.totalGross.centAmount).to.equal(3 * 1125)
    expect(first(next).taxedPrice?.totalTax.centAmount).to.equal(539)
  })

  it('leaves taxes that the shop computed as long as the price stands', () => {
    const given = cart('anonymous-breakfast', {taxMode: 'ExternalAmount'})
    expect(current(given)).to.equal(given)
    const next = current(given, {customerGroup: group('vip')})
    expect(next.lineItems.map(({taxedPrice}) => taxedPrice !== undefined)).to.deep.equal([false, true])
  })

  it('taxes unit by unit where the cart says so', () => {
    const given = cart('anonymous-breakfast', {taxCalculationMode: 'UnitPriceLevel'})
    // 19 % within 12.50 are 2.00 (1.9957…), three times 6.00; within 37.50 they are 5.99 (5.9873…).
    expect(first(current(given)).taxedPrice?.totalTax.centAmount).to.equal(600)
    expect(first(current(cart('anonymous-breakfast'))).taxedPrice?.totalTax.centAmount).to.equal(599)
  })
})
