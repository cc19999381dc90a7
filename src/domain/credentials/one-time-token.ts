import {ApiError} from '../errors.js'
import type {Credential} from './credential.js'

export type TokenPurpose = 'password' | 'email'

/** A token that resets a password or confirms an email, stored under the digest of its value (decision 20). */
export interface OneTimeToken {
  /** The digest. */
  readonly id: string
  readonly version: number
  readonly purpose: TokenPurpose
  readonly customerId: string
  readonly expiresAt: string
  /** The customer's epoch for this purpose at creation. */
  readonly epoch: number
  /** The message that carries the value; the value is removed from it when the token ends. */
  readonly messageId?: string
}

export const maxTtlMinutes = 43_200

/** Tokens valid for at most this long have their value in their message. */
export const ttlMinutesShownInMessage = 60

const epochs = {password: 'passwordTokenEpoch', email: 'emailTokenEpoch'} as const

export const epochOf = (credential: Credential, purpose: TokenPurpose): number => credential[epochs[purpose]]

/** The credential with the epoch of a purpose raised, which ends its tokens. Its version stays. */
export const withRaisedEpoch = (credential: Credential, purpose: TokenPurpose): Credential => ({
  ...credential,
  [epochs[purpose]]: credential[epochs[purpose]] + 1,
})

export const unknownToken = (value: string): ApiError =>
  ApiError.of('ResourceNotFound', {
    message: `The Customer with ID 'Token(${value})' was not found.`,
    because: 'token',
  })

/**
 * The token, if it can still be used. Throws ResourceNotFound for one that is unknown, used, superseded or of another
 * project, and ExpiredCustomerPasswordToken or ExpiredCustomerEmailToken for an expired one.
 */
export function usableToken(
  value: string,
  token: OneTimeToken | undefined,
  credential: Credential | undefined,
  purpose: TokenPurpose,
  now: number,
): OneTimeToken {
  if (!token || !credential || token.purpose !== purpose || token.epoch !== epochOf(credential, purpose)) {
    throw unknownToken(value)
  }
  if (Date.parse(token.expiresAt) <= now) {
    throw ApiError.of(purpose === 'password' ? 'ExpiredCustomerPasswordToken' : 'ExpiredCustomerEmailToken', {})
  }
  return token
}
