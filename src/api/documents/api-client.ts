import type {Document} from '../../store/store.js'

/** An API client, stored in the realm; its id is the OAuth client id. Only a digest of the secret is kept. */
export interface ApiClient extends Document {
  readonly projectKey: string
  readonly name: string
  /** Space-separated scopes, as in the draft. */
  readonly scope: string
  readonly secretDigest: string
  readonly createdAt: string
  readonly lastUsedAt?: string
  readonly deleteAt?: string
  readonly accessTokenValiditySeconds?: number
  readonly refreshTokenValiditySeconds?: number
}

export const scopesOf = (client: ApiClient): readonly string[] =>
  client.scope.split(/\s+/).filter((part) => part !== '')
