import {createHash} from 'node:crypto'
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {placeKey, placeOfRun} from '../../client/place.js'
import type {Customer} from '../../domain/customers/customer.js'
import type {DesiredCustomer} from '../../domain/customers/desired-customer.js'
import {overlaid, writtenOf} from '../../domain/customers/merge.js'
import {digestWith, type Written} from '../../domain/customers/written.js'
import {jsonWith} from '../../domain/json-text.js'
import {hasCode} from '../../files/file-errors.js'
import {tryLock} from '../../files/file-lock.js'
import {removeQuietly} from '../../files/private-file.js'
import {appendable, publish} from '../../files/private-handle.js'
import {liveness, parsedIdentity} from '../../files/process-identity.js'
import {SeenValues} from '../check/seen-values.js'
import {linesOf} from '../files/lines.js'
import {ImageReader} from './before-images.js'
import {filesIn} from './jobs.js'
import {Journal, parsedLine} from './journal.js'
import type {JobHeader} from './journal-lines.js'

/**
 * What runs wrote to the customers of a target, as digests, by which a later run tells what somebody else has changed.
 * Each run appends to a file of its own; of several lines about a customer that of the newest file counts. Files of runs
 * that ended are made one when there are many. They stay as long as runs come.
 */

const nameForm = /^written-[0-9a-f]{16}-\d{8}\.jsonl$/
/** More files than this are made one. */
const mostFiles = 8

interface MemoryLine {
  readonly id: string
  /** The version that the run left, 0 if it is not known. */
  readonly version: number
  /** What the row itself said, in one digest. */
  readonly row?: string
  /** Absent: what the runs wrote was taken back. */
  readonly written?: Written
}

type Target = Pick<JobHeader, 'target' | 'projectKey'>

const prefixOf = (place: string): string =>
  `written-${createHash('sha256').update(placeKey(place)).digest('hex').slice(0, 16)}-`

/** The files of all targets, or of one place. */
export const memoryFiles = (dir: string, place?: string): string[] =>
  filesIn(dir)
    .filter((name) => nameForm.test(name) && (place === undefined || name.startsWith(prefixOf(place))))
    .map((name) => join(dir, name))

export class Memory {
  readonly #dir: string
  readonly #place: string
  /** Where the newest line of each customer is. */
  readonly #places = new SeenValues(0)
  /** Customers with the version and the row of their newest lines. */
  readonly #same = new SeenValues(1)
  readonly #readers: ImageReader[] = []
  #journal: Journal<MemoryLine> | undefined

  private constructor(dir: string, target: Target) {
    this.#dir = dir
    this.#place = placeOfRun(target)
  }

  static async open(dir: string, target: Target): Promise<Memory> {
    for (;;) {
      const memory = new Memory(dir, target)
      try {
        for (const path of memory.#files) await memory.#read(path)
        return memory
      } catch (error) {
        await memory.close()
        // Another run has made one file of many.
        if (!hasCode(error, 'ENOENT')) throw error
      }
    }
  }

  get #files(): string[] {
    return memoryFiles(this.#dir, this.#place).sort().reverse()
  }

  async #read(path: string): Promise<void> {
    const reader = new ImageReader(path)
    // Opened now: another run may make one file of many.
    await reader.at(0, '')
    const source = this.#readers.push(reader) - 1
    for await (const {text, start} of linesOf(path)) {
      const line = lineIn(text)
      if (!line || this.#places.add(line.id, {line: start + 1, source})) continue
      if (line.row !== undefined) this.#same.add(`${line.id} ${line.version} ${line.row}`, {line: 1, source})
    }
  }

  /** What runs wrote of a customer. Nothing of one that is older than they left it: the target was restored since. */
  async of({id, version}: Pick<Customer, 'id' | 'version'>): Promise<Written | undefined> {
    const place = this.#places.find(id)
    const line = place && (await this.#readers[place.source]?.at<MemoryLine>(place.line - 1, id))
    return line && line.version <= version ? line.written : undefined
  }

  /** Begins to remember what a run writes, in a file of the next number: clocks may go back. */
  async begin(): Promise<void> {
    await mkdir(this.#dir, {recursive: true, mode: 0o700})
    const lock = tryLock(join(this.#dir, `${prefixOf(this.#place)}fold.lock`))
    try {
      // Another run may be at it: what it reads must not go.
      if ('release' in lock) await this.#fold()
    } finally {
      if ('release' in lock) lock.release()
    }
    const [newest = ''] = this.#files
    for (let number = Number(newest.slice(-14, -6)) + 1; !this.#journal; number += 1) {
      const path = join(this.#dir, `${prefixOf(this.#place)}${`${number}`.padStart(8, '0')}.jsonl`)
      try {
        this.#journal = await Journal.create<MemoryLine>(path)
      } catch (error) {
        // Another run took the number.
        if (!hasCode(error, 'EEXIST')) throw error
      }
    }
  }

  /** Remembers what a row says of its customer; nothing if that is remembered already. */
  note({id, version = 0}: {readonly id: string; readonly version?: number | undefined}, row: DesiredCustomer) {
    const own = writtenOf(row, id)
    const written = JSON.stringify(own)
    const digest = digestWith(id)(written)
    if (this.#readers.length > 0 && this.#same.find(`${id} ${version} ${digest}`)) return undefined
    const line = {id, version, row: digest}
    if (this.#places.find(id)) return this.#noteOver({...line, written: own})
    this.#journal?.appendText(jsonWith(JSON.stringify(line), 'written', written))
    return undefined
  }

  async #noteOver(line: MemoryLine & {readonly written: Written}): Promise<void> {
    const earlier = await this.of({id: line.id, version: Number.POSITIVE_INFINITY})
    this.#journal?.append({...line, written: overlaid(earlier, line.written)})
  }

  /** Restores what it had before a job that is taken back. */
  restore(id: string, version: number | undefined, written: Written | undefined): void {
    this.#journal?.append({id, version: version ?? 0, ...(written ? {written} : {})})
  }

  readonly flush = async (): Promise<void> => this.#journal?.flush()

  async close(): Promise<void> {
    for (const reader of this.#readers) await reader.close()
    // Who needs it on disk has flushed it.
    await this.#journal?.close().catch(() => undefined)
  }

  /** Makes one file of those of runs that ended, in the place of the newest. */
  async #fold(): Promise<void> {
    const all = this.#files
    if (all.length <= mostFiles) return
    const ended: string[] = []
    for (const path of all) if (await hasEnded(path)) ended.push(path)
    const [newest, ...older] = ended
    if (newest === undefined || older.length === 0) return
    const temporary = `${newest}.tmp`
    removeQuietly(temporary)
    const file = await appendable(temporary)
    const seen = new SeenValues(0)
    try {
      for (const [source, path] of ended.entries()) {
        for await (const {text, start} of linesOf(path)) {
          const line = lineIn(text)
          const isLatest = line && !seen.add(line.id, {line: start + 1, source})
          if (isLatest && line.written) await file.appendFile(`${text}\n`)
        }
      }
    } finally {
      await file.close()
    }
    publish(temporary, newest, true)
    for (const path of older) removeQuietly(path)
  }
}

/** A line about a customer; undefined for any other, and for one that was cut off or overwritten. */
function lineIn(text: string): MemoryLine | undefined {
  const line = parsedLine(text) as Partial<MemoryLine> | undefined
  return typeof line?.id === 'string' ? (line as MemoryLine) : undefined
}

/** Whether the run that wrote a file is no more. */
export async function hasEnded(path: string): Promise<boolean> {
  for await (const {text} of linesOf(path)) {
    const {run} = (parsedLine(text) ?? {}) as {readonly run?: unknown}
    const by = parsedIdentity(run)
    return by === undefined || liveness(by) !== 'alive'
  }
  return true
}
