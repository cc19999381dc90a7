import {desiredOf, irrevocable, type Members, plain, revocable} from '../../domain/customers/before-image.js'
import {addressRelated, type Customer} from '../../domain/customers/customer.js'
import type {DesiredCustomer} from '../../domain/customers/desired-customer.js'
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

/** What an update changed of a customer; undefined if nothing that a person could want back. */
export function changeOf(from: Customer, to: Customer, now: number): Change | undefined {
  const [old, next] = [plain(from) as unknown as Members, plain(to) as unknown as Members]
  const differs = (name: string): boolean => !equal(old[name], next[name])
  const ownAddresses = addressRelated.some(differs) ? addressRelated : []
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
export const desiredBefore = (change: Change): DesiredCustomer =>
  desiredOf(Object.fromEntries(namesOf(change).map((name) => [name, change.before[name] ?? null])))
