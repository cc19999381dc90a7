import {type Incoming, Unreachable} from '../client.js'
import {refusalOf} from '../transports/refusal.js'

/** A token as the authorization service answers it (RFC 6749 §5.1). */
export interface AnsweredToken {
  readonly accessToken: string
  /** Absent: the service did not say how long it is valid, so that it is not kept. */
  readonly expiresInSeconds?: number
}

/** Characters of a bearer token (RFC 6750 §2.1); anything else could not be sent as a header. */
const bearerToken = /^[A-Za-z0-9\-._~+/]+=*$/
const longestSeconds = 86_400 * 365 * 100

/** The token in an answer. Throws what was refused, and Unreachable if the answer is none of an authorization service. */
export function tokenIn(answer: Incoming, correlationId: string): AnsweredToken {
  if (answer.status !== 200) throw refusalOf(answer, correlationId)
  const {access_token: accessToken, expires_in: expiresIn} = (answer.body ?? {}) as {
    access_token?: unknown
    expires_in?: unknown
  }
  if (typeof accessToken !== 'string' || !bearerToken.test(accessToken)) {
    const said = answer.foreign === undefined ? '' : ` ${answer.foreign}`
    const message = `The authorization service did not answer with a token.${said}`
    throw new Unreachable(message, false, correlationId, {trouble: 'foreign'})
  }
  const seconds = typeof expiresIn === 'string' && /^\d+$/.test(expiresIn) ? Number(expiresIn) : expiresIn
  const isKnown = typeof seconds === 'number' && seconds > 0 && seconds <= longestSeconds
  return isKnown ? {accessToken, expiresInSeconds: seconds} : {accessToken}
}
