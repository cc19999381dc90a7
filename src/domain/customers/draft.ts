import * as v from 'valibot'
import {limits} from '../../work/limits.js'
import type {Facts} from '../action.js'
import {AddressDraft, addressOf} from '../address.js'
import {CustomFieldsDraft, customFieldsOf, customReferencesOf} from '../custom-fields.js'
import {defined} from '../equal.js'
import {checkDistinct, invalidOperation} from '../errors.js'
import {identifierOf, type WantedReference} from '../references.js'
import {Email, Index, listOf, optional, Text} from '../rules.js'
import {type Address, type AddressRole, addressRoles, authenticationModes, type Customer} from './customer.js'
import {byCustomerField, fieldRows} from './fields.js'
import {assignmentsOf, groupOf, projectLocale, storesOf} from './resolved.js'

const plainMembers = byCustomerField(({schema}) => optional(schema))

/** The schemas of the fields that customers may set themselves. The type has all fields; those left out never occur. */
const ownMembers = Object.fromEntries(
  fieldRows.filter(({my}) => my).map(({name}) => [name, plainMembers[name]]),
) as typeof plainMembers

/** The members of every sign-up, customers' own included. Source: API › CustomerDraft. */
export const ownDraftMembers = {
  ...ownMembers,
  email: Email,
  addresses: optional(listOf(AddressDraft, limits.addresses)),
  defaultShippingAddress: optional(Index),
  defaultBillingAddress: optional(Index),
  stores: optional(listOf(identifierOf('store'), limits.stores)),
  custom: optional(CustomFieldsDraft),
}

/** Says in OpenAPI what is accepted; what is refused is said by `hashProblem`, with the reason. */
const PasswordHash = v.pipe(v.string(), v.description('A password hash of bcrypt: $2y$10$…'))

export const CustomerDraft = v.object({
  ...plainMembers,
  ...ownDraftMembers,
  password: optional(v.string()),
  /** A hash of bcrypt instead of a password: local servers only (decision 19). */
  passwordHash: optional(PasswordHash),
  anonymousCart: optional(identifierOf('cart')),
  /** The old form of `anonymousCart` (decision 36). */
  anonymousCartId: optional(Text),
  anonymousId: optional(Text),
  shippingAddresses: optional(listOf(Index, limits.addresses)),
  billingAddresses: optional(listOf(Index, limits.addresses)),
  isEmailVerified: optional(v.boolean()),
  customerGroup: optional(identifierOf('customer-group')),
  customerGroupAssignments: optional(v.array(v.object({customerGroup: identifierOf('customer-group')}))),
  authenticationMode: optional(v.picklist(authenticationModes)),
})

export type CustomerDraft = v.InferOutput<typeof CustomerDraft>

export function referencesOf(draft: CustomerDraft): readonly WantedReference[] {
  const {customerGroup, customerGroupAssignments, stores, custom, addresses} = draft
  const wanted: WantedReference[] = []
  if (customerGroup) wanted.push(customerGroup)
  if (customerGroupAssignments) for (const one of customerGroupAssignments) wanted.push(one.customerGroup)
  if (stores) wanted.push(...stores)
  if (custom) wanted.push(...customReferencesOf(custom))
  if (addresses) for (const address of addresses) if (address.custom) wanted.push(...customReferencesOf(address.custom))
  return wanted
}

function checkIndex(index: number, field: string, count: number): void {
  if (index >= 0 && index < count) return
  throw invalidOperation(`The value ${index} of '${field}' is not an index of 'addresses', which has ${count}.`)
}

function rolesOf(
  draft: CustomerDraft,
  addresses: readonly Address[],
): Pick<Customer, AddressRole['ids' | 'byDefault']> {
  const ids = addresses.map(({id}) => id)
  const members: Record<string, unknown> = {}
  for (const role of addressRoles) {
    const index = draft[role.defaultIndex]
    members[role.byDefault] = index === undefined ? undefined : ids[index]
    members[role.ids] = idsInRole(draft, role, ids)
  }
  return members as never
}

/** Ids of the addresses in a role, the default included, in the order of the addresses and without repeats. */
function idsInRole(draft: CustomerDraft, {indices, defaultIndex}: AddressRole, ids: readonly string[]): string[] {
  const first = draft[defaultIndex]
  if (first === undefined && draft[indices] === undefined) return []
  const wanted = new Set(draft[indices] ?? [])
  for (const index of wanted) checkIndex(index, indices, ids.length)
  if (first !== undefined) {
    checkIndex(first, defaultIndex, ids.length)
    wanted.add(first)
  }
  return ids.filter((_, index) => wanted.has(index))
}

export interface NewCustomer {
  readonly id: string
  readonly facts: Facts
  readonly passwordMask: string
}

/** Throws for references that do not resolve, indices beyond `addresses` and a locale that the project lacks. */
export function customerOf(draft: CustomerDraft, {id, facts, passwordMask}: NewCustomer): Customer {
  const mode = draft.authenticationMode ?? 'Password'
  const addresses = (draft.addresses ?? []).map((address) => addressOf(address, facts.newAddressId(), facts))
  checkDistinct('addresses', 'key', addresses)
  const group = draft.customerGroup && groupOf(draft.customerGroup, facts)
  return defined({
    id,
    version: 1,
    versionModifiedAt: facts.now,
    createdAt: facts.now,
    lastModifiedAt: facts.now,
    ...byCustomerField(({name}) => draft[name]),
    password: mode === 'Password' ? passwordMask : undefined,
    addresses,
    ...rolesOf(draft, addresses),
    isEmailVerified: draft.isEmailVerified ?? false,
    customerGroup: group,
    customerGroupAssignments: assignmentsOf(draft.customerGroupAssignments ?? [], facts),
    locale: draft.locale === undefined ? undefined : projectLocale(draft.locale, facts.languages),
    stores: storesOf(draft.stores ?? [], facts),
    authenticationMode: mode,
    custom: draft.custom && customFieldsOf(draft.custom, 'customer', facts),
  }) as Customer
}
