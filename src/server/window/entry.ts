import type {Platform} from '../../api/operation/context.js'
import {BoundedMap} from '../../bounded-map.js'
import type {Secrets} from '../../secrets/secrets.js'

/** How a browser gets into the window: one-time codes, and the secrets of its session. */

const validMs = 10 * 60_000
const maxOpen = 16

/** One-time codes, in memory as digests. The oldest is dropped where too many are open. */
export class EntryCodes {
  readonly #secrets: Secrets
  /** Milliseconds of a clock that nobody sets. */
  readonly #now: () => number
  readonly #ends = new BoundedMap<string, number>(maxOpen)

  constructor(secrets: Secrets, now: () => number = () => performance.now()) {
    this.#secrets = secrets
    this.#now = now
  }

  issue(): string {
    const code = this.#secrets.token(32)
    this.#ends.set(this.#secrets.digest(code), this.#now() + validMs)
    return code
  }

  /** Uses the code up; false for one that is unknown, used or too old. */
  redeem(code: string): boolean {
    const digest = this.#secrets.digest(code)
    const end = this.#ends.get(digest)
    this.#ends.delete(digest)
    return end !== undefined && end > this.#now()
  }
}

/** What a browser inside the window sends: the cookie, and the token in a header that no form and no other page can set. */
export interface WindowSession {
  readonly cookie: string
  readonly token: string
}

/**
 * The session of a server's window. It derives from the digest of the token of its administration, which is new at each
 * start, so that it ends with the server.
 */
export const windowSession = ({secrets, adminDigest}: Platform): WindowSession => ({
  cookie: secrets.digest(`window cookie ${adminDigest}`),
  token: secrets.digest(`window token ${adminDigest}`),
})
