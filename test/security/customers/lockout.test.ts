import type {AddressInfo} from 'node:net'
import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import {failedSignIns, signInLockoutOf} from '../../../src/api/operation/sign-in-lockout.js'
import {httpFront} from '../../../src/server/http/listeners.js'
import {REALM} from '../../../src/store/store.js'
import {openShop, type Shop} from '../shop/shop.js'
import {send} from '../shop/wire.js'

/** An account is locked once, wherever and however its password is guessed (decision 28). */

const minute = 60_000

describe('security · lockout', () => {
  let shop: Shop
  let admin: string
  let counter = 0
  before(async () => {
    shop = await openShop()
    admin = await shop.token('ADM')
  })
  after(() => shop.close())
  beforeEach(() => {
    shop.clock.now += 16 * minute
  })

  const right = 'right horse'
  async function customer(...stores: string[]): Promise<{email: string; id: string; version: number}> {
    counter += 1
    const email = `locked-${counter}@example.com`
    const members = {email, password: right, stores: stores.map((key) => ({typeId: 'store', key}))}
    return (await shop.api('POST', '/shop/customers', admin, members)).body.customer
  }

  const nobody = (): string => {
    counter += 1
    return `nobody-${counter}@example.com`
  }

  type Way = (email: string, password: string) => Promise<number>
  const login =
    (store?: string): Way =>
    async (email, password) =>
      (await shop.api('POST', `/shop${store ? `/in-store/key=${store}` : ''}/login`, admin, {email, password})).status
  const flow =
    (store?: string): Way =>
    async (username, password) => {
      const path = `/oauth/shop${store ? `/in-store/key=${store}` : ''}/customers/token`
      return (await shop.post(path, {grant_type: 'password', username, password})).status
    }
  const mine =
    (store?: string): Way =>
    async (email, password) => {
      const {access_token} = await shop.anonymous('ADM')
      const path = `/shop${store ? `/in-store/key=${store}` : ''}/me/login`
      return (await shop.api('POST', path, access_token, {email, password})).status
    }
  const places = [undefined, 'S1', 'S2', 'S10']
  const ways = places.flatMap((place) => [login(place), flow(place), mine(place)])

  for (const [what, emailOf] of [
    ['a global account', async () => (await customer()).email],
    ['an email that nobody has', async () => nobody()],
  ] as const) {
    it(`counts ${what} once over all stores and all ways to sign in`, async () => {
      const email = await emailOf()
      const statuses: number[] = []
      for (let attempt = 0; attempt < 2; attempt += 1) {
        for (const way of ways) statuses.push(await way(email, 'wrong'))
      }
      expect(statuses.slice(0, 10).every((status) => status === 400)).to.equal(true)
      expect(statuses.slice(10).every((status) => status === 429)).to.equal(true)
      const before = shop.verified.count
      for (const way of ways) expect(await way(email, right)).to.equal(429)
      expect(shop.verified.count).to.equal(before)
      shop.clock.now += 15 * minute + 1
      expect(await ways[4]?.(email, 'wrong')).to.equal(400)
    })
  }

  it('counts guesses of the current password with those of a sign-in', async () => {
    const {email, id, version} = await customer()
    const {access_token} = (await shop.session(email, right)) as {access_token: string}
    const change = async (path: string, token: string, body: object) =>
      (await shop.api('POST', path, token, {...body, version, newPassword: 'new horse'})).body
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const one = await change('/shop/customers/password', admin, {id, currentPassword: 'wrong'})
      expect(one.errors[0].code).to.equal('InvalidCurrentPassword')
      const other = await change('/shop/me/password', access_token, {currentPassword: 'wrong'})
      expect(other.errors[0].code).to.equal('InvalidCurrentPassword')
    }
    for (let attempt = 0; attempt < 2; attempt += 1) expect(await flow('S2')(email, 'wrong')).to.equal(400)
    const hashed = shop.verified.count
    for (const currentPassword of [right, 'wrong']) {
      expect((await change('/shop/customers/password', admin, {id, currentPassword})).statusCode).to.equal(429)
      expect((await change('/shop/me/password', access_token, {currentPassword})).statusCode).to.equal(429)
    }
    expect(await login()(email, right)).to.equal(429)
    expect(shop.verified.count, 'a locked account costs no hash').to.equal(hashed)
  })

  it('does not tell by the lock whether a store has an account of the email', async () => {
    for (const [first, second] of [
      ['S2', 'S1'],
      ['S1', 'S2'],
      ['S1', undefined],
    ] as const) {
      const known = (await customer('S1')).email
      const unknown = nobody()
      const outcomes = []
      for (const email of [known, unknown]) {
        for (let attempt = 0; attempt < 10; attempt += 1) expect(await login(first)(email, 'wrong')).to.equal(400)
        outcomes.push(await login(second)(email, 'wrong'))
      }
      expect(outcomes).to.deep.equal([429, 429])
    }
  })

  it('lets one account of an email neither lock nor unlock another', async () => {
    counter += 1
    const email = `shared-${counter}@example.com`
    for (const key of ['S1', 'S2']) {
      const stores = [{typeId: 'store', key}]
      await shop.api('POST', '/shop/customers', admin, {email, password: `right ${key}`, stores})
    }
    for (let attempt = 0; attempt < 9; attempt += 1) expect(await login('S1')(email, 'wrong')).to.equal(400)
    expect(await login('S2')(email, 'right S2')).to.equal(200)
    expect(await login('S1')(email, 'wrong')).to.equal(400)
    expect(await login('S1')(email, 'right S1')).to.equal(429)
    expect(await login('S2')(email, 'right S2')).to.equal(200)
  })

  it('counts for each project alone', async () => {
    const {runtime} = shop
    const lockout = signInLockoutOf(true, runtime)
    const target = (projectKey: string) => ({projectKey, email: nobodys, account: undefined})
    const nobodys = nobody()
    const {now} = shop.clock
    const ended = (projectKey: string) => lockout.check(target(projectKey), now).then(() => 'open', String)
    for (let attempt = 0; attempt < 10; attempt += 1) await lockout.failed(target('shop'), now)
    expect(await ended('shop')).to.contain('too many requests')
    expect(await ended('other')).to.equal('open')
  })

  it('counts over all servers that share a store', async () => {
    const {runtime} = shop
    const other = {...runtime, signInLockout: signInLockoutOf(true, runtime)}
    const front = httpFront({runtime: other, operations, allowedHosts: []})
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
    const {email} = await customer()
    const elsewhere = async (password: string) => {
      const headers = {authorization: `Bearer ${admin}`, 'content-type': 'application/json'}
      const body = JSON.stringify({email, password})
      return (await send(origin, {method: 'POST', path: '/shop/login', headers, body})).status
    }
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await login()(email, 'wrong')).to.equal(400)
      expect(await elsewhere('wrong')).to.equal(400)
    }
    expect([await login()(email, right), await elsewhere(right)]).to.deep.equal([429, 429])
    front.closeAllConnections()
    await new Promise<void>((resolve) => front.close(() => resolve()))
  })

  it('does the same reads and writes for known and unknown emails', async () => {
    const {state} = shop.runtime
    const seen: string[] = []
    const {get, commit} = state
    Object.assign(state, {
      get: (project: string, kind: string, id: string) => {
        seen.push(`get ${kind}`)
        return get.call(state, project, kind, id)
      },
      commit: (project: string, changes: readonly {kind: string}[], complete: never) => {
        seen.push(`commit ${changes.map(({kind}) => kind).join()}`)
        return commit.call(state, project, changes as never, complete)
      },
    })
    const traces = []
    for (const email of [(await customer()).email, 'never-seen@example.com']) {
      seen.length = 0
      await flow()(email, 'wrong')
      traces.push([...seen])
    }
    Object.assign(state, {get, commit})
    expect(traces[0]).to.deep.equal(traces[1])
    expect(traces[0]?.at(-1)).to.equal(`commit ${failedSignIns}`)
  })

  it('keeps records while they count, removes them afterwards, and keeps no email in them', async () => {
    const {state} = shop.runtime
    const count = async () =>
      (await state.query(REALM, failedSignIns, {limit: 0, offset: 0, count: {cap: 1000}})).total ?? 0
    for (let at = 0; at < 20; at += 1) await flow()(`sweep-${at}@example.com`, 'wrong')
    expect(await count()).to.be.at.least(20)
    const {results} = await state.query(REALM, failedSignIns, {limit: 1, offset: 0})
    expect(JSON.stringify(results)).to.not.include('example.com')
    shop.clock.now += 3 * 60 * minute
    await flow()('last@example.com', 'wrong')
    await shop.runtime.sweeper.sweep(shop.clock.now)
    expect(await count()).to.equal(1)
  })

  it('tells not even a right guess that ran beside those that filled the count', async () => {
    const {email} = await customer()
    const watched = shop.runtime.passwords as {verify: Shop['runtime']['passwords']['verify']}
    const {verify} = watched
    watched.verify = async (...given) => {
      watched.verify = verify
      for (let attempt = 0; attempt < 10; attempt += 1) expect(await login('S1')(email, 'wrong')).to.equal(400)
      return verify(...given)
    }
    expect(await flow()(email, right)).to.equal(429)
  })

  it('forgets what a sign-in or a reset has settled', async () => {
    const {email} = await customer()
    for (let attempt = 0; attempt < 9; attempt += 1) await login('S1')(email, 'wrong')
    expect(await login()(email, right)).to.equal(200)
    for (let attempt = 0; attempt < 9; attempt += 1) await login('S2')(email, 'wrong')
    expect(await login('S1')(email, right)).to.equal(200)
  })
})
