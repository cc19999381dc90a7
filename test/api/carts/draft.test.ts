import {expect} from 'chai'
import {type Answer, type Desk, errorOf, openDesk} from '../harness.js'

describe('api · carts · what a draft says', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk({seed: true})
  })
  after(() => desk.platform.state.close())

  const create = (body: object): Promise<Answer> => desk.ask('POST', '/carts', {body: {currency: 'EUR', ...body}})
  const refused = async (body: object) => errorOf(await create(body))

  it('refuses by name what would change the sum and is not computed, and keeps what needs no computing', async () => {
    const rate = {name: 'x', amount: 0.19, country: 'DE', includedInPrice: true}
    const custom = {name: {en: 'Gift'}, slug: 'gift', money: {currencyCode: 'EUR', centAmount: 100}}
    for (const [name, body] of [
      ['externalTotalPrice', {lineItems: [{sku: 'MUG-MOSS', externalTotalPrice: {price: 1, totalPrice: 1}}]}],
      ['externalTaxRate', {lineItems: [{sku: 'MUG-MOSS', externalTaxRate: rate}]}],
      ['perMethodExternalTaxRate', {lineItems: [{sku: 'MUG-MOSS', perMethodExternalTaxRate: [rate]}]}],
      ['externalTaxRate', {customLineItems: [{...custom, externalTaxRate: rate}]}],
      ['priceMode', {customLineItems: [{...custom, priceMode: 'External'}]}],
      ['externalTaxRateForShippingMethod', {externalTaxRateForShippingMethod: rate}],
      ['customShipping', {customShipping: []}],
      ['shippingRateInput', {shippingRateInput: {type: 'Score', score: 1}}],
      ['shippingMode', {shippingMode: 'Multiple'}],
    ] as const) {
      const error = await refused(body)
      expect([error.code, error.message], name).to.deep.equal([
        'InvalidOperation',
        `This server does not compute what '${name}' changes of the sum of a cart: leave it out.`,
      ])
    }
    const lineItems = [{sku: 'MUG-MOSS', inventoryMode: 'TrackOnly', externalTotalPrice: null}]
    const cart = (await create({purchaseOrderNumber: 'PO-7', lineItems})).body
    expect([cart.purchaseOrderNumber, cart.lineItems[0].inventoryMode]).to.deep.equal(['PO-7', 'TrackOnly'])
    for (const wrong of [{lineItems: [{sku: 'MUG-MOSS', inventoryMode: 42}]}, {shippingMode: 42}]) {
      expect(await refused(wrong)).to.include({code: 'InvalidJsonInput'})
    }
  })

  it('keeps when a line was added, and refuses a channel where prices depend on one', async () => {
    const channel = {typeId: 'channel', id: 'shop-1'}
    const line = {sku: 'MUG-MOSS', addedAt: '2026-01-31T10:30:00+01:00', distributionChannel: channel}
    const {status, body} = await create({lineItems: [{...line, supplyChannel: channel}]})
    expect([status, body.lineItems[0].addedAt]).to.deep.equal([201, '2026-01-31T09:30:00.000Z'])
    const {body: product} = await desk.ask('GET', `/products/${body.lineItems[0].productId}`)
    const {current} = product.masterData
    const {prices} = current.masterVariant
    const dear = {...prices[0], id: 'of-channel', channel, value: {...prices[0].value, centAmount: 1}}
    const masterVariant = {...current.masterVariant, sku: 'MUG-CHANNEL', prices: [...prices, dear]}
    const masterData = {...product.masterData, current: {...current, masterVariant, variants: []}}
    const products = [{...product, id: 'mug-of-channels', key: 'mug-of-channels', masterData}]
    await desk.platform.state.commit('demo', [{kind: 'product', expect: 0, doc: {...products[0], version: 1}}])
    const refusal = {code: 'InvalidOperation'}
    expect(await refused({lineItems: [{...line, sku: 'MUG-CHANNEL'}]})).to.include(refusal)
    const externalPrice = {currencyCode: 'EUR', centAmount: 7}
    const own = await create({lineItems: [{...line, sku: 'MUG-CHANNEL', externalPrice}]})
    expect([own.status, own.body.totalPrice?.centAmount]).to.deep.equal([201, 7])
    for (const wrong of [{addedAt: 'today'}, {distributionChannel: 42}, {supplyChannel: {typeId: 'store', id: 'x'}}]) {
      expect(await refused({lineItems: [{sku: 'MUG-MOSS', ...wrong}]})).to.include({code: 'InvalidJsonInput'})
    }
    expect(await refused({discountCodes: [42]})).to.include({code: 'InvalidJsonInput'})
  })

  it('keeps the ids of addresses, the addresses of items and the business unit, which must exist', async () => {
    const address = {id: 'of-customer', key: 'home', country: 'DE', city: 'Berlin'}
    const {results} = (await desk.ask('GET', '/business-units?limit=1')).body
    const {status, body} = await create({
      shippingAddress: address,
      billingAddress: {country: 'DE'},
      itemShippingAddresses: [address, {key: 'work', country: 'AT'}],
      businessUnit: {typeId: 'business-unit', id: results[0].id},
    })
    expect(status).to.equal(201)
    expect(body.shippingAddress).to.deep.equal(address)
    expect(body.billingAddress).to.deep.equal({country: 'DE'})
    expect(body.itemShippingAddresses).to.deep.equal([address, {key: 'work', country: 'AT'}])
    expect(body.businessUnit).to.deep.equal({typeId: 'business-unit', key: results[0].key})
    expect(await refused({businessUnit: {key: 'nobody'}})).to.include({code: 'ReferencedResourceNotFound'})
  })
})
