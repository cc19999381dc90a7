import {ApiError} from '../errors.js'
import type {Customer} from './customer.js'

/** Which customers exclude each other (decisions 10 and 11), as unique keys that a store enforces blindly. */

/** An email as it is compared: trimmed, in Unicode lower case, and composed (NFC). */
export const canonicalEmail = (email: string): string => email.trim().toLowerCase().normalize('NFC')

/** The unique key on an email: of the project for a global customer, of a store otherwise. No store key can be `*`. */
export const byEmail = (email: string, storeKey?: string): string => `email:${storeKey ?? '*'}:${canonicalEmail(email)}`
export const byKey = (key: string): string => `key:${key}`
export const byNumber = (customerNumber: string): string => `number:${customerNumber}`

export interface CustomerUniqueKey {
  readonly key: string
  readonly shared?: true
}

/**
 * A global customer holds the project's unique key on its email alone; store-specific ones share it and hold the unique
 * key of each of their stores, so that global clashes with any, and stores clash where they overlap.
 */
export function uniqueKeysOf(
  customer: Pick<Customer, 'email' | 'stores' | 'key' | 'customerNumber'>,
): CustomerUniqueKey[] {
  const {email, stores, key, customerNumber} = customer
  const project = byEmail(email)
  const keys: CustomerUniqueKey[] = [stores.length === 0 ? {key: project} : {key: project, shared: true}]
  for (const store of stores) keys.push({key: byEmail(email, store.key)})
  if (key !== undefined) keys.push({key: byKey(key)})
  if (customerNumber !== undefined) keys.push({key: byNumber(customerNumber)})
  return keys
}

/** What comes before the colon of a unique key is the member that it is made of, unless it stands here. */
const members: ReadonlyMap<string, string> = new Map([['number', 'customerNumber']])

/** What a clash on a unique key means to the caller whose draft or resource wanted it. */
export function clashOf(uniqueKey: string, state: 'held' | 'pending', resource: object): ApiError {
  const kind = uniqueKey.slice(0, uniqueKey.indexOf(':'))
  const field = members.get(kind) ?? kind
  return state === 'pending'
    ? ApiError.of('LockedField', {field})
    : ApiError.of('DuplicateField', {field, duplicateValue: Reflect.get(resource, field)})
}

/** A facet that is a text of the document. */
export const member = (name: string) => (document: object) => {
  const value: unknown = (document as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}

/** The values of a customer that stores index, for look-ups and predicates. */
export const customerFacets = {
  lowercaseEmail: Object.assign(
    (customer: object) => {
      const email = member('email')(customer)
      return email === undefined ? undefined : canonicalEmail(email)
    },
    {uniqueKey: (email: string) => byEmail(email)},
  ),
  email: Object.assign(member('email'), {uniqueKey: (email: string) => byEmail(email)}),
  key: Object.assign(member('key'), {uniqueKey: byKey}),
  customerNumber: Object.assign(member('customerNumber'), {uniqueKey: byNumber}),
  externalId: member('externalId'),
}
