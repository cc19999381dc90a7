import {createHash, createHmac} from 'node:crypto'
import {join} from 'node:path'
import {privateFolder, readPrivate, removeQuietly, replacePrivate} from '../../files/private-file.js'

/** A token that later commands may use again, in a file of its owner's. */
export interface CachedToken {
  readonly accessToken: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** A digest of the secret that it was asked for with, see `proofOf`. */
  readonly proof: string
}

/** A digest of the client's secret that tells nothing to who does not hold the token as well. */
export const proofOf = (accessToken: string, secret: string): string =>
  createHmac('sha256', accessToken).update(secret).digest('hex')

/** Whether a token was asked for with this secret. */
export const isOfSecret = ({accessToken, proof}: CachedToken, secret: string): boolean =>
  proof === proofOf(accessToken, secret)

/** Tokens belong to one authorization server, project, client and scope; the file's name is a digest of these. */
export const cacheKey = (parts: readonly (string | undefined)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)

const fileOf = (folder: string, key: string): string => join(folder, `${key}.json`)
/** Stands while a process asks for the token. */
export const flightPath = (folder: string, key: string): string => join(folder, `${key}.turn`)

/** Nothing for a file that is missing, damaged or within reach of others: the caller asks for a new token then. */
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

/** A cache that cannot be written, or that others can reach, costs a token request each time, nothing more. */
export function cacheToken(folder: string, key: string, token: CachedToken): void {
  try {
    replacePrivate(fileOf(privateFolder(folder), key), JSON.stringify(token))
  } catch {
    // The next process asks for a token of its own.
  }
}

/** Forgets a token that was refused, unless another process has replaced it meanwhile. */
export function dropToken(folder: string, key: string, refused?: string): void {
  if (refused !== undefined && cachedToken(folder, key)?.accessToken !== refused) return
  removeQuietly(fileOf(folder, key))
}
