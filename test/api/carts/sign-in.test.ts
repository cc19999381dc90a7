import {expect} from 'chai'
import {keyed, pack} from '../../fixtures/pack.js'
import {type Body, type Desk, errorOf, openDesk} from '../harness.js'
import {cartCalled, cartId, goods, seededCart, signIn, storedCart} from './harness.js'

const mode = (anonymousCartSignInMode: string) => ({anonymousCartSignInMode})
const hazelId = keyed(pack.customers, 'hazel-brandvold').id
const now = '2026-11-20T10:00:00.000Z'

describe('api · sign-in · carts', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk({seed: true})
  })

  it('has no member for the cart where there is none', async () => {
    const {status, body} = await signIn(desk, 'walk-in')
    expect(status).to.equal(200)
    expect(body).to.have.all.keys('customer')
  })

  it('gives the latest active cart that the shopper filled, and writes nothing if it is current', async () => {
    const {status, body} = await signIn(desk, 'hazel')
    expect(status).to.equal(200)
    expect(body.cart).to.deep.equal(await storedCart(desk, 'hazel-current'))
    expect(body.cart).to.include({key: 'hazel-current', version: 7, lastModifiedAt: '2026-11-10T19:45:00.000Z'})
  })

  it('counts a cart that does not say when it was modified as older than all that do', async () => {
    await seededCart(desk, 'hazel-older', {id: 'undated', key: 'undated', lastModifiedAt: undefined})
    expect((await signIn(desk, 'hazel')).body.cart.key).to.equal('hazel-current')
  })

  it('merges the anonymous cart into the active one by default, in one step', async () => {
    const {status, body} = await signIn(desk, 'hazel', {anonymousCart: cartCalled('anonymous-breakfast')})
    expect(status).to.equal(200)
    expect(body.cart).to.include({id: cartId('hazel-current'), version: 8, lastModifiedAt: now})
    expect(goods(body.cart)).to.deep.equal(['mug/1×7', 'tea/1×2', 'lantern/2×1', 'engraving×2', 'gift-wrapping×1'])
    expect(body.cart.lineItems[0].custom.fields.card).to.equal('Kept when merged')
    expect(body.cart.totalPrice.centAmount).to.equal(7 * 1125 + 2 * 621 + 4500 + 1600 + 350 + 590)
    expect(body.cart.taxedPrice.totalGross).to.deep.equal(body.cart.totalPrice)
    expect(await storedCart(desk, 'hazel-current')).to.deep.equal(body.cart)
    const past = await storedCart(desk, 'anonymous-breakfast')
    expect(past).to.include({cartState: 'Merged', version: 4, customerId: hazelId, customerEmail: body.customer.email})
    expect(past).to.not.have.property('anonymousId')
    expect((await signIn(desk, 'hazel')).body.cart).to.deep.equal(body.cart)
  })

  it('writes who signed in by which client on both carts', async () => {
    await signIn(desk, 'hazel', {anonymousCart: cartCalled('anonymous-breakfast')})
    for (const key of ['hazel-current', 'anonymous-breakfast']) {
      const {lastModifiedBy} = await storedCart(desk, key)
      expect(lastModifiedBy).to.deep.equal({clientId: 'test-client', isPlatformClient: false})
    }
  })

  it('leaves a line behind whose key stands for something else', async () => {
    const {body} = await signIn(desk, 'hazel', {anonymousCart: cartCalled('anonymous-key-clash')})
    expect(goods(body.cart)).to.deep.equal(['mug/1×7', 'tea/1×5', 'engraving×2'])
    expect(goods(await storedCart(desk, 'anonymous-key-clash'))).to.deep.equal(['chair/1×1', 'tea/1×5'])
  })

  it('takes the anonymous cart in place of the active one when asked', async () => {
    const {body} = await signIn(desk, 'hazel', {
      anonymousCart: cartCalled('anonymous-breakfast'),
      ...mode('UseAsNewActiveCustomerCart'),
    })
    expect(body.cart).to.include({id: cartId('anonymous-breakfast'), customerId: hazelId, lastModifiedAt: now})
    expect(body.cart).to.not.have.property('anonymousId')
    expect(body.cart.customerGroup).to.deep.equal(body.customer.customerGroup)
    expect(body.cart.lineItems[0].price.value.centAmount).to.equal(1125)
    expect(goods(body.cart)).to.deep.equal(['mug/1×3', 'lantern/2×1', 'gift-wrapping×1'])
    expect(await storedCart(desk, 'hazel-current')).to.include({cartState: 'Active', version: 7})
    desk.clock.now += 1000
    expect((await signIn(desk, 'hazel')).body.cart.id).to.equal(cartId('anonymous-breakfast'))
  })

  it('takes the anonymous cart where the customer has none, and prices it for everybody', async () => {
    const {body} = await signIn(desk, 'walk-in', {anonymousCart: cartCalled('anonymous-stale')})
    expect(body.cart).to.include({id: cartId('anonymous-stale'), customerId: body.customer.id})
    expect(body.cart).to.not.have.property('customerGroup')
    expect(body.cart.lineItems[0].price.value.centAmount).to.equal(1250)
    expect(body.cart.lineItems[0].name.en).to.equal('Kestrel cup (old name)')
  })

  it('updates product data when asked', async () => {
    const {body} = await signIn(desk, 'walk-in', {
      anonymousCart: cartCalled('anonymous-stale'),
      updateProductData: true,
    })
    expect(body.cart.lineItems[0].name.en).to.equal('Kestrel mug')
    expect(body.cart.lineItems[0].variant.sku).to.equal('MUG-BLUE')
  })

  it('drops lines of products that are gone, and an empty cart stays empty', async () => {
    const gone = await signIn(desk, 'walk-in', {anonymousCart: cartCalled('anonymous-gone')})
    expect(goods(gone.body.cart)).to.deep.equal(['lantern/1×1'])
    const empty = await signIn(desk, 'noor', {anonymousCart: {id: cartId('anonymous-empty')}}, '/in-store/key=berlin')
    expect(empty.body.cart).to.deep.include({id: cartId('anonymous-empty'), lineItems: []})
  })

  it('drops the last line of a cart, since the project has other products', async () => {
    const {lineItems} = keyed(pack.carts, 'anonymous-plain')
    const lines = lineItems.map((line) => ({...line, productId: 'gone'}))
    await seededCart(desk, 'anonymous-plain', {lineItems: lines})
    const {body} = await signIn(desk, 'walk-in', {anonymousCart: {key: 'another-anonymous-plain'}})
    expect(body.cart).to.deep.include({lineItems: [], totalPrice: {...lines[0]?.totalPrice, centAmount: 0}})
  })

  it('finds the cart by key, and by the deprecated anonymousCartId, with a notice', async () => {
    const byKey = await signIn(desk, 'walk-in', {anonymousCart: {key: 'anonymous-plain'}})
    expect(byKey.body.cart.id).to.equal(cartId('anonymous-plain'))
    expect(byKey.headers).to.not.have.property('x-deprecation-notice')
    const old = await signIn(desk, 'hazel', {anonymousCartId: cartId('anonymous-breakfast')})
    expect(old.body.cart.lineItems).to.have.length(3)
    expect(old.headers['x-deprecation-notice']).to.contain('anonymousCart')
  })

  describe('carts that may not be merged', () => {
    const reasons = [
      'anonymous-dollar',
      'anonymous-berlin',
      'anonymous-inactive-shipping',
      'anonymous-shipping-without-store',
      'anonymous-shipping-of-other-store',
    ]
    for (const key of reasons) {
      it(`leaves ${key} as it is and gives the active cart`, async () => {
        const before = await storedCart(desk, key)
        const {status, body} = await signIn(desk, 'hazel', {anonymousCart: cartCalled(key)})
        expect(status).to.equal(200)
        expect(body.cart).to.include({id: cartId('hazel-current'), version: 7})
        expect(await storedCart(desk, key)).to.deep.equal(before)
      })
    }

    it('leaves a cart alone whose method is bound to another store, with a cart of the same store', async () => {
      const wish = {anonymousCart: cartCalled('anonymous-shipping-of-other-store')}
      const {body} = await signIn(desk, 'mira', wish, '/in-store/key=berlin')
      expect(body.cart).to.include({id: cartId('mira-berlin'), version: 3})
      const fitting = {anonymousCart: cartCalled('anonymous-berlin')}
      const merged = await signIn(desk, 'mira', fitting, '/in-store/key=berlin')
      expect(goods(merged.body.cart)).to.deep.equal(['mug/1×1', 'lantern/1×1'])
    })
  })

  describe('anonymousId', () => {
    it('assigns all carts of the session, merges none, and gives the latest from now on', async () => {
      const {body} = await signIn(desk, 'hazel', {anonymousId: 'demo-anon-two'})
      expect(body.cart).to.include({id: cartId('anonymous-two-second'), customerId: hazelId})
      expect(goods(body.cart)).to.deep.equal(['atlas/1×1'])
      const other = await storedCart(desk, 'anonymous-two-first')
      expect(other).to.include({customerId: hazelId, cartState: 'Active', version: 4})
      expect(await storedCart(desk, 'hazel-current')).to.include({version: 7})
      expect((await signIn(desk, 'hazel')).body.cart.id).to.equal(cartId('anonymous-two-second'))
    })

    it('may name the session of the cart that is merged; its other carts are assigned', async () => {
      const {body} = await signIn(desk, 'hazel', {
        anonymousCart: cartCalled('anonymous-two-first'),
        anonymousId: 'demo-anon-two',
      })
      expect(body.cart.id).to.equal(cartId('hazel-current'))
      expect(await storedCart(desk, 'anonymous-two-first')).to.include({cartState: 'Merged'})
      expect(await storedCart(desk, 'anonymous-two-second')).to.include({cartState: 'Active', customerId: hazelId})
      expect((await signIn(desk, 'hazel')).body.cart.id).to.equal(cartId('hazel-current'))
    })

    it('reaches carts in every state, but none of a customer', async () => {
      const owner = keyed(pack.customers, 'mira-berlin').id
      await seededCart(desk, 'anonymous-two-first', {cartState: 'Ordered'})
      await seededCart(desk, 'anonymous-two-second', {customerId: owner})
      await signIn(desk, 'hazel', {anonymousId: 'demo-anon-two'})
      const read = async (key: string): Promise<Body> => (await desk.ask('GET', `/carts/key=${key}`)).body
      expect(await read('another-anonymous-two-first')).to.include({customerId: hazelId, cartState: 'Ordered'})
      expect(await read('another-anonymous-two-second')).to.include({customerId: owner, version: 3})
    })

    it('of nobody changes nothing', async () => {
      const {status, body} = await signIn(desk, 'hazel', {anonymousId: '__proto__'})
      expect(status).to.equal(200)
      expect(body.cart).to.include({id: cartId('hazel-current'), version: 7})
    })
  })

  it('keeps the key of a cart that changed', async () => {
    await signIn(desk, 'hazel', {anonymousCart: cartCalled('anonymous-breakfast')})
    for (const key of ['hazel-current', 'anonymous-breakfast']) {
      const {status, body}: {status: number; body: Body} = await desk.ask('GET', `/carts/key=${key}`)
      expect([status, body.id]).to.deep.equal([200, cartId(key)])
    }
  })

  it('finds a cart in a project that was seeded with little more', async () => {
    const bare = await openDesk()
    const money = {currencyCode: 'EUR', centAmount: 300}
    const line = {
      id: 'l',
      productId: 'p',
      variant: {id: 1},
      quantity: 3,
      price: {value: {...money, centAmount: 100}},
      totalPrice: money,
    }
    const doc = {id: 'plain', version: 1, anonymousId: 's', totalPrice: money, lineItems: [line]}
    const broken = {id: 'broken', version: 1, lineItems: 'none'}
    await bare.runtime.state.commit(
      'shop',
      [doc, broken].map((cart) => ({kind: 'cart', expect: 0, doc: cart})),
    )
    const {body} = await bare.ask('POST', '/customers', {body: {email: 'a@example.com', password: 'long enough'}})
    const login = {email: 'a@example.com', password: 'long enough'}
    const refused = await bare.ask('POST', '/login', {body: {...login, anonymousCart: {id: 'broken'}}})
    expect([refused.status, errorOf(refused).code]).to.deep.equal([400, 'InvalidOperation'])
    const anonymousCart = {id: 'plain'}
    const taken = await bare.ask('POST', '/login', {body: {...login, anonymousCart}, incomplete: true})
    expect(taken.body.cart).to.deep.include({customerId: body.customer.id, totalLineItemQuantity: 3, version: 2})
  })
})
