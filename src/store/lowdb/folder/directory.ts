import {join} from 'node:path'
import {setTimeout as after} from 'node:timers/promises'
import {asStateError} from '../../../files/file-errors.js'
import type {ServerOrigins, StoreOptions, Upkeep} from '../../opened-store.js'
import type {Backing} from '../backing.js'
import {unwritable} from '../file/failures.js'
import {type BlockingFiles, blockingFiles, type Files, pooledFiles} from '../file/files.js'
import type {Entry} from '../line/entry.js'
import type {MergeThread} from '../merge/in-thread.js'
import {Cache} from '../table/cache.js'
import type {IndexMaker} from '../table/index-remaking.js'
import {PageBudget} from '../table/pages.js'
import {columnOf, type TextMaker} from '../table/text-column.js'
import {assertUsable} from './access.js'
import {JournaledJSON} from './adapter.js'
import {listedProjects, projectsIn, writeCatalogue} from './catalogue.js'
import {holderText} from './lock.js'
import type {DirectoryLock, LockRequest} from './lock-directory.js'
import type {Merger, WriteLease} from './options.js'

export interface DirectoryOptions extends StoreOptions {
  /** For tests with failing calls. */
  readonly files?: Files
  readonly liveness?: LockRequest['liveness']
  /** Length of a journal that is worth compacting. */
  readonly compactBytes?: number
  /** For tests, in place of a thread. */
  readonly merge?: Merger
  /** For tests, in place of time. */
  readonly patience?: () => Promise<void>
  readonly makeTexts?: TextMaker
  readonly makeIndex?: IndexMaker
}

/** One directory with a lock and a directory per project. */
class Directory implements Backing {
  readonly #options: DirectoryOptions
  readonly #files: Files
  readonly #cache: Cache<Entry>
  readonly #pageBudget: PageBudget
  #lock: DirectoryLock | undefined
  #merges: MergeThread | undefined
  #nonce: string | undefined
  #isStopped = false
  #failures: Upkeep | undefined
  #registering: Promise<void> = Promise.resolve()

  constructor(options: DirectoryOptions) {
    this.#options = options
    const isServer = options.writer === 'server'
    this.#cache = new Cache<Entry>(isServer ? serverCacheBytes : oneShotCacheBytes)
    this.#pageBudget = new PageBudget(isServer ? serverPageBytes : oneShotPageBytes)
    // A command has nobody else to answer while its disk works. To wake a thread of the pool, and it the command, beside V8's
    // own threads, took longer than the disk: all rows of an import that are at work wait for the same sync.
    this.#files = options.files ?? (isServer ? pooledFiles : blockingFiles)
  }

  adapter(project: string): JournaledJSON {
    const {dir, facets, writer, compactBytes = writer === 'server' ? serverBytes : oneShotBytes} = this.#options
    return new JournaledJSON(join(dir, project), {
      files: this.#files,
      facets,
      cache: this.#cache,
      pageBudget: this.#pageBudget,
      lease: () => this.#lease,
      compactBytes,
      merge: this.#options.merge ?? this.#merge,
      makeTexts: this.#options.makeTexts ?? this.#makeTexts,
      makeIndex: this.#options.makeIndex ?? this.#makeIndex,
      mustExist: async () => (await listedProjects(this.#files, dir))?.includes(project) === true,
      register: () => this.#register(project),
      patience: this.#options.patience ?? (() => after(mergePatienceMs, undefined, {ref: false})),
      onCompactionOverdue: () =>
        this.#options.onWarning?.(`Merging the files of ${project} does not end: writes are refused until it has.`),
      onCompactionFailed: (error) => this.#compactionFailed(project, error),
    })
  }

  /** Threads that work while a server answers, where there are any. */
  async #threads() {
    const {writer, files} = this.#options
    if (writer !== 'server' || files) return undefined
    const threads = await import('../merge/in-thread.js')
    return threads.hasThread() ? threads : undefined
  }

  readonly #merge: Merger = async (job, changes) => {
    const {writer, files, facets} = this.#options
    const threads = await this.#threads()
    if (threads) {
      this.#merges ??= new threads.MergeThread()
      return this.#merges.merge(job)
    }
    const {merge, syncedBehind} = await import('../merge/merge.js')
    const blocking = (files ?? blockingFiles) as BlockingFiles
    if (writer === 'server') return merge(blocking, job, facets)
    // A command makes its next changes meanwhile. It has less memory than it takes to read its journals again.
    return syncedBehind(blocking, files ?? pooledFiles, (unsynced) => merge(unsynced, job, facets, changes()))
  }

  readonly #makeTexts: TextMaker = async (job, searchText, signal) => {
    const threads = job.file.bytes > fewTextBytes ? await this.#threads() : undefined
    return threads ? threads.textsInThread(job, signal) : columnOf(this.#files, job, searchText, signal)
  }

  /** Absent where nobody has to be answered meanwhile. */
  get #makeIndex(): IndexMaker | undefined {
    const {writer, files} = this.#options
    if (writer !== 'server' || files) return undefined
    return async (job) => {
      const threads = await this.#threads()
      if (threads) return threads.indexInThread(job)
      const {indexOf} = await import('../table/index-writer.js')
      return indexOf(blockingFiles, job)
    }
  }

  get #lease(): WriteLease | undefined {
    const lock = this.#lock
    if (!lock) return undefined
    const fence = (): void => {
      try {
        lock.check()
      } catch (error) {
        this.#fatal(error as Error)
        throw unwritable(error as Error)
      }
    }
    return {fence, fatal: this.#fatal, isCommand: this.#options.writer !== 'server', nonce: this.#nonce ?? ''}
  }

  /** Reports the end of the write lease once, whichever project noticed it. */
  readonly #fatal = (error: Error): void => {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#options.onFatal?.(error)
  }

  /** Adds a project to the catalogue of those that must exist, one after the other. */
  #register(project: string): Promise<void> {
    this.#registering = this.#registering.catch(() => {}).then(() => this.#add(project))
    return this.#registering
  }

  async #add(project: string): Promise<void> {
    const {dir} = this.#options
    const listed = await listedProjects(this.#files, dir)
    if (listed?.includes(project)) return
    const projects = new Set([...(await projectsIn(this.#files, dir)), project])
    await writeCatalogue(this.#files, dir, projects, this.#nonce ?? '')
  }

  #compactionFailed(project: string, {message}: Error): void {
    this.#failures = {compactionsFailed: (this.#failures?.compactionsFailed ?? 0) + 1, project, message}
    this.#options.onWarning?.(`Compacting ${project} failed and will be tried again: ${message}`)
  }

  upkeep(): Upkeep {
    return this.#failures ?? {compactionsFailed: 0}
  }

  async writable(): Promise<void> {
    if (this.#lock) return
    const {dir, writer, lockTimeoutMs = defaultTimeoutMs, force} = this.#options
    if (writer === 'reader') throw new Error(`${dir} was opened for reading`)
    const {lockDirectory, newNonce} = await import('./lock-directory.js')
    this.#nonce ??= newNonce()
    // Taking the lock is quick, and must not queue behind other work of the thread pool.
    const files = this.#options.files ?? blockingFiles
    const request = {files, purpose: writer, timeoutMs: lockTimeoutMs, nonce: this.#nonce, force}
    const {onWait} = this.#options
    this.#lock = await lockDirectory(dir, {
      ...request,
      liveness: this.#options.liveness,
      onWait: onWait && ((holder) => onWait(holderText(holder))),
    })
  }

  async check(): Promise<void> {
    try {
      await assertUsable(this.#files, this.#options.dir, 'read')
    } catch (error) {
      throw asStateError(error, this.#options.dir)
    }
  }

  /** Warns of projects with missing or truncated files; damage inside files shows when they are read. */
  async warnOfDamage(): Promise<void> {
    const {dir, onWarning} = this.#options
    if (!onWarning) return
    const {missingFiles} = await import('../care/verify.js')
    for (const project of await this.projects()) {
      for (const {problem, remedy} of await missingFiles(this.#files, join(dir, project))) {
        onWarning(`The project ${project} is damaged: ${problem} ${remedy}`)
      }
    }
  }

  get isHolding(): boolean {
    return this.#lock !== undefined
  }

  projects(): Promise<string[]> {
    return projectsIn(this.#files, this.#options.dir)
  }

  async publish(...addresses: ServerOrigins): Promise<void> {
    await this.#lock?.publish(...addresses)
  }

  async close(): Promise<void> {
    await this.#merges?.end()
    await this.#lock?.release()
    this.#lock = undefined
  }
}

const defaultTimeoutMs = 10_000
/** How long writes wait for a merge before they are refused. */
const mergePatienceMs = 30_000
/** Lengths of journals that are worth compacting. After a crash the next opening replays them. */
const serverBytes = 16 << 20
const oneShotBytes = 8 << 20
/** Search texts of a shorter segment are made before a thread has started. */
const fewTextBytes = 1 << 20
/** Bytes of lines whose documents stay parsed. A command reads most documents once. */
const serverCacheBytes = 64 << 20
const oneShotCacheBytes = 4 << 20
/** Bytes of the indexes of segments: room for a million customers with their messages and credentials. */
const serverPageBytes = 256 << 20
const oneShotPageBytes = 8 << 20

/** Opens the directory; a server takes the lock at once, other processes only read. */
export async function openDirectory(options: DirectoryOptions): Promise<Backing> {
  const directory = new Directory(options)
  if (options.writer === 'server') {
    await directory.writable()
    await directory.warnOfDamage()
  } else await directory.check()
  return directory
}
