import type {Customer} from '../../domain/customers/customer.js'
import type {DesiredCustomer} from '../../domain/customers/desired-customer.js'
import {fieldRows} from '../../domain/customers/fields.js'
import {equal} from '../../domain/equal.js'

/** The members of a customer that an update changed, as they were and as they became. */
export interface Change {
  readonly id: string
  /** ISO 8601. */
  readonly time: string
  /** The version that the update led to. */
  readonly version: number
  readonly before: Members
  readonly after: Members
  /** Members that changed and that nothing brings back. */
  readonly lost: readonly string[]
}

export type Members = Readonly<Record<string, unknown>>

/** Addresses and the roles that refer to them by id change and come back together. */
const ofAddresses = [
  'addresses',
  'defaultShippingAddressId',
  'defaultBillingAddressId',
  'shippingAddressIds',
  'billingAddressIds',
] as const

const others = ['customerGroup', 'customerGroupAssignments', 'stores', 'custom'] as const
const revocable: readonly string[] = [...fieldRows.map(({name}) => name), ...ofAddresses, ...others]
const irrevocable = ['password', 'authenticationMode', 'isEmailVerified'] as const

/** Without what `expand` puts beside references. */
const plain = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (name, part: unknown) => (name === 'obj' ? undefined : part)) as T

/** What an update changed of a customer; undefined if nothing that a person could want back. */
export function changeOf(from: Customer, to: Customer, now: number): Change | undefined {
  const [old, next] = [plain(from) as unknown as Members, plain(to) as unknown as Members]
  const differs = (name: string): boolean => !equal(old[name], next[name])
  const ownAddresses = ofAddresses.some(differs) ? ofAddresses : []
  const names = [...new Set([...revocable.filter(differs), ...ownAddresses])]
  const lost = irrevocable.filter(differs)
  if (names.length + lost.length === 0) return undefined
  const picked = (members: Members): Members =>
    Object.fromEntries(names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])))
  const {id, version} = to
  return {id, version, time: new Date(now).toISOString(), before: picked(old), after: picked(next), lost}
}

const namesOf = ({before, after}: Change): readonly string[] => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
]

/** Members of the change that somebody has changed since. */
export const changedSince = (change: Change, now: Customer): readonly string[] => {
  const held = plain(now) as unknown as Members
  return namesOf(change).filter((name) => !equal(held[name], change.after[name]))
}

/** The customer as it was before the change, as far as the change went. */
export function desiredBefore(change: Change): DesiredCustomer {
  const {before} = change
  const names = namesOf(change)
  const plainOnes = names.filter((name) => !(ofAddresses as readonly string[]).includes(name))
  const desired = Object.fromEntries(plainOnes.map((name) => [name, before[name] ?? null]))
  return names.includes('addresses') ? {...desired, ...addressesOf(before)} : desired
}

/** Addresses with their roles by index, as a desired customer has them. */
function addressesOf(before: Members): DesiredCustomer {
  const {addresses = [], shippingAddressIds = [], billingAddressIds = []} = before as unknown as Partial<Customer>
  const {defaultShippingAddressId, defaultBillingAddressId} = before as unknown as Partial<Customer>
  const at = (id: string | undefined): number => addresses.findIndex((address) => address.id === id)
  const all = (ids: readonly string[]) => ids.map(at).filter((index) => index >= 0)
  const one = (id: string | undefined) => (id === undefined || at(id) < 0 ? null : at(id))
  return {
    addresses,
    shippingAddresses: all(shippingAddressIds),
    billingAddresses: all(billingAddressIds),
    defaultShippingAddress: one(defaultShippingAddressId),
    defaultBillingAddress: one(defaultBillingAddressId),
  }
}
