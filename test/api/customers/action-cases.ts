import {expect} from 'chai'
import {pack} from '../../fixtures/pack.js'
import type {Body} from '../harness.js'

/** One effective use of every action: what it needs before, what it does, and the messages it leaves. */
interface Case {
  readonly draft?: object
  readonly when: (customer: Body) => object
  readonly shows: (customer: Body, before: Body) => void
  readonly messages: readonly string[]
}

export const address = {country: 'DE', city: 'Berlin', key: 'home'}
const withAddress = {addresses: [address]}

const plain = (field: string, value: string, message?: string): Case => ({
  when: () => ({[field]: value}),
  shows: (customer) => expect(customer[field]).to.equal(value),
  messages: message ? [message] : [],
})

/** The id of a customer group of the demo. */
export const group = (at: number): string => pack.groups[at]?.id ?? ''

export const cases: Record<string, Case> = {
  changeEmail: {
    draft: {isEmailVerified: true},
    when: () => ({email: 'Another@Example.com'}),
    shows: (customer) => {
      expect(customer.email).to.equal('Another@Example.com')
      expect(customer.isEmailVerified).to.equal(false)
    },
    messages: ['CustomerEmailChanged'],
  },
  setFirstName: plain('firstName', 'Ada', 'CustomerFirstNameSet'),
  setLastName: plain('lastName', 'Lovelace', 'CustomerLastNameSet'),
  setMiddleName: plain('middleName', 'King'),
  setTitle: plain('title', '', 'CustomerTitleSet'),
  setSalutation: plain('salutation', 'Dear'),
  setExternalId: plain('externalId', 'crm-1', 'CustomerExternalIdSet'),
  setCompanyName: plain('companyName', 'Engines Ltd', 'CustomerCompanyNameSet'),
  setDateOfBirth: plain('dateOfBirth', '1815-12-10', 'CustomerDateOfBirthSet'),
  setVatId: plain('vatId', 'DE123'),
  setLocale: plain('locale', 'de'),
  setKey: plain('key', '__proto__'),
  setCustomerNumber: plain('customerNumber', 'N-1'),
  addAddress: {
    when: () => ({address}),
    shows: (customer) => {
      expect(customer.addresses).to.have.length(1)
      expect(customer.addresses[0]).to.include(address)
      expect(customer.addresses[0].id).to.match(/^[A-Za-z0-9_-]{8}$/)
    },
    messages: ['CustomerAddressAdded'],
  },
  changeAddress: {
    draft: withAddress,
    when: () => ({addressKey: 'home', address: {country: 'AT'}}),
    shows: (customer, before) => {
      expect(customer.addresses).to.deep.equal([{id: before.addresses[0].id, country: 'AT'}])
    },
    messages: ['CustomerAddressChanged'],
  },
  removeAddress: {
    draft: {...withAddress, defaultShippingAddress: 0, defaultBillingAddress: 0},
    when: (customer) => ({addressId: customer.addresses[0].id}),
    shows: (customer) => {
      expect(customer).to.deep.include({addresses: [], shippingAddressIds: [], billingAddressIds: []})
      expect(customer).to.not.have.any.keys('defaultShippingAddressId', 'defaultBillingAddressId')
    },
    messages: ['CustomerAddressRemoved'],
  },
  ...Object.fromEntries(
    (['Shipping', 'Billing'] as const).flatMap((role): [string, Case][] => {
      const lower = role.toLowerCase()
      const ids = `${lower}AddressIds`
      const byDefault = `default${role}AddressId`
      const used = (customer: Body) => [customer.addresses[0].id]
      return [
        [
          `setDefault${role}Address`,
          {
            draft: withAddress,
            when: () => ({addressKey: 'home'}),
            shows: (customer) => {
              expect(customer[byDefault]).to.equal(customer.addresses[0].id)
              expect(customer[ids]).to.deep.equal(used(customer))
            },
            messages: [`CustomerDefault${role}AddressSet`],
          },
        ],
        [
          `add${role}AddressId`,
          {
            draft: withAddress,
            when: (customer) => ({addressId: customer.addresses[0].id}),
            shows: (customer) => {
              expect(customer[ids]).to.deep.equal(used(customer))
              expect(customer).to.not.have.property(byDefault)
            },
            messages: [`Customer${role}AddressAdded`],
          },
        ],
        [
          `remove${role}AddressId`,
          {
            draft: {...withAddress, [`default${role}Address`]: 0},
            when: (customer) => ({addressId: customer.addresses[0].id}),
            shows: (customer) => {
              expect(customer[ids]).to.deep.equal([])
              expect(customer).to.not.have.property(byDefault)
            },
            messages: [`Customer${role}AddressRemoved`],
          },
        ],
      ]
    }),
  ),
  setCustomerGroup: {
    when: () => ({customerGroup: {typeId: 'customer-group', id: group(0)}}),
    shows: (customer) => expect(customer.customerGroup).to.deep.equal({typeId: 'customer-group', id: group(0)}),
    messages: ['CustomerGroupSet'],
  },
  addCustomerGroupAssignment: {
    when: () => ({customerGroupAssignment: {customerGroup: {id: group(1)}}}),
    shows: (customer) =>
      expect(customer.customerGroupAssignments).to.deep.equal([
        {customerGroup: {typeId: 'customer-group', id: group(1)}},
      ]),
    messages: ['CustomerGroupAssignmentAdded'],
  },
  removeCustomerGroupAssignment: {
    draft: {customerGroupAssignments: [{customerGroup: {id: group(1)}}]},
    when: () => ({customerGroup: {id: group(1)}}),
    shows: (customer) => expect(customer.customerGroupAssignments).to.deep.equal([]),
    messages: ['CustomerGroupAssignmentRemoved'],
  },
  setCustomerGroupAssignments: {
    when: () => ({customerGroupAssignments: [0, 1, 0].map((at) => ({customerGroup: {id: group(at)}}))}),
    shows: (customer) => expect(customer.customerGroupAssignments).to.have.length(2),
    messages: ['CustomerGroupAssignmentsSet'],
  },
  setStores: {
    when: () => ({stores: [{key: 'berlin'}, {key: 'london'}, {key: 'berlin'}]}),
    shows: (customer) =>
      expect(customer.stores).to.deep.equal([
        {typeId: 'store', key: 'berlin'},
        {typeId: 'store', key: 'london'},
      ]),
    messages: ['CustomerStoresSet'],
  },
  addStore: {
    when: () => ({store: {typeId: 'store', key: 'berlin'}}),
    shows: (customer) => expect(customer.stores).to.deep.equal([{typeId: 'store', key: 'berlin'}]),
    messages: [],
  },
  removeStore: {
    draft: {stores: [{key: 'berlin'}]},
    when: () => ({store: {key: 'berlin'}}),
    shows: (customer) => expect(customer.stores).to.deep.equal([]),
    messages: [],
  },
  setAuthenticationMode: {
    when: () => ({authMode: 'ExternalAuth'}),
    shows: (customer) => {
      expect(customer.authenticationMode).to.equal('ExternalAuth')
      expect(customer).to.not.have.property('password')
    },
    messages: [],
  },
  changeName: {
    draft: {middleName: 'gone'},
    when: () => ({firstName: 'Grace', lastName: 'Hopper'}),
    shows: (customer) => {
      expect(customer).to.include({firstName: 'Grace', lastName: 'Hopper'})
      expect(customer).to.not.have.property('middleName')
    },
    messages: ['CustomerFirstNameSet', 'CustomerLastNameSet'],
  },
}
