import {ApiError} from '../errors.js'
import type {Customer} from './customer.js'

/** Which customers may not exist beside each other (decisions 10 and 11), as claims that a store enforces blindly. */

/** Trimmed and in Unicode lower case: what emails are compared by. */
export const canonicalEmail = (email: string): string => email.trim().toLowerCase()

/** The claim on an email: of the project for a global customer, of a store otherwise. No store key can be `*`. */
export const emailClaim = (email: string, storeKey?: string): string =>
  `email:${storeKey ?? '*'}:${canonicalEmail(email)}`
export const keyClaim = (key: string): string => `key:${key}`
export const numberClaim = (customerNumber: string): string => `number:${customerNumber}`

interface CustomerClaim {
  readonly key: string
  readonly shared?: true
}

/**
 * A global customer holds the project's claim on its email alone; store-specific ones share it and hold the claim of
 * each of their stores, so that global clashes with any, and stores clash where they overlap.
 */
export function claimsOf(customer: Pick<Customer, 'email' | 'stores' | 'key' | 'customerNumber'>): CustomerClaim[] {
  const {email, stores, key, customerNumber} = customer
  const project = emailClaim(email)
  return [
    ...(stores.length === 0
      ? [{key: project}]
      : [{key: project, shared: true} as const, ...stores.map((store) => ({key: emailClaim(email, store.key)}))]),
    ...(key === undefined ? [] : [{key: keyClaim(key)}]),
    ...(customerNumber === undefined ? [] : [{key: numberClaim(customerNumber)}]),
  ]
}

const fields: ReadonlyMap<string, 'email' | 'key' | 'customerNumber'> = new Map([
  ['email', 'email'],
  ['key', 'key'],
  ['number', 'customerNumber'],
])

/** What a clash on a claim means to the caller whose draft or customer wanted it. */
export function clashOf(
  claim: string,
  state: 'held' | 'pending',
  customer: {readonly email?: string; readonly key?: string; readonly customerNumber?: string},
): ApiError {
  const field = fields.get(claim.slice(0, claim.indexOf(':'))) ?? 'key'
  return state === 'pending'
    ? ApiError.of('LockedField', {field})
    : ApiError.of('DuplicateField', {field, duplicateValue: customer[field]})
}

const member = (name: string) => (customer: object) => {
  const value: unknown = (customer as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}

/** Values derived from a customer that stores index, for look-ups and predicates. */
export const customerFacets = {
  lowercaseEmail: (customer: object) => {
    const email = member('email')(customer)
    return email === undefined ? undefined : canonicalEmail(email)
  },
  email: member('email'),
  key: member('key'),
  customerNumber: member('customerNumber'),
  externalId: member('externalId'),
}
