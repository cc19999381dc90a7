import {StateError} from '../../../domain/errors.js'
import {assertPrivate, notAFile} from '../../../files/private-file.js'
import {type Awaitable, type Files, hasCode, type OpenMode} from './files.js'

/** Opens a regular file that only this user can access. */
export async function openPrivate(files: Files, path: string, mode: OpenMode): Promise<{fd: number; size: number}> {
  let fd: number
  try {
    fd = await files.open(path, mode)
  } catch (error) {
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
    throw new StateError('StateUnusable', `${path} is not a directory.`, path, 'Choose a directory for the state.')
  }
  const loose = stat.uid === process.getuid?.() && (stat.mode & 0o077) !== 0
  if (loose && (await files.list(path)).length === 0) await files.makePrivate(path)
  else assertPrivate(stat, path)
}
