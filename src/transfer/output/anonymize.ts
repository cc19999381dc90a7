import type {Customer} from '../../domain/customers/customer.js'
import {type Pseudonyms, pseudonyms} from './pseudonyms.js'

type Change = (names: Pseudonyms, value: string) => string

const name: Change = (names, value) => names.name(value)
const phone: Change = (names, value) => names.phone(value)
const email: Change = (names, value) => names.email(value)
const shape: Change = (names, value) => names.shape(value)
const key: Change = (names, value) => names.key(value)

/** What stands in for the personal members of a customer and of its addresses. Titles can be telling, so they go. */
const customerChanges: ReadonlyMap<string, Change | 'drop'> = new Map<string, Change | 'drop'>([
  ['key', key],
  ['customerNumber', key],
  ['externalId', key],
  ['email', email],
  ['firstName', name],
  ['middleName', name],
  ['lastName', name],
  ['title', 'drop'],
  ['salutation', 'drop'],
  ['dateOfBirth', (names, value) => names.date(value)],
  ['companyName', (names, value) => names.company(value)],
  ['vatId', shape],
])

const addressChanges: ReadonlyMap<string, Change | 'drop'> = new Map<string, Change | 'drop'>([
  ['key', key],
  ['externalId', key],
  ['title', 'drop'],
  ['salutation', 'drop'],
  ['firstName', name],
  ['lastName', name],
  ['streetName', (names, value) => names.street(value)],
  ['streetNumber', shape],
  ['additionalStreetInfo', 'drop'],
  ['postalCode', (names, value) => names.postalCode(value)],
  ['city', (names, value) => names.city(value)],
  ['region', (names, value) => names.city(value)],
  ['state', (names, value) => names.city(value)],
  ['company', (names, value) => names.company(value)],
  ['department', 'drop'],
  ['building', 'drop'],
  ['apartment', shape],
  ['pOBox', shape],
  ['phone', phone],
  ['mobile', phone],
  ['email', email],
  ['fax', phone],
  ['additionalAddressInfo', 'drop'],
])

/** Custom fields whose values are texts that people wrote; the others are choices, numbers, times and references. */
const writtenTypes: ReadonlySet<string> = new Set(['String', 'LocalizedString'])

interface FieldType {
  readonly name?: unknown
  readonly elementType?: FieldType
}

interface Custom {
  readonly type: {readonly id?: string; readonly obj?: {readonly [member: string]: unknown}}
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * Puts a stable pseudonym in the place of everything personal: the same seed and value give the same pseudonym, so that
 * a second copy finds the customers of the first. Custom fields need their types expanded; where a type is not known,
 * every text counts as written by people.
 */
export function anonymizer(seed: string): (customer: Customer) => Customer {
  const names = pseudonyms(seed)
  return (customer) => {
    const {addresses, custom, createdBy: _, lastModifiedBy: __, password: ___, ...members} = customer
    return {
      ...changed(members, customerChanges, names),
      addresses: addresses.map(({custom: own, ...address}) => ({
        ...changed(address, addressChanges, names),
        ...(own ? {custom: changedCustom(own as Custom, names)} : {}),
      })),
      ...(custom ? {custom: changedCustom(custom as Custom, names)} : {}),
    } as unknown as Customer
  }
}

function changed(value: object, changes: ReadonlyMap<string, Change | 'drop'>, names: Pseudonyms): object {
  const entries = Object.entries(value).flatMap(([member, text]): [string, unknown][] => {
    const change = changes.get(member)
    if (change === undefined || typeof text !== 'string') return [[member, text]]
    if (change === 'drop') return []
    return [[member, text === '' ? '' : change(names, text)]]
  })
  return Object.fromEntries(entries)
}

function changedCustom({type, fields}: Custom, names: Pseudonyms): object {
  const definitions = type.obj?.['fieldDefinitions']
  const types = new Map(
    (Array.isArray(definitions) ? (definitions as {name: string; type: FieldType}[]) : []).map((definition) => [
      definition.name,
      definition.type,
    ]),
  )
  const entries = Object.entries(fields).map(([field, value]) => {
    const fieldType = types.get(field)
    const element = fieldType?.name === 'Set' ? fieldType.elementType : fieldType
    const written = element === undefined || writtenTypes.has(String(element.name))
    return [field, written ? texts(value, names) : value] as const
  })
  return {type, fields: Object.fromEntries(entries)}
}

/** Every text in a value, whatever it is part of. */
function texts(value: unknown, names: Pseudonyms): unknown {
  if (typeof value === 'string') return names.shape(value)
  if (Array.isArray(value)) return value.map((entry) => texts(entry, names))
  if (typeof value !== 'object' || value === null || 'typeId' in value) return value
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, texts(inner, names)]))
}
