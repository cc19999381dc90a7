import {expect} from 'chai'
import {type Answer, type Desk, errorOf, openDesk} from '../harness.js'

describe('api · carts · what a draft says', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk({seed: true})
  })
  after(() => desk.runtime.state.close())

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
      ['shipping', {shipping: [{key: 'x', shippingAddress: {country: 'DE'}}]}],
      ['discountCodes', {discountCodes: ['SALE']}],
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

  it('keeps when a line was added, its channels, its recurrence and where its units go', async () => {
    const channel = {typeId: 'channel', id: 'shop-1'}
    const recurrenceInfo = {recurrencePolicy: {typeId: 'recurrence-policy', id: 'monthly'}, priceSelectionMode: 'Fixed'}
    const kept = {distributionChannel: channel, supplyChannel: channel, recurrenceInfo}
    const targets = [
      {addressKey: 'home', quantity: 1},
      {addressKey: 'work', quantity: 0},
    ]
    const line = {sku: 'MUG-MOSS', addedAt: '2026-01-31T10:30:00+01:00', ...kept, shippingDetails: {targets}}
    const name = {name: {en: 'Gift'}, slug: 'gift', money: {currencyCode: 'EUR', centAmount: 100}, quantity: 2}
    const {recurrencePolicy} = recurrenceInfo
    const {status, body} = await create({
      itemShippingAddresses: [{key: 'home', country: 'DE'}],
      lineItems: [line],
      customLineItems: [{...name, shippingDetails: {targets}, recurrenceInfo: {recurrencePolicy}}],
    })
    expect(status).to.equal(201)
    const shown = {targets: targets.slice(0, 1), valid: true}
    expect(body.lineItems[0]).to.deep.include({...kept, addedAt: '2026-01-31T09:30:00.000Z', shippingDetails: shown})
    const [custom] = body.customLineItems
    expect(custom).to.deep.include({recurrenceInfo: {recurrencePolicy}, shippingDetails: {...shown, valid: false}})
    for (const wrong of [
      ...[{addedAt: 'today'}, {distributionChannel: 42}, {supplyChannel: {typeId: 'store', id: 'x'}}],
      ...[{shippingDetails: 42}, {shippingDetails: {targets: [{addressKey: 'home'}]}}, {recurrenceInfo: {}}],
    ]) {
      expect(await refused({lineItems: [{sku: 'MUG-MOSS', ...wrong}]})).to.include({code: 'InvalidJsonInput'})
    }
    expect(await refused({lineItems: [line]})).to.include({code: 'InvalidOperation'})
    const byKey = {distributionChannel: {typeId: 'channel', key: 'shop-1'}}
    expect(await refused({lineItems: [{sku: 'MUG-MOSS', ...byKey}]})).to.include({code: 'ReferencedResourceNotFound'})
    expect(await refused({discountCodes: [42]})).to.include({code: 'InvalidJsonInput'})
  })

  it('prices a line for its channel and its recurrence, also when it is computed again', async () => {
    const channel = {typeId: 'channel', id: 'shop-1'}
    const recurrencePolicy = {typeId: 'recurrence-policy', id: 'monthly'}
    const {body: product} = await desk.ask('GET', '/products/key=mug')
    const {current} = product.masterData
    const {prices} = current.masterVariant
    const priced = (centAmount: number, scope: object) => ({
      ...prices[1],
      ...scope,
      value: {...prices[1].value, centAmount},
    })
    const special = [priced(1, {id: 'of-channel', channel}), priced(2, {id: 'of-policy', recurrencePolicy})]
    const masterVariant = {...current.masterVariant, sku: 'MUG-CHANNEL', prices: [...prices, ...special]}
    const masterData = {...product.masterData, current: {...current, masterVariant, variants: []}}
    const doc = {...product, id: 'mug-of-channels', key: 'mug-of-channels', masterData, version: 1}
    await desk.runtime.state.commit('demo', [{kind: 'product', expect: 0, doc}])
    const sku = 'MUG-CHANNEL'
    const cents = async (line: object) => (await create({lineItems: [{sku, ...line}]})).body.totalPrice.centAmount
    expect(await cents({})).to.equal(1250)
    expect(await cents({distributionChannel: channel})).to.equal(1)
    expect(await cents({distributionChannel: {id: 'other'}})).to.equal(1250)
    expect(await cents({recurrenceInfo: {recurrencePolicy, priceSelectionMode: 'Dynamic'}})).to.equal(2)
    expect(await cents({distributionChannel: channel, externalPrice: {currencyCode: 'EUR', centAmount: 7}})).to.equal(7)
    const lineItems = [{sku, distributionChannel: channel}]
    const {id} = (await create({anonymousId: 'visitor', lineItems})).body
    const person = {email: 'channel@example.com', password: 'correct horse', anonymousCart: {id, typeId: 'cart'}}
    const {body} = await desk.ask('POST', '/customers', {body: person})
    expect([body.cart.id, body.cart.totalPrice.centAmount]).to.deep.equal([id, 1])
  })

  it('takes no prices and taxes from customers and visitors', async () => {
    const token = await desk.token('manage_my_orders', {anonymousId: 'thrifty'})
    const externalPrice = {currencyCode: 'EUR', centAmount: 1}
    const lineItems = [
      {sku: 'MUG-BLUE', externalPrice, externalTotalPrice: {price: externalPrice, totalPrice: externalPrice}},
    ]
    const body = {currency: 'EUR', lineItems, externalTaxRateForShippingMethod: {}, purchaseOrderNumber: 'x'}
    const answer = await desk.ask('POST', '/me/carts', {token, body})
    expect([answer.status, answer.body.totalPrice.centAmount]).to.deep.equal([201, 1250])
    expect(answer.body).to.not.have.property('purchaseOrderNumber')
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
