import {expect} from 'chai'
import * as fc from 'fast-check'
import {type LineItem, readCart} from '../../../src/domain/carts/cart.js'
import {recalculated} from '../../../src/domain/carts/recalculate.js'
import {keyed, pack} from '../../fixtures/pack.js'
import {cart, catalogue, current, emptyCatalogue, first, goods, group, now, refusal} from './demo-carts.js'

/** Carts that differ from the catalogue on purpose. */
const outOfDate = new Set(['anonymous-stale', 'anonymous-gone', 'anonymous-unpriced', 'anonymous-untaxed'])

describe('carts · recalculate', () => {
  it('gives back the same object for a cart that is up to date', () => {
    const upToDate = pack.carts.filter(({key, origin}) => !outOfDate.has(key ?? '') && origin !== 'Quote')
    expect(upToDate.length).to.be.greaterThan(15)
    for (const document of upToDate) {
      const given = readCart(document)
      expect(current(given), document.key ?? '').to.equal(given)
      expect(current(given, {updateProductData: true}), document.key ?? '').to.equal(given)
      expect(current(given, {catalogue: emptyCatalogue}), document.key ?? '').to.equal(given)
    }
  })

  it('is finished after once', () => {
    for (const document of pack.carts.filter(({key}) => key !== 'anonymous-unpriced' && key !== 'anonymous-untaxed')) {
      const once = current(readCart(document), {customerGroup: group('wholesale')})
      expect(current(once, {customerGroup: group('wholesale')})).to.equal(once)
    }
  })

  it('never changes what it was given', () => {
    const given = cart('anonymous-breakfast')
    const before = structuredClone(given)
    current(given, {customerGroup: group('vip'), updateProductData: true})
    expect(given).to.deep.equal(before)
  })

  describe('prices', () => {
    it('takes the price of the customer group and names the group on the cart', () => {
      const next = current(cart('anonymous-plain'), {customerGroup: group('vip')})
      expect(next.customerGroup).to.deep.equal(group('vip'))
      expect(next.lineItems.map(({totalPrice}) => totalPrice.centAmount)).to.deep.equal([2 * 1125, 18_900])
      expect(next.totalPrice.centAmount).to.equal(21_150)
    })

    it('goes back to the price for everybody without a group, whatever country it is for', () => {
      const next = recalculated(cart('hazel-current'), {catalogue, now})
      expect(next).to.not.have.property('customerGroup')
      expect(next.lineItems.map(({price}) => price.value.centAmount)).to.deep.equal([1250, 690])
      const inAustria = cart('anonymous-plain', {country: 'AT'})
      expect(first(current(inAustria)).price.value.centAmount).to.equal(1250)
    })

    it('refuses a variant without a price in the currency of the cart', () => {
      const error = refusal(() => current(cart('anonymous-unpriced'), {customerGroup: group('vip')}))
      expect(error.code).to.equal('MatchingPriceNotFound')
      expect(error.errors[0]).to.deep.include({
        productId: keyed(pack.products, 'poster').id,
        variantId: 1,
        currency: 'EUR',
        country: 'DE',
        customerGroup: group('vip'),
      })
    })

    it('leaves prices of another time alone', () => {
      const mug = keyed(pack.products, 'mug')
      const priced = (members: object) => {
        const product = structuredClone(catalogue.products.get(mug.id))
        const {prices} = product?.masterData.current.masterVariant ?? {}
        Object.assign(prices?.find(({country, customerGroup}) => !country && !customerGroup) ?? {}, members)
        return {...catalogue, products: new Map([...catalogue.products, [mug.id, product as never]])}
      }
      const given = cart('anonymous-stale')
      expect(first(current(given)).price.value.centAmount).to.equal(1250)
      for (const members of [{validUntil: now}, {validFrom: '2026-11-20T10:00:00.001Z'}]) {
        const error = refusal(() => current(given, {catalogue: priced(members)}))
        expect(error.code).to.equal('MatchingPriceNotFound')
      }
      const inTime = {validFrom: now, validUntil: '2026-11-21T00:00:00.000Z'}
      expect(first(current(given, {catalogue: priced(inTime)})).price.value.centAmount).to.equal(1250)
    })

    it('keeps prices that the shop set, and presents', () => {
      const [mug] = cart('anonymous-stale').lineItems
      for (const members of [{priceMode: 'ExternalPrice'}, {lineItemMode: 'GiftLineItem'}]) {
        const given = cart('anonymous-stale', {lineItems: [{...(mug as LineItem), ...members}]})
        expect(current(given)).to.equal(given)
      }
      const total = {...(mug as LineItem), priceMode: 'ExternalTotal', quantity: 7}
      expect(first(current(cart('anonymous-stale', {lineItems: [total]}))).totalPrice.centAmount).to.equal(1980)
    })

    it('drops discounts that were worked out for another price or quantity, since their rules are not kept', () => {
      const discounted = {
        quantity: 2,
        discountedPrice: {value: {...first(cart('anonymous-plain')).totalPrice, centAmount: 1000}},
      }
      const [mug, seat] = cart('anonymous-plain').lineItems as [LineItem, LineItem]
      const line = {...mug, discountedPricePerQuantity: [discounted], totalPrice: {...mug.totalPrice, centAmount: 2000}}
      const given = cart('anonymous-plain', {lineItems: [line, seat]})
      expect(first(current(given))).to.deep.equal(line)
      for (const next of [
        current(given, {customerGroup: group('vip')}),
        current({...given, lineItems: [{...line, quantity: 3}, seat]}),
      ]) {
        expect(first(next).discountedPricePerQuantity).to.deep.equal([])
        expect(first(next).totalPrice.centAmount).to.equal(first(next).price.value.centAmount * first(next).quantity)
      }
    })
  })

  describe('products', () => {
    it('drops a line whose variant or product is gone', () => {
      expect(goods(current(cart('anonymous-gone')))).to.deep.equal(['lantern/1×1'])
      const [mug, seat] = cart('anonymous-plain').lineItems as [LineItem, LineItem]
      const next = current(cart('anonymous-plain', {lineItems: [{...mug, productId: 'gone'}, seat]}))
      expect(goods(next)).to.deep.equal(['chair/1×1'])
      expect(next.totalPrice.centAmount).to.equal(18_900)
    })

    it('leaves an empty cart that has nothing else', () => {
      const [mug] = cart('anonymous-plain').lineItems as [LineItem]
      const next = current(cart('anonymous-plain', {lineItems: [{...mug, productId: 'gone'}]}))
      expect(next.totalPrice.centAmount).to.equal(0)
      expect(next.lineItems).to.deep.equal([])
      expect(next).to.not.have.any.keys('totalLineItemQuantity', 'taxedPrice')
    })

    it('keeps prices, rates and lines in a project without any products', () => {
      const given = cart('anonymous-stale')
      expect(current(given, {catalogue: emptyCatalogue})).to.equal(given)
      const more = {...given, lineItems: [{...first(given), quantity: 3}]}
      const next = current(more, {catalogue: emptyCatalogue})
      expect(next.totalPrice.centAmount).to.equal(3 * 990)
      expect(next.taxedPrice?.totalTax.centAmount).to.equal(474)
    })

    it('updates name, variant, slug and product type when asked, and otherwise only the price', () => {
      const plain = first(current(cart('anonymous-stale')))
      expect(plain['name']).to.have.property('en', 'Kestrel cup (old name)')
      expect(plain.variant).to.have.property('sku', 'MUG-OLD')
      expect(plain.price.value.centAmount).to.equal(1250)
      const product = keyed(pack.products, 'mug')
      const updated = first(current(cart('anonymous-stale'), {updateProductData: true}))
      expect(updated['name']).to.deep.equal(product.masterData.current.name)
      expect(updated['productSlug']).to.deep.equal(product.masterData.current.slug)
      expect(updated.productType).to.include(product.productType)
      expect(updated.variant).to.deep.include({sku: 'MUG-BLUE', prices: [updated.price]})
    })
  })

  it('ships for nothing above the amount that the rate names, and not below', () => {
    const [mug, ...others] = cart('hazel-current').lineItems as [LineItem]
    const rich = current(cart('hazel-current', {lineItems: [{...mug, quantity: 50}, ...others]}))
    expect(rich.shippingInfo?.price.centAmount).to.equal(0)
    expect(rich.shippingInfo?.taxedPrice?.totalGross.centAmount).to.equal(0)
    const poor = current({...rich, lineItems: others})
    expect(poor.shippingInfo?.price.centAmount).to.equal(590)
    expect(poor.totalPrice.centAmount).to.equal(2 * 621 + 1600 + 590)
  })

  it('adds up for all quantities, groups and places', () => {
    const lines = pack.carts.flatMap((document) => (document.origin === 'Customer' ? readCart(document).lineItems : []))
    const priced = lines.filter(({price, variant}) => price.value.currencyCode === 'EUR' && variant.id === 1)
    const sellable = priced.filter(({productKey}) => productKey !== 'poster')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...sellable), fc.nat(100_000)), {maxLength: 8}),
        fc.constantFrom('vip', 'wholesale', 'staff'),
        fc.constantFrom('DE', 'AT', 'NL', 'JP'),
        (picked, key, country) => {
          const lineItems = picked.map(([line, quantity], at) => ({...line, id: `line-${at}`, quantity}))
          const given = cart('hazel-current', {lineItems, shippingAddress: {country}})
          const next = current(given, {customerGroup: group(key)})
          const cents = (amounts: readonly (number | undefined)[]) =>
            amounts.reduce<number>((sum, amount) => sum + (amount ?? Number.NaN), 0)
          const parts = [...next.lineItems, ...next.customLineItems]
          for (const line of next.lineItems)
            expect(line.totalPrice.centAmount).to.equal(line.price.value.centAmount * line.quantity)
          const shipping = next.shippingInfo
          expect(next.totalPrice.centAmount).to.equal(
            cents([...parts.map(({totalPrice}) => totalPrice.centAmount), shipping?.price.centAmount]),
          )
          for (const member of ['totalNet', 'totalGross', 'totalTax'] as const) {
            const taxes = [...parts, shipping].map((part) => part?.taxedPrice?.[member].centAmount)
            expect(next.taxedPrice?.[member].centAmount).to.equal(cents(taxes))
          }
          expect(next.taxedPrice?.totalGross.centAmount).to.equal(next.totalPrice.centAmount)
          const portions = next.taxedPrice?.taxPortions ?? []
          expect(new Set(portions.map(({name}) => name)).size).to.equal(portions.length)
          expect(cents(portions.map(({amount}) => amount.centAmount))).to.equal(next.taxedPrice?.totalTax.centAmount)
        },
      ),
    )
  })

  it('refuses a document that is no cart, and names what is wrong with it', () => {
    const broken = {...keyed(pack.carts, 'anonymous-plain'), totalPrice: {currencyCode: 'EUR', centAmount: 1.5}}
    const error = refusal(() => readCart(broken))
    expect(error.code).to.equal('InvalidOperation')
    expect(error.message).to.contain(broken.id).and.to.contain('totalPrice.centAmount')
  })
})
