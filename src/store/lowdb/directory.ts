import {join} from 'node:path'
import {asStateError} from '../../files/file-errors.js'
import type {liveness} from '../../files/process-identity.js'
import type {StoreOptions} from '../open.js'
import {Cache} from './cache.js'
import type {Entry} from './entry.js'
import {blockingFiles, type Files, pooledFiles} from './files.js'
import {JournaledJSON, type Rights} from './journaled-json.js'
import type {Lock} from './lock.js'
import type {Backing} from './low-store.js'
import {adoptDirectory} from './private.js'
import {projectsIn} from './projects.js'
import {refuseUnfinishedRestore} from './unfinished-restore.js'

export interface DirectoryOptions extends StoreOptions {
  /** For tests, which let calls fail. */
  readonly files?: Files
  readonly liveness?: typeof liveness
  /** Length of a journal that is worth compacting. */
  readonly compactBytes?: number
}

/** One directory with a lock and a directory per project. */
class Directory implements Backing {
  readonly #options: DirectoryOptions
  readonly #files: Files
  readonly #cache = new Cache<Entry>(cacheBytes)
  #lock: Lock | undefined
  #nonce: string | undefined

  constructor(options: DirectoryOptions) {
    this.#options = options
    this.#files = options.files ?? (options.writer === 'server' ? pooledFiles : blockingFiles)
  }

  adapter(project: string): JournaledJSON {
    const {dir, facets, writer, onFatal, compactBytes = defaultCompactBytes} = this.#options
    const fatal = onFatal ?? (() => {})
    const rights = (): Rights | undefined =>
      this.#lock && {fence: this.#lock.check, fatal, patient: writer !== 'server', nonce: this.#nonce ?? ''}
    return new JournaledJSON(join(dir, project), {files: this.#files, facets, cache: this.#cache, rights, compactBytes})
  }

  async writable(): Promise<void> {
    if (this.#lock) return
    const {dir, writer, lockTimeoutMs = defaultTimeoutMs} = this.#options
    if (writer === 'reader') throw new Error(`${dir} was opened for reading`)
    const {lockDirectory, newNonce} = await import('./lock-directory.js')
    this.#nonce ??= newNonce()
    // The lock is the business of a moment, and its steps must not wait behind the pool's.
    const files = this.#options.files ?? blockingFiles
    const request = {files, purpose: writer, timeoutMs: lockTimeoutMs, nonce: this.#nonce}
    const lock = await lockDirectory(dir, {...request, liveness: this.#options.liveness})
    try {
      await refuseUnfinishedRestore(files, dir)
    } catch (error) {
      await lock.release()
      throw error
    }
    this.#lock = lock
  }

  async check(): Promise<void> {
    try {
      await adoptDirectory(this.#files, this.#options.dir)
      await refuseUnfinishedRestore(this.#files, this.#options.dir)
    } catch (error) {
      throw asStateError(error, this.#options.dir)
    }
  }

  projects(): Promise<string[]> {
    return projectsIn(this.#files, this.#options.dir)
  }

  async publish(origin: string): Promise<void> {
    await this.#lock?.publish(origin)
  }

  async close(): Promise<void> {
    await this.#lock?.release()
    this.#lock = undefined
  }
}

const defaultTimeoutMs = 10_000
/** So much of a journal is read again in some milliseconds when the state is opened. */
const defaultCompactBytes = 1 << 20
/** Bytes of lines whose documents stay parsed. */
const cacheBytes = 64 << 20

/** Opens the directory; a server takes the lock at once, others look only. */
export async function openDirectory(options: DirectoryOptions): Promise<Backing> {
  const directory = new Directory(options)
  if (options.writer === 'server') await directory.writable()
  else await directory.check()
  return directory
}
