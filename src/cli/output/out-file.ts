import {closeSync, fchmodSync, fstatSync, fsyncSync, ftruncateSync, lstatSync, openSync, writeSync} from 'node:fs'
import {dirname, resolve} from 'node:path'
import {hasCode} from '../../files/file-errors.js'
import {publish} from '../../files/private-handle.js'
import {type Temporary, temporaryBeside} from '../../files/scratch.js'
import {type Failure, usage} from '../process/failure.js'
import {whyNot} from '../process/system-errors.js'

/** What becomes of a file that is there already: it is refused, replaced, or left for the job that continues it. */
export type Existing = 'refused' | 'replaced' | 'continued'

/** Most results fit into it: a disk that has room for it at the beginning has room for them at the end. */
const roomBytes = 4096

/**
 * An output file that is reserved before the effect: a private temporary file beside its place, with some room on the
 * disk, which gets its name once it is complete. Throws usage if it cannot be created.
 */
export class OutFile {
  readonly #path: string
  readonly #existing: Existing
  readonly #part: Temporary
  readonly #file: number

  /** `remedy`: the way out for a file that is there already. */
  constructor(path: string, existing: Existing, remedy = 'Name a new file.') {
    checkName(path, existing, remedy)
    this.#path = resolve(path)
    this.#existing = existing
    this.#part = temporaryBeside(path)
    let file: number | undefined
    try {
      file = openSync(this.#part.path, 'wx', 0o600)
      fchmodSync(file, 0o600)
      if (existing !== 'continued') writeSync(file, Buffer.alloc(roomBytes), 0, roomBytes, 0)
    } catch (error) {
      if (file !== undefined) closeSync(file)
      this.#part.release()
      throw unwritable(path, error)
    }
    this.#file = file
  }

  publish(text: string): void {
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done, bytes.length - done, done)
    if (bytes.length < fstatSync(this.#file).size) ftruncateSync(this.#file, bytes.length)
    fsyncSync(this.#file)
    publish(this.#part.path, this.#path, this.#existing === 'replaced')
  }

  /** Removes what has no name yet. */
  release(): void {
    closeSync(this.#file)
    this.#part.release()
  }
}

function checkName(path: string, existing: Existing, remedy: string): void {
  if (path.trim() === '') throw usage('The name of a file to write is empty.', 'Name a new file.')
  if (/[/\\]$/.test(path)) throw usage(`${path} names a folder.`, 'Name a new file in it.')
  const found = lstatSync(path, {throwIfNoEntry: false})
  if (!found) return
  if (!found.isFile()) throw usage(`${path} is not a regular file.`, 'Name a new file.')
  if (existing === 'refused') throw usage(`The file ${path} exists already.`, remedy)
}

/** Why no file can be made, by the folder where it would be. */
function unwritable(path: string, error: unknown): Failure {
  const folder = dirname(path)
  if (hasCode(error, 'ENOENT')) return usage(`The folder ${folder} of ${path} does not exist.`, 'Make the folder.')
  return usage(`No file can be written in ${folder}: ${whyNot(error)}.`, 'Nothing was sent. Name another place.')
}
