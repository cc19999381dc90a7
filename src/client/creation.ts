import type {Attribution, Customer} from '../domain/customers/customer.js'
import type {DesiredCustomer} from '../domain/customers/desired-customer.js'
import {difference} from '../domain/customers/diff.js'
import {fieldRows} from '../domain/customers/fields.js'
import type {Client} from './client.js'

/** Recognizes the result of a creation whose response was lost, by its author, its time and its version. */

interface Made {
  readonly version: number
  readonly createdAt: string
  readonly createdBy?: Attribution
}

/** Dates in headers have whole seconds, and the two clocks were compared over a network. */
const toleranceMs = 2_000

/** When a creation was sent, by the server's clock as far as it is known. Take it before the request. */
export interface SendTime {
  readonly clientId: string | undefined
  /** By this machine's clock. */
  readonly at: number
}

export const sendTimeOf = (client: Client, clock: () => number): SendTime => ({clientId: client.clientId, at: clock()})

/** Whether a moment that the server noted is not before the sending. `skewMs`: how far its clock is ahead of ours. */
export const isSince = (noted: string, {at}: SendTime, skewMs: number): boolean =>
  Date.parse(noted) >= at + skewMs - toleranceMs

/**
 * Whether something is what a request of ours made: by our API client, since it was sent, and untouched. `open`: it has
 * changed since, so that its members tell no more. `isSame` says whether it has all members of the draft.
 */
export function creatorOf(
  made: Made,
  sending: SendTime,
  {skewMs, isSame}: {readonly skewMs: number; readonly isSame: boolean},
): 'ours' | "somebody else's" | 'open' {
  const {createdBy, createdAt, version} = made
  const {clientId} = sending
  const others = clientId !== undefined && createdBy?.clientId !== undefined && createdBy.clientId !== clientId
  if (others || !isSince(createdAt, sending, skewMs)) return "somebody else's"
  if (isSame) return version === 1 ? 'ours' : 'open'
  return version === 1 ? "somebody else's" : 'open'
}

/** Members that a draft leaves out are absent in the customer that it creates. */
const absentMembers: DesiredCustomer = {
  ...Object.fromEntries(fieldRows.flatMap(({name, required}) => (required ? [] : [[name, null]]))),
  addresses: [],
  isEmailVerified: false,
  customerGroup: null,
  authenticationMode: 'Password',
  custom: null,
}

/** Whether a customer is exactly what a draft makes, sent below `storeKey`. References of the customer are expanded. */
export function isMadeOf(customer: Customer, draft: object, storeKey: string | undefined): boolean {
  const stores = storeKey === undefined ? [] : [{key: storeKey}]
  const {actions, unreachable} = difference(customer, {...absentMembers, stores, ...draft})
  return actions.length + unreachable.length === 0
}
