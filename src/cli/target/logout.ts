import {revokeToken} from '../../api/oauth/operations.js'
import type {Client} from '../../client/client.js'
import {cachedToken, cacheKey, dropToken} from '../../client/session/token-cache.js'
import type {Profile} from './profiles.js'

/** Revokes the cached token of a profile and deletes it from the cache. False if the service could not revoke it. */
export async function revokeCachedTokens(
  open: () => Promise<Client>,
  {authUrl, apiUrl, projectKey, clientId, scopes}: Profile,
  cacheFolder: string,
): Promise<boolean> {
  const key = cacheKey([authUrl ?? apiUrl, projectKey, clientId, scopes])
  const cached = cachedToken(cacheFolder, key)
  if (!cached) return true
  try {
    const client = await open()
    try {
      await client.form(revokeToken, {token: cached.accessToken})
      return true
    } finally {
      await client.close()
    }
  } catch {
    return false
  } finally {
    dropToken(cacheFolder, key)
  }
}
