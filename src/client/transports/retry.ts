import {setTimeout as pause} from 'node:timers/promises'
import {defined} from '../../domain/equal.js'
import {type Incoming, type Outgoing, Unreachable} from '../client.js'
import {refusalOf, retryAfterSeconds} from './refusal.js'

const baseMs = 200
const maxMs = 20_000

/**
 * Statuses of requests that were refused before any effect: any method may be retried. A 503 of an intermediary may
 * still come after the effect; the last answer then says so (`afterOpenTry`).
 */
const notActedOn: ReadonlySet<number> = new Set([429, 503])
/** Statuses of an intermediary: the server behind it may have acted. */
const unclear: ReadonlySet<number> = new Set([502, 504])

/** A token that could not be checked: nothing was done, whatever the request. */
const isUnchecked = (answer: Incoming): boolean => refusalOf(answer).is('ExternalOAuthFailed')

const isSafe = ({method, isRepeatable}: Outgoing): boolean =>
  method === 'GET' || method === 'HEAD' || isRepeatable === true

/** Full jitter: anything up to the exponential bound. */
const backoffMs = (attempt: number): number => Math.min(maxMs, baseMs * 2 ** attempt) * Math.random()

/**
 * Retries requests that are safe or certainly had no effect. A write whose response is lost is not retried: its caller
 * must read first whether it happened. `budget`: what is left of the time that the repeats of all requests of a connection
 * may take together, their pauses and tries.
 */
export async function withRetries(
  request: Outgoing,
  retries: number,
  send: (request: Outgoing, attempt: number) => Promise<Incoming>,
  budget: {leftMs: number},
): Promise<Incoming> {
  let isOpen = false
  let waitMs = 0
  for (let attempt = 0; ; attempt += 1) {
    const isLast = (pauseMs: number): boolean => attempt >= retries || pauseMs > budget.leftMs
    const repeated = async (): Promise<Incoming> => {
      const began = performance.now()
      try {
        if (waitMs > 0) await pause(waitMs, undefined, defined({signal: request.signal}))
        return await send(request, attempt + 1)
      } finally {
        budget.leftMs -= performance.now() - began
      }
    }
    try {
      const answer = await (attempt === 0 ? send(request, 1) : repeated())
      const isRepeatable =
        notActedOn.has(answer.status) || (unclear.has(answer.status) && (isSafe(request) || isUnchecked(answer)))
      const told: Incoming = isOpen ? {...answer, afterOpenTry: true} : answer
      const askedMs = 1000 * (retryAfterSeconds(answer.headers['retry-after']) ?? 0)
      waitMs = Math.max(askedMs, backoffMs(attempt))
      if (!isRepeatable || askedMs > maxMs || isLast(waitMs)) return told
      isOpen ||= answer.status === 503 && !isSafe(request)
    } catch (error) {
      const isRepeatable = error instanceof Unreachable && (!error.sent || isSafe(request))
      // A body that is too long or wrongly compressed will be so again.
      const isForeign = error instanceof Unreachable && error.trouble === 'foreign' && attempt > 0
      waitMs = backoffMs(attempt)
      if (!isRepeatable || isLast(waitMs) || isForeign)
        throw isOpen && error instanceof Unreachable ? error.withSent(true) : error
    }
  }
}
