import {constants, fsyncSync} from 'node:fs'
import {chmod, type FileHandle, lstat, open, rename, rm} from 'node:fs/promises'
import {InputError} from '../input/input-error.js'

const {O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY, O_TRUNC} = constants

/** A file that appears under its name only when it is complete, readable by nobody else. */
export interface PrivateFile {
  write(text: string): Promise<void>
  /** Puts the file in its place. */
  finish(): Promise<void>
  /** Removes what was written. Nothing to do after `finish`. */
  discard(): Promise<void>
}

const flushAt = 65_536

/** Begins `path.part`. An existing file is replaced only if `replace` says so. Throws InputError for what stands in the way. */
export async function createPrivateFile(
  path: string,
  options: {readonly replace?: boolean} = {},
): Promise<PrivateFile> {
  await checkFree(path, options.replace === true)
  const part = `${path}.part`
  const file = await openPart(path, part)
  let pending = ''
  const flush = async (): Promise<void> => {
    const text = pending
    pending = ''
    if (text !== '') await file.writeFile(text)
  }
  let open_ = true
  const discard = async (): Promise<void> => {
    if (!open_) return
    open_ = false
    await file.close().catch(() => undefined)
    await rm(part, {force: true})
  }
  return {
    discard,
    write: async (text) => {
      pending += text
      if (pending.length >= flushAt) await flush()
    },
    finish: async () => {
      await flush()
      // Not `sync()` of the handle, which the file system of Yarn's Plug'n'Play lacks.
      fsyncSync(file.fd)
      await file.close()
      open_ = false
      await rename(part, path)
    },
  }
}

/** Throws InputError if a file may not be put there. */
export async function checkFree(path: string, replace: boolean): Promise<void> {
  const stats = await lstat(path).catch(() => undefined)
  if (!stats) return
  const problem = stats.isDirectory() ? 'is a directory' : stats.isFile() ? 'exists already' : 'is not a plain file'
  if (stats.isFile() && replace) return
  throw new InputError(`${path} ${problem}.`, {file: path, remedy: 'Name another file.'})
}

async function openPart(path: string, part: string): Promise<FileHandle> {
  try {
    // What an earlier run left behind under this name was never complete.
    await rm(part, {force: true})
    const file = await open(part, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_TRUNC, 0o600)
    await chmod(part, 0o600)
    return file
  } catch (cause) {
    throw new InputError(`${path} cannot be written.`, {file: path}, {cause})
  }
}
