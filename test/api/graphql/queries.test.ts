import {expect} from 'chai'
import {getIntrospectionQuery} from 'graphql'
import {limits} from '../../../src/work/limits.js'
import {keyed, pack} from '../../fixtures/pack.js'
import {type Body, type Desk, draft, errorOf, openDesk} from '../harness.js'
import {asking} from './asking.js'

const hazel = keyed(pack.customers, 'hazel-brandvold')

describe('api · graphql', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk({seed: true})
  })

  const {ask, codes, data} = asking(() => desk)

  it('finds ids by keys, as the vendor’s sync tools ask for them', async () => {
    const query = `query fetchIdKeyPairs($where: String, $limit: Int, $sort: [String!]) {
      customers(where: $where, limit: $limit, sort: $sort) { results { id key } total count offset exists }
    }`
    const keys = ['hazel-brandvold', 'mira-berlin', 'nobody']
    const where = `key in (${keys.map((key) => JSON.stringify(key)).join(', ')})`
    const found = await data(query, {variables: {where, limit: 500, sort: ['key asc']}})
    expect(found.customers.results).to.deep.equal(
      keys.slice(0, 2).map((key) => ({id: keyed(pack.customers, key).id, key})),
    )
    expect(found.customers).to.include({total: 2, count: 2, offset: 0, exists: true})
    const inline = `{ types: typeDefinitions(limit: 1, offset: 1, sort: ["key asc"]) { results { id key } }
      customerGroups(where: "key = \\"vip\\"") { results { id key name } } stores(limit: 500) { results { id key } } }`
    const others = await data(inline)
    expect(others.customerGroups.results).to.deep.equal([
      {id: keyed(pack.groups, 'vip').id, key: 'vip', name: keyed(pack.groups, 'vip').name},
    ])
    expect([others.types.results.length, others.stores.results.length]).to.deep.equal([1, pack.stores.length])
  })

  it('shows a customer by id or key, with everything that REST shows of it', async () => {
    const fields = `id key version email firstName isEmailVerified authenticationMode createdAt password
      addresses { id country city } defaultShippingAddress { id } shippingAddresses { id } shippingAddressIds
      customerGroupRef { typeId id } customerGroupAssignments { customerGroupRef { id } } storesRef { key }
      custom { typeRef { id } customFieldsRaw { name value } } createdBy { clientId isPlatformClient }`
    const {byId, byKey, none} = await data(
      `query($id: String!) { byId: customer(id: $id) { ...All } byKey: customer(key: "hazel-brandvold") { ...All }
        none: customer(key: "nobody") { id } } fragment All on Customer { ${fields} }`,
      {variables: {id: hazel.id}},
    )
    expect([byId, none]).to.deep.equal([byKey, null])
    const {body} = await desk.ask('GET', `/customers/${hazel.id}`)
    for (const name of [
      'id',
      'key',
      'version',
      'email',
      'isEmailVerified',
      'createdAt',
      'password',
      'shippingAddressIds',
    ]) {
      expect(byId[name], name).to.deep.equal(body[name])
    }
    expect(byId.addresses.map(({id}: Body) => id)).to.deep.equal(body.addresses.map(({id}: Body) => id))
    expect(byId.shippingAddresses.map(({id}: Body) => id)).to.deep.equal(body.shippingAddressIds)
    expect(byId.defaultShippingAddress?.id).to.equal(body.defaultShippingAddressId)
    expect(byId.customerGroupRef ?? undefined).to.deep.equal(body.customerGroup)
    const raw = Object.entries(body.custom?.fields ?? {}).map(([name, value]) => ({name, value}))
    expect(byId.custom?.customFieldsRaw ?? []).to.deep.equal(raw)
  })

  it('shows the customer of the token under me, and nothing else to it', async () => {
    const own = await desk.token('manage_my_profile', {customerId: hazel.id})
    expect(await data('{ me { customer { id email } } }', {token: own})).to.deep.equal({
      me: {customer: {id: hazel.id, email: hazel.email}},
    })
    expect(await codes('{ customers { total } }', {token: own})).to.deep.equal([200, null, 'insufficient_scope'])
    expect(await codes('{ customer(key: "mira-berlin") { id } me { customer { id } } }', {token: own})).to.deep.equal([
      200,
      {customer: null, me: {customer: {id: hazel.id}}},
      'insufficient_scope',
    ])
    const unbound = await desk.token('view_customers')
    expect(await codes('{ me { customer { id } } }', {token: unbound})).to.deep.equal([
      200,
      {me: {customer: null}},
      'insufficient_scope',
    ])
    expect((await data('{ customers(limit: 1) { count } }', {token: unbound})).customers.count).to.equal(1)
    expect(await codes('{ typeDefinitions { total } }', {token: unbound})).to.include('insufficient_scope')
  })

  it('refuses what REST refuses, with the same codes', async () => {
    for (const query of [
      '{ customers(where: "password = \\"x\\"") { total } }',
      '{ customers(where: "key =") { total } }',
      '{ customers(limit: 501) { total } }',
      '{ customers(offset: -1) { total } }',
      '{ customers(sort: ["passwordHash asc"]) { total } }',
      '{ customer { id } }',
      '{ customer(id: "a", key: "b") { id } }',
    ]) {
      expect(await codes(query), query).to.include('InvalidInput')
    }
  })

  it('shows its schema to a token, as tools ask for it', async () => {
    const own = await desk.token('manage_my_profile', {anonymousId: 'visitor'})
    const {__schema} = await data(getIntrospectionQuery(), {token: own})
    expect(__schema.types.map(({name}: Body) => name)).to.include.members(['Customer', 'CustomerSignMeUpDraft'])
    expect((await data('{ __type(name: "Customer") { name } }', {token: own})).__type.name).to.equal('Customer')
    const answer = await desk.ask('POST', '/graphql', {body: {query: getIntrospectionQuery()}, token: null})
    expect(answer.status).to.equal(401)
    const mixed = `{ me { __typename } __schema { types { ${'ofType { '.repeat(9)}name${' }'.repeat(9)} } } }`
    expect((await ask(mixed)).status).to.equal(400)
  })

  it('refuses documents that are none, and those that cannot be answered', async () => {
    for (const query of [
      '',
      '{',
      '{ nothing }',
      '{ customers { results { nothing } } }',
      'mutation { deleteCustomer(id: "x") { id } }',
      'subscription { customers { total } }',
      'query A { me { customer { id } } } query B { me { customer { id } } }',
      'query($a: Int!) { customers(limit: $a) { total } }',
    ]) {
      const answer = await ask(query)
      expect([answer.status, errorOf(answer).code], query).to.deep.equal([400, 'InvalidInput'])
    }
    expect((await desk.ask('POST', '/graphql', {body: {}})).status).to.equal(400)
    expect((await data('{ me { __typename } }')).me.__typename).to.equal('Me')
  })

  it('bounds depth, fields, aliases, fragments and values before or while it answers', async () => {
    const aliases = (count: number, field: string) =>
      Array.from({length: count}, (_, at) => `a${at}: ${field}`).join(' ')
    const bomb = Array.from(
      {length: 30},
      (_, at) => `fragment F${at} on Customer { ...F${at + 1} ...F${at + 1} }`,
    ).join(' ')
    for (const query of [
      `{ ${aliases(limits.graphqlRoots + 1, 'customers(limit: 0) { total }')} }`,
      `{ customers { results { ${aliases(limits.graphqlFields, 'id')} } } }`,
      `{ customers { results { ...F0 } } } ${bomb} fragment F30 on Customer { id }`,
      `{ customers { results { ...L } } } fragment L on Customer { ...L }`,
      `{ me { customer { ${'... on Customer { '.repeat(limits.graphqlDepth)}id${' }'.repeat(limits.graphqlDepth)} } } }`,
      `{ customers { results { ${'id '.repeat(5_000)} } } }`,
      `{ a: __schema { types { name } } b: __schema { types { name } } }`,
      '{ __type(name: "Customer") { ...T } } fragment T on __Type { a: fields { name } b: fields { name } }',
      `{ me { customer { id } } } fragment Unused on Customer { ${aliases(limits.graphqlFields, 'addresses { id }')} }`,
    ]) {
      const answer = await ask(query)
      expect([answer.status, errorOf(answer).code], query.slice(0, 80)).to.deep.equal([400, 'InvalidInput'])
    }
    const addresses = Array.from({length: 110}, () => ({country: 'DE'}))
    expect((await desk.ask('POST', '/customers', {body: draft({addresses})})).status).to.equal(201)
    const wide = `{ customers(limit: 500) { results { ${aliases(80, 'addresses { id }')} } } }`
    const answer = await ask(wide)
    expect([answer.status, answer.body.errors[0].extensions.code]).to.deep.equal([200, 'InvalidInput'])
  })

  it('S-304 counts fields times lists before it resolves them, and says once that they are too many', async () => {
    const addresses = Array.from({length: limits.addresses}, () => ({country: 'DE', city: 'Ulm'}))
    const {id} = (await desk.ask('POST', '/customers', {body: draft({addresses})})).body.customer
    const own = await desk.token('manage_my_profile', {customerId: id})
    const cities = (count: number) => Array.from({length: count}, (_, at) => `a${at}: city`).join(' ')
    const fitting = (limits.graphqlValues - 10) / limits.addresses
    const {me} = await data(`{ me { customer { addresses { ${cities(Math.floor(fitting))} } } } }`, {token: own})
    expect(me.customer.addresses).to.have.lengthOf(limits.addresses)
    for (const query of [
      `{ me { customer { addresses { ${cities(189)} } } } }`,
      `{ me { customer { first: addresses { ${cities(5)} } again: addresses { ${cities(9)} } } } }`,
    ]) {
      const {status, body} = await ask(query, {token: own})
      expect([status, body.data, body.errors.length], query).to.deep.equal([200, {me: {customer: null}}, 1])
      expect(body.errors[0].extensions.code).to.equal('InvalidInput')
    }
  })

  it('S-304 counts the lists that it is given to look through', async () => {
    const names = Array.from({length: limits.graphqlValues - 1}, (_, at) => `f${at}`)
    const asked = (count: number) => `query($n: [String!]) { typeDefinitions(limit: 1) { results {
      ${Array.from({length: count}, (_, at) => `a${at}: fieldDefinitions(excludeNames: $n) { name }`).join(' ')} } } }`
    const codesOf = async (count: number, n: readonly string[]): Promise<string[]> =>
      ((await ask(asked(count), {variables: {n}})).body.errors ?? []).map((error: Body) => error.extensions.code)
    expect(await codesOf(3, names.slice(0, 1_000))).to.deep.equal([])
    expect(await codesOf(9, names.slice(0, 1_000))).to.deep.equal(['InvalidInput'])
    expect(await codesOf(1, names)).to.deep.equal(['InvalidInput'])
  })

  it('S-304 lists twenty errors and no more', async () => {
    const narrow = await desk.token('view_stores')
    const query = `{ ${Array.from({length: limits.graphqlRoots}, (_, at) => `a${at}: customer(key: "x") { id }`).join(' ')} }`
    expect((await ask(query, {token: narrow})).body.errors).to.have.lengthOf(limits.graphqlRoots)
    const unbound = Array.from({length: 60}, (_, at) => `a${at}: customer { id }`).join(' ')
    const {body} = await ask(`{ me { ${unbound} } }`, {token: narrow})
    expect(body.errors).to.have.lengthOf(limits.listedIssues)
  })
})
