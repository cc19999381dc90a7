import type {Secrets} from '../../secrets/secrets.js'
import {BoundedMap} from '../../work/bounded-map.js'

/** How a browser gets into the window: a code that is good once, and the session that it begins. */

const codeMs = 10 * 60_000
const sessionMs = 12 * 60 * 60_000
const maxOpen = 16

/** Codes and tokens of sessions, in memory as digests. The oldest is dropped where too many are open. */
export class Entries {
  readonly #secrets: Secrets
  /** Milliseconds of a clock that nobody sets. */
  readonly #now: () => number
  readonly #codes = new BoundedMap<string, number>(maxOpen)
  readonly #sessions = new BoundedMap<string, number>(maxOpen)

  constructor(secrets: Secrets, now: () => number = () => performance.now()) {
    this.#secrets = secrets
    this.#now = now
  }

  issue(): string {
    return this.#made(this.#codes, codeMs)
  }

  /** Exchanges a code for the token of a new session; undefined for one that is unknown, used or too old. */
  redeem(code: string): string | undefined {
    if (!this.#isOpen(this.#codes, code)) return undefined
    this.#codes.delete(this.#secrets.digest(code))
    return this.#made(this.#sessions, sessionMs)
  }

  isInside(token: string): boolean {
    return this.#isOpen(this.#sessions, token)
  }

  #made(ends: BoundedMap<string, number>, forMs: number): string {
    const value = this.#secrets.token(32)
    ends.set(this.#secrets.digest(value), this.#now() + forMs)
    return value
  }

  #isOpen(ends: BoundedMap<string, number>, value: string): boolean {
    const end = ends.get(this.#secrets.digest(value))
    return end !== undefined && end > this.#now()
  }
}
