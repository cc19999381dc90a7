import {expect} from 'chai'
import {collections} from '../../../src/api/operation/collection-table.js'
import {acted, type Body, type Desk, errorOf, openDesk, signedUp} from '../harness.js'
import {changed, created, removed, signUp, written} from './drafts.js'

const draftOf = (segment: string) => written.find((one) => one.segment === segment)?.draft ?? (() => ({}))
const [groupDraft, storeDraft, typeDraft] = ['customer-groups', 'stores', 'types'].map(draftOf) as ReturnType<
  typeof draftOf
>[]
const note = {name: 'note', label: {en: 'Note'}, type: {name: 'String'}, required: false}
const everywhere = {resourceTypeIds: ['customer', 'address', 'customer-group', 'store'], fieldDefinitions: [note]}

describe('api · resources that others refer to', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
  })

  async function heldBy(segment: string, resource: Body, referencedBy: string): Promise<void> {
    const refused = await removed(desk, segment, resource)
    expect([refused.status, errorOf(refused).code]).to.deep.equal([400, 'ReferenceExists'])
    expect(errorOf(refused).referencedBy).to.equal(referencedBy)
    expect(errorOf(refused).message).to.match(/^Can not delete a .* while it is referenced by at least one /)
    expect((await desk.ask('GET', `/${segment}/${resource.id}`)).body).to.deep.equal(resource)
  }

  it('keeps a customer group while a customer is in it, in either way', async () => {
    const group = await created(desk, 'customer-groups', groupDraft?.('held') ?? {})
    const single = await signedUp(desk, {customerGroup: {key: 'held'}})
    await heldBy('customer-groups', group, 'customer')
    const without = (await acted(desk, single, {action: 'setCustomerGroup'})).body
    const customerGroupAssignment = {customerGroup: {id: group.id}}
    const assigned = (await acted(desk, without, {action: 'addCustomerGroupAssignment', customerGroupAssignment})).body
    await heldBy('customer-groups', group, 'customer')
    const customerGroup = {key: 'held'}
    expect((await acted(desk, assigned, {action: 'removeCustomerGroupAssignment', customerGroup})).status).to.equal(200)
    expect((await removed(desk, 'customer-groups', group)).status).to.equal(200)
  })

  it('keeps a store while a customer is in it', async () => {
    const store = await created(desk, 'stores', storeDraft?.('held') ?? {})
    const customer = await signedUp(desk, {}, '/in-store/key=held/customers')
    await heldBy('stores', store, 'customer')
    expect((await desk.ask('DELETE', `/customers/${customer.id}?version=1`)).status).to.equal(200)
    expect((await removed(desk, 'stores', store)).status).to.equal(200)
    expect((await desk.ask('GET', '/in-store/key=held/customers')).status).to.equal(404)
  })

  it('keeps a type while a customer, an address, a group or a store has fields of it', async () => {
    const custom = {type: {key: 'held'}, fields: {note: 'kept'}}
    const type = await created(desk, 'types', typeDraft?.('held', everywhere) ?? {})
    const one = await signedUp(desk, {custom})
    await heldBy('types', type, 'customer')
    const plain = (await acted(desk, one, {action: 'setCustomType'})).body
    const addresses = (await acted(desk, plain, {action: 'addAddress', address: {country: 'DE', custom}})).body
    await heldBy('types', type, 'customer')
    const addressId = addresses.addresses[0].id
    await acted(desk, addresses, {action: 'removeAddress', addressId})
    const group = await created(desk, 'customer-groups', groupDraft?.('with-fields', {custom}) ?? {})
    expect(group.custom).to.deep.equal({type: {typeId: 'type', id: type.id}, fields: {note: 'kept'}})
    await heldBy('types', type, 'customer-group')
    await changed(desk, 'customer-groups', group, {action: 'setCustomType'})
    const store = await created(desk, 'stores', storeDraft?.('with-fields', {custom}) ?? {})
    await heldBy('types', type, 'store')
    expect((await removed(desk, 'stores', store)).status).to.equal(200)
    expect((await removed(desk, 'types', type)).status).to.equal(200)
  })

  it('keeps a language of the project while a store has it', async () => {
    const shop = await openDesk({languages: ['de', 'en', 'fr']})
    const store = await created(shop, 'stores', storeDraft?.('speaking', {languages: ['DE', 'en']}) ?? {})
    expect(store.languages).to.deep.equal(['de', 'en'])
    const ask = (languages: readonly string[], version = 1) =>
      shop.ask('POST', '', {body: {version, actions: [{action: 'changeLanguages', languages}]}})
    expect(errorOf(await ask(['en', 'fr'])).code).to.equal('LanguageUsedInStores')
    expect((await ask(['de', 'en'])).status).to.equal(200)
    await changed(shop, 'stores', store, {action: 'setLanguages', languages: ['en']})
    expect((await ask(['en'], 2)).status).to.equal(200)
    expect((await ask([], 3)).status).to.equal(200)
  })

  it('keeps a language that a store took while the project gave it up', async () => {
    const shop = await openDesk({languages: ['de', 'en', 'fr']})
    const {state} = shop.runtime
    const {commit} = state
    state.commit = async (...given) => {
      state.commit = commit
      await created(shop, 'stores', storeDraft?.('late', {languages: ['fr']}) ?? {})
      return commit.apply(state, given)
    }
    const actions = [{action: 'changeLanguages', languages: ['de', 'en']}]
    const refused = await shop.ask('POST', '', {body: {version: 1, actions}})
    expect(errorOf(refused).code).to.equal('LanguageUsedInStores')
    expect((await shop.ask('GET', '')).body).to.deep.include({version: 1, languages: ['de', 'en', 'fr']})
  })

  it('keeps what seeded carts and quotes refer to', async () => {
    const demo = await openDesk({seed: true})
    const {results} = (await demo.ask('GET', `/quotes?where=${encodeURIComponent('store is defined')}`)).body
    const [{store}] = results
    const {body} = await demo.ask('GET', `/stores/key=${store.key}`)
    expect(errorOf(await removed(demo, 'stores', body)).code).to.equal('ReferenceExists')
  })

  const joining: [segment: string, draft: (key: string) => object, members: (key: string) => object][] = [
    ['customer-groups', (key) => groupDraft?.(key) ?? {}, (key) => ({customerGroup: {key}})],
    ['stores', (key) => storeDraft?.(key) ?? {}, (key) => ({stores: [{key}]})],
    ['types', (key) => typeDraft?.(key, everywhere) ?? {}, (key) => ({custom: {type: {key}, fields: {note: 'n'}}})],
  ]
  for (const [segment, draft, members] of joining) {
    it(`never leaves a customer that refers to one of the ${segment} that is gone`, async () => {
      for (let round = 0; round < 4; round += 1) {
        const key = `racing-${round}`
        const resource = await created(desk, segment, draft(key))
        const others = [1, 2, 3, 4].map(() => signUp(desk, members(key)))
        const [deletion, ...signUps] = await Promise.all([removed(desk, segment, resource), ...others])
        const joined = signUps.filter(({status}) => status === 201)
        if (deletion?.status === 200) expect(joined).to.deep.equal([])
        else expect(errorOf(deletion as never).code).to.be.oneOf(['ReferenceExists', 'LockedField'])
        for (const refused of signUps.filter(({status}) => status !== 201)) {
          expect(errorOf(refused).code).to.be.oneOf(['ReferencedResourceNotFound', 'LockedField'])
        }
      }
    })
  }

  it('refuses what was deleted between reading and storing it', async () => {
    const group = await created(desk, 'customer-groups', groupDraft?.('vanishing') ?? {})
    const customer = await signedUp(desk)
    const {state} = desk.runtime
    const {get} = state
    // The group goes in the moment in which the request has read it.
    state.get = async (project: string, kind: string, id: string) => {
      const found = await get.call(state, project, kind, id)
      if (kind === 'customer-group') {
        state.get = get
        await removed(desk, 'customer-groups', group)
      }
      return found as never
    }
    const refused = await acted(desk, customer, {action: 'setCustomerGroup', customerGroup: {id: group.id}})
    expect(errorOf(refused)).to.include({code: 'ReferencedResourceNotFound', typeId: 'customer-group', id: group.id})
  })

  for (const {typeId: kind, references} of collections) {
    for (const path of Object.values(references ?? {}).flat()) {
      const target = Object.keys(references ?? {}).find((name) => references?.[name]?.includes(path)) ?? ''
      const segment = {type: 'types', store: 'stores', 'customer-group': 'customer-groups'}[target]
      if (segment === undefined) continue
      it(`keeps a ${target} while a ${kind} names it at ${path}`, async () => {
        const draft = written.find((one) => one.segment === segment)?.draft('named') ?? {}
        const resource = await created(desk, segment, draft)
        const name: unknown = resource[path.split('.').at(-1) ?? '']
        const holder = path.split('.').reduceRight((inner: unknown, member) => ({[member]: inner}), name) as object
        const {state} = desk.runtime
        await state.commit(desk.projectKey, [{kind, expect: 0, doc: {id: 'holder', version: 1, ...holder}}])
        await heldBy(segment, resource, kind)
        await state.commit(desk.projectKey, [{kind, expect: 1, remove: 'holder'}])
        expect((await removed(desk, segment, resource)).status).to.equal(200)
      })
    }
  }
})
