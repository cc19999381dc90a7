import {join} from 'node:path'
import type {Yield} from '../../../work/time-slices.js'
import type {Collection} from '../directory/collection.js'
import {DataFile} from '../directory/data-file.js'
import type {Entry} from '../directory/entry.js'
import type {State} from '../directory/state.js'
import type {FileOf, Table} from '../directory/table.js'
import {TableBuilder} from '../directory/table-builder.js'
import {corrupt, lockLost} from '../file/failures.js'
import {type Files, hasCode, writeAll} from '../file/files.js'
import {closed, commitsIn, type Reach} from '../line/line.js'
import {headerOf} from './chain.js'
import type {Journal} from './journal.js'
import {pathOf, removeRemains} from './names.js'

/** New tables of a state, and the entries that they know as they are. */
export type Tables = readonly {
  readonly kind: string
  readonly collection: Collection
  readonly table: Table
  readonly known: readonly Entry[]
}[]

/** Entries above the tables that are put into them. */
const mostNewer = 32_768

/** Whether so much is newer than the tables that new ones are worth making. */
export const isAboveTables = ({collections}: State): boolean => {
  for (const {recent, table} of collections.values()) {
    if (recent.size > Math.max(mostNewer, (table?.size ?? 0) / 8)) return true
  }
  return false
}

/** Calls for each document that has to be copied; returns its new place. */
type Copy = (
  entry: Entry,
) => Promise<{readonly file: DataFile; readonly at: number}> | {readonly file: DataFile; readonly at: number}

/** Makes tables of all that a state has, in slices of time. With `copy`, of where that puts the documents. */
export async function newTables(state: State, fileOf: FileOf, yields: Yield, copy?: Copy): Promise<Tables> {
  const tables = []
  for (const [kind, collection] of state.collections) {
    const builder = new TableBuilder(Object.keys(collection.facets).length, collection.table)
    const before = collection.table
    const known: Entry[] = []
    for (const one of collection.current()) {
      if (typeof one === 'number') {
        if (copy) {
          const placed = copy((before as Table).entry(one))
          builder.keep(one, placed instanceof Promise ? await placed : placed)
        } else builder.keep(one)
      } else {
        known.push(one)
        if (one.version > 0) {
          const placed = copy ? copy(one) : one
          builder.add(one, placed instanceof Promise ? await placed : placed)
        }
      }
      const pause = yields()
      if (pause) await pause
    }
    tables.push({kind, collection, known, table: await builder.finish(fileOf, yields)})
  }
  return tables
}

/** Bytes of copied lines that are written at once. */
const pieceBytes = 1 << 20

/** A file of joined lines that is being written. */
class Unfinished {
  readonly #fd: number
  readonly #files: Files
  #pieces: Buffer[] = []
  #waiting = 0
  #written = 0
  #checksum: number

  constructor(files: Files, fd: number) {
    this.#files = files
    this.#fd = fd
    const {bytes, checksum} = headerOf({follows: []})
    this.#pieces.push(bytes)
    this.#waiting = bytes.length
    this.#checksum = checksum
  }

  get reach(): Reach {
    return {end: this.#written + this.#waiting, checksum: this.#checksum}
  }

  /** Adds lines as a commit; a promise while much is being written. */
  add(lines: Buffer): Promise<void> | undefined {
    const {bytes, checksum} = closed(lines, this.#checksum)
    this.#checksum = checksum
    this.#pieces.push(bytes)
    this.#waiting += bytes.length
    return this.#waiting < pieceBytes ? undefined : this.flush()
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#waiting = 0
    await writeAll(this.#files, this.#fd, bytes, this.#written)
    this.#written += bytes.length
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
 * then a crash leaves all as it was. Returns tables, and up to where they know the new file.
 */
export async function joinFiles(copying: Copying): Promise<{readonly tables: Tables; readonly reach: Reach}> {
  const {files, directory, state, journal, fence, yields} = copying
  const number = journal.file.number + 1
  const unfinished = join(directory, `documents.${number}.unfinished`)
  await files.unlink(unfinished)
  const fd = await files.open(unfinished, 'create')
  const file = new DataFile(files, {number, path: pathOf(directory, number), fd}, journal.file.documents)
  const next = new Unfinished(files, fd)
  const before = state.files
  const outcome = {isInEffect: false}
  for (const one of before) one.pin()
  try {
    // What was answered has taken effect, so that all in the file before its end is in the directory.
    const start = await journal.between(async () => journal.reach)
    const tables = await newTables(
      state,
      () => file,
      yields,
      (entry) => {
        // The line of a read-ahead piece would change under the next reading.
        const line = Buffer.from(entry.file.line(entry.at, entry.size, entry.crc))
        const place = {file, at: next.reach.end}
        return next.add(line)?.then(() => place) ?? place
      },
    )
    const known = next.reach
    const shift = known.end - start.end
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
      outcome.isInEffect = true
      for (const {collection, table, known} of tables) {
        collection.replaceTable(table, known)
        for (const entry of collection.recent.values()) entry.moveTo(file, entry.at + shift)
      }
      state.files = [file]
      journal.switchTo(file, next.reach)
    })
    fence()
    // A crash leaves them for the next holder.
    await removeRemains(files, directory, [number], (path) => files.unlink(path))
    return {tables, reach: known}
  } catch (error) {
    if (!outcome.isInEffect) {
      file.retire()
      await Promise.resolve(files.unlink(unfinished)).catch(() => {})
    }
    throw error
  } finally {
    for (const one of before) one.unpin()
    if (outcome.isInEffect) for (const one of before) one.retire()
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
  const stretch = {path: file.path, read: file.read, from: from.end, to: reach.end, checksum: from.checksum}
  for (const {isWhole, lines} of commitsIn(stretch)) {
    if (!isWhole) throw corrupt(`${file.path} is damaged.`, file.path)
    await next.add(Buffer.from(lines))
    const pause = yields()
    if (pause) await pause
  }
  return reach
}
