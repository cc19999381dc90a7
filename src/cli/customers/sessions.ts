import {endCustomerSessions, getCustomerSessions} from '../../api/accounts/access-state.js'
import type {Client} from '../../client/client.js'
import type {Settlement} from '../../client/settle.js'
import {isObject} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {Failure} from '../process/failure.js'
import {type Unknown, whyUnknown} from './related.js'

export interface Sessions {
  readonly sessions: number
  readonly openTokens: readonly {readonly purpose: 'password' | 'email'; readonly expiresAt: string}[]
  /** When sign-ins failed that still count, ISO 8601, the oldest first. */
  readonly failedSignIns?: readonly string[]
  /** ISO 8601; absent: not locked out. */
  readonly lockedUntil?: string
}

/**
 * Open sessions and tokens of a customer, or why they are unknown: other servers lack the path and may answer anything.
 */
export async function sessionsOf(client: Client, id: string): Promise<Sessions | Unknown> {
  try {
    const told: unknown = await client.call(getCustomerSessions, {id})
    const isTold = isObject(told) && typeof told['sessions'] === 'number' && Array.isArray(told['openTokens'])
    return isTold ? (told as unknown as Sessions) : 'not served'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.statusCode === 400 ? 'not served' : whyUnknown(error.statusCode)
  }
}

/**
 * Ends every session of a customer who has been read. Returns how many there were. Throws NotServed where the server
 * cannot, with what ends sessions there.
 */
export async function endSessions(client: Client, id: string, reset: string): Promise<{readonly ended: number}> {
  try {
    return await client.call(endCustomerSessions, {id}, {isRepeatable: true})
  } catch (error) {
    if (!(error instanceof ApiError) || ![404, 405, 501].includes(error.statusCode)) throw error
    throw new Failure(
      'invalid',
      'NotServed',
      'This server cannot end the sessions of a customer; nothing has changed.',
      {
        hints: [
          `Set a new password, which ends sessions made with the old one: ${reset}`,
          'Tokens that you hold end with `frontdesk token revoke`; others by their age.',
        ],
        cause: error,
      },
    )
  }
}

/** What a sign-out did; the number is unknown if the answer was lost and a reading settled it. */
export interface SignedOut {
  readonly ended?: number
}

/** Settles the end of sessions by counting the open ones; a repeat does no harm. */
export const sessionsEnded = (client: Client, id: string, look: string): Settlement<SignedOut> => ({
  fenced: true,
  look,
  read: async () => {
    const told = await sessionsOf(client, id)
    const {sessions} = typeof told === 'string' ? {} : told
    if (sessions === 0) return {happened: {}}
    if (sessions === undefined) return {open: 'This server does not tell which sessions are open.', harmless: true}
    return {unchanged: `The customer has ${sessions === 1 ? '1 open session' : `${sessions} open sessions`}.`}
  },
})
