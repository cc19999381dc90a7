import {dirname, join} from 'node:path'
import type {Adapter} from 'lowdb'
import type {Facets} from '../store.js'
import {type Files, writeNew} from './files.js'
import {Journal} from './journal.js'
import {firstManifest, type JournalFile, type Manifest, readManifest, writeManifest} from './manifest.js'
import {asStateError, assertPrivate, openPrivate} from './private.js'
import {replay} from './recovery.js'
import {State} from './state.js'

export interface JournaledOptions {
  readonly files: Files
  readonly facets: Facets
  /** Absent for a reader, which leaves every file as it is. */
  readonly writer?: {
    readonly fence: () => void
    readonly fatal: (error: Error) => void
    readonly patient: boolean
    /** A file name part that no other process uses. */
    readonly nonce: string
  }
}

/**
 * lowdb's adapter for state that is written as it changes: `read` puts the state together from bases and journals,
 * `write` appends the commits that are new since the last one.
 */
export class JournaledJSON implements Adapter<State> {
  readonly #directory: string
  readonly #options: JournaledOptions
  #manifest: Manifest | undefined
  #journal: Journal | undefined
  #opening: Promise<Journal> | undefined
  /** Where the journal ends for a reader or a writer that has written nothing yet. */
  #end = {length: 0, last: 0}

  constructor(directory: string, options: JournaledOptions) {
    this.#directory = directory
    this.#options = options
  }

  async read(): Promise<State | null> {
    const {files, facets} = this.#options
    const stat = await files.stat(this.#directory)
    if (!stat) return null
    assertPrivate(stat, this.#directory)
    this.#manifest = await readManifest(files, this.#directory)
    if (!this.#manifest) return null
    const state = new State(facets)
    for (const {file, first} of this.#manifest.journals) {
      const path = join(this.#directory, file)
      const {fd, size} = await openPrivate(files, path, 'read')
      try {
        this.#end = await replay(files, {fd, size, path, first}, ({operations}) => {
          for (const {kind, id, claims, doc} of operations) state.apply(kind, id, claims, doc)
        })
      } finally {
        await files.close(fd)
      }
    }
    return state
  }

  async write(state: State): Promise<void> {
    // Taking the commits and queueing them is one turn of the loop, so that each call answers for its own.
    const commits = state.unwritten.splice(0)
    try {
      const journal = this.#journal ?? (await this.#writable())
      await Promise.all(commits.map(({operations}) => journal.append(operations)))
    } catch (error) {
      throw asStateError(error, this.#directory)
    }
  }

  async close(): Promise<void> {
    await this.#journal?.close()
  }

  /** Opens the journal for writing once; a failure (a full disk) leaves the next commit to try again. */
  #writable(): Promise<Journal> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #open(): Promise<Journal> {
    const {files, writer} = this.#options
    if (!writer) throw new Error(`${this.#directory} was opened for reading`)
    writer.fence()
    this.#manifest ??= await this.#create(writer.nonce)
    const file = (this.#manifest.journals.at(-1) as JournalFile).file
    const path = join(this.#directory, file)
    const {fd, size} = await openPrivate(files, path, 'write')
    if (size > this.#end.length) {
      await files.truncate(fd, this.#end.length)
      await files.sync(fd)
    }
    this.#journal = new Journal({files, fd, ...this.#end, ...writer})
    return this.#journal
  }

  /** The first files of a project; the manifest comes last and makes them count. */
  async #create(nonce: string): Promise<Manifest> {
    const {files} = this.#options
    await files.makeDirectory(this.#directory)
    await files.syncDirectory(dirname(this.#directory))
    for (const {file} of firstManifest.journals) {
      await files.unlink(join(this.#directory, file))
      await writeNew(files, join(this.#directory, file), '')
    }
    await writeManifest(files, this.#directory, firstManifest, nonce)
    return firstManifest
  }
}
