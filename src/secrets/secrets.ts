import {hash, randomFillSync, randomUUID, timingSafeEqual} from 'node:crypto'

/** Random values and digests. Injected, so that tests can fix them. */
export interface Secrets {
  /** A resource id: UUID v4. */
  uuid(): string
  /** `bytes` random bytes as base64url without padding; no hyphen comes first, with which it could not follow a flag. */
  token(bytes: number): string
  /** SHA-256 as base64url: what is stored instead of a secret. */
  digest(secret: string): string
  /** Compares two digests in constant time. */
  sameDigest(a: string, b: string): boolean
}

/** Random bytes that nobody has had yet: asking the system for a few costs as much as for many. */
const pool = Buffer.alloc(4_096)
let given = pool.length

function randomText(bytes: number): string {
  if (bytes > pool.length) throw new RangeError(`${bytes} random bytes at once`)
  if (given + bytes > pool.length) {
    randomFillSync(pool)
    given = 0
  }
  const from = given
  given += bytes
  const text = pool.toString('base64url', from, given)
  // `fill` takes as long as all the rest.
  for (let at = from; at < given; at += 1) pool[at] = 0
  return text.replace(/^-/, 'A')
}

export const secrets: Secrets = {
  uuid: () => randomUUID(),
  token: randomText,
  digest: (secret) => hash('sha256', secret, 'base64url'),
  sameDigest: (a, b) => {
    const left = Buffer.from(a)
    const right = Buffer.from(b)
    return left.length === right.length && timingSafeEqual(left, right)
  },
}
