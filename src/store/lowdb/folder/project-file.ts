import {dirname, join} from 'node:path'
import {asStateError} from '../../../files/file-errors.js'
import {sliceMs, timeSlices} from '../../../work/time-slices.js'
import type {StoreOptions} from '../../opened-store.js'
import type {ProjectAdapter} from '../backing.js'
import {DataFile, type OpenFile} from '../directory/data-file.js'
import type {Documents} from '../directory/documents.js'
import {type Counted, partsOf, writeHint} from '../directory/hint.js'
import type {State, Transaction} from '../directory/state.js'
import {asWriteError, corrupt, type Files, hasCode, lockLost, writeAll} from '../file/files.js'
import {closed} from '../line/line.js'
import {headerLine, type Newest, newestIn, pathOf, removeRemains, writeEnd} from './chain.js'
import {joinFiles} from './compaction.js'
import {Journal, type WriteLease} from './journal.js'
import {type Loaded, load} from './load.js'
import {listedProjects} from './state-folder.js'

/** Bytes of lines that are not in effect any more and that are worth copying the others. */
const usualCompactBytes = 4 << 20
/** Files of former holders that are joined. */
const mostFiles = 16
/** Bytes of commits that are read at an opening rather than put into a hint at the end. */
const unhintedBytes = 1 << 20
/** Bytes of commits after which a hint is made meanwhile, as long as the documents are not larger themselves. */
const unhintedMost = 32 << 20
/** Factor by which failed copies put off the next one, at most. */
const maxBackoff = 32

/** The folder of all projects, as the files of one need it. */
export interface Folder {
  readonly files: Files
  readonly documents: Documents
  readonly options: Pick<StoreOptions, 'dir' | 'facets' | 'onRead'> & {readonly compactBytes?: number}
  /** Undefined while this process may not write. */
  readonly lease: WriteLease | undefined
  /** Adds a project, whose file exists, to the catalogue of those that must exist. */
  register(project: string): Promise<void>
  compactionFailed(project: string, error: Error): void
}

export class ProjectFile implements ProjectAdapter {
  readonly #folder: Folder
  readonly #project: string
  readonly #directory: string
  #loaded: Loaded | undefined
  #state: State | undefined
  #journal: Journal | undefined
  #opening: Promise<Journal> | undefined
  /** The file of this holder while its first line is being written, perhaps more than once. */
  #begun: OpenFile | undefined
  /** What was there right before it was read. */
  #newest: Newest = {number: 0, mark: ''}
  #upkeep: Promise<void> = Promise.resolve()
  #isBusy = false
  #backoff = 1
  /** Where the hint ends, of the file in use. */
  #hinted = 0

  constructor(folder: Folder, project: string) {
    this.#folder = folder
    this.#project = project
    this.#directory = join(folder.options.dir, project)
  }

  read(): Promise<State | null> {
    return this.#read().catch((error: unknown) => {
      throw asStateError(error, this.#directory)
    })
  }

  async #read(): Promise<State | null> {
    const {files, documents, options} = this.#folder
    const [project, directory, {dir, facets, onRead}] = [this.#project, this.#directory, options]
    this.#newest = await newestIn(files, directory)
    this.#loaded = await load({files, directory, facets, documents})
    // Another process may have made it since.
    const isExpected = !this.#loaded && (await listedProjects(files, dir))?.includes(project)
    if (isExpected) this.#loaded = await load({files, directory, facets, documents})
    const state = this.#loaded?.state
    if (!state && isExpected) throw corrupt(`The files of ${directory} are missing.`, directory)
    if (state) onRead?.(project, (kind) => state.collections.get(kind)?.size ?? 0)
    this.#state = state
    return state ?? null
  }

  /** Whether no other process has written since it was read. */
  async isCurrent(): Promise<boolean> {
    return (await newestIn(this.#folder.files, this.#directory)).mark === this.#newest.mark
  }

  async append(transaction: Transaction, state: State): Promise<void> {
    this.#state = state
    const journal = this.#journal ?? (await this.#opened())
    return journal.append(transaction)
  }

  #opened(): Promise<Journal> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined
      throw asWriteError(error, this.#directory)
    })
    return this.#opening
  }

  /** Begins a file that this holder alone writes, and that says how far those before it count. */
  async #open(): Promise<Journal> {
    const {files, documents, lease} = this.#folder
    const [directory, state] = [this.#directory, this.#state as State]
    if (!lease) throw new Error(`${directory} was opened for reading`)
    lease.fence()
    await files.makeDirectory(directory)
    // Whoever made it may have ended before this.
    if (!this.#loaded) await files.syncDirectory(dirname(directory))
    this.#begun ??= await this.#begin()
    const {number} = this.#begun
    const {counted: follows = [], without = []} = this.#loaded ?? {}
    const {bytes, checksum} = closed(headerLine({follows, without}), 0)
    await writeAll(files, this.#begun.fd, bytes, 0)
    await files.sync(this.#begun.fd)
    await files.syncDirectory(directory)
    await this.#folder.register(this.#project)
    lease.fence()
    await removeRemains(files, directory, [...follows.map(([before]) => before), number])
    await writeEnd(files, directory, number)
    const file = new DataFile(files, this.#begun, documents)
    this.#begun = undefined
    state.files = [...state.files, file]
    const reach = {end: bytes.length, checksum}
    this.#journal = new Journal({...lease, files, file, reach, onAppended: () => this.#care(false)})
    return this.#journal
  }

  /** Creates a file of the next number. A number is used once: who finds that it exists has lost the state to another process. */
  async #begin(): Promise<OpenFile> {
    const {files} = this.#folder
    const number = this.#newest.number + 1
    const path = pathOf(this.#directory, number)
    try {
      return {number, path, fd: await files.open(path, 'create')}
    } catch (error) {
      throw hasCode(error, 'EEXIST') ? lockLost(path) : error
    }
  }

  #care(isEnd: boolean): void {
    const state = this.#state
    if (!state || !this.#journal || this.#isBusy) return
    if (this.#isWorthCopying(state)) this.#inBackground(() => this.#join())
    else if (this.#unhinted > (isEnd ? unhintedBytes : Math.max(unhintedMost, state.liveBytes / 2))) {
      this.#inBackground(() => this.#hint())
    }
  }

  #isWorthCopying(state: State): boolean {
    const {liveBytes} = state
    const {compactBytes = usualCompactBytes} = this.#folder.options
    const bytes = (this.#loaded?.counted ?? []).reduce((sum, [, end]) => sum + end, this.#journal?.reach.end ?? 0)
    const isDead = bytes - liveBytes > Math.max(compactBytes, liveBytes) * this.#backoff
    return isDead || state.files.length > mostFiles * this.#backoff
  }

  get #unhinted(): number {
    return (this.#loaded?.unhinted ?? 0) + (this.#journal?.reach.end ?? 0) - this.#hinted
  }

  #inBackground(work: () => Promise<void>): void {
    this.#isBusy = true
    this.#upkeep = this.#upkeep
      .then(work)
      .then(() => {
        this.#backoff = 1
      })
      .catch((error: unknown) => {
        this.#backoff = Math.min(maxBackoff, this.#backoff * 2)
        this.#folder.compactionFailed(this.#project, error as Error)
      })
      .finally(() => {
        this.#isBusy = false
      })
  }

  /** Writes the files anew as one, so that nothing removed or replaced is left. */
  async write(state: State): Promise<void> {
    if (!this.#loaded && !this.#journal) return
    this.#state = state
    await this.#opened()
    const work = this.#upkeep.then(() => this.#join())
    this.#upkeep = work.catch((error: Error) => this.#folder.compactionFailed(this.#project, error))
    await work
  }

  async #join(): Promise<void> {
    const {files} = this.#folder
    const [journal, state] = [this.#journal as Journal, this.#state as State]
    const fence = (): void => this.#folder.lease?.fence()
    try {
      await joinFiles({files, directory: this.#directory, state, journal, fence, yields: timeSlices(sliceMs)})
      this.#loaded = undefined
      await this.#hint()
    } catch (error) {
      throw asWriteError(error, this.#directory)
    }
  }

  async #hint(): Promise<void> {
    const {files, options} = this.#folder
    const [journal, state, directory] = [this.#journal as Journal, this.#state as State, this.#directory]
    const {kinds, end, checksum} = await journal.between(async () => ({...journal.reach, kinds: partsOf(state)}))
    const {counted = [], without = []} = this.#loaded ?? {}
    const all: Counted[] = [...counted, [journal.file.number, end, checksum]]
    const hint = {files: all, without, facets: options.facets, kinds, end: () => journal.reach.end}
    await writeHint(files, directory, hint, timeSlices(sliceMs))
    this.#hinted = end + (this.#loaded?.unhinted ?? 0)
    const numbers = all.map(([number]) => number)
    await removeRemains(files, directory, numbers)
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => {})
    const journal = this.#journal
    if (journal) {
      await journal.idle()
      await this.#upkeep
      if (journal.isSound) this.#care(true)
      await this.#upkeep
      if (journal.isSound) await writeEnd(this.#folder.files, this.#directory, journal.file.number, journal.reach)
    }
    if (this.#begun) await this.#folder.files.close(this.#begun.fd)
    for (const file of this.#state?.files ?? []) file.retire()
  }
}
