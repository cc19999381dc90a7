import {createHash, randomBytes} from 'node:crypto'
import {constants} from 'node:fs'
import {mkdir, open, rename, unlink} from 'node:fs/promises'
import {join} from 'node:path'

/** A token that later commands may use again, in a file of its owner's. */
export interface CachedToken {
  readonly accessToken: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** Tokens belong to one authorization server, project, client and scope; the file's name is a digest of these. */
export const cacheKey = (parts: readonly (string | undefined)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)

const fileOf = (folder: string, key: string): string => join(folder, `${key}.json`)
/** Stands while a process asks for the token. */
export const turnOf = (folder: string, key: string): string => join(folder, `${key}.turn`)

/** Nothing for a file that is missing, damaged or readable by others: the caller asks for a new token then. */
export async function cachedToken(folder: string, key: string): Promise<CachedToken | undefined> {
  try {
    const file = await open(fileOf(folder, key), constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      if (((await file.stat()).mode & 0o077) !== 0) return undefined
      const {accessToken, expiresAt} = JSON.parse(await file.readFile('utf8')) as Partial<CachedToken>
      return typeof accessToken === 'string' && typeof expiresAt === 'number' ? {accessToken, expiresAt} : undefined
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}

/** A cache that cannot be written costs a token request each time, nothing more. */
export async function cacheToken(folder: string, key: string, token: CachedToken): Promise<void> {
  const temporary = `${fileOf(folder, key)}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await mkdir(folder, {recursive: true, mode: 0o700})
    const file = await open(
      temporary,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    )
    try {
      await file.chmod(0o600)
      await file.writeFile(JSON.stringify(token))
    } finally {
      await file.close()
    }
    await rename(temporary, fileOf(folder, key))
  } catch {
    await unlink(temporary).catch(() => undefined)
  }
}

/** Forgets a token that was refused, unless another process has replaced it meanwhile. */
export async function dropToken(folder: string, key: string, refused?: string): Promise<void> {
  const present = await cachedToken(folder, key)
  if (refused !== undefined && present?.accessToken !== refused) return
  await unlink(fileOf(folder, key)).catch(() => undefined)
}
