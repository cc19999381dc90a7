import type {ResourceIdentifier} from '../references.js'
import type {Customer} from './customer.js'
import type {CustomerFieldName} from './fields.js'

/** An address of a desired customer; the id is that of the source and is used for matching only. */
export interface DesiredAddress {
  readonly id?: string | null
  readonly key?: string | null
  readonly country?: string | null
  readonly custom?: DesiredCustom | null
  readonly [member: string]: unknown
}

export interface DesiredCustom {
  readonly type: ResourceIdentifier
  readonly fields?: Readonly<Record<string, unknown>> | null
}

/** The desired state: an absent member stays, null removes one. Roles refer to addresses by index, as in a draft. */
export interface DesiredCustomer extends Partial<Readonly<Record<CustomerFieldName, string | null>>> {
  readonly email?: string
  readonly addresses?: readonly DesiredAddress[] | null
  readonly defaultShippingAddress?: number | null
  readonly shippingAddresses?: readonly number[] | null
  readonly defaultBillingAddress?: number | null
  readonly billingAddresses?: readonly number[] | null
  readonly isEmailVerified?: boolean | null
  readonly customerGroup?: ResourceIdentifier | null
  readonly customerGroupAssignments?: readonly {readonly customerGroup: ResourceIdentifier}[] | null
  readonly stores?: readonly ResourceIdentifier[] | null
  readonly authenticationMode?: Customer['authenticationMode'] | null
  readonly custom?: DesiredCustom | null
}
