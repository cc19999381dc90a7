import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {Incoming} from '../client.js'
import {retryAfterSeconds} from './retry-after.js'

/** The error that an answer states, with the id to ask the server about: the one that was sent, if it names none. */
export function refusalOf({status, headers, body, foreign, afterOpenTry}: Incoming, sentId?: string): ApiError {
  const parts = defined({retryAfterSeconds: retryAfterSeconds(headers['retry-after']), foreign})
  const error = ApiError.fromBody(status, body, parts)
  const id = headers['x-correlation-id'] ?? sentId
  if (id !== undefined) error.correlationId = id
  if (afterOpenTry) error.afterOpenTry = true
  return error
}
