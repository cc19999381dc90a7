import type {Customer} from './customer.js'
import type {Wanted} from './diff-values.js'
import type {CustomerFieldName} from './fields.js'

/** An address as a row has it; the id is that of the source and serves to find its counterpart. */
export interface DesiredAddress {
  readonly id?: string | null
  readonly key?: string | null
  readonly country?: string | null
  readonly custom?: {readonly type: Wanted; readonly fields?: Readonly<Record<string, unknown>> | null} | null
  readonly [member: string]: unknown
}

export interface DesiredCustom {
  readonly type: Wanted
  readonly fields?: Readonly<Record<string, unknown>> | null
}

/**
 * What a customer should become. A member that is absent leaves the customer as it is; one that is present is brought to
 * exactly that value, and null removes it. Addresses are named by index, as in a draft; their ids serve to match only.
 */
export interface DesiredCustomer extends Partial<Readonly<Record<CustomerFieldName, string | null>>> {
  readonly email?: string
  readonly addresses?: readonly DesiredAddress[] | null
  readonly defaultShippingAddress?: number | null
  readonly shippingAddresses?: readonly number[] | null
  readonly defaultBillingAddress?: number | null
  readonly billingAddresses?: readonly number[] | null
  readonly isEmailVerified?: boolean | null
  readonly customerGroup?: Wanted | null
  readonly customerGroupAssignments?: readonly {readonly customerGroup: Wanted}[] | null
  readonly stores?: readonly Wanted[] | null
  readonly authenticationMode?: Customer['authenticationMode'] | null
  readonly custom?: DesiredCustom | null
}
