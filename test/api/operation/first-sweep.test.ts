import {expect} from 'chai'
import {sweeps} from '../../../src/api/operation/stored-kinds.js'
import type {Project} from '../../../src/domain/project/project.js'
import {REALM, type Store} from '../../../src/store/store.js'
import {openShop, type Shop} from '../../security/shop/shop.js'

const dayMs = 86_400_000

describe('api · the first sweep of a state', () => {
  let shop: Shop
  beforeEach(async () => {
    shop = await openShop()
    const {state, sweeper} = shop.runtime
    await sweeper.idle()
    const last = await state.get(REALM, sweeps, 'last')
    if (last) await state.commit(REALM, [{kind: sweeps, expect: last.version, remove: 'last'}])
  })
  afterEach(() => shop.close())

  const messages = async (): Promise<number> => {
    const page = {limit: 0, offset: 0, count: {cap: 10_000}}
    return (await shop.runtime.state.query('shop', 'message', page)).total ?? 0
  }
  const sweepAfter = (days: number) => shop.runtime.sweeper.sweep(shop.clock.now + days * dayMs)

  /** The longest predicate that a sweep asks with, in characters of JSON. */
  async function longestAsked(sweep: () => Promise<void>): Promise<number> {
    const {state} = shop.runtime
    const {query} = state
    let longest = 0
    const counted: Store['query'] = (project, kind, page) => {
      longest = Math.max(longest, JSON.stringify(page.where ?? '', setsAsLists).length)
      return query.call(state, project, kind, page) as never
    }
    Object.assign(state, {query: counted})
    await sweep()
    Object.assign(state, {query})
    return longest
  }
  const setsAsLists = (_: string, value: unknown) => (value instanceof Set ? [...(value as Set<unknown>)] : value)

  it('asks a new one for no more than a few months', async () => {
    expect(await longestAsked(() => sweepAfter(0))).to.be.within(1_000, 5_000)
    expect(await messages()).to.be.above(3)
  })

  it('reaches the beginning of an old one', async () => {
    await sweepAfter(9 * 365)
    expect(await messages()).to.equal(0)
  })

  it('goes back ten years at the most, however old a pack calls its project', async () => {
    const {state} = shop.runtime
    const project = await state.get<Project>(REALM, 'project', 'shop')
    if (!project) throw new Error('there is no project')
    const doc = {...project, version: project.version + 1, createdAt: '0001-01-01T00:00:00.000Z'}
    await state.commit(REALM, [{kind: 'project', expect: project.version, doc}])
    expect(await longestAsked(() => sweepAfter(0))).to.be.within(10_000, 200_000)
  })
})
