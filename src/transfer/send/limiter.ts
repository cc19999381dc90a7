import type {Runtime} from './runtime.js'

export interface LimiterOptions {
  readonly concurrency: number
  /** Requests that may begin in a second; absent: as many as go. */
  readonly ratePerSecond?: number
  /** Told each time the server asks for less. */
  readonly onThrottle?: (pressure: Pressure) => void
}

/** How much the server holds a run back: read anew each time. */
export interface Pressure {
  /** Answers that asked for less: 429 and 503. */
  readonly answers: number
  /** How long in all the server asked to be left alone. */
  readonly pausedMs: number
  /** The end of the present pause, if there is one. */
  readonly pausedUntil: number
  /** Requests that may be in flight now, of how many at the most. */
  readonly limit: number
  readonly most: number
  /** Status and text of the last such answer. */
  readonly reason?: string | undefined
}

/**
 * One adaptive limit for everything that a run sends: additive increase with every success, multiplicative decrease with
 * every sign of congestion, once per wave of requests.
 */
export class Limiter {
  readonly #runtime: Runtime
  /** As it is now. */
  readonly pressure: {-readonly [M in keyof Pressure]: Pressure[M]}
  readonly #onThrottle: LimiterOptions['onThrottle']
  readonly #spacingMs: number
  readonly #waiting: (() => void)[] = []
  #active = 0
  #nextStart = 0
  /** Incremented with each decrease: a request that began in an earlier epoch does not count against the new limit. */
  #wave = 0

  constructor({concurrency, ratePerSecond, onThrottle}: LimiterOptions, runtime: Runtime) {
    this.#onThrottle = onThrottle
    this.#runtime = runtime
    const most = Math.max(1, Math.floor(concurrency))
    this.pressure = {answers: 0, pausedMs: 0, pausedUntil: 0, limit: most, most}
    this.#spacingMs = ratePerSecond === undefined ? 0 : 1000 / ratePerSecond
  }

  /**
   * Waits for a place, for the end of a pause and for the rate. The permit is released exactly once, with the outcome of
   * the request. Rejects when the signal is aborted.
   */
  async enter(signal?: AbortSignal) {
    signal?.throwIfAborted()
    while (this.#active >= this.pressure.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#active += 1
    try {
      await this.#turn(signal)
    } catch (error) {
      this.#leave()
      throw error
    }
    const wave = this.#wave
    return {
      done: () => this.#grow(),
      /** The server asked for less: `pauseMs` is how long it wants to be left alone, `reason` what it said. */
      congested: (pauseMs = 0, reason?: string) => this.#shrink(wave, pauseMs, reason),
    }
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    const earliest = Math.max(this.#runtime.now(), this.#nextStart)
    if (this.#spacingMs > 0) this.#nextStart = earliest + this.#spacingMs
    for (let until = earliest; ; until = this.pressure.pausedUntil) {
      signal?.throwIfAborted()
      const left = Math.max(until, this.pressure.pausedUntil) - this.#runtime.now()
      if (left <= 0) return
      await this.#runtime.wait(left, signal)
    }
  }

  #grow(): void {
    const {limit, most} = this.pressure
    this.pressure.limit = Math.min(most, limit + 1)
    this.#leave()
  }

  #shrink(wave: number, pauseMs: number, reason: string | undefined): void {
    const {pressure} = this
    const now = this.#runtime.now()
    pressure.reason = reason
    pressure.answers += 1
    pressure.pausedMs += Math.max(0, now + pauseMs - Math.max(now, pressure.pausedUntil))
    pressure.pausedUntil = Math.max(pressure.pausedUntil, now + pauseMs)
    if (wave === this.#wave) {
      this.#wave += 1
      pressure.limit = Math.max(1, Math.floor(pressure.limit / 2))
    }
    this.#onThrottle?.(pressure)
    this.#leave()
  }

  #leave(): void {
    this.#active -= 1
    for (let places = this.pressure.limit - this.#active; places > 0; places -= 1) this.#waiting.shift()?.()
  }
}
