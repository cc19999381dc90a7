import {constants, linkSync, renameSync} from 'node:fs'
import {type FileHandle, open} from 'node:fs/promises'

/** Handles of files that only their owner can access, for those that are too large to be written in one piece. */

// Undefined on Windows.
const {O_APPEND, O_CREAT, O_EXCL, O_RDWR, O_NOFOLLOW = 0} = constants

/** Opens a file, at its end: a new one, or throws EEXIST. `isContinued`: also one that is there. */
export async function appendable(path: string, isContinued = false): Promise<FileHandle> {
  const flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | (isContinued ? 0 : O_EXCL)
  const file = await open(path, flags, 0o600)
  try {
    const stats = await file.stat()
    // Under a umask that takes the owner's own permissions as well. A device stays as it is.
    if (stats.isFile() && stats.size === 0) await file.chmod(0o600)
    const append = file.appendFile.bind(file)
    // An error of a handle names no path, and reads as one of the output of this process.
    file.appendFile = (...given) =>
      append(...given).catch((error: unknown) => Promise.reject(Object.assign(error as Error, {path})))
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * Puts a temporary file in its place; its own name may stay. Throws EEXIST for a name that was taken meanwhile, unless it
 * may be replaced.
 */
export function publish(temporary: string, path: string, replace: boolean): void {
  if (replace) renameSync(temporary, path)
  // A link fails if the name was taken meanwhile; a rename would replace it.
  else linkSync(temporary, path)
}
