import * as v from 'valibot'
import {addressFields} from '../address-fields.js'
import {byField} from '../field.js'
import {Day, fieldsOfKind, Moment, membersOf} from '../shape-of.js'
import {byCustomerField} from './fields.js'

const maybe = v.exactOptional

export const referenceTo = <T extends string>(typeId: T) =>
  v.object({typeId: v.literal(typeId), id: v.string(), obj: maybe(v.record(v.string(), v.unknown()))})

/** The author of a change: the client, and the customer or session of its token. */
export const Attribution = v.object({
  clientId: maybe(v.string()),
  isPlatformClient: v.boolean(),
  externalUserId: maybe(v.string()),
  customer: maybe(referenceTo('customer')),
  anonymousId: maybe(v.string()),
  /** Of others' servers: whoever acted for a business unit, or through a tool. */
  associate: maybe(referenceTo('customer')),
  attributedTo: maybe(v.object({clientId: maybe(v.string()), source: v.string()})),
})

export type Attribution = v.InferOutput<typeof Attribution>

export const customFieldsView = (kind: string) => v.object({type: referenceTo('type'), fields: fieldsOfKind(kind)})

export const Address = v.object({
  id: v.string(),
  ...byField(addressFields, () => maybe(v.string())),
  country: v.string(),
  custom: maybe(customFieldsView('address')),
})

export const StoreKeyReference = v.object({typeId: v.literal('store'), key: v.string()})
const GroupAssignment = v.object({customerGroup: referenceTo('customer-group')})

export const authenticationModes = ['Password', 'ExternalAuth'] as const

/** What customers and quotes show of their changes. */
export const documentMembers = {
  id: v.string(),
  version: v.number(),
  versionModifiedAt: maybe(Moment),
  lastMessageSequenceNumber: maybe(v.number()),
  createdAt: Moment,
  lastModifiedAt: Moment,
  lastModifiedBy: maybe(Attribution),
  createdBy: maybe(Attribution),
}

/** A customer, as stored and as replies show it: no member is internal. Source: API › Customer. */
export const Customer = v.object({
  ...documentMembers,
  versionModifiedAt: Moment,
  ...byCustomerField(({leaf}) => maybe(leaf === 'date' ? Day : v.string())),
  email: v.string(),
  /** A mask that changes with the password but is derived from neither it nor its hash (decision 19). */
  password: maybe(v.string()),
  addresses: v.array(Address),
  defaultShippingAddressId: maybe(v.string()),
  shippingAddressIds: v.array(v.string()),
  defaultBillingAddressId: maybe(v.string()),
  billingAddressIds: v.array(v.string()),
  isEmailVerified: v.boolean(),
  customerGroup: maybe(referenceTo('customer-group')),
  customerGroupAssignments: v.array(GroupAssignment),
  stores: v.array(StoreKeyReference),
  authenticationMode: v.picklist(authenticationModes),
  custom: maybe(customFieldsView('customer')),
})

/** What addresses are used for: the members of a customer that name them by id, and those of a draft that do by index. */
export const addressRoles = [
  {
    name: 'Shipping',
    ids: 'shippingAddressIds',
    byDefault: 'defaultShippingAddressId',
    indices: 'shippingAddresses',
    defaultIndex: 'defaultShippingAddress',
  },
  {
    name: 'Billing',
    ids: 'billingAddressIds',
    byDefault: 'defaultBillingAddressId',
    indices: 'billingAddresses',
    defaultIndex: 'defaultBillingAddress',
  },
] as const

export type AddressRole = (typeof addressRoles)[number]

/** The addresses and the members that refer to them, which change together. */
export const addressRelated = [
  'addresses' as const,
  ...addressRoles.map(({ids}) => ids),
  ...addressRoles.map(({byDefault}) => byDefault),
]

export type Deep<T> = T extends readonly (infer E)[]
  ? readonly Deep<E>[]
  : T extends object
    ? {readonly [K in keyof T]: Deep<T[K]>}
    : T

export interface Address extends Deep<v.InferOutput<typeof Address>> {}
export interface Customer extends Deep<v.InferOutput<typeof Customer>> {}

const {password: _, ...shown} = membersOf(Customer.entries)

/** The fields that predicates and sort keys may name (decision 15): those of replies, and the email without case. */
export const customerShape = {members: {...shown, lowercaseEmail: {leaf: 'string', facet: 'lowercaseEmail'}}} as const
