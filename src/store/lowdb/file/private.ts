import {randomBytes} from 'node:crypto'
import {chmodSync} from 'node:fs'
import {dirname} from 'node:path'
import {crc32} from 'node:zlib'
import {StateError} from '../../../domain/errors.js'
import {asStateError} from '../../../files/file-errors.js'
import {assertPrivate, notAFile} from '../../../files/private-file.js'
import {type Awaitable, corrupt, type Files, hasCode, type OpenMode, readAll, unlinkQuietly, writeNew} from './files.js'

/** Opens a regular file that only this user can access. */
export async function openPrivate(files: Files, path: string, mode: OpenMode): Promise<{fd: number; size: number}> {
  let fd: number
  try {
    fd = await files.open(path, mode)
  } catch (error) {
    if (hasCode(error, 'EACCES')) throw asStateError(error, path)
    if (!hasCode(error, 'ELOOP', 'ENXIO', 'EISDIR')) throw error
    throw notAFile(path, error)
  }
  try {
    const stat = await files.stat(fd)
    if (stat?.kind !== 'file') throw notAFile(path)
    assertPrivate(stat, path)
    return {fd, size: stat.size}
  } catch (error) {
    await files.close(fd)
    throw error
  }
}

/** Opens a private file for reading, and closes it once it was used. */
export async function withFile<T>(
  files: Files,
  path: string,
  use: (fd: number, size: number) => Awaitable<T>,
): Promise<T> {
  const {fd, size} = await openPrivate(files, path, 'read')
  try {
    return await use(fd, size)
  } finally {
    await files.close(fd)
  }
}

/** Undefined where there is no file. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/**
 * Checks the directory that holds all state. An empty one of this user is made private, since `mkdir` creates
 * directories that others can list; one with content is left for the user to change.
 */
export async function adoptDirectory(files: Files, path: string): Promise<void> {
  const stat = await files.stat(path)
  if (!stat) return
  if (stat.kind !== 'directory') {
    const remedy = 'Put the directory itself there, or choose another one for the state.'
    throw new StateError('StateUnusable', `${path} is not a directory.`, path, remedy)
  }
  const loose = stat.uid === process.getuid?.() && (stat.mode & 0o077) !== 0
  const names = loose ? await files.list(path) : []
  if (loose && names.length === 0) chmodSync(path, 0o700)
  else if (loose && !names.some((name) => ours.test(name))) {
    const remedy = 'Choose a directory that is empty or new.'
    throw new StateError('StateUnusable', `${path} has other content than a state.`, path, remedy)
  } else assertPrivate(stat, path)
}

/** Names in folders of a state, its own and those of projects: `chmod 700` would do harm to another folder. */
const ours = /^(_.*|LOCK|BALLAST|admin\.token|server\.log|.*\.client\.json|PROJECTS\.json|documents\..*)$/

/** Small files of one JSON object with format and checksum: the catalogue, ends of files, snapshots, an unfinished restore. */

/** Undefined if there is none. Throws StateCorrupt, StateVersion and StatePermissions. */
export const readSealed = <T extends object>(files: Files, path: string, remedy?: string): Promise<T | undefined> =>
  ifThere(
    withFile(files, path, (fd, size) => {
      const [line = '', ...rest] = readAll(files, fd, 0, size).toString().split('\n')
      const value: unknown =
        rest.length === 1 && rest[0] === '' && hasValidChecksum(line) ? JSON.parse(line) : undefined
      if (typeof value !== 'object' || value === null) throw corrupt(`${path} is damaged.`, path, remedy)
      assertKnownFormat(Reflect.get(value, 'format'), path)
      return value as T
    }),
  )

/** A new file; on the disk when it resolves, unless that does not matter. */
export const writeSealed = (files: Files, path: string, value: object, isSynced = true): Promise<void> =>
  writeNew(files, path, `${withChecksum(JSON.stringify({format: stateFormat, ...value}))}\n`, isSynced)

/** A part of a file name that nobody else uses. */
export const newNonce = (): string => randomBytes(9).toString('base64url')

/** Replaces a file atomically, also across a power cut. */
export async function replaceSealed(files: Files, path: string, value: object): Promise<void> {
  const next = `${path}.${newNonce()}`
  try {
    await writeSealed(files, next, value)
    await files.rename(next, path)
  } catch (error) {
    await unlinkQuietly(files, next)
    throw error
  }
  await files.syncDirectory(dirname(path))
}

/** Format version, raised when older releases cannot read the new format. */
export const stateFormat = 1

/** Appends to the text of a JSON object the checksum of its UTF-8 bytes, as last member `x`. */
export function withChecksum(json: string): string {
  const open = json.slice(0, -1)
  return `${open},"x":"${crc32(open).toString(16).padStart(8, '0')}"}`
}

const suffixLength = withChecksum('{}').length - 1

export const hasValidChecksum = (json: string): boolean => withChecksum(`${json.slice(0, -suffixLength)}}`) === json

/** Throws StateVersion for a newer format, which this release could misread. */
export function assertKnownFormat(format: unknown, path: string): void {
  if (format === stateFormat) return
  const message = `${path} was written by a newer release (format ${String(format)}, this one reads ${stateFormat}).`
  throw new StateError('StateVersion', message, path, 'Use that release, or another data directory.')
}
