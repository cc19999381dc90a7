import {expect} from 'chai'
import {keyed, pack} from '../../fixtures/pack.js'
import {type Answer, type Body, type Desk, errorOf, openDesk} from '../harness.js'
import {goods, signIn, signUp} from './harness.js'

const hazel = keyed(pack.customers, 'hazel-brandvold')
const mug = keyed(pack.products, 'mug')
const berlin = {country: 'DE', city: 'Berlin', streetName: 'Allee', key: 'home'}

describe('api · carts · create and delete', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk({seed: true})
  })

  const create = (body: object, {token, place = ''}: {token?: string; place?: string} = {}): Promise<Answer> =>
    desk.ask('POST', `${place}/carts`, {body: {currency: 'EUR', ...body}, ...(token === undefined ? {} : {token})})
  const created = async (body: object, options?: Parameters<typeof create>[1]): Promise<Body> => {
    const answer = await create(body, options)
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201)
    return answer.body
  }
  const refused = async (body: object, options?: Parameters<typeof create>[1]) => errorOf(await create(body, options))

  it('makes an empty cart with every member that the platform always shows', async () => {
    const cart = await created({})
    expect(cart).to.deep.include({
      type: 'Cart',
      version: 1,
      lineItems: [],
      customLineItems: [],
      cartState: 'Active',
      origin: 'Customer',
      taxMode: 'Platform',
      inventoryMode: 'None',
      shippingMode: 'Single',
      deleteDaysAfterLastModification: 90,
      totalPrice: {type: 'centPrecision', currencyCode: 'EUR', centAmount: 0, fractionDigits: 2},
    })
    for (const name of ['customerId', 'anonymousId', 'store', 'taxedPrice', 'custom'])
      expect(cart).not.to.have.property(name)
    expect((await desk.ask('GET', `/carts/${cart.id}`)).body).to.deep.equal(cart)
    expect((await created({currency: 'JPY'})).totalPrice).to.include({currencyCode: 'JPY', fractionDigits: 0})
  })

  it('takes lines by SKU, and by product and variant, at the price of the catalogue', async () => {
    const lineItems = [
      {sku: 'MUG-MOSS', quantity: 3, key: 'mossy'},
      {productId: mug.id},
      {productId: mug.id, variantId: 2, externalPrice: {currencyCode: 'EUR', centAmount: 100}},
    ]
    const cart = await created({lineItems})
    expect(
      cart.lineItems.map((line: Body) => [line.variant.sku, line.quantity, line.totalPrice.centAmount]),
    ).to.deep.equal([
      ['MUG-MOSS', 3, 3870],
      ['MUG-BLUE', 1, 1250],
      ['MUG-MOSS', 1, 100],
    ])
    const [mossy, blue, external] = cart.lineItems
    expect(mossy).to.deep.include({key: 'mossy', productId: mug.id, productKey: 'mug', priceMode: 'Platform'})
    expect(mossy.name).to.deep.equal(mug.masterData.current.name)
    expect(blue.price.key).to.equal('mug-blue-eur')
    expect(external.priceMode).to.equal('ExternalPrice')
    expect([cart.totalPrice.centAmount, cart.totalLineItemQuantity]).to.deep.equal([5220, 5])
  })

  it('belongs to a customer with their group and email, or to a session', async () => {
    const group = keyed(pack.groups, 'vip')
    const person = (await signUp(desk, {email: 'vip@example.com', customerGroup: {key: 'vip'}})).body.customer
    const cart = await created({customerId: person.id, lineItems: [{sku: 'MUG-BLUE'}]})
    expect(cart).to.deep.include({customerId: person.id, customerEmail: 'vip@example.com'})
    expect(cart.customerGroup.id).to.equal(group.id)
    expect(cart.totalPrice.centAmount).to.equal(1125)
    expect((await desk.ask('GET', `/carts/customer-id=${person.id}`)).body.id).to.equal(cart.id)
    expect((await desk.ask('HEAD', '/carts/customer-id=nobody')).status).to.equal(404)
    const visitor = await created({
      anonymousId: 'visitor-1',
      customerGroup: {key: 'vip'},
      lineItems: [{sku: 'MUG-BLUE'}],
    })
    expect([visitor.anonymousId, visitor.totalPrice.centAmount]).to.deep.equal(['visitor-1', 1125])
  })

  it('copies nothing of a customer for a caller who may not read the customer', async () => {
    const person = (await signUp(desk, {email: 'hidden@example.com', customerGroup: {key: 'vip'}})).body.customer
    const copied = async (scopes: string, place = '', binding = {}) => {
      const token = await desk.token(scopes, binding)
      const cart = await created({customerId: person.id, lineItems: [{sku: 'MUG-BLUE'}]}, {token, place})
      expect(cart.customerId).to.equal(person.id)
      return [cart.customerEmail, cart.customerGroup !== undefined, cart.totalPrice.centAmount]
    }
    const nothing = [undefined, false, 1250]
    const all = ['hidden@example.com', true, 1125]
    expect(await copied('manage_orders')).to.deep.equal(nothing)
    expect(await copied('manage_orders:demo:berlin', '/in-store/key=berlin')).to.deep.equal(nothing)
    expect(await copied('manage_orders view_customers:demo:berlin')).to.deep.equal(nothing)
    expect(await copied('manage_orders view_customers')).to.deep.equal(all)
    expect(await copied('manage_orders:demo:berlin view_customers:demo:berlin', '/in-store/key=berlin')).to.deep.equal(
      all,
    )
    expect(await copied('manage_my_orders', '/me', {customerId: person.id})).to.deep.equal(all)
  })

  it('has a customer or a session, never both', async () => {
    const person = (await signUp(desk)).body.customer
    for (const place of ['', '/in-store/key=berlin']) {
      const body = {customerId: person.id, anonymousId: 'visitor-2'}
      expect((await refused(body, {place})).code, place).to.equal('InvalidOperation')
    }
    const token = await desk.token('manage_my_orders', {customerId: person.id})
    expect(await created({anonymousId: 'visitor-2'}, {token, place: '/me'})).to.include({customerId: person.id})
  })

  it('is taxed and shipped where its address is, with custom lines', async () => {
    const cart = await created({
      shippingAddress: berlin,
      shippingMethod: {key: 'parcel'},
      lineItems: [{sku: 'MUG-BLUE', quantity: 2}],
      customLineItems: [
        {slug: 'wrapping', name: {en: 'Wrapping'}, money: {currencyCode: 'EUR', centAmount: 350}, quantity: 2},
      ],
    })
    expect(cart.shippingAddress).to.deep.equal(berlin)
    expect(cart.shippingInfo).to.deep.include({shippingMethodName: 'Parcel', shippingMethodState: 'MatchesCart'})
    expect(cart.shippingInfo.price.centAmount).to.equal(590)
    expect(goods(cart)).to.deep.equal(['mug/1×2', 'wrapping×2'])
    expect(cart.totalPrice.centAmount).to.equal(2 * 1250 + 2 * 350 + 590)
  })

  it('has keys, locales, stores and custom fields like everything else', async () => {
    const cart = await created({key: 'my-cart', locale: 'DE', store: {typeId: 'store', key: 'berlin'}, country: 'DE'})
    expect(cart).to.deep.include({key: 'my-cart', locale: 'de', country: 'DE', store: {typeId: 'store', key: 'berlin'}})
    expect((await desk.ask('GET', '/carts/key=my-cart')).body.id).to.equal(cart.id)
    expect(await refused({key: 'my-cart'})).to.include({code: 'DuplicateField', field: 'key'})
    const type = {key: 'cart-fields', name: {en: 'x'}, resourceTypeIds: ['order', 'line-item']}
    const fieldDefinitions = [
      {name: 'gift', label: {en: 'Gift'}, required: false, type: {name: 'Boolean'}, inputHint: 'SingleLine'},
    ]
    expect((await desk.ask('POST', '/types', {body: {...type, fieldDefinitions}})).status).to.equal(201)
    const custom = {type: {key: 'cart-fields'}, fields: {gift: true}}
    const gift = await created({custom, lineItems: [{sku: 'MUG-BLUE', custom}]})
    expect([gift.custom.fields, gift.lineItems[0].custom.fields]).to.deep.equal([{gift: true}, {gift: true}])
    expect(await refused({custom: {...custom, fields: {gift: 'yes'}}})).to.include({code: 'InvalidField'})
    const wrapping = {slug: 'wrapping', name: {en: 'x'}, money: {currencyCode: 'EUR', centAmount: 1}, custom}
    expect(await refused({customLineItems: [wrapping]})).to.include({code: 'InvalidOperation'})
    for (const name of [['a', 'b'], 'Wrapping', {'no tag!': 'x'}]) {
      const line = {slug: 'plain', name, money: {currencyCode: 'EUR', centAmount: 1}}
      expect((await create({customLineItems: [line]})).status, JSON.stringify(name)).to.equal(400)
    }
  })

  it('says what is wrong with a draft', async () => {
    const cases: [object, string, object?][] = [
      [{currency: undefined}, 'InvalidJsonInput'],
      [{currency: 'XXQ'}, 'InvalidField', {field: 'currency', invalidValue: 'XXQ'}],
      [{lineItems: [{sku: 'NO-SUCH'}]}, 'ReferencedResourceNotFound', {typeId: 'product'}],
      [{lineItems: [{productId: 'no-such'}]}, 'ReferencedResourceNotFound', {typeId: 'product', id: 'no-such'}],
      [{lineItems: [{productId: mug.id, variantId: 99}]}, 'InvalidOperation'],
      [{lineItems: [{}]}, 'InvalidJsonInput'],
      [{lineItems: [{sku: 'MUG-BLUE', productId: mug.id}]}, 'InvalidJsonInput'],
      [{lineItems: [{sku: 'MUG-BLUE', quantity: 0}]}, 'InvalidJsonInput'],
      [
        {currency: 'CHF', lineItems: [{sku: 'MUG-BLUE'}]},
        'MatchingPriceNotFound',
        {productId: mug.id, currency: 'CHF'},
      ],
      [{lineItems: [{sku: 'MUG-BLUE', externalPrice: {currencyCode: 'USD', centAmount: 1}}]}, 'InvalidOperation'],
      [{customerId: 'nobody'}, 'ReferencedResourceNotFound', {typeId: 'customer', id: 'nobody'}],
      [{customerGroup: {key: 'nothing'}}, 'ReferencedResourceNotFound', {typeId: 'customer-group'}],
      [{store: {key: 'nowhere'}}, 'ReferencedResourceNotFound', {typeId: 'store'}],
      [{locale: 'it'}, 'InvalidInput'],
      [{shippingMethod: {key: 'parcel'}}, 'InvalidOperation'],
      [{shippingMethod: {key: 'parcel'}, shippingAddress: {country: 'AQ'}}, 'InvalidOperation'],
      [{customLineItems: [{slug: 'x y', name: {}, money: {currencyCode: 'EUR', centAmount: 1}}]}, 'InvalidJsonInput'],
    ]
    const before = (await desk.ask('GET', '/carts?limit=0')).body.total
    for (const [body, code, members = {}] of cases) {
      expect(await refused(body), JSON.stringify(body)).to.include({code, ...members})
    }
    expect((await desk.ask('GET', '/carts?limit=0')).body.total).to.equal(before)
  })

  it('names the SKU that no product has', async () => {
    expect((await refused({lineItems: [{sku: 'NO-SUCH'}]})).message).to.include("'NO-SUCH'")
  })

  it('belongs to the store of the path, which knows no other carts', async () => {
    const place = '/in-store/key=berlin'
    const token = await desk.token('manage_orders:demo:berlin')
    const cart = await created({}, {place, token})
    expect(cart.store).to.deep.equal({typeId: 'store', key: 'berlin'})
    const other = await created({})
    const see = async (id: string) => (await desk.ask('GET', `${place}/carts/${id}`, {token})).status
    expect([await see(cart.id), await see(other.id)]).to.deep.equal([200, 404])
    const {results} = (await desk.ask('GET', `${place}/carts?limit=500`, {token})).body
    expect(results.map(({store}: Body) => store?.key)).to.satisfy((keys: string[]) =>
      keys.every((key) => key === 'berlin'),
    )
    expect(await refused({store: {key: 'london'}}, {place, token})).to.include({code: 'InvalidOperation'})
    const foreigner = keyed(pack.customers, 'mira-london')
    expect(await refused({customerId: foreigner.id}, {place, token})).to.include({code: 'InvalidInput'})
    const gone = await desk.ask('DELETE', `${place}/carts/${other.id}?version=1`, {token})
    expect(gone.status).to.equal(404)
    expect((await create({}, {token})).status).to.equal(403)
  })

  it('is deleted at its version, by id or key, once', async () => {
    const cart = await created({key: 'short-lived'})
    const path = `/carts/${cart.id}`
    expect((await desk.ask('DELETE', path)).status).to.equal(400)
    expect(errorOf(await desk.ask('DELETE', `${path}?version=7`))).to.include({code: 'ConcurrentModification'})
    const gone = await desk.ask('DELETE', `/carts/key=short-lived?version=1`)
    expect([gone.status, gone.body]).to.deep.equal([200, cart])
    expect((await desk.ask('DELETE', `${path}?version=1`)).status).to.equal(404)
    const again = await created({key: 'short-lived'})
    expect((await desk.ask('DELETE', `/carts/${again.id}?version=1&dataErasure=true`)).status).to.equal(200)
  })

  it('sets up every way to sign in with a cart', async () => {
    const own = await created({customerId: hazel.id, lineItems: [{sku: 'MUG-BLUE', quantity: 7}]})
    const visit = async (members = {}) =>
      created({anonymousId: `visit-${Math.trunc(desk.clock.now)}`, lineItems: [{sku: 'MUG-MOSS'}], ...members})
    desk.clock.now += 1000
    const merging = await visit()
    const merged = await signIn(desk, 'hazel', {anonymousCart: {typeId: 'cart', id: merging.id}})
    expect(merged.body.cart.id).to.equal(own.id)
    expect(goods(merged.body.cart)).to.deep.equal(['mug/1×7', 'mug/2×1'])
    expect((await desk.ask('GET', `/carts/${merging.id}`)).body.cartState).to.equal('Merged')
    desk.clock.now += 1000
    const replacing = await visit()
    const mode = {anonymousCartSignInMode: 'UseAsNewActiveCustomerCart'}
    const replaced = await signIn(desk, 'hazel', {anonymousCart: {typeId: 'cart', id: replacing.id}, ...mode})
    expect(replaced.body.cart).to.include({id: replacing.id, customerId: hazel.id})
    desk.clock.now += 1000
    const foreign = await visit({currency: 'USD'})
    const kept = await signIn(desk, 'hazel', {anonymousCart: {typeId: 'cart', id: foreign.id}})
    expect(kept.body.cart.id).to.equal(replacing.id)
    desk.clock.now += 1000
    const joined = await visit()
    const fresh = await signUp(desk, {anonymousCart: {typeId: 'cart', id: joined.id}, anonymousId: joined.anonymousId})
    expect(fresh.body.cart).to.include({id: joined.id, customerId: fresh.body.customer.id})
  })
})
