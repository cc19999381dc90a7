import {expect} from 'chai'
import {keyed, pack} from '../../fixtures/pack.js'
import {acted, type Body, type Desk, errorOf, openDesk} from '../harness.js'
import {storedCart} from './harness.js'

const groupCalled = (key: string) => ({typeId: 'customer-group', id: keyed(pack.groups, key).id})
const setGroup = (key: string) => ({action: 'setCustomerGroup', customerGroup: groupCalled(key)})

describe('api · setCustomerGroup · carts', () => {
  let desk: Desk
  let hazel: Body
  beforeEach(async () => {
    desk = await openDesk({seed: true})
    hazel = (await desk.ask('GET', '/customers/key=hazel-brandvold')).body
  })

  it('recalculates the most recently modified active cart, and no other', async () => {
    const {status} = await acted(desk, hazel, setGroup('wholesale'))
    expect(status).to.equal(200)
    const cart = await storedCart(desk, 'hazel-current')
    expect(cart).to.deep.include({version: 8, customerGroup: groupCalled('wholesale')})
    expect(cart.lineItems.map(({price}: Body) => price.value.centAmount)).to.deep.equal([950, 690])
    expect(cart.totalPrice.centAmount).to.equal(7 * 950 + 2 * 690 + 1600 + 590)
    for (const key of ['hazel-older', 'hazel-by-phone', 'hazel-merged']) {
      expect(await storedCart(desk, key)).to.deep.equal(keyed(pack.carts, key))
    }
  })

  it('goes back to the prices for everybody without a group', async () => {
    await acted(desk, hazel, {action: 'setCustomerGroup'})
    const cart = await storedCart(desk, 'hazel-current')
    expect(cart).to.not.have.property('customerGroup')
    expect(cart.lineItems[0].price.value.centAmount).to.equal(1250)
  })

  it('recalculates once for the group that the last action leaves', async () => {
    await acted(desk, hazel, setGroup('wholesale'), {action: 'setCustomerGroup'}, setGroup('staff'))
    expect(await storedCart(desk, 'hazel-current')).to.deep.include({version: 8, customerGroup: groupCalled('staff')})
  })

  it('leaves the cart alone where the group stays or the actions concern something else', async () => {
    await acted(desk, hazel, setGroup('vip'), {action: 'setFirstName', firstName: 'H.'})
    expect(await storedCart(desk, 'hazel-current')).to.include({version: 7})
  })

  it('changes neither customer nor cart when a price or tax rate is missing', async () => {
    const none = {type: 'centPrecision', centAmount: 0, fractionDigits: 2}
    const cases: [object, string][] = [
      [{shippingAddress: {country: 'FR'}}, 'MissingTaxRateForCountry'],
      [{totalPrice: {...none, currencyCode: 'CHF'}}, 'MatchingPriceNotFound'],
    ]
    for (const [members, code] of cases) {
      const {version, ...cart} = await storedCart(desk, 'hazel-current')
      const doc = {...cart, ...members, version: version + 1}
      await desk.runtime.state.commit('demo', [{kind: 'cart', expect: version, doc}])
      const answer = await acted(desk, hazel, setGroup('wholesale'))
      expect([answer.status, errorOf(answer).code]).to.deep.equal([400, code])
      expect((await desk.ask('GET', `/customers/${hazel.id}`)).body).to.deep.equal(hazel)
      expect(await storedCart(desk, 'hazel-current')).to.deep.equal(doc)
      await desk.runtime.state.commit('demo', [
        {kind: 'cart', expect: doc.version, doc: {...cart, version: doc.version + 1}},
      ])
    }
  })

  it('takes a customer without carts', async () => {
    const {body: walkIn} = await desk.ask('GET', '/customers?where=email%3D%22walk.in%40example.com%22')
    const {status, body} = await acted(desk, walkIn.results[0], setGroup('vip'))
    expect([status, body.customerGroup]).to.deep.equal([200, groupCalled('vip')])
  })

  it('still answers 409 for a stale version of the customer', async () => {
    await acted(desk, hazel, setGroup('wholesale'))
    const answer = await acted(desk, hazel, setGroup('staff'))
    expect([answer.status, errorOf(answer).currentVersion]).to.deep.equal([409, hazel.version + 1])
  })
})
