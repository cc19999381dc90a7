import {constants, fdatasync} from 'node:fs'
import {type FileHandle, open} from 'node:fs/promises'
import {promisify} from 'node:util'
import {hasCode} from '../../files/file-errors.js'
import type {RowDraft} from '../check/row-draft.js'
import {InputError} from '../input/input-error.js'
import {csvLine} from '../output/csv-line.js'
import type {Runtime} from './runtime.js'

const {O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR} = constants
const datasync = promisify(fdatasync)
const header = csvLine(['key', 'email', 'password'])

/**
 * Where generated passwords go, for the one person who hands them out. A password is in the file before its customer is
 * created, so that no crash leaves a customer whose password nobody knows; of several lines for a customer the last counts.
 */
export class PasswordFile {
  readonly #file: FileHandle
  readonly #runtime: Runtime

  private constructor(file: FileHandle, runtime: Runtime) {
    this.#file = file
    this.#runtime = runtime
  }

  /** Begins the file, or goes on with that of a resumed job. Throws InputError if it exists and is nobody's. */
  static async open(path: string, resumed: boolean, runtime: Runtime): Promise<PasswordFile> {
    const flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | (resumed ? 0 : O_EXCL)
    let file: FileHandle
    try {
      file = await open(path, flags, 0o600)
    } catch (cause) {
      const exists = hasCode(cause, 'EEXIST')
      throw new InputError(`${path} ${exists ? 'exists already' : 'cannot be written'}.`, {file: path}, {cause})
    }
    try {
      await begin(file, path)
    } catch (error) {
      await file.close()
      throw error
    }
    return new PasswordFile(file, runtime)
  }

  /** A new password of 24 characters, safe in the file when this returns. */
  async newPassword({key, email}: RowDraft): Promise<string> {
    const password = this.#runtime.bytes(18).toString('base64url')
    await this.#file.appendFile(csvLine([key ?? undefined, email, password]))
    // Not `datasync()` of the handle, which the file system of Yarn's Plug'n'Play lacks.
    await datasync(this.#file.fd)
    return password
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

/** Writes the header of a new file, or makes sure that an old one is ours and ends with a whole line. */
async function begin(file: FileHandle, path: string): Promise<void> {
  const stats = await file.stat()
  if (!stats.isFile()) throw new InputError(`${path} is not a plain file.`, {file: path})
  if (stats.size > 0) {
    const {buffer} = await file.read(Buffer.alloc(header.length), 0, header.length, 0)
    if (buffer.toString() !== header) {
      throw new InputError(`${path} is not a file of generated passwords.`, {file: path, remedy: 'Name another file.'})
    }
  }
  await file.chmod(0o600)
  if (stats.size === 0) return file.appendFile(header)
  const last = await file.read(Buffer.alloc(1), 0, 1, stats.size - 1)
  // A full disk may have cut a line.
  if (last.buffer[0] !== 0x0a) await file.appendFile('\r\n')
}
