import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {Incoming} from '../client.js'

/** The error that an answer states, with the id to ask the server about: the one that was sent, if it names none. */
export function refusalOf({status, headers, body, foreign, afterOpenTry}: Incoming, sentId?: string): ApiError {
  const parts = defined({retryAfterSeconds: retryAfterSeconds(headers['retry-after']), foreign})
  const error = ApiError.fromBody(status, body, parts)
  const id = headers['x-correlation-id'] ?? sentId
  if (id !== undefined) error.correlationId = id
  if (afterOpenTry) error.afterOpenTry = true
  return error
}

const longestSeconds = 86_400 * 365

/** The seconds that a `Retry-After` asks for: a number of them, or until a date (RFC 9110 §10.2.3). Nothing if it is neither. */
export function retryAfterSeconds(text: string | undefined, now: number = Date.now()): number | undefined {
  const value = text?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number(value), longestSeconds)
  if (!/ GMT$/.test(value)) return undefined
  const until = Date.parse(value)
  return Number.isNaN(until) ? undefined : Math.min(Math.max(0, Math.ceil((until - now) / 1000)), longestSeconds)
}
