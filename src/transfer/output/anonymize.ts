import type {Customer} from '../../domain/customers/customer.js'
import {addressPrivacy, customerPrivacy, type Privacy} from '../../domain/customers/privacy.js'
import {type Pseudonyms, pseudonyms} from './pseudonyms.js'

/**
 * Replaces everything personal by stable pseudonyms, as fields declare it: the same seed and value give the same pseudonym,
 * so that a second copy finds the customers of the first. Replaces ids, and drops times, versions and authors, which would
 * lead back, and members that are not declared. Custom fields need their types expanded; without its type, every value
 * counts as personal.
 *
 *     const pseudonymOf = anonymizer('a seed')
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

interface FieldType {
  readonly name?: unknown
  readonly elementType?: FieldType
}

/** Choices from a short list that the project made: another one would be as arbitrary, or no choice of the list. */
const choices: ReadonlySet<string> = new Set(['Boolean', 'Enum', 'LocalizedEnum'])

type Change = (names: Pseudonyms, value: string) => string

/** What keeps the form that the type asks for; any other text is changed letter by letter. */
const changes: ReadonlyMap<string, Change> = new Map<string, Change>([
  ['Date', (names, value) => names.date(value)],
  ['DateTime', (names, value) => `${names.date(value)}${value.slice('2000-01-01'.length)}`],
  ['Time', (names, value) => names.time(value)],
])

function changedCustom(custom: unknown, names: Pseudonyms): unknown {
  const {type, fields} = custom as {
    readonly type: {readonly obj?: {readonly [member: string]: unknown}}
    readonly fields: object
  }
  const definitions = type.obj?.['fieldDefinitions']
  const types = new Map(
    (Array.isArray(definitions) ? (definitions as {name: string; type: FieldType}[]) : []).map((definition) => [
      definition.name,
      definition.type,
    ]),
  )
  const entries = Object.entries(fields).map(([field, value]) => {
    const fieldType = types.get(field)
    const element = String((fieldType?.name === 'Set' ? fieldType.elementType : fieldType)?.name)
    return [field, choices.has(element) ? value : changed(value, names, changes.get(element))] as const
  })
  return {type, fields: Object.fromEntries(entries)}
}

/** Members of values that give them their form. */
const structural: ReadonlySet<string> = new Set(['type', 'typeId', 'currencyCode', 'fractionDigits'])

function changed(value: unknown, names: Pseudonyms, change: Change = (_, text) => names.shape(text)): unknown {
  if (typeof value === 'string') return change(names, value)
  if (typeof value === 'number') return names.number(value)
  if (Array.isArray(value)) return value.map((entry) => changed(entry, names, change))
  if (typeof value !== 'object' || value === null) return value
  if ('typeId' in value) return reference(value, names)
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [
      member,
      structural.has(member) ? inner : changed(inner, names, change),
    ]),
  )
}

/** A reference to a customer names a person; others name things of the project. Nothing expanded stays. */
function reference(value: object, names: Pseudonyms): object {
  const {typeId, id, key} = value as Readonly<Record<string, unknown>>
  if (typeId !== 'customer') return value
  return {
    typeId,
    ...(typeof id === 'string' ? {id: names.id(id)} : {}),
    ...(typeof key === 'string' ? {key: names.key(key)} : {}),
  }
}
