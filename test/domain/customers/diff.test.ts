import {expect} from 'chai'
import fc from 'fast-check'
import * as v from 'valibot'
import type {Facts, Resolved} from '../../../src/domain/action.js'
import {customerActions} from '../../../src/domain/customers/actions/index.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {type DesiredCustomer, difference, type UpdateAction} from '../../../src/domain/customers/diff.js'
import {CustomerDraft, customerOf} from '../../../src/domain/customers/draft.js'
import {fold} from '../../../src/domain/fold.js'

const fieldDefinitions = [
  {name: 'points', type: {name: 'Number'}},
  {name: 'note', type: {name: 'String'}},
  {name: 'credit', type: {name: 'Money'}},
]
const typeFor = (key: string): Resolved => ({
  id: `id-of-${key}`,
  key,
  resourceTypeIds: ['customer', 'address'],
  fieldDefinitions,
})

function factsWith(prefix: string): Facts {
  let count = 0
  return {
    now: '2026-11-20T00:00:00.000Z',
    newAddressId: () => `${prefix}${(count++).toString().padStart(4, '0')}`,
    newPasswordMask: () => '****abc=',
    languages: [],
    limits: {customerGroups: 500},
    resolve: ({typeId, id, key}) => {
      if (typeId === 'type') return typeFor(key ?? (id ?? '').replace('id-of-', ''))
      return {id: id ?? `id-of-${key}`, key: key ?? (id ?? '').replace('id-of-', '')}
    },
  }
}

function customerFrom(draft: unknown): Customer {
  const parsed = v.parse(CustomerDraft, draft)
  return customerOf(parsed, {id: 'c1', facts: factsWith('addr'), passwordMask: '****abc='})
}

function applied(customer: Customer, actions: readonly UpdateAction[]): Customer {
  const calls = actions.map(({action, ...body}) => {
    const unit = customerActions.get(action)
    if (!unit) throw new Error(`no action ${action}`)
    return {action: unit, body: v.parse(unit.schema, body)}
  })
  return fold(customer, calls, factsWith('next')).next
}

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
})

const word = fc.constantFrom('', 'Ada', 'Ünal', '=1+1', 'a "q"\nb')
const optionally = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, {nil: undefined})
const custom = fc.record({
  type: fc.record({id: fc.constantFrom('id-of-extras', 'id-of-other')}),
  fields: fc.record(
    {
      points: fc.integer({min: 0, max: 3}),
      note: word,
      credit: fc.record({currencyCode: fc.constantFrom('EUR', 'JPY'), centAmount: fc.integer({min: 0, max: 2})}),
    },
    {requiredKeys: []},
  ),
})
const address = fc.record(
  {
    id: fc.constantFrom('addr0000', 'addr0001', 'addr0002', 'elsewhere'),
    key: fc.constantFrom('home', 'work', 'new-address-1', 'gym'),
    country: fc.constantFrom('DE', 'FR'),
    city: word,
    custom,
  },
  {requiredKeys: ['country']},
)
const addresses = fc.uniqueArray(address, {
  maxLength: 4,
  comparator: (one, other) => one !== undefined && other !== undefined && one === other,
  selector: ({key}) => key,
})

const withRoles = optionally(addresses).chain((list) => {
  if (list === undefined) return fc.constant({})
  const at = fc.integer({min: 0, max: Math.max(0, list.length - 1)})
  const none = list.length === 0
  return fc.record(
    {
      addresses: fc.constant(list),
      shippingAddresses: none ? fc.constant([]) : fc.array(at, {maxLength: 3}),
      billingAddresses: none ? fc.constant([]) : fc.array(at, {maxLength: 3}),
      ...(none ? {} : {defaultShippingAddress: at, defaultBillingAddress: at}),
    },
    {requiredKeys: ['addresses']},
  )
})
const keys = (prefix: string) =>
  fc.array(fc.integer({min: 1, max: 4}), {maxLength: 4}).map((list) => list.map((at) => `${prefix}-${at}`))
const plain = fc.record(
  {
    email: fc.constantFrom('ada@example.com', 'Ada@example.com', 'b@example.com'),
    key: fc.constantFrom('key-1', 'key-2'),
    firstName: word,
    lastName: word,
    title: word,
    dateOfBirth: fc.constantFrom('1990-01-01', '2000-02-29'),
    locale: fc.constantFrom('de', 'DE', 'de-AT'),
    customerGroup: fc.record({id: fc.constantFrom('g-1', 'g-2')}),
    customerGroupAssignments: keys('g').map((ids) => ids.map((id) => ({customerGroup: {id}}))),
    stores: keys('s').map((list) => list.map((key) => ({key}))),
    custom,
  },
  {requiredKeys: ['email']},
)
const draft = fc.tuple(plain, withRoles).map(([one, other]) => ({...base, ...one, ...other}))

const set = (values: readonly string[] | undefined): string[] => [...new Set(values)].sort()
const addressText = ({id: _, ...content}: {id: string}): string =>
  JSON.stringify(Object.entries(content).sort(([one], [other]) => (one < other ? -1 : 1)))
const roleTexts = (customer: Customer, ids: readonly string[]): string[] =>
  ids.map((id) => addressText(customer.addresses.find((entry) => entry.id === id) ?? {id: 'none'})).sort()

/** What a desired state determines, in a form that forgets ids and order. */
function visible(customer: Customer, desired: DesiredCustomer): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const name of ['email', 'key', 'firstName', 'lastName', 'title', 'dateOfBirth', 'customerGroup'] as const) {
    if (desired[name] !== undefined) shown[name] = customer[name]
  }
  if (desired.locale !== undefined) shown['locale'] = customer.locale?.toLowerCase()
  if (desired.custom !== undefined) shown['custom'] = customer.custom
  if (desired.stores !== undefined) shown['stores'] = set(customer.stores.map(({key}) => key))
  if (desired.customerGroupAssignments !== undefined) {
    shown['groups'] = set(customer.customerGroupAssignments.map(({customerGroup}) => customerGroup.id))
  }
  if (desired.addresses !== undefined) shown['addresses'] = customer.addresses.map(addressText).sort()
  for (const role of ['Shipping', 'Billing'] as const) {
    const id = customer[`default${role}AddressId`]
    if (desired[`default${role}Address`] !== undefined) shown[`default${role}`] = roleTexts(customer, id ? [id] : [])
    const ids = customer[role === 'Shipping' ? 'shippingAddressIds' : 'billingAddressIds']
    const list = role === 'Shipping' ? desired.shippingAddresses : desired.billingAddresses
    if (list !== undefined) shown[role] = roleTexts(customer, ids)
  }
  return shown
}

describe('customers · difference, for any two states', () => {
  it('reaches the desired state, and has nothing more to do then', () => {
    fc.assert(
      fc.property(draft, draft, (before, after) => {
        const current = customerFrom(before)
        const {password: _, ...desired} = after as typeof after & DesiredCustomer
        const next = applied(current, difference(current, desired).actions)
        expect(visible(next, desired)).to.deep.equal(visible(customerFrom(after), desired))
        expect(difference(next, desired).actions).to.deep.equal([])
      }),
      {numRuns: 700},
    )
  })

  it('has only actions that change something', () => {
    fc.assert(
      fc.property(draft, draft, (before, after) => {
        const current = customerFrom(before)
        const {password: _, ...desired} = after as typeof after & DesiredCustomer
        const {actions} = difference(current, desired)
        expect(applied(current, actions).version - current.version).to.equal(actions.length)
      }),
      {numRuns: 300},
    )
  })
})
