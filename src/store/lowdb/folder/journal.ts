import {dirname} from 'node:path'
import {crc32} from 'node:zlib'
import type {DataFile} from '../directory/data-file.js'
import type {Transaction, Written} from '../directory/state.js'
import {type Files, lockLost, unwritable, writeAll} from '../file/files.js'
import {closingOf, type Reach} from '../line/line.js'
import {pathOf} from './chain.js'

const batchBytes = 8 << 20
/**
 * Turns of the event loop that a batch waits at most, until those whom the last one answered are back: they share its sync.
 * With ten in flight, eight turns cost a tenth less processor time than two. A lone writer has nobody to wait for.
 */
const gatheringTurns = 8

function turns(left: number, isEnough: () => boolean, then: () => void): void {
  if (left === 0 || isEnough()) then()
  else setImmediate(turns, left - 1, isEnough, then)
}

interface Waiting {
  readonly written: readonly Written[]
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export interface WriteLease {
  /** Throws once another process has taken over the state. */
  readonly fence: () => void
  /** Called when nothing can be written any more. */
  readonly fatal: (error: Error) => void
  /** Nobody else waits for this process. */
  readonly isCommand: boolean
}

interface JournalOptions extends WriteLease {
  readonly files: Files
  readonly file: DataFile
  readonly reach: Reach
  readonly onAppended: () => void
}

/**
 * Appends commits to the file of one holder, in groups: one write and one fdatasync are in flight, and the commits that
 * arrive meanwhile and shortly after share the next pair. A commit resolves when it is durable.
 */
export class Journal {
  readonly #options: JournalOptions
  readonly #queue: Waiting[] = []
  file: DataFile
  /** Where the commits end that are durable. */
  reach: Reach
  /** The commits that were answered last, and those that waited then; one less for each batch that had fewer. */
  #inFlight = 0
  readonly #areBack = (): boolean => !this.#options.isCommand && this.#queue.length >= this.#inFlight
  #running: Promise<void> | undefined
  #between: (() => Promise<void>) | undefined
  #broken: Error | undefined

  constructor(options: JournalOptions) {
    this.#options = options
    this.file = options.file
    this.reach = options.reach
  }

  get isSound(): boolean {
    return this.#broken === undefined
  }

  append({written}: Transaction): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({written, resolve, reject})
      this.#running ??= this.#drain()
    })
  }

  /** Runs while no commit is being written and all that were answered have taken effect. */
  between<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#between = () => work().then(resolve, reject)
      this.#running ??= this.#drain()
    })
  }

  /** Resolves once every appended commit is durable or has failed. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #drain(): Promise<void> {
    for (;;) {
      await this.#gathered()
      const between = this.#between
      this.#between = undefined
      if (between) await between()
      if (this.#queue.length === 0) break
      const commits = this.#batch()
      try {
        await this.#write(commits)
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

  #batch(): readonly Waiting[] {
    let [count, length] = [0, 0]
    for (const {written} of this.#queue) {
      if (length > batchBytes) break
      count += 1
      for (const {line} of written) length += line.length
    }
    return this.#queue.splice(0, count)
  }

  async #write(commits: readonly Waiting[]): Promise<void> {
    const {files} = this.#options
    if (this.#broken) throw unwritable(this.#broken)
    this.#fence()
    const {bytes, reach} = this.#placed(commits)
    try {
      const writing = writeAll(files, this.file.fd, bytes, this.reach.end)
      if (writing) await writing
    } catch (error) {
      await this.#cut(error as Error)
      throw unwritable(error as Error)
    }
    try {
      await files.sync(this.file.fd)
    } catch (error) {
      this.stop(error as Error)
      throw unwritable(error as Error)
    }
    this.#fence()
    this.reach = reach
  }

  /** The bytes of commits, whose lines learn where they will be. */
  #placed(commits: readonly Waiting[]): {readonly bytes: Buffer; readonly reach: Reach} {
    let {end, checksum} = this.reach
    const pieces: Buffer[] = []
    for (const {written} of commits) {
      for (const one of written) {
        one.file = this.file
        one.at = end
        end += one.line.length
        pieces.push(one.line)
        checksum = crc32(one.line, checksum)
      }
      const closing = Buffer.from(closingOf(checksum, pieces.length > written.length))
      end += closing.length
      pieces.push(closing)
    }
    return {bytes: Buffer.concat(pieces), reach: {end, checksum}}
  }

  #fence(): void {
    const {files, fence} = this.#options
    const {number, path} = this.file
    try {
      fence()
      // A successor's files tell, also where the lock of this process was put back.
      const isSucceeded =
        files.identity(path) === undefined || files.identity(pathOf(dirname(path), number + 1)) !== undefined
      if (isSucceeded) throw lockLost(path)
    } catch (error) {
      this.stop(error as Error)
      throw unwritable(error as Error)
    }
  }

  /** Truncates the remains of a failed write, so that they cannot reappear after a restart. */
  async #cut(cause: Error): Promise<void> {
    const {files} = this.#options
    try {
      await files.truncate(this.file.fd, this.reach.end)
      await files.sync(this.file.fd)
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
