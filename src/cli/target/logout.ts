import {revokeToken} from '../../api/oauth/operations.js'
import type {Client} from '../../client/client.js'
import {cachedToken, cacheKey, dropToken} from '../../client/session/token-cache.js'
import type {Profile} from './profiles.js'

/** Revokes the cached token of a profile and deletes it from the cache; says what became of it. */
export async function revokeCachedTokens(
  open: () => Promise<Client>,
  {authUrl, apiUrl, projectKey, clientId, scopes}: Profile,
  cacheFolder: string,
): Promise<'none' | 'revoked' | 'unreachable'> {
  const key = cacheKey([authUrl ?? apiUrl, projectKey, clientId, scopes])
  const cached = cachedToken(cacheFolder, key)
  if (!cached) return 'none'
  try {
    const client = await open()
    try {
      await client.form(revokeToken, {token: cached.accessToken})
      return 'revoked'
    } finally {
      await client.close()
    }
  } catch {
    return 'unreachable'
  } finally {
    dropToken(cacheFolder, key)
  }
}
