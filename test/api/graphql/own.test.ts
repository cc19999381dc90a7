import {expect} from 'chai'
import type {Body} from '../harness.js'
import {idOf, openQuoteDesk, type QuoteDesk, quoteOf} from '../quotes/harness.js'
import {asking} from './asking.js'

const hazel = 'hazel-brandvold'

describe('api · graphql · own quotes and carts', () => {
  let desk: QuoteDesk
  let own: string
  beforeEach(async () => {
    desk = await openQuoteDesk()
    own = await desk.token('manage_my_quotes manage_my_orders', {customerId: idOf(hazel)})
  })
  afterEach(() => desk.runtime.state.close())

  const {codes, data} = asking(() => desk)

  it('shows the quotes that REST shows, and nobody else’s', async () => {
    const {body} = await desk.as(hazel, 'GET', '?sort=key&limit=3')
    const fields = 'id key version quoteState totalPrice { centAmount } lineItems { quantity } quoteRequestRef { id }'
    const page = `quotes(sort: ["key"], limit: 3) { total count results { ${fields} } }`
    const quotes = (await data(`{ me { ${page} } }`, {token: own})).me.quotes
    expect(quotes).to.deep.equal({
      total: body.total,
      count: 3,
      results: body.results.map(({id, key, version, quoteState, totalPrice, lineItems, quoteRequest}: Body) => ({
        ...{id, key, version, quoteState, totalPrice: {centAmount: totalPrice.centAmount}},
        lineItems: lineItems.map(({quantity}: Body) => ({quantity})),
        quoteRequestRef: {id: quoteRequest.id},
      })),
    })
    const {id} = quoteOf('hazel-open')
    const both = `a: quote(id: "${id}") { key customerRef { id } } b: quote(key: "hazel-open") { id }`
    expect((await data(`{ me { ${both} } }`, {token: own})).me).to.deep.equal({
      a: {key: 'hazel-open', customerRef: {id: idOf(hazel)}},
      b: {id},
    })
    const other = await desk.token('manage_my_quotes', {customerId: idOf('mira-berlin')})
    expect((await data(`{ me { quote(id: "${id}") { id } } }`, {token: other})).me.quote).to.equal(null)
    const mine = '{ me { quotes { total } } }'
    expect(await codes(mine, {token: await desk.token('manage_my_quotes')})).to.include('insufficient_scope')
    const profile = await desk.token('manage_my_profile', {customerId: idOf(hazel)})
    expect(await codes(mine, {token: profile})).to.include('insufficient_scope')
    expect(await codes('{ me { quotes(where: "nope = 1") { total } } }', {token: own})).to.include('InvalidInput')
  })

  it('answers a quote', async () => {
    const {id, version} = quoteOf('hazel-open')
    const update = (name: string, actions: string) =>
      `mutation { updateMyQuote(${name}, version: ${version}, actions: [${actions}]) { id version quoteState buyerComment } }`
    const decline = '{changeMyQuoteState: {quoteState: Declined}}'
    const other = await desk.token('manage_my_quotes', {customerId: idOf('mira-berlin')})
    expect(await codes(update(`id: "${id}"`, decline), {token: other})).to.include('ResourceNotFound')
    const again = '{requestQuoteRenegotiation: {buyerComment: "Less."}}'
    expect((await data(update('key: "hazel-open"', again), {token: own})).updateMyQuote).to.deep.equal({
      ...{id, version: version + 1, quoteState: 'DeclinedForRenegotiation', buyerComment: 'Less.'},
    })
    expect(await codes(update(`id: "${id}"`, decline), {token: own})).to.include('ConcurrentModification')
    expect((await desk.stored('hazel-open')).quoteState).to.equal('DeclinedForRenegotiation')
  })

  it('shows the carts of a session, of a store too', async () => {
    const visitor = await desk.token('manage_my_orders', {anonymousId: 'visitor'})
    const active = '{ me { activeCart { id } carts { total } } }'
    expect((await data(active, {token: visitor})).me).to.deep.equal({activeCart: null, carts: {total: 0}})
    const made = (await desk.ask('POST', '/me/carts', {body: {currency: 'EUR'}, token: visitor})).body
    expect((await data(active, {token: visitor})).me).to.deep.equal({activeCart: {id: made.id}, carts: {total: 1}})
    const one = `{ me { cart(id: "${made.id}") { version } } inStore(key: "berlin") { me { activeCart { id } } } }`
    expect(await data(one, {token: visitor})).to.deep.equal({
      me: {cart: {version: 1}},
      inStore: {me: {activeCart: null}},
    })
    expect((await data(`{ me { cart(id: "${made.id}") { id } } }`, {token: own})).me.cart).to.equal(null)
  })

  it('shows a cart as storefronts ask for it, all that REST has', async () => {
    const cart = (await desk.ask('GET', '/carts/key=hazel-current')).body
    const money = 'fragment M on BaseMoney { centAmount ... on HighPrecisionMoney { preciseAmount } }'
    const line = `id quantity name(locale: "en") totalPrice { ...M } taxRate { amount name subRates { name } } state { quantity }
      discountedPricePerQuantity { quantity discountedPrice { value { ...M } includedDiscounts { discountedAmount { ...M } } } }
      taxedPrice { totalGross { ...M } taxPortions { rate amount { ...M } } } priceMode shippingDetails { valid }`
    const fields = `id version lineItems { ${line} productId productSlug(locale: "en") distributionChannelRef { id }
        variant { id sku images { url dimensions { width height } } attributesRaw(includeNames: ["colour"]) { name value }
          prices { value { ...M } country } } price { value { ...M } discounted { value { ...M } } customerGroupRef { id } } }
      customLineItems { ${line} slug money { ...M } taxCategoryRef { id } }
      shippingInfo { shippingMethodName price { ...M } shippingRate { price { ...M } freeAbove { ...M } }
        shippingMethodState shippingMethod { key name active isDefault } taxRate { amount } }
      discountCodes { state } refusedGiftsRefs { id } paymentInfo { paymentRefs { id } } itemShippingAddresses { id }
      customer { email } taxedPrice { totalNet { ...M } } businessUnitRef { key } shippingAddress { country }`
    const shown = (await data(`{ me { cart(id: "${cart.id}") { ${fields} } } } ${money}`, {token: own})).me.cart
    const [first] = cart.lineItems
    expect(shown.lineItems.map(({id}: Body) => id)).to.deep.equal(cart.lineItems.map(({id}: Body) => id))
    const {centAmount} = first.totalPrice
    expect(shown.lineItems[0]).to.deep.include({totalPrice: {centAmount}, quantity: first.quantity})
    expect(shown.lineItems[0].price.value).to.deep.equal({centAmount: first.price.value.centAmount})
    expect(shown.lineItems[0].taxRate).to.deep.include({amount: first.taxRate.amount, subRates: []})
    expect(shown.customLineItems.map(({slug}: Body) => slug)).to.deep.equal(
      cart.customLineItems.map(({slug}: Body) => slug),
    )
    const {price, shippingMethodName} = cart.shippingInfo
    expect(shown.shippingInfo).to.deep.include({price: {centAmount: price.centAmount}, shippingMethodName})
    expect(shown.shippingInfo.shippingMethod).to.include({active: true, name: shippingMethodName})
    expect(shown).to.deep.include({refusedGiftsRefs: [], customer: {email: cart.customerEmail}})
  })
})
