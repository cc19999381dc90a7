import {expect} from 'chai'
import {keyed, pack} from '../../fixtures/pack.js'
import {type Body, type Desk, draft, openDesk} from '../harness.js'
import {asking} from './asking.js'

describe('api · graphql · scopes and references', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk({seed: true})
  })

  const {codes, data} = asking(() => desk)

  it('takes of each field the scopes of what it touches, of a store too', async () => {
    const ofStore = await desk.token('view_customers:demo:berlin')
    const within = (key: string, fields: string) => `{ inStore(key: "${key}") { ${fields} } }`
    expect(await codes('{ customers { total } }', {token: ofStore})).to.deep.equal([200, null, 'insufficient_scope'])
    const seen = (await data(within('berlin', 'customers { total results { key } }'), {token: ofStore})).inStore
    const rest = await desk.ask('GET', '/in-store/key=berlin/customers')
    expect(seen.customers.total).to.equal(rest.body.total)
    expect(await codes(within('london', 'customers { total }'), {token: ofStore})).to.include('insufficient_scope')
    expect(await codes(within('nowhere', 'customers { total }'), {token: ofStore})).to.include('insufficient_scope')
    expect(await codes(within('nowhere', 'customers { total }'))).to.include('ResourceNotFound')
    expect(
      (await data(within('berlin', 'customer(key: "mira-berlin") { key }'), {token: ofStore})).inStore,
    ).to.deep.equal({
      customer: {key: 'mira-berlin'},
    })
    expect((await data(within('london', 'customer(key: "mira-berlin") { key }'))).inStore).to.deep.equal({
      customer: null,
    })
    const nothing = await desk.token('view_project_settings')
    expect(await codes('{ me { customer { id } } }', {token: nothing})).to.include('insufficient_scope')
    const signUp = `mutation { customerSignUp(storeKey: "berlin", draft: {email: "store@example.com", password: "secret-1"}) {
      customer { storesRef { key } } } }`
    const writer = await desk.token('manage_customers:demo:berlin')
    expect(await codes(signUp, {token: ofStore})).to.include('insufficient_scope')
    expect((await data(signUp, {token: writer})).customerSignUp.customer.storesRef).to.deep.equal([{key: 'berlin'}])
    expect(await codes(signUp.replace('"berlin"', '"london"'), {token: writer})).to.include('insufficient_scope')
  })

  it('follows references to groups, stores and types, with the scopes that read those', async () => {
    const [, vip] = [await desk.ask('GET', '/customer-groups/key=vip'), keyed(pack.groups, 'vip')]
    const stores = ['berlin', 'london'].map((key) => ({typeId: 'store', key}))
    const customerGroup = {typeId: 'customer-group', key: 'vip'}
    const {body} = await desk.ask('POST', '/customers', {body: draft({key: 'followed', stores, customerGroup})})
    const query = `{ customer(key: "followed") { customerGroup { key name } customerGroupRef { id } stores { id key }
      customerGroupAssignments { customerGroup { id } } custom { type { key } } } }`
    const {customer} = await data(query)
    expect(customer).to.deep.include({customerGroup: {key: 'vip', name: vip.name}, customerGroupRef: {id: vip.id}})
    expect(customer.stores.map(({key}: Body) => key)).to.deep.equal(['berlin', 'london'])
    const reader = await desk.token('view_customers')
    const groupOnly = '{ customer(key: "followed") { customerGroup { key } } }'
    expect((await data(groupOnly, {token: reader})).customer.customerGroup).to.deep.equal({key: 'vip'})
    expect(await codes('{ customer(key: "followed") { stores { key } } }', {token: reader})).to.deep.equal([
      200,
      {customer: null},
      'insufficient_scope',
    ])
    const own = await desk.token('manage_my_profile', {customerId: body.customer.id})
    expect(await codes('{ me { customer { id customerGroup { key } } } }', {token: own})).to.deep.equal([
      200,
      {me: {customer: {id: body.customer.id, customerGroup: null}}},
      'insufficient_scope',
    ])
  })

  it('S-304 counts what references lead to before it follows them', async () => {
    const stores = Array.from({length: 40}, (_, at) => ({typeId: 'store', key: `many-${at}`}))
    for (const {key} of stores) expect((await desk.ask('POST', '/stores', {body: {key}})).status).to.equal(201)
    expect((await desk.ask('POST', '/customers', {body: draft({key: 'many', stores})})).status).to.equal(201)
    const aliases = (count: number) =>
      Array.from({length: count}, (_, at) => `a${at}: stores { id key version }`).join(' ')
    const query = (count: number) => `{ customer(key: "many") { ${aliases(count)} } }`
    const {state} = desk.runtime
    const {find} = state
    const read: unknown[] = []
    state.find = (...given) => {
      read.push(given)
      return find.apply(state, given) as never
    }
    expect((await data(query(40))).customer.a39).to.have.lengthOf(stores.length)
    expect(read).to.have.lengthOf(1 + stores.length)
    expect(await codes(query(45))).to.deep.equal([200, {customer: null}, 'InvalidInput'])
    state.find = find
  })
})
