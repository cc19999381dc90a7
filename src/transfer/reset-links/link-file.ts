import {constants, fdatasync} from 'node:fs'
import {type FileHandle, open} from 'node:fs/promises'
import {createInterface} from 'node:readline/promises'
import {promisify} from 'node:util'
import {hasCode} from '../../files/file-errors.js'
import {InputError} from '../input/input-error.js'
import {csvLine} from '../output/csv-line.js'

const {O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR} = constants
const datasync = promisify(fdatasync)
const columns = ['email', 'key', 'token', 'expiresAt', 'customerId'] as const
const header = csvLine([...columns])

/** A customer who can set a password with a token. */
export interface ResetLink {
  readonly email: string | undefined
  readonly key: string | undefined
  readonly token: string
  readonly expiresAt: string
  readonly customerId: string
}

/** The tokens for the mailing, in a file for its owner only: one line a customer, safe on disk when `add` returns. */
export class LinkFile {
  readonly #file: FileHandle
  /** Customers with a line, by id. */
  readonly #customers = new Set<string>()

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** Begins the file, or goes on with that of a resumed job. Throws InputError if it exists and is nobody's. */
  static async open(path: string, resumed: boolean): Promise<LinkFile> {
    if (path === '-') throw new InputError('Reset links go to a file, not to the output.', {remedy: 'Name a new file.'})
    const flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | (resumed ? 0 : O_EXCL)
    let file: FileHandle
    try {
      file = await open(path, flags, 0o600)
    } catch (cause) {
      const exists = hasCode(cause, 'EEXIST')
      throw new InputError(`${path} ${exists ? 'exists already' : 'cannot be written'}.`, {file: path}, {cause})
    }
    try {
      const links = new LinkFile(file)
      await links.#begin(path)
      return links
    } catch (error) {
      await file.close()
      throw error
    }
  }

  has(customerId: string): boolean {
    return this.#customers.has(customerId)
  }

  async add(link: ResetLink): Promise<void> {
    await this.#file.appendFile(csvLine(columns.map((column) => link[column])))
    // Not `datasync()` of the handle, which the file system of Yarn's Plug'n'Play lacks.
    await datasync(this.#file.fd)
    this.#customers.add(link.customerId)
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  /** Writes the header of a new file, or makes sure that an old one is ours and reads whom it has. */
  async #begin(path: string): Promise<void> {
    const stats = await this.#file.stat()
    if (!stats.isFile()) throw new InputError(`${path} is not a plain file.`, {file: path})
    await this.#file.chmod(0o600)
    if (stats.size === 0) return this.#file.appendFile(header)
    const {buffer} = await this.#file.read(Buffer.alloc(header.length), 0, header.length, 0)
    if (buffer.toString() !== header) {
      throw new InputError(`${path} is not a file of reset links.`, {file: path, remedy: 'Name another file.'})
    }
    await this.#withoutCutLine(stats.size)
    const input = this.#file.createReadStream({start: header.length, autoClose: false})
    for await (const line of createInterface({input, crlfDelay: Number.POSITIVE_INFINITY})) {
      this.#customers.add(line.slice(line.lastIndexOf(',') + 1))
    }
  }

  /** A crash or a full disk may have cut the last line: its token was never told of, and is made again. */
  async #withoutCutLine(size: number): Promise<void> {
    const length = Math.min(size, 65_536)
    const {buffer} = await this.#file.read(Buffer.alloc(length), 0, length, size - length)
    const end = buffer.lastIndexOf(0x0a) + 1
    if (end < length) await this.#file.truncate(size - length + end)
  }
}
