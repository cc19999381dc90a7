import {expect} from 'chai'
import {stdErr, stdOk} from '../shop/expectations.js'
import {type ClientName, openShop, type Shop} from '../shop/shop.js'
import type {Answer} from '../shop/wire.js'

const path = '/oauth/shop/anonymous/token'

describe('security · F anonymous sessions', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const visit = (anonymous_id?: string, by: ClientName = 'ANON', scope?: string): Promise<Answer> =>
    shop.post(path, {grant_type: 'client_credentials', anonymous_id, scope}, by)

  it('F01 issues both tokens, bound to a session of its own (decision 23)', async () => {
    const body = stdOk(await visit())
    expect(body.refresh_token).to.match(/^shop:[A-Za-z0-9_-]{43}$/)
    expect(body.scope).to.match(/^manage_my_orders:shop create_anonymous_token:shop anonymous_id:[0-9a-f-]{36}$/)
  })

  it('F02 takes an id that nobody used', async () => {
    expect(stdOk(await visit('abc')).scope).to.match(/ anonymous_id:abc$/)
  })

  it('F03 takes an id once', async () => {
    stdOk(await visit('once'))
    const body = stdErr(await visit('once'), 400, 'AnonymousIdAlreadyInUse')
    expect(body.message).to.equal('The given anonymous ID is already in use.')
    const generated = stdOk(await visit()).scope.split('anonymous_id:')[1]
    stdErr(await visit(generated), 400, 'AnonymousIdAlreadyInUse')
  })

  it('F04 refuses a client without create_anonymous_token', async () => {
    for (const by of ['MY', 'RW', 'INT'] as const) stdErr(await visit(undefined, by), 400, 'unauthorized_client')
  })

  it('F05 takes manage_project for it, with scopes that the client holds by name', async () => {
    stdOk(await visit(undefined, 'ADM', 'manage_project:shop'))
    stdErr(await visit(undefined, 'ADM', 'manage_my_orders:shop'), 400, 'invalid_scope')
  })

  it('F06 refuses ids that could be read as more than an id', async () => {
    const ids = ['a b', 'x manage_project:shop', 'a:b', 'a&b', 'a\nb', `customer_id:${shop.customers.G.id}`, ' ', 'ä']
    for (const id of [...ids, 'x'.repeat(300)]) stdErr(await visit(id), 400, 'invalid_request')
  })

  it('F07 refuses the id of a customer', async () => {
    stdErr(await visit(shop.customers.G.id), 400, 'invalid_request')
  })

  it('F08 refuses a scope that the client lacks', async () => {
    stdErr(await visit(undefined, 'ANON', 'manage_customers:shop'), 400, 'invalid_scope')
    stdErr(await visit(undefined, 'ANON', 'customer_id:x'), 400, 'invalid_scope')
  })

  it('F09 lets one of twenty with the same id succeed', async () => {
    const answers = await Promise.all(Array.from({length: 20}, () => visit('race')))
    expect(answers.filter(({status}) => status === 200)).to.have.lengthOf(1)
    for (const answer of answers.filter(({status}) => status !== 200)) {
      stdErr(answer, 400, 'AnonymousIdAlreadyInUse')
    }
  })

  it('F10 does not open what needs a customer', async () => {
    const {access_token} = stdOk(await visit(undefined, 'ADM'))
    for (const tail of ['me', 'me/quotes']) {
      expect((await shop.api('GET', `/shop/${tail}`, access_token)).status, tail).to.equal(403)
    }
  })

  it('F11 does not open customers without their scope', async () => {
    const {access_token} = stdOk(await visit())
    expect((await shop.api('GET', '/shop/customers', access_token)).status).to.equal(403)
  })

  it('F12 refuses the password grant on its path', async () => {
    stdErr(await shop.post(path, {grant_type: 'password'}, 'ANON'), 400, 'unsupported_grant_type')
  })

  it('F13 makes ids of 122 random bits', async () => {
    const ids = await Promise.all(
      Array.from({length: 50}, async () => stdOk(await visit()).scope.split('anonymous_id:')[1]),
    )
    expect(new Set(ids).size).to.equal(50)
    for (const id of ids) expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})
