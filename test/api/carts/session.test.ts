import {expect} from 'chai'
import {signIn} from '../../../src/api/accounts/sign-in.js'
import {Budget} from '../../../src/api/operation/budget.js'
import type {Context} from '../../../src/api/operation/context.js'
import type {Project} from '../../../src/domain/project/project.js'
import {REALM} from '../../../src/store/store.js'
import {type Desk, openDesk} from '../harness.js'
import {cartId, goods, storedCart} from './harness.js'

const hazel = {email: 'hazel.brandvold@example.com', password: 'demo-only-hazel'}

describe('api · sign-in · the latest cart of a session', () => {
  let desk: Desk
  let context: Context
  beforeEach(async () => {
    desk = await openDesk({seed: true})
    const project = (await desk.runtime.state.get<Project>(REALM, 'project', 'demo')) as Project
    const principal = {kind: 'nobody'} as const
    context = {
      runtime: desk.runtime,
      project,
      principal,
      correlationId: 'a',
      now: desk.clock.now,
      budget: new Budget(),
    }
  })

  it('is the anonymous cart, and the others are assigned', async () => {
    const {cart} = await signIn(context, {...hazel, anonymousId: 'demo-anon-two', latestOfSession: true})
    expect(goods(cart)).to.deep.equal(['mug/1×7', 'tea/1×2', 'atlas/1×1', 'engraving×2'])
    expect(await storedCart(desk, 'anonymous-two-second')).to.include({cartState: 'Merged'})
    expect(await storedCart(desk, 'anonymous-two-first')).to.include({cartState: 'Active'})
  })

  it('may take the place of the active one', async () => {
    const wish = {
      anonymousId: 'demo-anon-two',
      latestOfSession: true,
      anonymousCartSignInMode: 'UseAsNewActiveCustomerCart',
    } as const
    const {cart} = await signIn(context, {...hazel, ...wish})
    expect(cart).to.include({id: cartId('anonymous-two-second')})
  })

  it('is none for a session without carts, and none that was merged a moment ago', async () => {
    const wish = {anonymousId: 'demo-anon-breakfast', latestOfSession: true} as const
    const results = await Promise.all(Array.from({length: 5}, () => signIn(context, {...hazel, ...wish})))
    expect(results.map(({cart}) => (cart as {version?: number}).version)).to.deep.equal([8, 8, 8, 8, 8])
    const nobody = await signIn(context, {...hazel, anonymousId: 'nobody', latestOfSession: true})
    expect(nobody.cart).to.include({id: cartId('hazel-current')})
  })
})
