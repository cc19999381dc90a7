import {expect} from 'chai'
import {stdOk} from '../shop/expectations.js'
import {openShop, type Shop} from '../shop/shop.js'

describe('security · J a clock that is set back', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  const refresh = (refresh_token: string) =>
    shop.post('/oauth/token', {grant_type: 'refresh_token', refresh_token}, 'MY')

  it('J16 takes no token that was issued while the clock was ahead, and no session that was used then', async () => {
    const admin = await shop.token('ADM')
    const draft = {email: 'j20@example.com', password: 'right horse'}
    expect((await shop.api('POST', '/shop/customers', admin, draft)).status).to.equal(201)
    const session = await shop.session(draft.email, draft.password)
    const {now} = shop.clock
    shop.clock.now += 3_600_000
    const ahead = await shop.token('ADM')
    const renewed = stdOk(await refresh(session.refresh_token)).access_token
    expect(await shop.isActive(renewed)).to.equal(true)
    shop.clock.now = now
    for (const token of [ahead, renewed]) {
      expect((await shop.api('GET', '/shop/customers', token)).status).to.equal(401)
      expect(await shop.isActive(token)).to.equal(false)
    }
    expect((await refresh(session.refresh_token)).status).to.equal(400)
    shop.clock.now += 30_000
    const soon = await shop.token('ADM')
    shop.clock.now = now
    expect((await shop.api('GET', '/shop/customers', soon)).status, 'clocks may differ a little').to.equal(200)
  })
})
