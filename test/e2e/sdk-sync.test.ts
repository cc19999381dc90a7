import {createRequire} from 'node:module'
import type {ByProjectKeyRequestBuilder, CustomerUpdateAction} from '@commercetools/platform-sdk'
import {expect} from 'chai'
import {openSdkDesk, type SdkDesk} from './sdk-desk.js'

/** The package has no types of its own. */
interface Sync {
  /** The update actions that make `before` into `now`. */
  buildActions(now: object, before: object): readonly {readonly action: string}[]
}

const require = createRequire(import.meta.url)
const {createSyncCustomers, createSyncCustomerGroup, createSyncStores, createSyncTypes} =
  require('@commercetools/sync-actions') as Readonly<
    Record<'createSyncCustomers' | 'createSyncCustomerGroup' | 'createSyncStores' | 'createSyncTypes', () => Sync>
  >

/** The update actions that the vendor's tool derives from two versions of a resource. */
describe('e2e · the vendor’s sync tool', () => {
  let desk: SdkDesk
  let project: ByProjectKeyRequestBuilder
  before(async () => {
    desk = await openSdkDesk()
    project = desk.project
  })
  after(() => desk.stop())

  it('takes what the vendor’s sync tool makes of two customers', async () => {
    const address = {key: 'home', country: 'DE', city: 'Berlin', streetName: 'Allee'}
    const before = (
      await project
        .customers()
        .post({body: {email: 'sync@example.com', password: 'right horse', firstName: 'Sy', addresses: [address]}})
        .execute()
    ).body.customer
    const now = {
      email: 'synced@example.com',
      firstName: 'Syn',
      lastName: 'Ced',
      companyName: 'Sync & Co',
      externalId: 'ext-1',
      vatId: 'DE1',
      dateOfBirth: '1990-02-28',
      locale: 'de',
      salutation: 'Dr',
      title: '',
      key: 'synced',
      customerGroup: {typeId: 'customer-group', key: 'vip'},
      stores: [{typeId: 'store', key: 'berlin'}],
      addresses: [
        {...before.addresses[0], city: 'Potsdam'},
        {key: 'work', country: 'UK'},
      ],
    }
    const actions = createSyncCustomers().buildActions(now, before) as unknown as CustomerUpdateAction[]
    expect(actions.length).to.be.greaterThan(10)
    const synced = await project
      .customers()
      .withId({ID: before.id})
      .post({body: {version: before.version, actions}})
      .execute()
    const {addresses, customerGroup, stores, ...plain} = now
    expect(synced.body).to.deep.include({...plain, stores})
    expect(synced.body.addresses.map(({key, city, country}) => [key, city, country])).to.deep.equal([
      ['home', 'Potsdam', 'DE'],
      ['work', undefined, 'UK'],
    ])
    expect(synced.body.customerGroup).to.have.property('id')
    expect(createSyncCustomers().buildActions({...synced.body}, synced.body)).to.deep.equal([])
  })

  it('takes what the sync tool makes of groups, stores and types', async () => {
    const group = (
      await project
        .customerGroups()
        .post({body: {groupName: 'Before', key: 'sync-group'}})
        .execute()
    ).body
    const regrouped = createSyncCustomerGroup().buildActions({...group, name: 'After'}, group) as never[]
    const changed = await project
      .customerGroups()
      .withId({ID: group.id})
      .post({body: {version: group.version, actions: regrouped}})
      .execute()
    expect(changed.body.name).to.equal('After')
    const store = (
      await project
        .stores()
        .post({body: {key: 'sync-store', name: {en: 'Before'}}})
        .execute()
    ).body
    const moved = createSyncStores().buildActions({...store, name: {en: 'After'}, languages: ['de']}, store) as never[]
    const restored = await project
      .stores()
      .withKey({key: 'sync-store'})
      .post({body: {version: store.version, actions: moved}})
      .execute()
    expect(restored.body).to.deep.include({name: {en: 'After'}, languages: ['de']})
    const size = {name: 'size', label: {en: 'Size'}, required: false, type: {name: 'Number'} as const}
    const type = (
      await project
        .types()
        .post({
          body: {key: 'sync-type', name: {en: 'Before'}, resourceTypeIds: ['customer'], fieldDefinitions: [size]},
        })
        .execute()
    ).body
    const wanted = {
      ...type,
      name: {en: 'After'},
      fieldDefinitions: [...type.fieldDefinitions, {...size, name: 'width', label: {en: 'Width'}}],
    }
    const retyped = createSyncTypes().buildActions(wanted, type) as never[]
    const result = await project
      .types()
      .withId({ID: type.id})
      .post({body: {version: type.version, actions: retyped}})
      .execute()
    expect(result.body.fieldDefinitions.map(({name}) => name)).to.deep.equal(['size', 'width'])
  })
})
