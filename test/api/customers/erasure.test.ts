import {expect} from 'chai'
import {collections} from '../../../src/api/operation/collection-table.js'
import {facets} from '../../../src/server/local/facets.js'
import {REALM} from '../../../src/store/store.js'
import {type Desk, openDesk, signedUp} from '../harness.js'

/** Kinds without a collection that know a customer by id: erasure ends the tokens and empties the messages by name. */
const withoutCollection = ['message', 'one-time-token', 'refresh-token', 'token']

const ownedBy = (owner: string): string[] => collections.filter((one) => one.owner === owner).map(({typeId}) => typeId)

describe('customers · erasure', () => {
  it('knows every kind that is indexed by its customer', () => {
    const indexed = Object.entries(facets).filter(([, byName]) => 'customerId' in byName)
    expect(indexed.map(([kind]) => kind)).to.have.members([...ownedBy('customer'), ...withoutCollection])
  })

  describe('of a customer with documents of every kind', () => {
    let desk: Desk
    beforeEach(async () => {
      desk = await openDesk({seed: true})
    })

    for (const typeId of [...ownedBy('customer'), ...ownedBy('associates')]) {
      it(`erases the customer from a ${typeId}`, async () => {
        const {id, version} = await signedUp(desk, {firstName: 'Canary'})
        const customer = {typeId: 'customer', id}
        const owned: Readonly<Record<string, object>> = {
          cart: {customerId: id},
          'business-unit': {associates: [{customer}]},
        }
        const doc = {id: 'of-the-customer', version: 1, ...(owned[typeId] ?? {customer})}
        await desk.runtime.state.commit('demo', [{kind: typeId, expect: 0, doc}])
        await desk.ask('DELETE', `/customers/${id}?version=${version}&dataErasure=true`)
        const left = await desk.runtime.state.get('demo', typeId, 'of-the-customer')
        expect(left).to.include({version: 2})
        expect(JSON.stringify(left)).not.to.contain(id)
      })
    }

    it('erases the customer from what a business unit inherits, and leaves the others', async () => {
      const {id, version} = await signedUp(desk, {firstName: 'Canary'})
      const of = (customerId: string) => ({customer: {typeId: 'customer', id: customerId}})
      const doc = {id: 'unit', version: 1, associates: [of('else')], inheritedAssociates: [of(id), of('else')]}
      await desk.runtime.state.commit('demo', [{kind: 'business-unit', expect: 0, doc}])
      await desk.ask('DELETE', `/customers/${id}?version=${version}&dataErasure=true`)
      const left = await desk.runtime.state.get('demo', 'business-unit', 'unit')
      expect(left).to.deep.equal({...doc, version: 2, inheritedAssociates: [of('else')]})
    })

    it('removes the tokens of the customer, and not those of another project’s customer with the same id', async () => {
      const {id: customerId, version} = await signedUp(desk)
      const of = (projectKey: string) => ({id: projectKey, version: 1, projectKey, customerId})
      const puts = ['demo', 'other'].map((key) => ({kind: 'token', expect: 0, doc: of(key)}))
      await desk.runtime.state.commit(REALM, puts)
      await desk.ask('DELETE', `/customers/${customerId}?version=${version}&dataErasure=true`)
      expect(await desk.runtime.state.get(REALM, 'token', 'demo')).to.equal(undefined)
      expect(await desk.runtime.state.get(REALM, 'token', 'other')).to.include({version: 1})
    })
  })

  describe('beside the creation of a cart', () => {
    let desk: Desk
    beforeEach(async () => {
      desk = await openDesk({seed: true})
    })

    /** Lets something happen between what a request read and its commit. */
    function beforeCommit(isIt: (kind: string) => boolean, happen: () => Promise<unknown>): void {
      const {state} = desk.runtime
      const commit = state.commit.bind(state)
      state.commit = async (project, changes, complete) => {
        if (changes.some((change) => isIt('remove' in change ? `-${change.kind}` : change.kind))) {
          state.commit = commit
          await happen()
        }
        return commit(project, changes, complete)
      }
    }

    it('erases from a cart that was created a moment ago', async () => {
      const {id, version} = await signedUp(desk)
      let cart = ''
      beforeCommit(
        (change) => change === '-customer',
        async () => {
          const {body} = await desk.ask('POST', '/carts', {body: {currency: 'EUR', customerId: id}})
          cart = body.id
        },
      )
      expect((await desk.ask('DELETE', `/customers/${id}?version=${version}&dataErasure=true`)).status).to.equal(200)
      const left = await desk.runtime.state.get('demo', 'cart', cart)
      expect(left).to.include({id: cart})
      expect(JSON.stringify(left)).not.to.contain(id)
    })

    it('lets no cart in for a customer that is gone', async () => {
      const {id, version} = await signedUp(desk)
      beforeCommit(
        (change) => change === 'cart',
        () => desk.ask('DELETE', `/customers/${id}?version=${version}&dataErasure=true`),
      )
      const {status, body} = await desk.ask('POST', '/carts', {body: {currency: 'EUR', customerId: id}})
      expect([status, body.errors[0].code]).to.deep.equal([400, 'ReferencedResourceNotFound'])
    })
  })
})
