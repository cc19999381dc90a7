import {endCustomerSessions, getCustomerSessions} from '../../api/accounts/access-state.js'
import type {Client} from '../../client/client.js'
import type {Settlement} from '../../client/settle.js'
import {ApiError} from '../../domain/errors.js'
import {Failure} from '../process/failure.js'

/** Sessions of a customer, which servers of ours tell and end. */

export interface Sessions {
  readonly sessions: number
  readonly openTokens: readonly {readonly purpose: 'password' | 'email'; readonly expiresAt: string}[]
  /** ISO 8601; absent: not locked out. */
  readonly lockedUntil?: string
}

/** How servers answer for a path that they do not serve. */
const isUnserved = (error: unknown): boolean =>
  error instanceof ApiError && [400, 403, 404, 405, 501].includes(error.statusCode)

/** How a customer gets in; undefined where the server does not tell. */
export async function sessionsOf(client: Client, id: string): Promise<Sessions | undefined> {
  try {
    const told = await client.call(getCustomerSessions, {id})
    // Another server may answer with anything.
    return Array.isArray(told.openTokens) ? told : undefined
  } catch (error) {
    if (isUnserved(error)) return undefined
    throw error
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

/** What a sign-out did; the number is not known where the answer was lost and a reading told. */
export interface SignedOut {
  readonly ended?: number
}

/** Ending sessions once more does no harm; after a lost answer the open ones are counted. */
export const sessionsEnded = (client: Client, id: string, look: string): Settlement<SignedOut> => ({
  fenced: true,
  look,
  read: async () => {
    const {sessions} = (await sessionsOf(client, id)) ?? {}
    if (sessions === 0) return {happened: {}}
    if (sessions === undefined) return {open: 'This server does not tell which sessions are open.', harmless: true}
    return {unchanged: `The customer has ${sessions === 1 ? '1 open session' : `${sessions} open sessions`}.`}
  },
})
