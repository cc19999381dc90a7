import {hash, randomBytes, randomUUID, timingSafeEqual} from 'node:crypto'

/** Random values and digests. Injected, so that tests can fix them. */
export interface Secrets {
  /** A resource id: UUID v4. */
  uuid(): string
  /** `bytes` random bytes as base64url without padding. */
  token(bytes: number): string
  /** SHA-256 as base64url: what is stored instead of a secret. */
  digest(secret: string): string
  /** Compares two digests in constant time. */
  sameDigest(a: string, b: string): boolean
}

export const secrets: Secrets = {
  uuid: () => randomUUID(),
  token: (bytes) => randomBytes(bytes).toString('base64url'),
  digest: (secret) => hash('sha256', secret, 'base64url'),
  sameDigest: (a, b) => {
    const left = Buffer.from(a)
    const right = Buffer.from(b)
    return left.length === right.length && timingSafeEqual(left, right)
  },
}
