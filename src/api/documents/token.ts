import type {Secrets} from '../../secrets/secrets.js'
import type {Document} from '../../store/store.js'
import {type ApiClient, heldBy} from './api-client.js'

export interface Binding {
  readonly customerId?: string
  readonly anonymousId?: string
  /** The store of a token from the store's password flow, which is limited to that store's paths. */
  readonly storeKey?: string
}

/** Members of access and refresh tokens, which the realm stores under the digest of their value (decision 22). */
export interface Token extends Document, Binding {
  readonly projectKey: string
  readonly clientId: string
  /** Without the binding, which is in the members below. A text is the digest of what its client had then: all of it. */
  readonly scopes: readonly string[] | string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** Milliseconds since the epoch; absent in tokens of older releases. */
  readonly issuedAt?: number
  /** The customer's session epoch at issue; raising the customer's epoch ends all sessions. */
  readonly sessionEpoch?: number
  readonly revokedAt?: number
}

export interface AccessToken extends Token {
  /** Digest of the refresh token of the same grant. */
  readonly grant?: string
}

/** A refresh token; each use extends `expiresAt`. */
export interface RefreshToken extends Token {
  readonly lastUsedAt: number
}

/** Kinds in the store. Refresh tokens have their own, so that they can be counted in constant time. */
export const accessTokens = 'token'
export const refreshTokens = 'refresh-token'

/** Refresh tokens begin with their project and a colon, which access tokens never contain. */
export const kindOfToken = (value: string): typeof accessTokens | typeof refreshTokens =>
  value.includes(':') ? refreshTokens : accessTokens

/** The scopes of a token by name; undefined if its client never had them. */
export function namedScopes({scopes}: Token, {scope, formerScopes = []}: ApiClient, secrets: Pick<Secrets, 'digest'>) {
  if (typeof scopes !== 'string') return scopes
  for (const text of [scope, ...formerScopes]) {
    const held = heldBy({scope: text}, secrets)
    if (held.digest === scopes) return held.scopes
  }
  return undefined
}

/** The scope text of a token: granted scopes, then its binding (decision 23). */
export function scopeText(
  scopes: readonly string[],
  {customerId, anonymousId}: Pick<Token, 'customerId' | 'anonymousId'>,
): string {
  return [
    ...scopes,
    ...(customerId === undefined ? [] : [`customer_id:${customerId}`]),
    ...(anonymousId === undefined ? [] : [`anonymous_id:${anonymousId}`]),
  ].join(' ')
}
