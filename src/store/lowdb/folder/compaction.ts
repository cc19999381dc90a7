import {join} from 'node:path'
import type {Yield} from '../../../work/time-slices.js'
import {Collection} from '../directory/collection.js'
import {DataFile} from '../directory/data-file.js'
import type {State} from '../directory/state.js'
import {corrupt, lockLost} from '../file/failures.js'
import {type Files, hasCode, writeAll} from '../file/files.js'
import {closed, commitsIn, type Reach} from '../line/line.js'
import {headerOf, pathOf, removeRemains} from './chain.js'
import type {Journal} from './journal.js'

/** Bytes of copied lines that are written at once. */
const pieceBytes = 1 << 20

/** A file of joined lines that is being written. */
class Unfinished {
  readonly #fd: number
  readonly #files: Files
  #pieces: Buffer[] = []
  #waiting = 0
  /** Where the lines end, those too that are not written yet. */
  reach: Reach = {end: 0, checksum: 0}

  constructor(files: Files, fd: number) {
    this.#files = files
    this.#fd = fd
    this.#take(headerOf({follows: []}))
  }

  /** Adds lines as a commit; a promise while much is being written. */
  add(lines: Buffer): Promise<void> | undefined {
    this.#take(closed(lines, this.reach.checksum))
    return this.#waiting < pieceBytes ? undefined : this.flush()
  }

  async flush(): Promise<void> {
    const [bytes, start] = [Buffer.concat(this.#pieces), this.reach.end - this.#waiting]
    this.#pieces = []
    this.#waiting = 0
    await writeAll(this.#files, this.#fd, bytes, start)
  }

  #take({bytes, checksum}: {readonly bytes: Buffer; readonly checksum: number}): void {
    this.#pieces.push(bytes)
    this.#waiting += bytes.length
    this.reach = {end: this.reach.end + bytes.length, checksum}
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
 * Copies the lines in effect into a new file, each as a commit of its own so that damage stays with one document, then
 * the commits that came meanwhile, and takes it into effect with one link: a name that exists is never replaced. Until
 * then a crash leaves all as it was.
 */
export async function joinFiles(copying: Copying): Promise<void> {
  const {files, directory, state, journal, fence, yields} = copying
  const number = journal.file.number + 1
  const unfinished = join(directory, `documents.${number}.unfinished`)
  await files.unlink(unfinished)
  const fd = await files.open(unfinished, 'create')
  const file = new DataFile(files, {number, path: pathOf(directory, number), fd}, journal.file.documents)
  const next = new Unfinished(files, fd)
  const before = state.files
  let isInEffect = false as boolean
  for (const one of before) one.pin()
  try {
    // What was answered has taken effect, so that all in the file before its end is in the directory.
    const start = await journal.between(async () => journal.reach)
    const copies = new Map<string, Collection>()
    for (const [kind, collection] of state.collections) {
      const copy = new Collection(collection.facets, {pin: collection.pin})
      copies.set(kind, copy)
      for (const entry of collection.following(undefined)) {
        // The line of a read-ahead piece would change under the next reading.
        const line = Buffer.from(entry.file.line(entry.at, entry.size, entry.crc))
        copy.put(entry.movedTo(file, next.reach.end))
        const pause = next.add(line) ?? yields()
        if (pause) await pause
      }
    }
    const shift = next.reach.end - start.end
    let copied = await copyTail(journal, start, next, yields)
    await next.flush()
    await files.sync(fd)
    await journal.between(async () => {
      copied = await copyTail(journal, copied, next, () => undefined)
      await next.flush()
      await files.sync(fd)
      fence()
      await linked(copying, unfinished, file.path)
      fence()
      isInEffect = true
      for (const [kind, collection] of state.collections) {
        const copy = copies.get(kind) ?? new Collection(collection.facets, {pin: collection.pin})
        for (const entry of collection.since(journal.file.number, start.end)) {
          copy.put(entry.movedTo(file, entry.at + shift))
        }
        copy.texts = collection.texts
        state.collections.set(kind, copy)
      }
      state.files = [file]
      journal.switchTo(file, next.reach)
    })
    fence()
    // A crash leaves them for the next holder.
    await removeRemains(files, directory, [number], (path) => files.unlink(path))
  } catch (error) {
    if (!isInEffect) {
      file.retire()
      await Promise.resolve(files.unlink(unfinished)).catch(() => {})
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

/** Copies the commits of the file in use from a place on; returns where they end. */
async function copyTail(journal: Journal, from: Reach, next: Unfinished, yields: Yield): Promise<Reach> {
  const {file, reach} = journal
  const stretch = {read: file.read, from: from.end, to: reach.end, checksum: from.checksum}
  for (const {isWhole, lines} of commitsIn(stretch)) {
    if (!isWhole) throw corrupt(`${file.path} is damaged.`, file.path)
    await next.add(Buffer.from(lines))
    const pause = yields()
    if (pause) await pause
  }
  return reach
}
