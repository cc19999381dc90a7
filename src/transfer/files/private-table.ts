import {fdatasync} from 'node:fs'
import type {FileHandle} from 'node:fs/promises'
import {promisify} from 'node:util'
import {hasCode} from '../../files/file-errors.js'
import {appendable} from '../../files/private-handle.js'
import {csvLine} from './csv-line.js'
import {InputError} from './input-error.js'

const datasync = promisify(fdatasync)
/** No line is longer. */
const lastBytes = 65_536

export interface PrivateTableOptions {
  readonly columns: readonly string[]
  /** What such a file holds, for people. */
  readonly what: string
  readonly resumed: boolean
}

/** A table of secrets for its owner only, to which a job and those that resume it append. */
export class PrivateTable {
  readonly #file: FileHandle
  readonly #header: string

  private constructor(file: FileHandle, header: string) {
    this.#file = file
    this.#header = header
  }

  /** Begins the file, or goes on with that of a resumed job. Throws InputError if it exists and is nobody's. */
  static async open(path: string, about: PrivateTableOptions): Promise<PrivateTable> {
    const {columns, resumed} = about
    let file: FileHandle
    try {
      file = await appendable(path, resumed)
    } catch (cause) {
      const exists = hasCode(cause, 'EEXIST')
      throw new InputError(`${path} ${exists ? 'exists already' : 'cannot be written'}.`, {file: path}, {cause})
    }
    try {
      const table = new PrivateTable(file, csvLine([...columns]))
      await table.#begin(path, about)
      return table
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Safe on disk when this returns. */
  async add(cells: readonly (string | undefined)[]): Promise<void> {
    await this.#file.appendFile(csvLine([...cells]))
    // Not `datasync()` of the handle, which the file system of Yarn's Plug'n'Play lacks.
    await datasync(this.#file.fd)
  }

  /** The lines below the header, as they were when the table was opened. */
  lines(): AsyncIterable<string> {
    return this.#file.readLines({start: this.#header.length, autoClose: false})
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  /** Writes the header of a new file, or makes sure that an old one is ours before anything of it is changed. */
  async #begin(path: string, {what}: PrivateTableOptions): Promise<void> {
    const stats = await this.#file.stat()
    if (!stats.isFile()) throw new InputError(`${path} is not a plain file.`, {file: path})
    if (stats.size > 0) {
      const {buffer} = await this.#file.read(Buffer.alloc(this.#header.length), 0, this.#header.length, 0)
      if (buffer.toString() !== this.#header) {
        throw new InputError(`${path} is not a file of ${what}.`, {file: path, remedy: 'Name another file.'})
      }
    }
    await this.#file.chmod(0o600)
    if (stats.size === 0) await this.#file.appendFile(this.#header)
    else await this.#dropCutLine(stats.size)
  }

  /** Nobody was told of a line that a crash or a full disk cut. */
  async #dropCutLine(size: number): Promise<void> {
    const length = Math.min(size, lastBytes)
    const {buffer} = await this.#file.read(Buffer.alloc(length), 0, length, size - length)
    const end = buffer.lastIndexOf(0x0a) + 1
    if (end < length) await this.#file.truncate(size - length + end)
  }
}
