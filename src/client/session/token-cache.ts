import {createHash, createHmac} from 'node:crypto'
import {join} from 'node:path'
import {privateFolder, readPrivate, removeQuietly, replacePrivate} from '../../files/private-file.js'

/** An access token kept in a private file, for later commands. */
export interface CachedToken {
  readonly accessToken: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** A digest of the secret that it was asked for with, see `proofOf`. */
  readonly proof: string
}

/** A digest of the client's secret, keyed by the token: it reveals nothing to those who lack the token. */
export const proofOf = (accessToken: string, secret: string): string =>
  createHmac('sha256', accessToken).update(secret).digest('hex')

/** Whether a token was asked for with this secret. */
export const isOfSecret = ({accessToken, proof}: CachedToken, secret: string): boolean =>
  proof === proofOf(accessToken, secret)

/** Tokens belong to one authorization server, project, client and scope; the file's name is a digest of these. */
export const cacheKey = (parts: readonly (string | undefined)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)

const fileOf = (folder: string, key: string): string => join(folder, `${key}.json`)
/** The lock file of the process that requests the token. */
export const flightPath = (folder: string, key: string): string => join(folder, `${key}.turn`)

/** The cached token. Undefined if its file is missing, damaged or readable by others; the caller then requests a new one. */
export function cachedToken(folder: string, key: string): CachedToken | undefined {
  try {
    const text = readPrivate(fileOf(folder, key))
    if (text === undefined) return undefined
    const {accessToken, expiresAt, proof} = JSON.parse(text) as Partial<CachedToken>
    if (typeof accessToken !== 'string' || typeof expiresAt !== 'number') return undefined
    return {accessToken, expiresAt, proof: String(proof)}
  } catch {
    return undefined
  }
}

/** Writes the token to the cache. A cache that cannot be written only costs a token request each time. */
export function cacheToken(folder: string, key: string, token: CachedToken): void {
  try {
    replacePrivate(fileOf(privateFolder(folder), key), JSON.stringify(token), {durable: false})
  } catch {
    // The next process asks for a token of its own.
  }
}

/** Forgets a token that was refused, unless another process has replaced it meanwhile. */
export function dropToken(folder: string, key: string, refused?: string): void {
  if (refused !== undefined && cachedToken(folder, key)?.accessToken !== refused) return
  removeQuietly(fileOf(folder, key))
}
