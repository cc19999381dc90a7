import {linesOf, type WrittenRecord} from '../file/checksum.js'
import {ManifestUnsure, unwritable} from '../file/failures.js'
import {type Files, writeAll} from '../file/files.js'
import type {Entry} from '../line/entry.js'
import {commitRecords} from '../line/replay.js'
import type {JournalEnd} from './manifest-writer.js'
import type {WriteLease} from './options.js'

/** Maximum size of a batch; further commits go into the next. */
const batchBytes = 8 << 20
/**
 * Turns of the event loop that a batch waits at most, until those whom the last one answered are back: they share its sync.
 * With ten in flight, eight turns cost a tenth less processor time than two. A lone writer has nobody to wait for.
 */
const gatheringTurns = 8

/**
 * A long journal that small batches lengthen is made longer by so many blanks: a sync within the length of a file has no
 * length to write, which is half of its time. What reads a journal takes them for a write that never finished.
 */
const aheadBytes = 256 << 10
const longBytes = 64 << 10
const smallBytes = 32 << 10

function turns(left: number, isEnough: () => boolean, then: () => void): void {
  if (left === 0 || isEnough()) then()
  else setImmediate(turns, left - 1, isEnough, then)
}

interface Waiting {
  readonly entries: readonly Entry[]
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

interface JournalOptions extends WriteLease {
  readonly files: Files
  readonly fd: number
  /** The sequence number before its first commit. */
  readonly last: number
  /** Called after each batch that has become durable. */
  readonly onAppended: () => void
}

/**
 * The write-ahead journal of one holder, with group commit: one write and one fdatasync are in flight, and the commits
 * that arrive meanwhile and shortly after share the next pair. A commit resolves when it is durable.
 */
export class Journal {
  readonly #options: JournalOptions
  readonly #queue: Waiting[] = []
  #length = 0
  /** The length of the file with the blanks behind its commits; less than `#length` if it has none. */
  #reserved = 0
  #durable: number
  #fd: number
  /** The commits that were answered last, and those that waited then; one less for each batch that had fewer. */
  #inFlight = 0
  readonly #areBack = (): boolean => !this.#options.isCommand && this.#queue.length >= this.#inFlight
  #running: Promise<void> | undefined
  #rotation: (() => Promise<void>) | undefined
  #broken: Error | undefined

  constructor(options: JournalOptions) {
    this.#options = options
    this.#fd = options.fd
    this.#durable = options.last
  }

  get length(): number {
    return this.#length
  }

  get end(): JournalEnd {
    return {bytes: this.#length, last: this.#durable}
  }

  get isSound(): boolean {
    return this.#broken === undefined
  }

  append(entries: readonly Entry[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({entries, resolve, reject})
      this.#running ??= this.#drain()
    })
  }

  /** Rotates to another file once earlier commits have taken effect. After a failure the old one stays in use. */
  rotate(next: (end: JournalEnd) => Promise<number>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#rotation = async () => {
        try {
          if (this.#broken) throw unwritable(this.#broken)
          const fd = await next(this.end)
          await this.#options.files.close(this.#fd)
          this.#fd = fd
          this.#length = 0
          this.#reserved = 0
          resolve()
        } catch (error) {
          if (error instanceof ManifestUnsure) this.stop(error)
          reject(error as Error)
        }
      }
      this.#running ??= this.#drain()
    })
  }

  /** Resolves once every appended commit is durable or has failed. */
  async idle(): Promise<void> {
    await this.#running
  }

  async close(): Promise<void> {
    await this.idle()
    // Best effort: who reads the file knows where its commits end.
    if (this.isSound && this.#reserved > this.#length) await this.#truncate().catch(() => {})
    await this.#options.files.close(this.#fd)
  }

  async #drain(): Promise<void> {
    for (;;) {
      await this.#gathered()
      const rotation = this.#rotation
      this.#rotation = undefined
      if (rotation) await rotation()
      if (this.#queue.length === 0) break
      const commits = this.#batch()
      const durable = this.#durable
      try {
        const records: WrittenRecord[] = []
        for (const [at, {entries}] of commits.entries()) {
          for (const record of commitRecords(durable + at + 1, durable, entries)) records.push(record)
        }
        await this.#write(linesOf(records))
        this.#durable += commits.length
        for (const {resolve} of commits) resolve()
        this.#options.onAppended()
      } catch (error) {
        for (const {reject} of commits) reject(error as Error)
      }
      this.#inFlight = Math.max(commits.length + this.#queue.length, this.#inFlight - 1)
    }
    this.#running = undefined
  }

  /** Resolves when a batch is there. The rows of a command come some at a time, and none while it syncs. */
  #gathered(): Promise<void> {
    const most = this.#options.isCommand || this.#inFlight > 1 ? gatheringTurns : 0
    return new Promise((resolve) => setImmediate(turns, most, this.#areBack, resolve))
  }

  /** Takes what waits, up to the size of a batch. */
  #batch(): readonly Waiting[] {
    let [count, length] = [0, 0]
    for (const {entries} of this.#queue) {
      if (length > batchBytes) break
      count += 1
      for (const {bytes} of entries) length += bytes
    }
    return this.#queue.splice(0, count)
  }

  async #write(bytes: Buffer): Promise<void> {
    const {files, fence} = this.#options
    const fd = this.#fd
    if (this.#broken) throw unwritable(this.#broken)
    try {
      fence()
    } catch (error) {
      this.stop(error as Error)
      throw unwritable(error as Error)
    }
    try {
      if (this.#outgrows(bytes)) await this.#reserve()
      const writing = writeAll(files, fd, bytes, this.#length)
      if (writing) await writing
    } catch (error) {
      await this.#cut(error as Error)
      throw unwritable(error as Error)
    }
    try {
      await files.sync(fd)
      fence()
    } catch (error) {
      this.stop(error as Error)
      throw unwritable(error as Error)
    }
    this.#length += bytes.length
  }

  #outgrows({length}: Buffer): boolean {
    return this.#length >= longBytes && length <= smallBytes && this.#length + length > this.#reserved
  }

  /** Writes blanks behind the last commit, or none: whether there is room for it, a commit finds out itself. */
  async #reserve(): Promise<void> {
    const {files} = this.#options
    try {
      await writeAll(files, this.#fd, Buffer.alloc(aheadBytes, ' '), this.#length)
      this.#reserved = this.#length + aheadBytes
    } catch {
      await this.#truncate()
    }
  }

  async #truncate(): Promise<void> {
    this.#reserved = 0
    await this.#options.files.truncate(this.#fd, this.#length)
  }

  /** Truncates the remains of a failed write, so that they cannot reappear after a restart. */
  async #cut(cause: Error): Promise<void> {
    try {
      await this.#truncate()
      await this.#options.files.sync(this.#fd)
    } catch {
      this.stop(cause)
    }
  }

  /** Refuses all further writes: after a failed fsync the content of the disk is unknown, and a second one may wrongly succeed. */
  stop(error: Error): void {
    if (this.#broken) return
    this.#broken = error
    this.#options.fatal(error)
  }
}
