import {expect} from 'chai'
import {REALM} from '../../src/store/store.js'
import {openShop, type Shop} from '../security/shop/shop.js'

const dayMs = 86_400_000

describe('oauth · token upkeep', () => {
  let shop: Shop
  beforeEach(async () => {
    shop = await openShop()
  })
  afterEach(() => shop.close())

  const count = async (kind: string): Promise<number> => {
    const page = {limit: 0, offset: 0, count: {cap: 10_000}}
    return (await shop.platform.state.query(REALM, kind, page)).total ?? 0
  }
  const known = async (token: string): Promise<boolean> => {
    const kind = token.includes(':') ? 'refresh-token' : 'token'
    return (await shop.platform.state.get(REALM, kind, shop.platform.secrets.digest(token))) !== undefined
  }

  it('removes access tokens a month after their end', async () => {
    const tokens = await Promise.all(Array.from({length: 30}, () => shop.token('RO')))
    shop.clock.now += 32 * dayMs
    await shop.token('RO')
    expect(await known(tokens[0] ?? '')).to.equal(true)
    shop.clock.now += 2 * dayMs
    await shop.token('RO')
    expect(await Promise.all(tokens.map(known))).to.deep.equal(tokens.map(() => false))
  })

  it('removes idle refresh tokens a month after their end, and frees the visit', async () => {
    const {refresh_token} = await shop.anonymous('ANON', 'visitor')
    shop.clock.now += 229 * dayMs
    await shop.token('RO')
    expect(await known(refresh_token)).to.equal(true)
    shop.clock.now += 3 * dayMs
    await shop.token('RO')
    expect(await known(refresh_token)).to.equal(false)
    await shop.anonymous('ANON', 'visitor')
  })

  it('keeps what is revoked until its end, so that it stays dead', async () => {
    const {access_token, refresh_token} = await shop.anonymous('ANON')
    await shop.post('/oauth/token/revoke', {token: refresh_token}, 'ANON')
    shop.clock.now += dayMs
    await shop.token('RO')
    expect(await known(refresh_token)).to.equal(true)
    expect(await shop.isActive(access_token)).to.equal(false)
  })

  it('calls an access token inactive whose refresh token is gone', async () => {
    const {access_token, refresh_token} = await shop.anonymous('ANON')
    const {state, secrets} = shop.platform
    await state.commit(REALM, [{kind: 'refresh-token', expect: 1, remove: secrets.digest(refresh_token)}])
    expect(await shop.isActive(access_token)).to.equal(false)
  })

  it('works off a backlog with the tokens that follow, a bounded part each', async () => {
    for (let at = 0; at < 6; at += 1) await Promise.all(Array.from({length: 100}, () => shop.token('RO')))
    expect(await count('token')).to.be.above(600)
    shop.clock.now += 60 * dayMs
    await shop.token('RO')
    expect(await count('token')).to.be.within(2, 200)
    await shop.token('RO')
    expect(await count('token')).to.be.below(10)
  })
})
