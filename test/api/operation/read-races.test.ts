import {expect} from 'chai'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {customerToken} from '../../../src/server/local/customer-token.js'
import {seedQuote} from '../../../src/server/local/seed-quote.js'
import {REALM} from '../../../src/store/store.js'
import {keyed, pack} from '../../fixtures/pack.js'
import {type Cluster, startCluster} from '../../store/postgres/cluster.js'
import {acted, type Body, type Desk, draft, openDesk, signedUp} from '../harness.js'

/** What was read for a decision changes before the commit that rests on it. */
for (const store of ['lowdb', 'PostgreSQL'] as const) {
  describe(`api · what changes between a decision and its commit (${store})`, () => {
    let cluster: Cluster | undefined
    let desk: Desk

    before(async function () {
      if (store === 'PostgreSQL') cluster = await startCluster()
      if (store === 'PostgreSQL' && !cluster) return this.skip()
    })
    let databases = 0
    beforeEach(async () => {
      databases += 1
      desk = await openDesk({seed: true, ...(cluster ? {storeUrl: await cluster.database(`reads${databases}`)} : {})})
    })
    afterEach(() => desk.runtime.state.close())
    after(() => cluster?.stop())

    /** Lets `happen` come and go before the first commit that writes a document of a kind. */
    function beforeCommitOf(written: string, happen: () => Promise<unknown>): void {
      const {state} = desk.runtime
      const commit = state.commit.bind(state)
      state.commit = async (project, changes, complete) => {
        if (changes.some((change) => 'doc' in change && change.kind === written)) {
          state.commit = commit
          await happen()
        }
        return commit(project, changes, complete)
      }
    }

    const wholesale = {typeId: 'customer-group', id: keyed(pack.groups, 'wholesale').id}
    const regroup = (customer: Body) => acted(desk, customer, {action: 'setCustomerGroup', customerGroup: wholesale})
    const field = {name: 'note', label: {en: 'Note'}, required: false, type: {name: 'String'}}
    const newType = async (resourceTypeIds: readonly string[]): Promise<Body> => {
      const body = {key: 'fresh', name: {en: 'Fresh'}, resourceTypeIds, fieldDefinitions: [field]}
      return (await desk.ask('POST', '/types', {body})).body
    }
    const customOf = (type: Body) => ({type: {typeId: 'type', id: type.id}, fields: {note: 'here'}})
    const dropField = async (type: Body) => {
      const actions = [{action: 'removeFieldDefinition', fieldName: 'note'}]
      const body = {version: type.version, actions}
      expect((await desk.ask('POST', `/types/${type.id}`, {body})).status).to.equal(200)
    }

    it('a new cart has the group that its customer has by then', async () => {
      const customer = await signedUp(desk)
      beforeCommitOf('cart', () => regroup(customer))
      const {body} = await desk.ask('POST', '/carts', {body: {currency: 'EUR', customerId: customer.id}})
      expect(body.customerGroup).to.deep.equal(wholesale)
    })

    it('a cart that a sign-in takes over has the group that its customer has by then', async () => {
      const given = draft() as {email: string; password: string}
      const {customer} = (await desk.ask('POST', '/customers', {body: given})).body
      beforeCommitOf('cart', () => regroup(customer))
      const anonymousCart = {typeId: 'cart', id: keyed(pack.carts, 'anonymous-plain').id}
      const {body} = await desk.ask('POST', '/login', {body: {...given, anonymousCart}})
      expect(body.cart.customerGroup).to.deep.equal(wholesale)
      expect(body.customer.version).to.equal(2)
    })

    it('no value stands behind the end of its field: a new customer', async () => {
      const type = await newType(['customer'])
      beforeCommitOf('customer', () => dropField(type))
      const {status, body} = await desk.ask('POST', '/customers', {body: draft({custom: customOf(type)})})
      expect([status, body.errors?.[0].code]).to.deep.equal([400, 'InvalidField'])
    })

    it('no value stands behind the end of its field: a changed customer', async () => {
      const type = await newType(['customer'])
      const customer = await signedUp(desk)
      beforeCommitOf('customer', () => dropField(type))
      const {status, body} = await acted(desk, customer, {action: 'setCustomType', ...customOf(type)})
      expect([status, body.errors?.[0].code]).to.deep.equal([400, 'InvalidField'])
    })

    it('no value stands behind the end of its field: a new cart, a changed group', async () => {
      const type = await newType(['order', 'customer-group'])
      beforeCommitOf('cart', () => dropField(type))
      const cart = await desk.ask('POST', '/carts', {body: {currency: 'EUR', custom: customOf(type)}})
      expect([cart.status, cart.body.errors?.[0].code]).to.deep.equal([400, 'InvalidField'])
      const found = (await desk.ask('GET', `/types/${type.id}`)).body
      const again = {version: found.version, actions: [{action: 'addFieldDefinition', fieldDefinition: field}]}
      const back = (await desk.ask('POST', `/types/${type.id}`, {body: again})).body
      const group = (await desk.ask('POST', '/customer-groups', {body: {groupName: 'New'}})).body
      beforeCommitOf('customer-group', () => dropField(back))
      const actions = [{action: 'setCustomType', ...customOf(type)}]
      const changed = await desk.ask('POST', `/customer-groups/${group.id}`, {body: {version: 1, actions}})
      expect([changed.status, changed.body.errors?.[0].code]).to.deep.equal([400, 'InvalidField'])
    })

    it('a type that changed otherwise is taken as it is by then', async () => {
      const type = await newType(['customer'])
      const actions = [{action: 'changeName', name: {en: 'Newer'}}]
      beforeCommitOf('customer', () => desk.ask('POST', `/types/${type.id}`, {body: {version: 1, actions}}))
      const customer = await signedUp(desk, {custom: customOf(type)})
      expect(customer.custom.fields).to.deep.equal({note: 'here'})
    })

    const zofia = keyed(pack.customers, 'zofia-lecka') as unknown as Customer
    const erase = async () => {
      const path = `/customers/${zofia.id}?version=${zofia.version}&dataErasure=true`
      expect((await desk.ask('DELETE', path)).status).to.equal(200)
    }
    const named = {by: 'id', value: zofia.id} as const
    /** What the state has of the customer: a token, a quote, a cart. */
    async function left(): Promise<readonly string[]> {
      const found: string[] = []
      for (const space of [REALM, desk.projectKey])
        for await (const {kind, doc} of desk.runtime.state.documents(space))
          if (kind !== 'message' && JSON.stringify(doc).includes(zofia.id)) found.push(kind)
      return found
    }

    const endOf = (made: Promise<unknown>) =>
      made.then(
        () => 'done',
        ({code}: {code: string}) => code,
      )

    it('no quote is made for a customer who is erased meanwhile', async () => {
      beforeCommitOf('quote', erase)
      const made = seedQuote(desk.runtime, {projectKey: 'demo', customer: named, cart: 'zofia-to-quote'})
      expect(await endOf(made)).to.equal('ResourceNotFound')
      expect(await left()).to.deep.equal([])
    })

    it('no token comes behind the erasure of its customer', async () => {
      const {id} = keyed(
        pack.apiClients.map((one) => ({...one, key: one.id})),
        'demo-admin-0000000000001',
      )
      beforeCommitOf('token', erase)
      const client = {clientId: id} as Parameters<typeof customerToken>[1]
      const made = customerToken(desk.runtime, client, {projectKey: 'demo', customer: named})
      expect(await endOf(made)).to.equal('ResourceNotFound')
      expect(await left()).to.deep.equal([])
    })

    const form = (path: string, parameters: Record<string, string>) => {
      const {id, secret} = pack.apiClients.find((one) => one.id === 'demo-shopfront-000000001') ?? {}
      const headers = {authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`}
      const raw = new URLSearchParams(parameters).toString()
      return desk.ask('POST', path, {token: null, raw, contentType: 'application/x-www-form-urlencoded', headers})
    }

    it('a sign-in or a refresh beside an erasure is refused, and leaves nothing', async () => {
      const given = draft() as {email: string; password: string}
      const {customer} = (await desk.ask('POST', '/customers', {body: given})).body
      const signIn = {grant_type: 'password', username: given.email, password: given.password}
      const remove = () => desk.ask('DELETE', `/customers/${customer.id}?version=1&dataErasure=true`)
      const first = await form('//oauth/demo/customers/token', signIn)
      expect(first.status).to.equal(200)
      beforeCommitOf('token', remove)
      const refused = await form('//oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: first.body.refresh_token,
      })
      expect([refused.status, refused.body.error]).to.deep.equal([400, 'invalid_grant'])

      const other = (await desk.ask('POST', '/customers', {body: given})).body.customer
      beforeCommitOf('token', () => desk.ask('DELETE', `/customers/${other.id}?version=1&dataErasure=true`))
      const late = await form('//oauth/demo/customers/token', signIn)
      expect([late.status, late.body.error]).to.deep.equal([400, 'invalid_customer_account_credentials'])
      for await (const {doc} of desk.runtime.state.documents(REALM))
        expect(JSON.stringify(doc)).to.not.include(customer.id).and.not.include(other.id)
    })
  })
}
