import {expect} from 'chai'
import {openShop, type Shop} from '../../security/shop/shop.js'

const dayMs = 86_400_000

describe('api · messages by their moment', () => {
  let shop: Shop
  let token: string
  /** Documents of other days, which nobody has to read. */
  let read: string[]

  before(async () => {
    shop = await openShop()
    const {state} = shop.runtime
    const start = shop.clock.now
    const docs = Array.from({length: 20}, (_, day) =>
      Array.from({length: 3}, (_, at) => ({
        id: `m-${day}-${at}`,
        version: 1,
        type: at === 0 ? 'Rare' : 'Usual',
        createdAt: new Date(start - day * dayMs - at * 1000).toISOString(),
      })),
    ).flat()
    const {results} = await state.query('shop', 'message', {limit: 500, offset: 0})
    await state.commit('shop', [
      ...results.map(({id, version}) => ({kind: 'message', expect: version, remove: id})),
      ...docs.map((doc) => ({kind: 'message', expect: 0, doc})),
    ])
    token = await shop.token('ADM')
    const {texts} = state
    if (!texts) throw new Error('the store keeps no texts')
    const {query} = texts
    Object.assign(texts, {
      query: async (...asked: Parameters<typeof query>) => {
        const found = await query.apply(texts, asked)
        if (asked[1] === 'message') read.push(...found.results.map(({text}) => JSON.parse(text).id))
        return found
      },
    })
  })
  beforeEach(() => {
    read = []
  })
  after(() => shop.close())

  const ids = async (parameters: Record<string, string>) => {
    const {status, body} = await shop.api('GET', `/shop/messages?${new URLSearchParams(parameters)}`, token)
    expect(status).to.equal(200)
    return {ids: body.results.map(({id}: {id: string}) => id), total: body.total}
  }

  it('lists the newest first, and reads no day before the page is full', async () => {
    const found = await ids({sort: 'createdAt desc', limit: '4'})
    expect(found).to.deep.equal({ids: ['m-0-0', 'm-0-1', 'm-0-2', 'm-1-0'], total: 45})
    expect(read).to.deep.equal(found.ids)
  })

  it('counts and lists what is kept, by predicates too', async () => {
    const all = await ids({sort: 'createdAt desc', limit: '500'})
    expect([all.ids.length, all.total, all.ids.at(-1)]).to.deep.equal([45, 45, 'm-14-2'])
    const rare = await ids({sort: 'createdAt desc', where: 'type = "Rare"', limit: '2'})
    expect(rare).to.deep.equal({ids: ['m-0-0', 'm-1-0'], total: 15})
    expect((await ids({sort: 'createdAt desc', offset: '44'})).ids).to.deep.equal(['m-14-2'])
    expect(await ids({sort: 'createdAt desc', limit: '0'})).to.deep.equal({ids: [], total: 45})
  })

  it('begins at the moment that a predicate names', async () => {
    const since = new Date(shop.clock.now - dayMs - 1000).toISOString()
    const asked = {where: 'createdAt >= :since and type = "Usual"', 'var.since': since, sort: 'createdAt asc'}
    expect((await ids({...asked, withTotal: 'false'})).ids).to.deep.equal(['m-1-1', 'm-0-2', 'm-0-1'])
  })

  it('shows no value of a token that has expired, among messages that are shown as they are stored', async () => {
    const message = (id: string, createdMs: number, expiresMs: number) => {
      const [createdAt, expiresAt] = [createdMs, expiresMs].map((ms) => new Date(shop.clock.now + ms).toISOString())
      return {kind: 'message', expect: 0, doc: {id, version: 1, type: 'Token', createdAt, expiresAt, value: `of ${id}`}}
    }
    await shop.runtime.state.commit('shop', [message('open', 1, 60_000), message('expired', 2, -1)])
    for (const asked of ['where=type%3D%22Token%22', 'sort=createdAt+desc&limit=2']) {
      const {body} = await shop.api('GET', `/shop/messages?${asked}`, token)
      const values = new Map(body.results.map(({id, value}: {id: string; value?: string}) => [id, value]))
      expect(Object.fromEntries(values), asked).to.deep.equal({expired: undefined, open: 'of open'})
    }
  })

  it('shows messages of a time that a clock was moved to, and back', async () => {
    const doc = {id: 'ahead', version: 1, type: 'Usual', createdAt: new Date(shop.clock.now + 90 * dayMs).toISOString()}
    await shop.runtime.state.commit('shop', [{kind: 'message', expect: 0, doc}])
    expect((await ids({sort: 'createdAt desc', limit: '1'})).ids).to.deep.equal(['ahead'])
  })
})
