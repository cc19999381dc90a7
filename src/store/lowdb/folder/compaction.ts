import {join} from 'node:path'
import type {Yield} from '../../../work/time-slices.js'
import {Collection} from '../directory/collection.js'
import {DataFile} from '../directory/data-file.js'
import type {Entry} from '../directory/documents.js'
import type {State} from '../directory/state.js'
import {type Files, hasCode, lockLost, unlinkQuietly, writeAll} from '../file/files.js'
import {closed, type Reach} from '../line/line.js'
import {headerLine, pathOf, removeRemains} from './chain.js'
import type {Journal} from './journal.js'

const pieceBytes = 1 << 20

/** A file of joined lines that is being written, each as a commit of its own so that damage stays with one document. */
class Unfinished {
  readonly #fd: number
  readonly #files: Files
  #pieces: Buffer[] = []
  #written = 0
  /** Where the lines end, those too that are not written yet. */
  reach: Reach = {end: 0, checksum: 0}

  constructor(files: Files, fd: number) {
    this.#files = files
    this.#fd = fd
  }

  /** A promise while much is being written. */
  add(line: Buffer): Promise<void> | undefined {
    const {bytes, checksum} = closed(line, this.reach.checksum)
    this.#pieces.push(bytes)
    this.reach = {end: this.reach.end + bytes.length, checksum}
    return this.reach.end - this.#written < pieceBytes ? undefined : this.#flush()
  }

  async #flush(): Promise<void> {
    if (this.#pieces.length === 0) return
    const [bytes, start] = [Buffer.concat(this.#pieces), this.#written]
    this.#pieces = []
    this.#written = this.reach.end
    await writeAll(this.#files, this.#fd, bytes, start)
  }

  async sync(): Promise<void> {
    await this.#flush()
    await this.#files.sync(this.#fd)
  }
}

interface Copying {
  readonly files: Files
  readonly directory: string
  readonly state: State
  readonly journal: Journal
  readonly fence: () => void
  readonly yields: Yield
}

/**
 * Copies the lines in effect into a new file, then those that came meanwhile, and takes it into effect with one link: a name
 * that exists is never replaced. Until then a crash leaves all as it was.
 */
export async function joinFiles(copying: Copying): Promise<void> {
  const {files, directory, state, journal, fence, yields} = copying
  const number = journal.file.number + 1
  const unfinished = join(directory, `documents.${number}.unfinished`)
  await files.unlink(unfinished)
  const fd = await files.open(unfinished, 'create')
  const file = new DataFile(files, {number, path: pathOf(directory, number), fd}, journal.file.documents)
  const next = new Unfinished(files, fd)
  const copies = new Map<string, Collection>()
  const before = state.files
  let isInEffect = false as boolean
  const copy = async (entriesOf: (collection: Collection) => Iterable<Entry>, pauses: Yield): Promise<void> => {
    for (const [kind, collection] of state.collections) {
      const copied = copies.get(kind) ?? new Collection(collection.facets, collection.pin)
      copies.set(kind, copied)
      for (const entry of entriesOf(collection)) {
        const {at, size, crc, file: from} = entry.place
        const end = next.reach.end
        // The line of a read-ahead piece would change under the next reading; closing it copies it.
        const pause = next.add(from.line(at, size, crc)) ?? pauses()
        copied.put(entry.movedTo(file, end))
        if (pause) await pause
      }
    }
    await next.sync()
  }
  // What was answered has taken effect, so that all in the file before its end is in the directory.
  const end = (): Promise<number> => journal.between(async () => journal.reach.end)
  for (const one of before) one.pin()
  try {
    await next.add(headerLine({follows: []}))
    const begun = await end()
    await copy((collection) => collection.following(), yields)
    const meanwhile = await end()
    await copy((collection) => collection.since(journal.file.number, begun), yields)
    await journal.between(async () => {
      await copy(
        (collection) => collection.since(journal.file.number, meanwhile),
        () => undefined,
      )
      fence()
      await linked(copying, unfinished, file.path)
      fence()
      isInEffect = true
      for (const [kind, collection] of copies) {
        collection.texts = state.collection(kind).texts
        state.collections.set(kind, collection)
      }
      state.files = [file]
      journal.file = file
      journal.reach = next.reach
    })
    fence()
    // A crash leaves them for the next holder.
    await removeRemains(files, directory, [number], (path) => files.unlink(path))
  } catch (error) {
    if (!isInEffect) {
      file.retire()
      await unlinkQuietly(files, unfinished)
    }
    throw error
  } finally {
    for (const one of before) one.unpin()
    if (isInEffect) for (const one of before) one.retire()
  }
}

/** Where it is unknown whether the new file is in effect, nothing may be written any more. */
async function linked({files, directory, journal}: Copying, from: string, to: string): Promise<void> {
  try {
    await files.link(from, to)
    await files.syncDirectory(directory)
  } catch (error) {
    if (files.identity(to) !== undefined) journal.stop(hasCode(error, 'EEXIST') ? lockLost(to) : (error as Error))
    throw error
  }
}
