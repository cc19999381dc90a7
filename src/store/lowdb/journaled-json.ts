import {join} from 'node:path'
import type {Adapter} from 'lowdb'
import type {Facets} from '../store.js'
import {breather} from './breath.js'
import type {Cache} from './cache.js'
import {type Compacted, compactKind} from './compact.js'
import type {Entry} from './entry.js'
import {allFacetsSignature} from './facets.js'
import {asWriteError, ManifestUnsure} from './failures.js'
import type {Files} from './files.js'
import {Generations} from './generations.js'
import {Journal} from './journal.js'
import {type Loaded, load} from './load.js'
import {type RunFile, readManifest} from './manifest.js'
import {writeMark} from './mark.js'
import {openPrivate} from './private.js'
import type {State} from './state.js'

export interface Rights {
  /** Throws when another process has taken the state. */
  readonly fence: () => void
  /** Called once, when nothing may be written any more. */
  readonly fatal: (error: Error) => void
  /** Whether commits of one turn of the event loop go into one write. */
  readonly patient: boolean
  /** A file name part that no other process uses. */
  readonly nonce: string
}

export interface JournaledOptions {
  readonly files: Files
  readonly facets: Facets
  readonly cache: Cache<Entry>
  /** The right to write; nothing for a reader, and for a command before its first commit. */
  readonly rights: () => Rights | undefined
  /** Length of a journal that is worth compacting. */
  readonly compactBytes: number
}

/** What a writer has and a reader has not. */
interface Writing {
  readonly journal: Journal
  readonly generations: Generations
}

/** How long a compaction keeps the event loop to itself. */
const compactionMs = 2

/**
 * lowdb's adapter for state that is written as it changes: `read` puts the state together from runs and journals,
 * `write` appends the commits that are new since the last one.
 */
export class JournaledJSON implements Adapter<State> {
  readonly #directory: string
  readonly #options: JournaledOptions
  #loaded: Loaded | undefined
  #state: State | undefined
  #files: Writing | undefined
  #opening: Promise<Journal> | undefined
  #compacting: Promise<void> = Promise.resolve()
  #compactsBehind = false
  /** Grows with each compaction that failed, so that a full disk is not asked with every commit. */
  #patience = 1

  constructor(directory: string, options: JournaledOptions) {
    this.#directory = directory
    this.#options = options
  }

  async read(): Promise<State | null> {
    const {files, facets, cache, rights} = this.#options
    const loaded = await load(this.#directory, {files, facets, cache, writes: rights() !== undefined})
    this.#loaded = loaded ?? undefined
    this.#state = loaded?.state
    return loaded?.state ?? null
  }

  /** Whether what `read` found is still all there is. */
  async isCurrent(): Promise<boolean> {
    const {files} = this.#options
    const manifest = await readManifest(files, this.#directory)
    if (!this.#loaded || !manifest) return !this.#loaded && !manifest
    const journal = this.#loaded.manifest.journals.at(-1)
    const stat = await files.stat(join(this.#directory, journal?.file ?? ''))
    return manifest.generation === this.#loaded.manifest.generation && stat?.size === this.#loaded.end.length
  }

  async write(state: State): Promise<void> {
    // Taking the commits and queueing them is one turn of the loop, so that each call answers for its own.
    const commits = state.unwritten.splice(0)
    this.#state = state
    try {
      const journal = this.#files?.journal ?? (await this.#writable())
      await Promise.all(commits.map(({operations}) => journal.append(operations)))
      if (journal.length > this.#dueBytes(state)) this.#compactBehind(state)
    } catch (error) {
      throw asWriteError(error, this.#directory)
    }
  }

  /** Merges the journal and the runs that are due, or all runs, into new ones. Others read and write meanwhile. */
  compact(state: State, whole: boolean): Promise<void> {
    this.#compacting = this.#compacting.catch(() => {}).then(() => this.#compact(state, whole))
    return this.#compacting
  }

  async close(): Promise<void> {
    await this.#compacting.catch(() => {})
    if (this.#files) {
      const {journal, generations} = this.#files
      const isLong = journal.length > this.#options.compactBytes
      if (isLong && this.#state) await this.compact(this.#state, false).catch(() => {})
      await journal.close()
      if (journal.last > 0) {
        await writeMark(this.#options.files, this.#directory, {file: generations.journal.file, bytes: journal.length})
      }
    }
    for (const collection of this.#state?.collections.values() ?? []) {
      for (const run of collection.runs) run.retire()
    }
  }

  /**
   * Length from which the journal is compacted behind the commits. The more runs there are the longer it may get, as
   * each merge costs more; closing brings it down, so that opening stays quick.
   */
  #dueBytes(state: State): number {
    const {compactBytes} = this.#options
    let bytes = 0
    for (const {runs} of state.collections.values()) for (const {file} of runs) bytes += file.bytes
    return Math.max(compactBytes, Math.min(compactBytes * 8, bytes / 16)) * this.#patience
  }

  #compactBehind(state: State): void {
    if (this.#compactsBehind) return
    this.#compactsBehind = true
    this.compact(state, false)
      .then(
        () => {
          this.#patience = 1
        },
        () => {
          // The state is whole without it; a disk that is full or broken will show in the commits.
          this.#patience *= 2
        },
      )
      .finally(() => {
        this.#compactsBehind = false
      })
  }

  /** Opens the journal for writing once; a failure (a full disk) leaves the next commit to try again. */
  #writable(): Promise<Journal> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #open(): Promise<Journal> {
    const {files, facets, rights} = this.#options
    const writer = rights()
    if (!writer) throw new Error(`${this.#directory} was opened for reading`)
    writer.fence()
    const generations = new Generations(files, this.#directory, writer.nonce, this.#loaded?.manifest)
    const signature = allFacetsSignature(facets)
    if (!this.#loaded) await generations.create(signature)
    const {length, last} = this.#loaded?.end ?? {length: 0, last: 0}
    const {fd, size} = await openPrivate(files, join(this.#directory, generations.journal.file), 'write')
    if (size > length) {
      await files.truncate(fd, length)
      await files.sync(fd)
    }
    await generations.removeRemains()
    const journal = new Journal({files, fd, length, last, ...writer})
    this.#files = {journal, generations}
    // Lines state facets, so those of another release end with their journal.
    if (generations.journal.facets !== signature) await this.#nextJournal()
    return journal
  }

  #nextJournal(): Promise<void> {
    const {journal, generations} = this.#files as Writing
    return journal.rotate((sealed) => generations.nextJournal(sealed, allFacetsSignature(this.#options.facets)))
  }

  async #compact(state: State, whole: boolean): Promise<void> {
    if (!this.#files) await this.#writable()
    const {journal, generations} = this.#files as Writing
    await journal.rotate(async (sealed) => {
      const fd = await generations.nextJournal(sealed, allFacetsSignature(this.#options.facets))
      for (const collection of state.collections.values()) collection.freeze()
      return fd
    })
    const done: Compacted[] = []
    try {
      const how = {...this.#options, writes: true, generation: generations.next, whole, breath: breather(compactionMs)}
      for (const [kind, collection] of state.collections) {
        const compacted = await compactKind(this.#directory, kind, collection, how)
        if (compacted) done.push(compacted)
      }
      this.#options.rights()?.fence()
      await generations.replaceRuns(runsAfter(state, done))
    } catch (error) {
      if (error instanceof ManifestUnsure) journal.stop(error)
      for (const run of done.flatMap(({made}) => made)) run.retire()
      throw error
    }
    for (const {collection, runs, replaced} of done) {
      collection.thaw(runs)
      for (const run of replaced) run.retire()
    }
    await generations.removeRemains()
  }
}

function runsAfter(state: State, done: readonly Compacted[]): RunFile[] {
  const changed = new Map(done.map(({collection, runs}) => [collection, runs]))
  return [...state.collections.values()].flatMap((collection) =>
    (changed.get(collection) ?? collection.runs).map(({file}) => file),
  )
}
