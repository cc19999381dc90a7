import {expect} from 'chai'
import type {Bearer} from '../../../src/api/operation/context.js'
import {permit} from '../../../src/api/operation/permit.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {uniqueKeysOf} from '../../../src/domain/customers/identity.js'
import {ApiError} from '../../../src/domain/errors.js'
import {forbidden} from '../shop/expectations.js'
import {addQuotes} from '../shop/quotes.js'
import {emails, openShop, passwords, type Shop} from '../shop/shop.js'

/** Each wall by itself: what one of them holds back, no other would have to. */
describe('security · I one wall at a time', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  async function refusal(principal: Partial<Bearer>, bound?: 'customer' | 'either'): Promise<unknown> {
    const whole: Bearer = {
      kind: 'bearer',
      projectKey: 'shop',
      clientId: 'x',
      scopes: ['manage_project:shop'],
      ...principal,
    }
    const permission = {kind: 'bearer', anyOf: ['manage_my_quotes'], ...(bound ? {bound} : {})} as const
    const place = {projectKey: 'shop', projectExists: true}
    try {
      await permit(permission, whole, place, shop.runtime.state, false)
    } catch (error) {
      return error instanceof ApiError ? error.code : error
    }
    return undefined
  }

  it('I12 opens no other project to a token, whatever its scopes say', async () => {
    expect(await refusal({})).to.equal(undefined)
    expect(await refusal({projectKey: 'shop2'})).to.equal('insufficient_scope')
  })

  it('K10 lets nobody be a customer and a visitor at once', async () => {
    for (const bound of ['customer', 'either'] as const) {
      expect(await refusal({customerId: 'a', anonymousId: 'b'}, bound)).to.equal('insufficient_scope')
    }
    expect(await refusal({customerId: 'a'}, 'customer')).to.equal(undefined)
  })

  it('I13 tells nobody with the scope of a store whether it exists', async () => {
    const {id, secret} = await shop.addClient('manage_customers:shop:S9')
    const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
    const {body} = await shop.post('/oauth/token', {grant_type: 'client_credentials'}, basic)
    const missing = await shop.api('GET', '/shop/in-store/key=S9/customers', body.access_token)
    forbidden(missing)
    const other = await shop.api('GET', '/shop/in-store/key=S2/customers', body.access_token)
    expect(missing.text).to.equal(other.text)
  })

  it('I14 lets the token of a store sign-in write nothing beyond its store (decision 27)', async () => {
    const {access_token} = await shop.session(emails.K1, passwords.K1, 'S1', 'RW')
    const path = '/shop/in-store/key=S1/customers'
    const rename = {version: 1, actions: [{action: 'setFirstName', firstName: 'Eve'}]}
    expect((await shop.api('POST', `${path}/${shop.customers.K1.id}`, access_token, rename)).status).to.equal(200)
    forbidden(await shop.api('POST', `${path}/${shop.customers.G.id}`, access_token, rename))
    forbidden(await shop.api('POST', `${path}/password-token`, access_token, {email: emails.G}))
    expect((await shop.api('POST', `${path}/${shop.customers.K2.id}`, access_token, rename)).status).to.equal(404)
  })

  it('I18 lists and expands what is the caller’s own, and in a store what is of the store', async () => {
    await addQuotes(shop)
    const quote = await shop.runtime.state.get('shop', 'quote', 'quote-of-K1')
    const store = {typeId: 'store', key: 'S1'}
    await shop.runtime.state.commit('shop', [
      {kind: 'quote', expect: 1, doc: {...quote, version: 2, store} as never, uniqueKeys: [{key: 'key:key-of-K1'}]},
    ])
    const ids = async (path: string, token: string) =>
      (await shop.api('GET', path, token)).body.results.map(({id}: {id: string}) => id)
    const global = (await shop.session(emails.G, passwords.G)).access_token
    expect(await ids('/shop/me/quotes', global)).to.deep.equal(['quote-of-G'])
    expect(await ids('/shop/me/quotes?where=id%3D%22quote-of-K1%22', global)).to.deep.equal([])
    const inStore = (await shop.session(emails.K1, passwords.K1, 'S1')).access_token
    expect(await ids('/shop/in-store/key=S1/me/quotes', inStore)).to.deep.equal(['quote-of-K1'])
    await shop.runtime.state.commit('shop', [
      {kind: 'quote', expect: 2, doc: {...quote, version: 3, store: {...store, key: 'S2'}} as never},
    ])
    expect(await ids('/shop/in-store/key=S1/me/quotes', inStore)).to.deep.equal([])
    expect((await shop.api('GET', '/shop/in-store/key=S1/me/quotes/quote-of-K1', inStore)).status).to.equal(404)
  })

  it('I13 shows below a store its customers and global ones, and writes and moves only the former', async () => {
    const token = await shop.token('ST1')
    const path = '/shop/in-store/key=S1/customers'
    const {G, K1, K2, X} = shop.customers
    const {body} = await shop.api('GET', path, token)
    const shown = body.results.map(({id}: {id: string}) => id)
    expect(shown).to.have.members([G.id, K1.id, X.id])
    expect((await shop.api('GET', `${path}/${K2.id}`, token)).status).to.equal(404)
    const {version} = (await shop.api('GET', `${path}/${K1.id}`, token)).body
    const act = (id: string, action: object) => shop.api('POST', `${path}/${id}`, token, {version, actions: [action]})
    forbidden(await act(G.id, {action: 'setFirstName', firstName: 'Eve'}))
    for (const stores of [[], [{typeId: 'store', key: 'S2'}]])
      forbidden(await act(K1.id, {action: 'setStores', stores}))
    forbidden(await act(K1.id, {action: 'addStore', store: {typeId: 'store', key: 'S2'}}))
  })

  it('S-87 expands nothing of another customer, nor of another store', async () => {
    const {K1, K2} = shop.customers
    const members = {version: 1, quoteState: 'Pending', customer: {typeId: 'customer', id: K1.id}}
    const other = {typeId: 'customer', id: K2.id}
    const doc = {id: 's87', ...members, custom: {type: {typeId: 'type', id: 't'}, fields: {friend: other}}}
    await shop.runtime.state.commit('shop', [{kind: 'quote', expect: 0, doc: doc as never}])
    const mine = (await shop.session(emails.K1, passwords.K1, 'S1')).access_token
    const path = '/shop/in-store/key=S1/me/quotes/s87?expand=custom.fields.friend&expand=customer'
    const {body} = await shop.api('GET', path, mine)
    expect(body.customer.obj.id).to.equal(K1.id)
    expect(body.custom.fields.friend).to.deep.equal(other)
    const state = shop.runtime.state
    const before = await state.get<Customer>('shop', 'customer', K1.id)
    if (!before) throw new Error('K1 is gone')
    const custom = {...doc.custom, fields: {friend: other, self: {typeId: 'customer', id: K1.id}}}
    const befriended = {...before, version: before.version + 1, custom} as Customer
    const uniqueKeys = uniqueKeysOf(befriended)
    await state.commit('shop', [{kind: 'customer', expect: before.version, doc: befriended, uniqueKeys}])
    const expanded = `/shop/in-store/key=S1/customers/${K1.id}?expand=custom.fields.friend&expand=custom.fields.self`
    const {fields} = (await shop.api('GET', expanded, await shop.token('ST1'))).body.custom
    expect(fields.self.obj.id).to.equal(K1.id)
    expect(fields.friend).to.deep.equal(other)
  })

  it('I14 lets no store token make API clients', async () => {
    const path = '/shop/api-clients'
    const {access_token} = await shop.session(emails.K1, passwords.K1, 'S1', 'ADM')
    forbidden(await shop.api('POST', path, access_token, {name: 'more', scope: 'manage_project:shop'}))
  })

  it('opens the administration to its own token alone', async () => {
    for (const token of [await shop.token('ADM'), 'x', shop.adminToken.slice(0, -1)]) {
      expect((await shop.api('GET', '/_admin/status', token)).status).to.equal(401)
    }
    expect((await shop.api('GET', '/_admin/status')).status).to.equal(401)
    expect((await shop.api('GET', '/_admin/status', shop.adminToken)).status).to.equal(200)
  })
})
