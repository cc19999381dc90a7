import type {Secrets} from '../../secrets/secrets.js'
import type {Document} from '../../store/store.js'
import {BoundedMap} from '../../work/bounded-map.js'

/** An API client, stored in the realm; its id is the OAuth client id. Only a digest of the secret is kept. */
export interface ApiClient extends Document {
  readonly projectKey: string
  readonly name: string
  /** Space-separated scopes, as in the draft. */
  readonly scope: string
  /** Texts that it had before: tokens issued then have them. */
  readonly formerScopes?: readonly string[]
  readonly secretDigest: string
  readonly createdAt: string
  readonly lastUsedAt?: string
  readonly deleteAt?: string
  readonly accessTokenValiditySeconds?: number
  readonly refreshTokenValiditySeconds?: number
}

interface Held {
  readonly scopes: readonly string[]
  readonly digest: string
}

const heldByText = new BoundedMap<string, Held>(100)

/** The scopes of a client, one list for all readers, and the digest by which its tokens refer to them. */
export function heldBy({scope}: Pick<ApiClient, 'scope'>, {digest}: Pick<Secrets, 'digest'>): Held {
  const known = heldByText.get(scope)
  if (known) return known
  const scopes = Object.freeze([...new Set(scope.split(' ').filter((part) => part !== ''))])
  const held = {scopes, digest: digest(scope)}
  heldByText.set(scope, held)
  return held
}

export const withScope = (client: ApiClient, scope: string): ApiClient => ({
  ...client,
  version: client.version + 1,
  scope,
  formerScopes: [...(client.formerScopes ?? []), client.scope],
})
