import type {Document} from '../../store/store.js'

/** What both kinds of token are, stored in the realm under the digest of their value (decision 22). */
export interface Token extends Document {
  readonly projectKey: string
  readonly clientId: string
  /** Without the binding, which stands in the members below. */
  readonly scopes: readonly string[]
  readonly customerId?: string
  readonly anonymousId?: string
  readonly storeKey?: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** The same; absent in tokens of older releases. */
  readonly issuedAt?: number
  /** The customer's session epoch at issue: raising it ends all sessions at once. */
  readonly sessionEpoch?: number
  readonly revokedAt?: number
}

export interface AccessToken extends Token {
  /** Digest of the refresh token of the same grant. */
  readonly grant?: string
}

/** Its `expiresAt` moves with each use. */
export interface RefreshToken extends Token {
  readonly lastUsedAt: number
}

/** Kinds in the store. Refresh tokens have their own, so that counting them costs nothing. */
export const accessTokens = 'token'
export const refreshTokens = 'refresh-token'

/** Refresh tokens begin with their project and a colon, which no access token holds. */
export const kindOfToken = (value: string): typeof accessTokens | typeof refreshTokens =>
  value.includes(':') ? refreshTokens : accessTokens

/** The scope text of a token: granted scopes, then its binding (decision 23). */
export function scopeText({
  scopes,
  customerId,
  anonymousId,
}: Pick<Token, 'scopes' | 'customerId' | 'anonymousId'>): string {
  return [
    ...scopes,
    ...(customerId === undefined ? [] : [`customer_id:${customerId}`]),
    ...(anonymousId === undefined ? [] : [`anonymous_id:${anonymousId}`]),
  ].join(' ')
}
