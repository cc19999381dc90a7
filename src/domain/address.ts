import * as v from 'valibot'
import type {Facts} from './action.js'
import {type CustomFields, CustomFieldsDraft, customFieldsOf} from './custom-fields.js'
import {defined} from './equal.js'
import {ApiError} from './errors.js'
import {Country, Key, optional, Text} from './rules.js'

const textMembers = {
  title: optional(Text),
  salutation: optional(Text),
  firstName: optional(Text),
  lastName: optional(Text),
  streetName: optional(Text),
  streetNumber: optional(Text),
  additionalStreetInfo: optional(Text),
  postalCode: optional(Text),
  city: optional(Text),
  region: optional(Text),
  state: optional(Text),
  company: optional(Text),
  department: optional(Text),
  building: optional(Text),
  apartment: optional(Text),
  pOBox: optional(Text),
  phone: optional(Text),
  mobile: optional(Text),
  email: optional(Text),
  fax: optional(Text),
  additionalAddressInfo: optional(Text),
  externalId: optional(Text),
}

/** Names of the members of an address that are plain text, in the interface's order. */
export const addressTextMembers = Object.keys(textMembers)

/** An address as a caller sends it; an `id` is ignored, since the service gives ids. */
export const AddressDraft = v.object({
  key: optional(Key),
  country: Country,
  ...textMembers,
  custom: optional(CustomFieldsDraft),
})

export type AddressDraft = v.InferOutput<typeof AddressDraft>

export type Address = {
  readonly id: string
  readonly key?: string
  readonly country: string
  readonly custom?: CustomFields
} & {readonly [K in keyof typeof textMembers]?: string}

/** The address of a draft under an id. Throws what its custom fields throw. */
export function addressOf(draft: AddressDraft, id: string, facts: Facts): Address {
  const {custom, ...plain} = draft
  return defined({
    id,
    ...plain,
    custom: custom && customFieldsOf(custom, 'address', facts, 'custom'),
  }) as Address
}

/** Keys of addresses are unique within their customer (decision 11). */
export function checkAddressKeys(addresses: readonly Address[]): void {
  const seen = new Set<string>()
  for (const {key} of addresses) {
    if (key === undefined) continue
    if (seen.has(key)) throw ApiError.of('DuplicateField', {field: 'addresses.key', duplicateValue: key})
    seen.add(key)
  }
}
