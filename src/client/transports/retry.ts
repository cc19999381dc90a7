import {type Incoming, type Outgoing, Unreachable} from '../client.js'
import {retryAfterSeconds} from './refusal.js'

export interface RetryOptions {
  /** Repeats after the first try. */
  readonly retries: number
  /** A number from 0 to 1, for the jitter. */
  readonly random: () => number
  readonly wait: (milliseconds: number) => Promise<void>
}

const baseMs = 200
const maxMs = 20_000

/**
 * Statuses of requests that were refused before any effect: any method may be retried. A 503 of an intermediary may
 * still come after the effect; the last answer then says so (`afterOpenTry`).
 */
const notActedOn: ReadonlySet<number> = new Set([429, 503])
/** Statuses of an intermediary: the server behind it may have acted. */
const unclear: ReadonlySet<number> = new Set([502, 504])

const isSafe = ({method, isRepeatable}: Outgoing): boolean =>
  method === 'GET' || method === 'HEAD' || isRepeatable === true

function retryAfterMs({headers}: Incoming): number | undefined {
  const seconds = retryAfterSeconds(headers['retry-after'])
  return seconds === undefined ? undefined : seconds * 1000
}

/** Full jitter: anything up to the exponential bound. */
const backoffMs = (attempt: number, random: number): number => Math.min(maxMs, baseMs * 2 ** attempt) * random

/**
 * Retries requests that are safe or certainly had no effect. A write whose response is lost is not retried: its caller
 * must read first whether it happened.
 */
export async function withRetries(
  request: Outgoing,
  send: (request: Outgoing, attempt: number) => Promise<Incoming>,
  {retries, random, wait}: RetryOptions,
): Promise<Incoming> {
  let isOpen = false
  for (let attempt = 0; ; attempt += 1) {
    const isLast = attempt >= retries
    try {
      const answer = await send(request, attempt + 1)
      const isRepeatable = notActedOn.has(answer.status) || (unclear.has(answer.status) && isSafe(request))
      const told: Incoming = isOpen ? {...answer, afterOpenTry: true} : answer
      if (!isRepeatable || isLast) return told
      const asked = retryAfterMs(answer)
      if (asked !== undefined && asked > maxMs) return told
      isOpen ||= answer.status === 503 && !isSafe(request)
      await wait(Math.max(asked ?? 0, backoffMs(attempt, random())))
    } catch (error) {
      const isRepeatable = error instanceof Unreachable && (!error.sent || isSafe(request))
      // A body that is too long or wrongly compressed will be so again.
      const isForeign = error instanceof Unreachable && error.trouble === 'foreign' && attempt > 0
      if (!isRepeatable || isLast || isForeign)
        throw isOpen && error instanceof Unreachable ? error.afterSending() : error
      await wait(backoffMs(attempt, random()))
    }
  }
}
