import type {Document} from '../../store/store.js'

/** An access or refresh token, stored in the realm under the digest of its value (decision 22). */
export interface Token extends Document {
  readonly use: 'access' | 'refresh'
  readonly projectKey: string
  readonly clientId: string
  /** Without the binding, which stands in the members below. */
  readonly scopes: readonly string[]
  readonly customerId?: string
  readonly anonymousId?: string
  readonly storeKey?: string
  /** Milliseconds since the epoch; a refresh token's moves with each use. */
  readonly expiresAt: number
  /** The customer's session epoch at issue: raising it ends all sessions at once. */
  readonly sessionEpoch?: number
  /** Digest of the refresh token of the same grant. */
  readonly grant?: string
  readonly revokedAt?: number
}

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
