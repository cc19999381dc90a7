import type {DesiredCustomer} from '../../domain/customers/desired-customer.js'
import {canonicalEmail} from '../../domain/customers/identity.js'

/** A checked row: what its customer should be, and what only its creation can say. */
export type RowDraft = DesiredCustomer & {
  readonly password?: string | null
  readonly passwordHash?: string | null
  readonly anonymousId?: string | null
  readonly anonymousCart?: object | null
  readonly anonymousCartId?: string | null
}

export const hasCustom = ({custom, addresses}: RowDraft): boolean =>
  Boolean(custom) || addresses?.some((address) => address.custom) === true

/** By which member a row finds its customer. */
export const matches = ['key', 'email', 'externalId', 'customerNumber'] as const
export type MatchMember = (typeof matches)[number]

/** The same member for every row, or the key, and the email for rows that have none. */
export type Match = MatchMember | 'key-or-email'

export const memberOf = (match: Match, {key}: RowDraft): MatchMember =>
  match !== 'key-or-email' ? match : typeof key === 'string' && key !== '' ? 'key' : 'email'

/** A value of a row as its customer is found by it: emails without their case. */
export const matchValueOf = (member: MatchMember, value: string): string =>
  member === 'email' ? canonicalEmail(value) : value

export type Mode = 'create' | 'update' | 'upsert'

export type PasswordMode = 'column' | 'generate' | 'reset-links' | 'external-auth'
