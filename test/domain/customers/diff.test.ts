import {expect} from 'chai'
import type {UpdateAction} from '../../../src/domain/action.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import type {DesiredCustomer} from '../../../src/domain/customers/desired-customer.js'
import {difference} from '../../../src/domain/customers/diff.js'
import {applied, customerFrom} from './diff-harness.js'

const names = (actions: readonly UpdateAction[]): string[] => actions.map(({action}) => action)
const base = {email: 'ada@example.com', password: 'x'}

describe('customers · difference', () => {
  it('has no action for a customer that is already there', () => {
    const customer = customerFrom({...base, firstName: 'Ada'})
    expect(difference(customer, {email: 'ada@example.com', firstName: 'Ada'}).actions).to.deep.equal([])
  })

  it('leaves members alone that the desired state does not have', () => {
    const customer = customerFrom({...base, firstName: 'Ada', addresses: [{country: 'DE'}]})
    expect(difference(customer, {lastName: 'King'}).actions).to.deep.equal([{action: 'setLastName', lastName: 'King'}])
  })

  it('removes a member that is null', () => {
    const customer = customerFrom({...base, firstName: 'Ada'})
    expect(difference(customer, {firstName: null}).actions).to.deep.equal([{action: 'setFirstName'}])
  })

  it('changes an address in place when one member of it differs, without key or id', () => {
    const addresses = [
      {country: 'DE', city: 'Bonn', streetName: 'Weg'},
      {country: 'DE', city: 'Ulm', streetName: 'Platz'},
    ]
    const customer = customerFrom({...base, addresses, billingAddresses: [1]})
    const desired = {addresses: [addresses[1], {...addresses[0], city: 'Köln'}] as never, billingAddresses: [0]}
    expect(difference(customer, desired).actions).to.deep.equal([
      {action: 'changeAddress', addressId: 'addr0000', address: {country: 'DE', city: 'Köln', streetName: 'Weg'}},
    ])
  })

  it('keeps two addresses apart whose keys differ', () => {
    const customer = customerFrom({...base, addresses: [{key: 'home', country: 'DE'}]})
    const {actions} = difference(customer, {addresses: [{key: 'work', country: 'DE'}]})
    expect(names(actions)).to.deep.equal(['removeAddress', 'addAddress'])
  })

  it('knows an address by the whole of its content, custom fields included', () => {
    const place = (points: number) => ({country: 'DE', custom: {type: {id: 'id-of-extras'}, fields: {points}}})
    const customer = customerFrom({...base, addresses: [place(1), place(2)]})
    expect(difference(customer, {addresses: [place(2), place(1)]}).actions).to.deep.equal([])
  })

  it('follows an id when the key of the address was changed', () => {
    const customer = customerFrom({...base, addresses: [{key: 'home', country: 'DE'}]})
    const {actions} = difference(customer, {addresses: [{id: 'addr0000', key: 'work', country: 'DE'}]})
    expect(names(actions)).to.deep.equal(['changeAddress'])
  })

  it('gives a role to a new address without a key in the same request, and leaves no key behind', () => {
    const customer = customerFrom({...base, addresses: [{key: 'home', country: 'DE'}]})
    const desired = {addresses: [{key: 'home', country: 'DE'}, {country: 'FR'}], defaultShippingAddress: 1}
    const next = applied(customer, difference(customer, desired).actions)
    expect(next.addresses.map(({key, country}) => [key, country])).to.deep.equal([
      ['home', 'DE'],
      [undefined, 'FR'],
    ])
    expect(next.defaultShippingAddressId).to.equal(next.addresses[1]?.id)
    expect(next.shippingAddressIds).to.deep.equal([next.addresses[1]?.id])
  })

  it('compares references by key when the current customer is expanded', () => {
    const customer = {
      ...customerFrom(base),
      customerGroup: {typeId: 'customer-group', id: 'g1', obj: {id: 'g1', key: 'vip'}},
    } as Customer
    const wanted = (key: string): DesiredCustomer => ({customerGroup: {typeId: 'customer-group', key}})
    expect(difference(customer, wanted('vip')).actions).to.deep.equal([])
    expect(names(difference(customer, wanted('staff')).actions)).to.deep.equal(['setCustomerGroup'])
  })

  it('names what no action can reach', () => {
    const customer = customerFrom({...base, customerNumber: '1', authenticationMode: 'ExternalAuth'})
    const desired = {customerNumber: '2', isEmailVerified: true, authenticationMode: 'Password'} as const
    const {actions, unreachable} = difference(customer, desired)
    expect(actions).to.deep.equal([])
    expect(unreachable).to.have.members(['customerNumber', 'isEmailVerified', 'authenticationMode'])
  })

  it('takes the money of a custom field as equal however the service completed it', () => {
    const credit = {currencyCode: 'EUR', centAmount: 500}
    const custom = {type: {key: 'extras'}, fields: {credit}}
    const customer = customerFrom({...base, custom})
    expect(difference(customer, {custom: {type: {id: 'id-of-extras'}, fields: {credit}}}).actions).to.deep.equal([])
  })

  it('takes a moment of a custom field as equal in whatever zone it was written', () => {
    const fields = {visit: '2026-01-01T00:00:00.000Z'}
    const customer = customerFrom({...base, custom: {type: {key: 'extras'}, fields}})
    const wanted = (visit: string): DesiredCustomer => ({custom: {type: {id: 'id-of-extras'}, fields: {visit}}})
    expect(difference(customer, wanted('2026-01-01T01:00:00+01:00')).actions).to.deep.equal([])
    expect(difference(customer, wanted('2026-01-01T01:00:00Z')).actions).to.have.length(1)
  })
})
