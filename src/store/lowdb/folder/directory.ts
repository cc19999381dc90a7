import {join} from 'node:path'
import {StateError} from '../../../domain/errors.js'
import {asStateError} from '../../../files/file-errors.js'
import type {ServerOrigins, StoreOptions, Upkeep} from '../../opened-store.js'
import type {Backing} from '../backing.js'
import {Documents} from '../directory/documents.js'
import {blockingFiles, corrupt, type Files, pooledFiles, unwritable} from '../file/files.js'
import {closeChain, openChain} from './chain.js'
import type {WriteLease} from './journal.js'
import type {LockRequest} from './lock.js'
import {type Folder, ProjectFile} from './project-file.js'
import {
  assertUsable,
  type DirectoryLock,
  listedProjects,
  lockDirectory,
  projectsIn,
  writeCatalogue,
} from './state-folder.js'

export interface DirectoryOptions extends StoreOptions {
  /** For tests with failing calls. */
  readonly files?: Files
  readonly liveness?: LockRequest['liveness']
  /** Bytes of replaced documents that are worth writing a file anew. */
  readonly compactBytes?: number
}

class Directory implements Backing, Folder {
  readonly options: DirectoryOptions
  readonly files: Files
  readonly documents: Documents
  lease: WriteLease | undefined
  #lock: DirectoryLock | undefined
  #isStopped = false
  upkeep: Upkeep | undefined
  #registering: Promise<void> = Promise.resolve()

  constructor(options: DirectoryOptions) {
    this.options = options
    // A command has nobody else to answer while its disk works.
    this.files = options.files ?? (options.writer === 'server' ? pooledFiles : blockingFiles)
    this.documents =
      options.writer === 'server'
        ? new Documents(serverCacheBytes, serverTextBytes)
        : new Documents(commandCacheBytes, 0)
  }

  adapter(project: string): ProjectFile {
    return new ProjectFile(this, project)
  }

  /** Reports the end of the write lease once, whichever project noticed it. */
  readonly #fatal = (error: Error): void => {
    if (this.#isStopped) return
    this.#isStopped = true
    this.options.onFatal?.(error)
  }

  /** One after the other. */
  register(project: string): Promise<void> {
    this.#registering = this.#registering.catch(() => {}).then(() => this.#add(project))
    return this.#registering
  }

  async #add(project: string): Promise<void> {
    const {dir} = this.options
    const listed = await listedProjects(this.files, dir)
    if (listed?.includes(project)) return
    await writeCatalogue(this.files, dir, await projectsIn(this.files, dir, listed))
  }

  compactionFailed(project: string, {message}: Error): void {
    this.upkeep = {compactionsFailed: (this.upkeep?.compactionsFailed ?? 0) + 1, project, message}
    this.options.onWarning?.(`Compacting ${project} failed and will be tried again: ${message}`)
  }

  async writable(): Promise<void> {
    if (this.#lock) return
    const {dir, writer, lockTimeoutMs: timeoutMs = 10_000, force, liveness, onWait} = this.options
    if (writer === 'reader') throw new Error(`${dir} was opened for reading`)
    // Taking the lock is quick, and must not queue behind other work of the thread pool.
    const files = this.options.files ?? blockingFiles
    const lock = await lockDirectory(dir, {files, purpose: writer, timeoutMs, force, liveness, onWait})
    const fence = (): void => {
      try {
        lock.check()
      } catch (error) {
        this.#fatal(error as Error)
        throw unwritable(error as Error)
      }
    }
    this.lease = {fence, fatal: this.#fatal, isCommand: writer !== 'server'}
    this.#lock = lock
  }

  /** Warns of projects whose files are missing or cut; damage inside files shows when they are read. */
  async warnOfDamage(): Promise<void> {
    const {dir, onWarning} = this.options
    if (!onWarning) return
    for (const project of await this.projects()) {
      const directory = join(dir, project)
      try {
        const chain = await openChain({files: this.files, directory, documents: this.documents})
        if (!chain) throw corrupt(`The files of ${directory} are missing.`, directory)
        closeChain(chain)
      } catch (error) {
        const known = asStateError(error, directory)
        if (!(known instanceof StateError)) throw error
        onWarning(`The project ${project} is damaged: ${known.message} ${known.remedy}`)
      }
    }
  }

  get isHolding(): boolean {
    return this.#lock !== undefined
  }

  projects(): Promise<string[]> {
    return projectsIn(this.files, this.options.dir)
  }

  async publish(...addresses: ServerOrigins): Promise<void> {
    await this.#lock?.publish(...addresses)
  }

  async close(): Promise<void> {
    await this.#lock?.release()
    this.#lock = undefined
  }
}

const [serverCacheBytes, commandCacheBytes] = [64 << 20, 16 << 20]
/** Search texts of a server, about those of 400,000 customers. */
const serverTextBytes = 128 << 20

/** Opens the directory; a server takes the lock at once, other processes only read. */
export async function openDirectory(options: DirectoryOptions): Promise<Backing> {
  const directory = new Directory(options)
  if (options.writer === 'server') {
    await directory.writable()
    await directory.warnOfDamage()
    return directory
  }
  try {
    await assertUsable(options.files ?? blockingFiles, options.dir, 'read')
    return directory
  } catch (error) {
    throw asStateError(error, options.dir)
  }
}
