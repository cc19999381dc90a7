import {addressFields} from '../address-fields.js'
import {byField, type Personal} from '../field.js'
import type {Address, Attribution, Customer} from './customer.js'
import {byCustomerField} from './fields.js'

/** The privacy of a member; unknown ones count as personal. The members of `parts` have entries of their own. */
export type Privacy = Personal | 'parts'

export const customerPrivacy: Readonly<Record<keyof Customer, Privacy>> = {
  ...byCustomerField(({personal}) => personal),
  id: 'id',
  version: 'trace',
  versionModifiedAt: 'trace',
  lastMessageSequenceNumber: 'trace',
  createdAt: 'trace',
  lastModifiedAt: 'trace',
  createdBy: 'trace',
  lastModifiedBy: 'trace',
  password: 'telling',
  addresses: 'parts',
  defaultShippingAddressId: 'id',
  shippingAddressIds: 'id',
  defaultBillingAddressId: 'id',
  billingAddressIds: 'id',
  isEmailVerified: 'nothing',
  customerGroup: 'nothing',
  customerGroupAssignments: 'nothing',
  stores: 'nothing',
  authenticationMode: 'nothing',
  custom: 'parts',
}

export const addressPrivacy: Readonly<Record<keyof Address, Privacy>> = {
  ...byField(addressFields, ({personal}) => personal),
  id: 'id',
  custom: 'parts',
}

/** The members of `createdBy` and `lastModifiedBy`. */
export const attributionPrivacy: Readonly<Record<keyof Attribution, Privacy>> = {
  clientId: 'nothing',
  isPlatformClient: 'nothing',
  externalUserId: 'key',
  customer: 'parts',
  anonymousId: 'key',
  associate: 'parts',
  attributedTo: 'nothing',
}
