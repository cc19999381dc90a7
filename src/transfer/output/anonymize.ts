import type {Customer} from '../../domain/customers/customer.js'
import {addressPrivacy, customerPrivacy, type Privacy} from '../../domain/customers/privacy.js'
import {changedCustom} from './anonymize-custom.js'
import {type Pseudonyms, pseudonyms} from './pseudonyms.js'

/**
 * Puts a stable pseudonym in the place of everything personal, as fields declare it: the same seed and value give the
 * same pseudonym, so that a second copy finds the customers of the first. Ids are replaced, and times, versions and
 * authors dropped, since they would lead back. What is not declared is dropped. Custom fields need their types expanded;
 * where a type is not known, every value counts as personal.
 */
export function anonymizer(seed: string): (customer: Customer) => Customer {
  const names = pseudonyms(seed)
  return (customer) => disguised(customer, customerPrivacy, names) as unknown as Customer
}

function disguised(
  document: object,
  privacy: Readonly<Record<string, Privacy>>,
  names: Pseudonyms,
): Record<string, unknown> {
  const entries = Object.entries(document).flatMap(([member, value]): [string, unknown][] => {
    const kind = Object.hasOwn(privacy, member) ? (privacy[member] ?? 'telling') : 'telling'
    if (kind === 'telling' || kind === 'trace') return []
    if (kind === 'nothing') return [[member, value]]
    return [[member, kind === 'parts' ? parts(member, value, names) : replaced(value, names[kind])]]
  })
  return Object.fromEntries(entries)
}

function parts(member: string, value: unknown, names: Pseudonyms): unknown {
  if (member === 'custom') return changedCustom(value, names)
  return Array.isArray(value) ? value.map((address: object) => disguised(address, addressPrivacy, names)) : undefined
}

function replaced(value: unknown, change: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((entry) => replaced(entry, change))
  return typeof value === 'string' && value !== '' ? change(value) : value
}
