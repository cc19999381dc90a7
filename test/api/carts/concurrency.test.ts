import {expect} from 'chai'
import {keyed, pack} from '../../fixtures/pack.js'
import {type Answer, type Body, type Desk, errorOf, openDesk} from '../harness.js'
import {cartCalled, cartId, goods, signIn, signUp, storedCart} from './harness.js'

const twenty = Array.from({length: 20}, (_, at) => at)
const hazelId = keyed(pack.customers, 'hazel-brandvold').id

const customLine = keyed(pack.carts, 'anonymous-breakfast').customLineItems[0]

const codes = (answers: readonly Answer[]) =>
  answers.filter(({status}) => status >= 400).map((answer) => errorOf(answer).code as string)
const succeeded = (answers: readonly Answer[]) => answers.filter(({status}) => status < 400)

describe('api · carts · at the same moment', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk({seed: true})
  })

  it('merges once when 20 sign-ins bring the same anonymous cart', async () => {
    const wish = {anonymousCart: cartCalled('anonymous-breakfast')}
    const answers = await Promise.all(twenty.map(() => signIn(desk, 'hazel', wish)))
    expect(succeeded(answers)).to.have.length(1)
    expect(new Set(codes(answers))).to.deep.equal(new Set(['InvalidOperation']))
    const cart = await storedCart(desk, 'hazel-current')
    expect(cart.version).to.equal(8)
    expect(goods(cart)).to.deep.equal(['mug/1×7', 'tea/1×2', 'lantern/2×1', 'engraving×2', 'gift-wrapping×1'])
  })

  it('loses no line when 20 sign-ins bring 20 carts', async () => {
    const template = await storedCart(desk, 'anonymous-plain')
    const carts = twenty.map((at) => ({
      ...template,
      id: `anonymous-${at}`,
      key: `anonymous-${at}`,
      anonymousId: `session-${at}`,
      lineItems: [{...template.lineItems[1], key: undefined, variant: {id: 1}, productId: `gone-${at}`}],
      customLineItems: [{...customLine, id: `custom-${at}`, slug: `service-${at}`}],
    }))
    await desk.runtime.state.commit(
      'demo',
      carts.map((doc) => ({kind: 'cart', expect: 0, doc})),
    )
    const answers = await Promise.all(carts.map(({id}) => signIn(desk, 'hazel', {anonymousCart: {typeId: 'cart', id}})))
    expect(codes(answers)).to.deep.equal([])
    const {customLineItems, version, totalPrice} = await storedCart(desk, 'hazel-current')
    expect(customLineItems.map(({slug}: Body) => slug)).to.have.members([
      'engraving',
      ...twenty.map((at) => `service-${at}`),
    ])
    expect([version, totalPrice.centAmount]).to.deep.equal([27, 11_307 + 20 * 350])
  })

  it('gives a cart to one of 20 customers who sign up with it', async () => {
    const before: number = (await desk.ask('GET', '/customers?limit=0')).body.total
    const wish = {anonymousCart: cartCalled('anonymous-plain')}
    const answers = await Promise.all(twenty.map(() => signUp(desk, wish)))
    const [winner, ...more] = succeeded(answers)
    expect(more).to.deep.equal([])
    expect(new Set(codes(answers))).to.deep.equal(new Set(['InvalidOperation']))
    expect(await storedCart(desk, 'anonymous-plain')).to.include({customerId: winner?.body.customer.id, version: 4})
    expect((await desk.ask('GET', '/customers?limit=0')).body.total).to.equal(before + 1)
  })

  it('takes the group that the customer has by the time that the cart is written', async () => {
    const customerGroup = {typeId: 'customer-group', id: keyed(pack.groups, 'wholesale').id}
    const {version} = keyed(pack.customers, 'hazel-brandvold')
    const actions = [{action: 'setCustomerGroup', customerGroup}]
    const {state} = desk.runtime
    const {query} = state
    let isFirst = true
    // The group changes after the password was verified and before the first look at a cart.
    state.query = async (project, kind, page) => {
      if (kind === 'cart' && isFirst) {
        isFirst = false
        expect((await desk.ask('POST', `/customers/${hazelId}`, {body: {version, actions}})).status).to.equal(200)
      }
      return query.call(state, project, kind, page) as never
    }
    const {body} = await signIn(desk, 'hazel', {anonymousCart: cartCalled('anonymous-breakfast')})
    expect(body.customer.customerGroup).to.deep.equal(customerGroup)
    expect(body.cart.customerGroup).to.deep.equal(customerGroup)
    expect(body.cart.lineItems[0].price.value.centAmount).to.equal(950)
  })

  it('recalculates again when a sign-in was faster than the change of a group', async () => {
    const customerGroup = {typeId: 'customer-group', id: keyed(pack.groups, 'wholesale').id}
    const {version} = keyed(pack.customers, 'hazel-brandvold')
    const actions = [{action: 'setCustomerGroup', customerGroup}]
    const {state} = desk.runtime
    const {commit} = state
    let isFirst = true
    state.commit = async (...given) => {
      if (isFirst) {
        isFirst = false
        await signIn(desk, 'hazel', {anonymousCart: cartCalled('anonymous-breakfast')})
      }
      await commit.apply(state, given)
    }
    const {status} = await desk.ask('POST', `/customers/${hazelId}`, {body: {version, actions}})
    expect(status).to.equal(200)
    const cart = await storedCart(desk, 'hazel-current')
    expect(goods(cart)).to.include('lantern/2×1')
    expect(cart).to.deep.include({version: 9, customerGroup})
    expect(cart.lineItems[0].price.value.centAmount).to.equal(950)
  })

  it('changes a group and signs in without a conflict that is not the caller’s', async () => {
    const wholesale = {typeId: 'customer-group', id: keyed(pack.groups, 'wholesale').id}
    const change = desk.ask('POST', `/customers/${hazelId}`, {
      body: {
        version: keyed(pack.customers, 'hazel-brandvold').version,
        actions: [{action: 'setCustomerGroup', customerGroup: wholesale}],
      },
    })
    const wishes = ['anonymous-breakfast', 'anonymous-plain', 'anonymous-key-clash']
    const answers = await Promise.all([
      change,
      ...wishes.map((key) => signIn(desk, 'hazel', {anonymousCart: cartCalled(key)})),
    ])
    expect(codes(answers)).to.deep.equal([])
    const {body} = await signIn(desk, 'hazel')
    expect(body.cart.id).to.equal(cartId('hazel-current'))
    expect(body.cart.customerGroup).to.deep.equal(body.customer.customerGroup)
    expect(body.cart.lineItems[0].price.value.centAmount).to.equal(950)
  })
})
