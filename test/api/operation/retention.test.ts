import {expect} from 'chai'
import {failedSignIns} from '../../../src/api/operation/sign-in-lockout.js'
import {storedKinds} from '../../../src/api/operation/stored-kinds.js'
import {type SweeperOptions, sweeperOf} from '../../../src/api/operation/sweeper.js'
import {seedFolder} from '../../../src/files/shipped.js'
import {facets} from '../../../src/server/local/facets.js'
import {seedFromFolder} from '../../../src/server/local/seed.js'
import {REALM} from '../../../src/store/store.js'
import {openShop, type Shop} from '../../security/shop/shop.js'

const dayMs = 86_400_000

describe('api · retention', () => {
  let shop: Shop
  beforeEach(async () => {
    shop = await openShop()
  })
  afterEach(() => shop.close())

  const count = async (kind: string, project = REALM): Promise<number> => {
    const page = {limit: 0, offset: 0, count: {cap: 10_000}}
    return (await shop.runtime.state.query(project, kind, page)).total ?? 0
  }
  const known = async (token: string): Promise<boolean> => {
    const kind = token.includes(':') ? 'refresh-token' : 'token'
    return (await shop.runtime.state.get(REALM, kind, shop.runtime.secrets.digest(token))) !== undefined
  }
  const pass = async (days: number): Promise<void> => {
    shop.clock.now += days * dayMs
    await shop.runtime.sweeper.sweep(shop.clock.now)
  }

  it('has a row for every kind that the state holds, and an index for every term', async () => {
    await shop.anonymous()
    await shop.post('/oauth/shop/customers/token', {grant_type: 'password', username: 'g@example.com', password: 'x'})
    await shop.api('POST', '/shop/customers/password-token', await shop.token('ADM'), {email: 'g@example.com'})
    await shop.runtime.sweeper.sweep(shop.clock.now)
    await seedFromFolder(shop.runtime, 'demo', seedFolder('demo'))
    const kinds = new Map(storedKinds.map((row) => [row.kind, row]))
    for (const space of [REALM, 'shop', 'demo']) {
      for await (const {kind} of shop.runtime.state.documents(space)) {
        expect(kinds.get(kind)?.within, kind).to.equal(space === REALM ? 'realm' : 'project')
      }
    }
    expect(kinds.size).to.equal(storedKinds.length)
    for (const {kind, retention} of storedKinds) {
      if (retention) expect(facets[kind], kind).to.have.property(retention.facet)
    }
  })

  it('removes access tokens a month after their end', async () => {
    const tokens = await Promise.all(Array.from({length: 30}, () => shop.token('RO')))
    await pass(32)
    expect(await known(tokens[0] ?? '')).to.equal(true)
    await pass(2)
    expect(await Promise.all(tokens.map(known))).to.deep.equal(tokens.map(() => false))
  })

  it('removes idle refresh tokens a month after their end, and frees the visit', async () => {
    const {refresh_token} = await shop.anonymous('ANON', 'visitor')
    await pass(229)
    expect(await known(refresh_token)).to.equal(true)
    await pass(3)
    expect(await known(refresh_token)).to.equal(false)
    expect(await count('anonymous-session')).to.equal(0)
    await shop.anonymous('ANON', 'visitor')
  })

  it('keeps what is revoked until its end, so that it stays dead', async () => {
    const {access_token, refresh_token} = await shop.anonymous('ANON')
    await shop.post('/oauth/token/revoke', {token: refresh_token}, 'ANON')
    await pass(1)
    expect(await known(refresh_token)).to.equal(true)
    expect(await shop.isActive(access_token)).to.equal(false)
  })

  it('calls an access token inactive whose refresh token is gone', async () => {
    const {access_token, refresh_token} = await shop.anonymous('ANON')
    const {state, secrets} = shop.runtime
    await state.commit(REALM, [{kind: 'refresh-token', expect: 1, remove: secrets.digest(refresh_token)}])
    expect(await shop.isActive(access_token)).to.equal(false)
  })

  it('keeps messages for as many days as their project says', async () => {
    const before = await count('message', 'shop')
    expect(before).to.be.above(3)
    await pass(15)
    expect(await count('message', 'shop')).to.equal(before)
    await pass(1)
    expect(await count('message', 'shop')).to.equal(0)
  })

  it('follows a project that shortens its days, and one that lengthens them', async () => {
    const days = async (deleteDaysAfterCreation: number) => {
      const project = await shop.api('GET', '/shop', await shop.token('ADM'))
      const messagesConfiguration = {enabled: true, deleteDaysAfterCreation}
      const actions = [{action: 'changeMessagesConfiguration', messagesConfiguration}]
      await shop.api('POST', '/shop', await shop.token('ADM'), {version: project.body.version, actions})
    }
    await days(90)
    await pass(80)
    const kept = await count('message', 'shop')
    expect(kept).to.be.above(3)
    await days(1)
    await pass(0)
    expect(await count('message', 'shop')).to.equal(0)
  })

  it('finds what ended years before anybody came back', async () => {
    await pass(0)
    await shop.token('RO')
    await pass(9 * 365)
    expect(await Promise.all([count('message', 'shop'), count('token'), count('refresh-token')])).to.deep.equal([
      0, 0, 0,
    ])
  })

  it('removes one-time tokens, failed sign-ins and API clients that have ended', async () => {
    const admin = await shop.token('ADM', 'manage_project:shop manage_api_clients:shop')
    await shop.api('POST', '/shop/customers/password-token', admin, {email: 'g@example.com', ttlMinutes: 30})
    const draft = {name: 'brief', scope: 'view_customers:shop', deleteDaysAfterCreation: 10}
    const {body} = await shop.api('POST', '/shop/api-clients', admin, draft)
    const client = () => shop.runtime.state.get(REALM, 'api-client', body.id)
    await shop.post('/oauth/shop/customers/token', {grant_type: 'password', username: 'g@example.com', password: 'x'})
    expect(await Promise.all([count('one-time-token', 'shop'), count(failedSignIns)])).to.deep.equal([1, 1])
    await pass(10)
    expect([await client(), await count(failedSignIns)].map(Boolean)).to.deep.equal([true, false])
    await pass(1)
    expect([await client(), await count('one-time-token', 'shop')]).to.deep.equal([undefined, 1])
    await pass(21)
    expect(await count('one-time-token', 'shop')).to.equal(0)
  })

  it('removes carts as many days after their last change as they say, unless they became an order', async () => {
    const admin = await shop.token('ADM')
    const make = async (members: object) =>
      (await shop.api('POST', '/shop/carts', admin, {currency: 'EUR', ...members})).body
    const brief = await make({deleteDaysAfterLastModification: 5, key: 'brief'})
    const long = await make({key: 'long'})
    const ordered = await make({deleteDaysAfterLastModification: 5, key: 'ordered'})
    const change = {kind: 'cart', expect: 1, doc: {...ordered, version: 2, cartState: 'Ordered'}}
    await shop.runtime.state.commit('shop', [change])
    await pass(6)
    const left = await Promise.all([brief, long, ordered].map(({id}) => shop.runtime.state.get('shop', 'cart', id)))
    expect(left.map(Boolean)).to.deep.equal([false, true, true])
    expect(await shop.runtime.state.find('shop', 'cart', 'key:brief')).to.equal(undefined)
  })

  it('works off any number in slices', async () => {
    for (let at = 0; at < 6; at += 1) await Promise.all(Array.from({length: 100}, () => shop.token('RO')))
    await pass(60)
    expect(await count('token')).to.equal(0)
  })

  it('goes on at the next sweep with what was used meanwhile', async () => {
    const {state} = shop.runtime
    const doc = {id: 'old', version: 1, expiresAt: shop.clock.now}
    await state.commit(REALM, [
      {kind: 'token', expect: 0, doc},
      {kind: 'token', expect: 0, doc: {...doc, id: 'older'}},
    ])
    const {query} = state
    Object.assign(state, {
      query: async (...asked: Parameters<typeof query>) => {
        const found = await query.apply(state, asked)
        if (asked[1] === 'token' && asked[2].limit > 0) {
          Object.assign(state, {query})
          const used = {...doc, version: 2, expiresAt: shop.clock.now + 60 * dayMs}
          await state.commit(REALM, [{kind: 'token', expect: 1, doc: used}])
        }
        return found
      },
    })
    await pass(40)
    expect((await state.get(REALM, 'token', 'old'))?.version).to.equal(2)
    expect(await state.get(REALM, 'token', 'older')).to.equal(undefined)
  })

  const sweeperWith = (options: Partial<SweeperOptions>) =>
    sweeperOf({...shop.runtime, sweepsInBackground: true, ...options})

  it('warns of a sweep that fails, and tries again an hour later', async () => {
    const warnings: string[] = []
    const {state} = shop.runtime
    let isBroken = true
    const broken: Pick<typeof state, 'get' | 'query' | 'commit'> = {
      get: (...asked) => state.get(...asked),
      query: (...asked) => state.query(...asked),
      commit: async (...given) => {
        if (isBroken) throw new Error('the disk is full')
        await state.commit(...given)
      },
    }
    const sweeper = sweeperWith({state: broken as typeof state, onWarning: (message) => warnings.push(message)})
    const now = shop.clock.now + 40 * dayMs
    sweeper.due(now)
    sweeper.due(now)
    await sweeper.idle()
    expect(warnings).to.have.length(1)
    expect(warnings[0]).to.include('the disk is full')
    isBroken = false
    sweeper.due(now + 3_599_999)
    await sweeper.idle()
    expect(await count('message', 'shop')).to.be.above(3)
    sweeper.due(now + 3_600_000)
    await sweeper.idle()
    expect(await count('message', 'shop')).to.equal(0)
  })

  it('fails no request of a token with an eviction that fails', async () => {
    const warnings: string[] = []
    const sweeper = sweeperWith({
      settings: {...shop.runtime.settings, maxRefreshTokens: 1},
      state: {...shop.runtime.state, query: () => Promise.reject(new Error('no'))},
      onWarning: (message) => warnings.push(message),
    })
    await sweeper.refreshTokenAdded(shop.clock.now)
    expect(warnings).to.have.length(1)
  })

  it('sweeps once a day at the end of commands', async () => {
    const sweeper = sweeperWith({})
    await sweeper.sweepBriefly(shop.clock.now)
    shop.clock.now += 16 * dayMs
    await sweeper.sweepBriefly(shop.clock.now)
    expect(await count('message', 'shop')).to.equal(0)
    const doc = {id: 'late', version: 1, createdAt: '2026-11-01T00:00:00.000Z'}
    await shop.runtime.state.commit('shop', [{kind: 'message', expect: 0, doc}])
    await sweeper.sweepBriefly(shop.clock.now)
    expect(await count('message', 'shop')).to.equal(1)
  })

  it('begins no sweep once it has stopped', async () => {
    const sweeper = sweeperWith({})
    await sweeper.idle('stop')
    sweeper.due(shop.clock.now + 40 * dayMs)
    await sweeper.idle()
    expect(await count('message', 'shop')).to.be.above(3)
  })
})
