import type {UpdateAction} from '../action.js'
import {equal} from '../equal.js'
import {customerActions} from './actions/index.js'
import {addressRelated, addressRoles, type Customer} from './customer.js'
import type {DesiredCustomer} from './desired-customer.js'
import {fieldRows} from './fields.js'

/** What an update replaces, kept so that it can be taken back. */

export type Members = Readonly<Record<string, unknown>>

const others = ['customerGroup', 'customerGroupAssignments', 'stores', 'custom'] as const

/** Members that can be brought back. Addresses and the roles that refer to them by id change and come back together. */
export const revocable: readonly string[] = [...fieldRows.map(({name}) => name), ...addressRelated, ...others]
export const irrevocable = ['password', 'authenticationMode', 'isEmailVerified'] as const

export const plain = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (name, part: unknown) => (name === 'obj' ? undefined : part)) as T

/** The members of a customer before some actions; null for those that it did not have. */
export interface BeforeImage {
  readonly before: Members
  /** Members that the actions change and that nothing brings back. */
  readonly lost: readonly string[]
}

/** What update actions will replace of a customer: the members that they declare. */
export function beforeImageOf(customer: Customer, actions: readonly UpdateAction[]): BeforeImage {
  const declared = new Set(actions.flatMap(({action}) => customerActions.get(action)?.fields ?? []))
  if (addressRelated.some((name) => declared.has(name))) for (const name of addressRelated) declared.add(name)
  const held = customer as unknown as Members
  const names = revocable.filter((name) => declared.has(name))
  const lost = irrevocable.filter((name) => declared.has(name) && held[name] !== undefined && held[name] !== false)
  return {before: plain(Object.fromEntries(names.map((name) => [name, held[name] ?? null]))), lost}
}

export interface ChangedImage extends BeforeImage {
  readonly after: Members
}

/** What changed between two states of a customer; undefined if nothing that a person could want back. */
export function changedImage(from: Customer, to: Customer): ChangedImage | undefined {
  const [old, next] = [plain(from) as unknown as Members, plain(to) as unknown as Members]
  const differs = (name: string): boolean => !equal(old[name], next[name])
  const addresses = addressRelated.some(differs) ? addressRelated : []
  const names = [...new Set([...revocable.filter(differs), ...addresses])]
  const lost = irrevocable.filter(differs)
  if (names.length + lost.length === 0) return undefined
  const picked = (members: Members): Members => Object.fromEntries(names.map((name) => [name, members[name] ?? null]))
  return {before: picked(old), after: picked(next), lost}
}

export function membersSince(then: Members, now: Customer): readonly string[] {
  const held = plain(now) as unknown as Members
  return Object.keys(then).filter((name) => !equal(held[name] ?? null, then[name]))
}

/** The state that brings the members of a before-image back; null takes a member away. */
export function desiredOf(before: Members): DesiredCustomer {
  const plainOnes = Object.entries(before).filter(([name]) => !(addressRelated as readonly string[]).includes(name))
  return {...Object.fromEntries(plainOnes), ...('addresses' in before ? addressesOf(before) : {})}
}

/** Addresses with their roles by index, as a desired customer has them. */
function addressesOf(before: Members): DesiredCustomer {
  const held = before as unknown as Partial<Customer>
  const addresses = held.addresses ?? []
  const at = (id: string | null | undefined): number => addresses.findIndex((address) => address.id === id)
  const members = addressRoles.flatMap(({ids, byDefault, indices, defaultIndex}) => {
    const main = at(held[byDefault])
    return [
      [indices, (held[ids] ?? []).map(at).filter((index) => index >= 0)],
      [defaultIndex, main < 0 ? null : main],
    ] as const
  })
  return {addresses, ...Object.fromEntries(members)}
}
