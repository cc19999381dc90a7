import {expect} from 'chai'
import fc from 'fast-check'
import {AddressDraft} from '../../../src/domain/address.js'
import {addressFields} from '../../../src/domain/address-fields.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import type {DesiredCustomer} from '../../../src/domain/customers/desired-customer.js'
import {difference} from '../../../src/domain/customers/diff.js'
import {matchAddresses} from '../../../src/domain/customers/diff-addresses.js'
import {CustomerDraft} from '../../../src/domain/customers/draft.js'
import {byCustomerField} from '../../../src/domain/customers/fields.js'
import {applied, customerFrom, fieldDefinitions} from './diff-harness.js'

const addressTexts = addressFields.map(({name}) => name).filter((name) => name !== 'key' && name !== 'country')

const word = fc.constantFrom('', 'Ada', 'Ünal', '=1+1', 'a "q"\nb')
const money = fc.record({currencyCode: fc.constantFrom('EUR', 'JPY'), centAmount: fc.integer({min: 0, max: 2})})
const person = fc.constantFrom('p-1', 'p-2').map((id) => ({typeId: 'customer', id}))
const fields = {
  points: fc.integer({min: 0, max: 3}),
  note: word,
  credit: money,
  optIn: fc.boolean(),
  greeting: fc.record({en: word, de: word}, {requiredKeys: ['en']}),
  season: fc.constantFrom('spring', 'autumn'),
  tone: fc.constant('warm'),
  since: fc.constantFrom('2020-01-01', '2021-02-28'),
  callAt: fc.constantFrom('09:00:00.000', '10:30:00.000'),
  visit: fc.constantFrom('2020-01-01T10:00:00.000Z', '2020-01-01T11:00:00.000Z', '2020-01-01T11:00:00+01:00'),
  adviser: person,
  tags: fc.uniqueArray(word, {maxLength: 3}),
  credits: fc.uniqueArray(money, {maxLength: 2, selector: ({currencyCode}) => currencyCode}),
  friends: fc.uniqueArray(person, {maxLength: 2, selector: ({id}) => id}),
}
const custom = fc.record({
  type: fc.record({id: fc.constantFrom('id-of-extras', 'id-of-other')}),
  fields: fc.record(fields, {requiredKeys: []}),
})

const addressMembers = {
  key: fc.constantFrom('home', 'work', 'new-address-1', 'gym'),
  country: fc.constantFrom('DE', 'FR'),
  ...Object.fromEntries(addressTexts.map((name) => [name, word])),
  custom,
}
const address = fc.record(
  {id: fc.constantFrom('addr0000', 'addr0001', 'addr0002', 'elsewhere'), ...addressMembers},
  {requiredKeys: ['country']},
)
const addresses = fc.uniqueArray(address, {
  maxLength: 4,
  comparator: (one, other) => one !== undefined && other !== undefined && one === other,
  selector: ({key}) => key,
})
const roleMembers = ['shippingAddresses', 'billingAddresses', 'defaultShippingAddress', 'defaultBillingAddress']
const withRoles = fc.option(addresses, {nil: undefined}).chain((list) => {
  if (list === undefined) return fc.constant({})
  const at = fc.integer({min: 0, max: Math.max(0, list.length - 1)})
  const none = list.length === 0
  const indices = none ? fc.constant([]) : fc.array(at, {maxLength: 3})
  return fc.record(
    {
      addresses: fc.constant(list),
      shippingAddresses: indices,
      billingAddresses: indices,
      ...(none ? {} : {defaultShippingAddress: at, defaultBillingAddress: at}),
    },
    {requiredKeys: ['addresses']},
  )
})

const keys = (prefix: string) =>
  fc.array(fc.integer({min: 1, max: 4}), {maxLength: 4}).map((list) => list.map((at) => `${prefix}-${at}`))
const group = fc.constantFrom('g-1', 'g-2').map((id) => ({id}))
const plainMembers = {
  ...byCustomerField((): fc.Arbitrary<string> => word),
  email: fc.constantFrom('ada@example.com', 'Ada@example.com', 'b@example.com'),
  key: fc.constantFrom('key-1', 'key-2'),
  // Any other number could not be reached.
  customerNumber: fc.constant('n-1'),
  dateOfBirth: fc.constantFrom('1990-01-01', '2000-02-29'),
  locale: fc.constantFrom('de', 'DE', 'de-AT'),
  customerGroup: group,
  customerGroupAssignments: keys('g').map((ids) => ids.map((id) => ({customerGroup: {id}}))),
  stores: keys('s').map((list) => list.map((key) => ({key}))),
  custom,
  isEmailVerified: fc.boolean(),
  authenticationMode: fc.constantFrom('Password', 'ExternalAuth'),
}
const plain = fc.record(plainMembers, {requiredKeys: ['email']})
const draft = fc.tuple(plain, withRoles).map(([one, other]) => ({...one, ...other, password: 'x'}))

/** Members that a row may take away. */
const removable = Object.keys(plainMembers)
  .filter((name) => !['email', 'customerNumber', 'isEmailVerified', 'authenticationMode'].includes(name))
  .concat('defaultShippingAddress', 'defaultBillingAddress')
/** A desired state: some of what it does not say is null. */
const desired = fc.tuple(draft, fc.subarray(removable)).map(([{password: _, ...said}, gone]): DesiredCustomer => {
  const nulls = gone.filter((name) => !Object.hasOwn(said, name)).map((name) => [name, null])
  return {...said, ...Object.fromEntries(nulls)} as DesiredCustomer
})
const withoutNulls = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))

const set = (values: readonly string[] | undefined): string[] => [...new Set(values)].sort()
const text = (value: object): string =>
  JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
const addressText = ({id: _, ...content}: {id: string}): string => text(content)
const roleTexts = (customer: Customer, ids: readonly string[]): string[] =>
  ids.map((id) => addressText(customer.addresses.find((entry) => entry.id === id) ?? {id: 'none'})).sort()

type Shown = (customer: Customer) => unknown
const roleViews: Readonly<Record<string, Shown>> = {
  shippingAddresses: (customer) => roleTexts(customer, customer.shippingAddressIds),
  billingAddresses: (customer) => roleTexts(customer, customer.billingAddressIds),
  defaultShippingAddress: (customer) => roleTexts(customer, [customer.defaultShippingAddressId ?? []].flat()),
  defaultBillingAddress: (customer) => roleTexts(customer, [customer.defaultBillingAddressId ?? []].flat()),
}
const views: Readonly<Record<string, Shown>> = {
  ...roleViews,
  addresses: (customer) => customer.addresses.map(addressText).sort(),
  locale: (customer) => customer.locale?.toLowerCase(),
  stores: (customer) => set(customer.stores.map(({key}) => key)),
  customerGroupAssignments: (customer) =>
    set(customer.customerGroupAssignments.map(({customerGroup}) => customerGroup.id)),
}

/** What a desired state determines, in a form that forgets ids and order. */
function visible(customer: Customer, wanted: DesiredCustomer, besides: readonly string[]): Record<string, unknown> {
  const names = Object.keys(wanted).filter((name) => !besides.includes(name))
  return Object.fromEntries(
    names.map((name) => [name, views[name]?.(customer) ?? (customer as unknown as Record<string, unknown>)[name]]),
  )
}

describe('customers · difference, for any two states', () => {
  it('is tried with every member that customers, addresses and custom fields have', () => {
    const creationOnly = ['password', 'passwordHash', 'anonymousCart', 'anonymousCartId', 'anonymousId']
    const tried = [...Object.keys(plainMembers), 'addresses', ...roleMembers, ...creationOnly]
    expect(tried.toSorted()).to.deep.equal(Object.keys(CustomerDraft.entries).toSorted())
    expect(Object.keys(addressMembers).toSorted()).to.deep.equal(Object.keys(AddressDraft.entries).toSorted())
    expect(Object.keys(fields).toSorted()).to.deep.equal(fieldDefinitions.map(({name}) => name).toSorted())
  })

  it('reaches the desired state, says what it cannot reach, and has nothing more to do then', () => {
    fc.assert(
      fc.property(draft, desired, (before, wanted) => {
        const current = customerFrom(before)
        const {actions, unreachable} = difference(current, wanted)
        const next = applied(current, actions)
        const whole = customerFrom({password: 'x', ...withoutNulls(wanted)})
        expect(visible(next, wanted, unreachable)).to.deep.equal(visible(whole, wanted, unreachable))
        expect(unreachable).not.to.include('customerNumber')
        expect(difference(next, wanted)).to.deep.equal({actions: [], unreachable})
      }),
      {numRuns: 700},
    )
  })

  it('has only actions that change something', () => {
    fc.assert(
      fc.property(draft, desired, (before, wanted) => {
        const current = customerFrom(before)
        const {actions} = difference(current, wanted)
        expect(applied(current, actions).version - current.version).to.equal(actions.length)
      }),
      {numRuns: 300},
    )
  })

  it('has no action for the same addresses in another order, named by nothing but their content', () => {
    const shuffled = addresses.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, {minLength: list.length})),
    )
    fc.assert(
      fc.property(shuffled, ([before, after]) => {
        const current = customerFrom({email: 'a@x.de', password: 'x', addresses: before})
        const wanted = after.map(({id: _, ...content}) => content)
        expect(difference(current, {addresses: wanted}).actions).to.deep.equal([])
      }),
      {numRuns: 300},
    )
  })

  it('finds addresses by key, then by id', () => {
    fc.assert(
      fc.property(addresses, addresses, (before, wanted) => {
        const held = customerFrom({email: 'a@x.de', password: 'x', addresses: before}).addresses
        const matches = matchAddresses(held, wanted)
        expect(new Set(matches.values()).size, 'no two for one').to.equal(matches.size)
        const taken = new Set<unknown>()
        for (const desiredAddress of wanted) {
          const byKey = held.find(({key}) => key !== undefined && key === desiredAddress.key)
          if (!byKey) continue
          expect(matches.get(desiredAddress)).to.equal(byKey)
          taken.add(byKey)
        }
        for (const desiredAddress of wanted) {
          const match = matches.get(desiredAddress)
          const byId = held.find(({id}) => id === desiredAddress.id)
          const isKeyed = match?.key !== undefined && match.key === desiredAddress.key
          const isRepeat = wanted.find(({id}) => id === desiredAddress.id) !== desiredAddress
          if (byId && !taken.has(byId) && !isKeyed && !isRepeat) expect(match).to.equal(byId)
        }
      }),
      {numRuns: 500},
    )
  })
})
