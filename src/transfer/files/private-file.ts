import {fsyncSync} from 'node:fs'
import {type FileHandle, lstat} from 'node:fs/promises'
import {hasCode} from '../../files/file-errors.js'
import {appendable, publish} from '../../files/private-handle.js'
import {temporaryBeside} from '../../files/scratch.js'
import {InputError} from './input-error.js'

const blockCharacters = 65_536

/** Texts on their way into a file, written in blocks. */
export class TextFile {
  readonly handle: FileHandle
  #pending = ''

  constructor(handle: FileHandle) {
    this.handle = handle
  }

  async write(text: string): Promise<void> {
    this.#pending += text
    if (this.#pending.length >= blockCharacters) await this.flush()
  }

  async flush(): Promise<void> {
    const text = this.#pending
    this.#pending = ''
    if (text !== '') await this.handle.appendFile(text)
  }
}

/**
 * Writes a file that appears under its name only when it is complete, readable by nobody else; nothing is left of one that
 * fails. An existing one is replaced only if `replace` says so. Throws InputError for what stands in the way.
 */
export async function createPrivateFile<T>(
  path: string,
  replace: boolean,
  write: (file: TextFile) => Promise<T>,
): Promise<T> {
  await checkFree(path, replace)
  const part = temporaryBeside(path)
  const file = new TextFile(
    await appendable(part.path).catch((cause: unknown) => {
      part.release()
      throw new InputError(`${path} cannot be written.`, {file: path}, {cause})
    }),
  )
  try {
    const result = await write(file)
    await file.flush()
    // Not `sync()` of the handle, which the file system of Yarn's Plug'n'Play lacks.
    fsyncSync(file.handle.fd)
    publish(part.path, path, replace)
    return result
  } catch (cause) {
    throw hasCode(cause, 'EEXIST') ? taken(path) : cause
  } finally {
    await file.handle.close().catch(() => undefined)
    part.release()
  }
}

const taken = (path: string, problem = 'exists already'): InputError =>
  new InputError(`${path} ${problem}.`, {file: path, remedy: 'Name another file.'})

/** Throws InputError if a file may not be put there. */
export async function checkFree(path: string, replace: boolean): Promise<void> {
  const stats = await lstat(path).catch(() => undefined)
  if (!stats || (stats.isFile() && replace)) return
  throw taken(path, stats.isDirectory() ? 'is a directory' : stats.isFile() ? 'exists already' : 'is not a plain file')
}
