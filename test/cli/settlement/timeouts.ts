/** Time limits of requests that a test lets pass at once: nobody waits for a silence, and a slow machine meets no limit. */
export class Timeouts {
  readonly #system = AbortSignal.timeout
  readonly #latest = new Map<number, AbortController>()

  constructor() {
    AbortSignal.timeout = (milliseconds) => {
      const limit = new AbortController()
      this.#latest.set(milliseconds, limit)
      setTimeout(() => limit.abort(overdue()), milliseconds).unref()
      return limit.signal
    }
  }

  /** Ends the latest request that has this limit, as if the time were over. */
  pass(milliseconds: number): void {
    this.#latest.get(milliseconds)?.abort(overdue())
  }

  restore(): void {
    AbortSignal.timeout = this.#system
  }
}

const overdue = (): DOMException => new DOMException('The operation was aborted due to timeout', 'TimeoutError')
