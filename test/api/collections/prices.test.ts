import {expect} from 'chai'
import {type Body, type Desk, errorOf, openDesk} from '../harness.js'

describe('api · price selection of products', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk({seed: true})
  })
  after(() => desk.runtime.state.close())

  const groupId = async (key: string): Promise<string> => (await desk.ask('GET', `/customer-groups/key=${key}`)).body.id
  const mug = async (query: string): Promise<Body> => (await desk.ask('GET', `/products/key=mug?${query}`)).body
  const cents = ({masterData}: Body): number | undefined => masterData.current.masterVariant.price?.value.centAmount

  it('shows a price of the currency, of the country and of the group, whichever is closest', async () => {
    const [vip, wholesale] = [await groupId('vip'), await groupId('wholesale')]
    for (const [query, expected] of [
      ['', undefined],
      ['priceCurrency=EUR', 1250],
      ['priceCurrency=EUR&priceCountry=AT', 1390],
      ['priceCurrency=EUR&priceCountry=DE', 1250],
      [`priceCurrency=EUR&priceCustomerGroup=${vip}`, 1125],
      [`priceCurrency=EUR&priceCustomerGroup=${vip}&priceCountry=AT`, 1125],
      [`priceCurrency=EUR&priceCustomerGroupAssignments=${vip}&priceCustomerGroupAssignments=${wholesale}`, 950],
      ['priceCurrency=EUR&priceCustomerGroup=nobody&priceChannel=none', 1250],
      ['priceCurrency=USD', 1400],
      ['priceCurrency=SEK', undefined],
    ] as const) {
      expect(cents(await mug(query)), query).to.equal(expected)
    }
  })

  it('shows it in every variant of both projections, in pages too, and stores nothing', async () => {
    const query = 'priceCurrency=EUR&priceCountry=AT'
    const where = encodeURIComponent('key = "mug"')
    const {body} = await desk.ask('GET', `/products?where=${where}&${query}`)
    const [product] = body.results
    expect(product).to.deep.equal(await mug(query))
    for (const {masterVariant, variants} of [product.masterData.current, product.masterData.staged]) {
      for (const {prices, price} of [masterVariant, ...variants]) expect(prices).to.deep.include(price)
    }
    expect(cents(await mug(''))).to.equal(undefined)
  })

  it('expands what the price refers to', async () => {
    const path = 'masterData.current.masterVariant.price.customerGroup'
    const vip = await groupId('vip')
    const product = await mug(`priceCurrency=EUR&priceCustomerGroup=${vip}&expand=${path}`)
    expect(product.masterData.current.masterVariant.price.customerGroup.obj.key).to.equal('vip')
  })

  it('prefers channels to countries, what is valid now to what always is, and recurring ones for whom they are meant', async () => {
    const money = (centAmount: number) => ({currencyCode: 'EUR', centAmount, type: 'centPrecision', fractionDigits: 2})
    const [from, until] = ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z']
    const channel = {typeId: 'channel', id: 'berlin'}
    const prices = [
      {id: 'a', value: money(1)},
      {id: 'b', value: money(2), country: 'DE'},
      {id: 'c', value: money(3), channel},
      {id: 'd', value: money(4), channel, country: 'DE', validUntil: '2026-11-20T10:00:00.000Z'},
      {id: 'e', value: money(5), validFrom: from, validUntil: until},
      {id: 'f', value: money(6), recurrencePolicy: {typeId: 'recurrence-policy', id: 'monthly'}},
    ]
    const data = {masterVariant: {id: 1, prices}, variants: [{id: 2, prices: 'none'}, {id: 3}]}
    const doc = {id: 'priced', version: 1, key: 'priced', masterData: {current: data}}
    const uniqueKeys = [{key: 'key:priced'}]
    await desk.runtime.state.commit(desk.projectKey, [{kind: 'product', expect: 0, doc, uniqueKeys}])
    for (const [query, expected] of [
      ['', 'e'],
      ['&priceCountry=DE', 'b'],
      ['&priceCountry=DE&priceChannel=berlin', 'c'],
      ['&priceRecurrencePolicy=monthly', 'f'],
    ] as const) {
      const {body} = await desk.ask('GET', `/products/key=priced?priceCurrency=EUR${query}`, {incomplete: true})
      const {masterVariant, variants} = body.masterData.current
      expect([masterVariant.price.id, variants], query).to.deep.equal([expected, data.variants])
    }
  })

  it('refuses what needs a currency without one, and what is none', async () => {
    for (const name of ['Country', 'CustomerGroup', 'CustomerGroupAssignments', 'Channel', 'RecurrencePolicy']) {
      for (const path of ['/products', '/products/key=mug']) {
        const answer = await desk.ask('GET', `${path}?price${name}=DE`)
        expect([answer.status, errorOf(answer).code]).to.deep.equal([400, 'InvalidInput'])
        expect(answer.body.message).to.equal(
          `Malformed parameter: price${name}: It can be used only in conjunction with priceCurrency`,
        )
      }
    }
    for (const query of [
      'priceCurrency=EURO',
      'priceCurrency=',
      'priceCurrency=EUR&priceCurrency=USD',
      'priceCurrency=EUR&priceCountry=de',
    ]) {
      expect((await desk.ask('GET', `/products?${query}`)).status, query).to.equal(400)
    }
  })
})
