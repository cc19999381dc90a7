import {expect} from 'chai'
import {openShop, type Shop} from '../shop/shop.js'
import type {Answer, Body} from '../shop/wire.js'

/** What is made while something else ends it: it must not outlive the end. */
describe('security · J races', () => {
  let shop: Shop
  let admin: string
  before(async () => {
    shop = await openShop()
    admin = await shop.token('ADM')
  })
  after(() => shop.close())
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const api = async (path: string, body: object): Promise<Answer> =>
    shop.api('POST', `/shop/customers${path}`, admin, body)
  const customer = async (email: string): Promise<Body> =>
    (await api('', {email, password: 'right horse'})).body.customer
  const resetToken = async (email: string): Promise<string> => (await api('/password-token', {email})).body.value
  const reset = (tokenValue: string) => api('/password/reset', {tokenValue, newPassword: 'new horse'})

  /** Does something when the next change is about to be committed. */
  function beforeNextCommit(work: () => Promise<void>): void {
    const {state} = shop.runtime
    const {commit} = state
    state.commit = async (...given) => {
      state.commit = commit
      await work()
      return commit.call(state, ...given)
    }
  }

  it('J02 ends a reset token that was made while another was used', async () => {
    const {email} = await customer('j02@example.com')
    const used = await resetToken(email)
    let late = ''
    beforeNextCommit(async () => {
      late = await resetToken(email)
    })
    expect((await reset(used)).status).to.equal(200)
    expect((await reset(late)).status).to.equal(404)
  })

  it('J09 ends a reset token that was made while the address changed', async () => {
    const {id, version, email} = await customer('j09@example.com')
    let late = ''
    beforeNextCommit(async () => {
      late = await resetToken(email)
    })
    const change = {version, actions: [{action: 'changeEmail', email: 'j09-new@example.com'}]}
    expect((await api(`/${id}`, change)).status).to.equal(200)
    expect((await reset(late)).status).to.equal(404)
  })

  it('J10 makes no reset token for a customer who signs in elsewhere', async () => {
    const {body} = await api('/password-token', {email: shop.customers.X.email})
    expect(body.errors[0].code).to.equal('InvalidOperation')
  })
})
