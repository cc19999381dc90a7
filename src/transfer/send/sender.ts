import {setMaxListeners} from 'node:events'
import {Unreachable} from '../../client/client.js'
import {mayHaveActed} from '../../client/settle.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {Limiter, type LimiterOptions} from './limiter.js'
import {type Runtime, systemRuntime} from './runtime.js'

/** An answer came that is not the API's: cut off, or made by something in between. Whether the request had its effect is open. */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse'
}

export interface Verdict {
  /** Whether sending again can help. */
  readonly repeat: boolean
  /** Whether the server asked for less. */
  readonly congested: boolean
  /** Whether the request may have had its effect. */
  readonly mayHaveBeenApplied: boolean
  readonly retryAfterMs?: number
  /** What an answer that asked for less says. */
  readonly reason?: string
}

/** A longer Retry-After is not waited for. */
const maxRetryAfterMs = 600_000

const final: Verdict = {repeat: false, congested: false, mayHaveBeenApplied: false}
const passing: Verdict = {...final, repeat: true}

/**
 * Whether an answer came that is not the API's. Asking again mostly brings the same, so a request is repeated once; and
 * a few times more once the API has answered another one, since then something in between damages some answers. A write is repeated only if looking showed that it had no effect.
 */
const isForeign = (error: unknown): boolean =>
  error instanceof UnexpectedResponse || (error instanceof Unreachable && error.trouble === 'foreign')

const [mostAfterForeign, mostAmongAnswers] = [1, 6]

export function classifyFailure(error: unknown): Verdict {
  if (error instanceof UnexpectedResponse) return {...passing, mayHaveBeenApplied: true}
  if (error instanceof Unreachable) return {...passing, mayHaveBeenApplied: error.sent}
  if (!(error instanceof ApiError)) return final
  const {statusCode, retryAfterSeconds} = error
  if (statusCode === 429 || statusCode === 503) {
    const asked = retryAfterSeconds === undefined ? {} : {retryAfterMs: retryAfterSeconds * 1000}
    const repeat = (asked.retryAfterMs ?? 0) <= maxRetryAfterMs
    return {
      repeat,
      congested: true,
      mayHaveBeenApplied: statusCode === 503,
      reason: `${statusCode} ${error.message}`,
      ...asked,
    }
  }
  // Another request claims the same email: our own only if its answer was lost before.
  if (error.is('LockedField')) return passing
  if (statusCode === 502 || statusCode === 504) return {...passing, mayHaveBeenApplied: mayHaveActed(error)}
  return {...final, mayHaveBeenApplied: mayHaveActed(error)}
}

/** Longer than a restart takes, and than the pauses between the tries of one request. */
const longestOutageMs = 60_000

/** Trips once a server has answered every write with 503 for a minute; all senders of a run share one. */
function circuitBreaker({now}: Pick<Runtime, 'now'>) {
  let began: {readonly at: number; readonly error: ApiError} | undefined
  return {
    ended(): void {
      began = undefined
    },
    /** Notes an answer to a write. 503 by something between here and the server says nothing of the server. */
    note(error: unknown): void {
      if (error instanceof ApiError && error.statusCode === 503 && !error.isForeign) began ??= {at: now(), error}
    },
    /** What the server said, once more tries are in vain, such as with a full disk. */
    lasting: (): ApiError | undefined => (began && now() - began.at >= longestOutageMs ? began.error : undefined),
  }
}

interface SenderOptions {
  readonly limiter: Limiter
  readonly runtime: Runtime
  readonly retries: number
  readonly outage: ReturnType<typeof circuitBreaker>
  readonly signal?: AbortSignal
  readonly onRetry?: (error: unknown) => void
}

const [baseMs, maxMs] = [200, 20_000]

/** Sends requests through the limiter until an answer is final. */
export class Sender {
  readonly #options: SenderOptions
  /** Whether the API has answered a request, if only by a refusal. */
  #hasAnswer = false

  constructor(options: SenderOptions) {
    this.#options = options
  }

  /**
   * The answer of `request`, which is a write if there is something to `settle`. After a failure that leaves its effect
   * open, `settle` looks whether it had it, before anything is sent again. Throws the last failure when nothing helps. No
   * write is sent in an outage that lasts. A read hands the signal on, and ends with it; a write is waited for.
   */
  async send<T>(
    request: (signal: AbortSignal | undefined) => Promise<T>,
    settle?: () => Promise<T | undefined>,
  ): Promise<T> {
    const {runtime, retries, signal, onRetry, outage} = this.#options
    let isOpen = false
    let foreign = 0
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await this.#once(settle !== undefined, request)
        this.#hasAnswer = true
        if (settle) outage.ended()
        return answer
      } catch (error) {
        if (settle && error === outage.lasting()) throw error
        const verdict = classifyFailure(error)
        if (settle) outage.note(error)
        isOpen ||= verdict.mayHaveBeenApplied
        if (isForeign(error)) foreign += 1
        this.#hasAnswer ||= error instanceof ApiError && !error.isForeign
        const mostForeign = this.#hasAnswer ? mostAmongAnswers : mostAfterForeign
        const repeats = verdict.repeat && attempt < retries && foreign <= mostForeign
        if (!verdict.repeat && !isOpen) throw error
        if (verdict.repeat) onRetry?.(error)
        if (repeats) await runtime.wait(this.#pauseMs(attempt, verdict), signal)
        const settled = isOpen ? await settle?.() : undefined
        if (settled !== undefined) return settled
        if (!repeats) throw error
      }
    }
  }

  /** Sends one request within the limit, and no write in an outage that lasts. Throws what it failed with. */
  async #once<T>(isWrite: boolean, request: (signal: AbortSignal | undefined) => Promise<T>): Promise<T> {
    const {limiter, outage, signal} = this.#options
    const permit = await limiter.enter(signal)
    try {
      const lasting = isWrite ? outage.lasting() : undefined
      if (lasting) throw lasting
      const answer = await request(signal)
      permit.done()
      return answer
    } catch (error) {
      const {congested, retryAfterMs, reason} = classifyFailure(error)
      if (congested && error !== outage.lasting()) permit.congested(retryAfterMs, reason)
      else permit.done()
      throw error
    }
  }

  /** Full jitter below an exponential bound, and no sooner than the server asked. */
  #pauseMs(attempt: number, {retryAfterMs = 0}: Verdict): number {
    return retryAfterMs + Math.min(maxMs, baseMs * 2 ** attempt) * this.#options.runtime.random()
  }
}

export interface SendingOptions extends Partial<LimiterOptions>, Partial<Omit<SenderOptions, 'limiter' | 'outage'>> {}

export function sendingOf({retries = 10, runtime = systemRuntime, signal, onRetry, ...limits}: SendingOptions) {
  const limiter = new Limiter({concurrency: 16, ...limits}, runtime)
  const outage = circuitBreaker(runtime)
  return {limiter, runtime, retries, outage, ...defined({signal: signal && sharedSignal(signal), onRetry})}
}

/** A signal of its own that follows another, without Node's warning about many listeners. */
function sharedSignal(signal: AbortSignal): AbortSignal {
  const own = AbortSignal.any([signal])
  setMaxListeners(0, own)
  return own
}
