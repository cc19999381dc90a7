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

interface PrivateTableOptions {
  readonly columns: readonly string[]
  /** What such a file holds, for people. */
  readonly what: string
  readonly resumed: boolean
}

/**
 * A table of secrets for its owner only, to which a job and those that resume it append: begins the file, or goes on with
 * that of a resumed job. Throws InputError if it exists and is nobody's.
 */
export async function openPrivateTable(path: string, {columns, what, resumed}: PrivateTableOptions) {
  const header = csvLine(columns)
  const file = await appendable(path, resumed).catch((cause: unknown) => {
    const exists = hasCode(cause, 'EEXIST')
    throw new InputError(`${path} ${exists ? 'exists already' : 'cannot be written'}.`, {file: path}, {cause})
  })
  try {
    await begin(file, path, {header, what})
  } catch (error) {
    await file.close()
    throw error
  }
  return {
    /** Safe on disk when this returns. */
    async add(cells: readonly (string | undefined)[]): Promise<void> {
      await file.appendFile(csvLine(cells))
      // Not `datasync()` of the handle, which the file system of Yarn's Plug'n'Play lacks.
      await datasync(file.fd)
    },
    /** The lines below the header, as they were when the table was opened. */
    lines: (): AsyncIterable<string> => file.readLines({start: header.length, autoClose: false}),
    close: (): Promise<void> => file.close(),
  }
}

/** Writes the header of a new file, or makes sure that an old one is ours before anything of it is changed. */
async function begin(file: FileHandle, path: string, {header, what}: {header: string; what: string}): Promise<void> {
  const stats = await file.stat()
  if (!stats.isFile()) throw new InputError(`${path} is not a plain file.`, {file: path})
  if (stats.size > 0) {
    const {buffer} = await file.read(Buffer.alloc(header.length), 0, header.length, 0)
    if (buffer.toString() !== header)
      throw new InputError(`${path} is not a file of ${what}.`, {file: path, remedy: 'Name another file.'})
  }
  await file.chmod(0o600)
  if (stats.size === 0) await file.appendFile(header)
  else await dropCutLine(file, stats.size)
}

/** Nobody was told of a line that a crash or a full disk cut. */
async function dropCutLine(file: FileHandle, size: number): Promise<void> {
  const length = Math.min(size, lastBytes)
  const {buffer} = await file.read(Buffer.alloc(length), 0, length, size - length)
  const end = buffer.lastIndexOf(0x0a) + 1
  if (end < length) await file.truncate(size - length + end)
}
