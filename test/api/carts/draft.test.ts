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
