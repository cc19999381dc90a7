import {join} from 'node:path'
import {breather} from './breath.js'
import {type Compacted, compactKind} from './compact.js'
import {allFacetsSignature} from './facets.js'
import {ManifestUnsure} from './failures.js'
import {Generations} from './generations.js'
import {Journal} from './journal.js'
import type {JournaledOptions, Rights} from './journaled-json.js'
import type {Operation} from './line.js'
import type {Loaded} from './load.js'
import type {RunFile} from './manifest.js'
import {writeMark} from './mark.js'
import {openPrivate} from './private.js'
import type {State} from './state.js'

/** How long a compaction keeps the event loop to itself. */
const compactionMs = 2
/** The share of `compactBytes` that a journal may keep when it is closed: who opens the state next reads it again. */
const leftAtClose = 1 / 8
/** How much longer than usual a journal may get while there is much to merge it with. */
const slack = 32

/** The files of a project in the hands of its one writer. */
export class Writing {
  readonly #directory: string
  readonly #options: JournaledOptions
  readonly #rights: Rights
  readonly #journal: Journal
  readonly #generations: Generations
  #compacting: Promise<void> = Promise.resolve()
  #compactsBehind = false
  /** Grows with each compaction that failed, so that a full disk is not asked with every commit. */
  #patience = 1

  private constructor(directory: string, options: JournaledOptions, rights: Rights, files: [Generations, Journal]) {
    this.#directory = directory
    this.#options = options
    this.#rights = rights
    this.#generations = files[0]
    this.#journal = files[1]
  }

  /** Cuts off what never finished and removes what was left over; makes the first files of a new project. */
  static async open(directory: string, options: JournaledOptions, loaded: Loaded | undefined): Promise<Writing> {
    const {files, facets} = options
    const rights = options.rights()
    if (!rights) throw new Error(`${directory} was opened for reading`)
    rights.fence()
    const generations = new Generations(files, directory, rights.nonce, loaded?.manifest)
    const signature = allFacetsSignature(facets)
    if (!loaded) await generations.create(signature)
    await generations.removeRemains()
    const {length, last} = loaded?.end ?? {length: 0, last: 0}
    const {fd, size} = await openPrivate(files, join(directory, generations.journal.file), 'write')
    try {
      if (size > length) {
        await files.truncate(fd, length)
        await files.sync(fd)
      }
    } catch (error) {
      await files.close(fd)
      throw error
    }
    const journal = new Journal({files, fd, length, last, ...rights})
    const writing = new Writing(directory, options, rights, [generations, journal])
    // Lines state facets, so those of another release end with their journal.
    if (generations.journal.facets !== signature) await writing.#nextJournal(() => {})
    return writing
  }

  /** Resolves when the commit is durable. */
  async append(operations: readonly Operation[], state: State): Promise<void> {
    await this.#journal.append(operations)
    if (this.#journal.length > this.#options.compactBytes && this.#journal.length > this.#dueBytes(state)) {
      this.#compactBehind(state)
    }
  }

  /** Merges the journal and the runs that are due, or all runs, into new ones. Others read and write meanwhile. */
  compact(state: State, whole: boolean): Promise<void> {
    this.#compacting = this.#compacting.catch(() => {}).then(() => this.#compact(state, whole))
    return this.#compacting
  }

  async close(state: State | undefined): Promise<void> {
    await this.#compacting.catch(() => {})
    const isLong = this.#journal.length > this.#options.compactBytes * leftAtClose
    if (isLong && state) await this.compact(state, false).catch(() => {})
    await this.#journal.close()
    if (this.#journal.last === 0) return
    const mark = {file: this.#generations.journal.file, bytes: this.#journal.length}
    // Best effort: on a full disk the state is whole without it.
    await writeMark(this.#options.files, this.#directory, mark).catch(() => {})
  }

  /**
   * Length from which the journal is compacted behind the commits. The more runs there are the longer it may get, as
   * each merge costs more; closing brings it down, so that opening stays quick.
   */
  #dueBytes(state: State): number {
    const {compactBytes} = this.#options
    let bytes = 0
    for (const {runs} of state.collections.values()) for (const {file} of runs) bytes += file.bytes
    return Math.max(compactBytes, Math.min(compactBytes * slack, bytes / 16)) * this.#patience
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

  /** Goes on in another journal; `atTheSeam` runs when all of the old one, and nothing of the new, has taken effect. */
  #nextJournal(atTheSeam: () => void): Promise<void> {
    return this.#journal.rotate(async (sealed) => {
      const fd = await this.#generations.nextJournal(sealed, allFacetsSignature(this.#options.facets))
      atTheSeam()
      return fd
    })
  }

  async #compact(state: State, whole: boolean): Promise<void> {
    await this.#nextJournal(() => {
      for (const collection of state.collections.values()) collection.freeze()
    })
    const done: Compacted[] = []
    try {
      const generation = this.#generations.next
      const how = {...this.#options, writes: true, generation, whole, breath: breather(compactionMs)}
      for (const [kind, collection] of state.collections) {
        const compacted = await compactKind(this.#directory, kind, collection, how)
        if (compacted) done.push(compacted)
      }
      this.#rights.fence()
      await this.#generations.replaceRuns(runsAfter(state, done))
    } catch (error) {
      if (error instanceof ManifestUnsure) this.#journal.stop(error)
      for (const run of done.flatMap(({made}) => made)) run.retire()
      throw error
    }
    for (const {collection, runs, replaced} of done) {
      collection.thaw(runs)
      for (const run of replaced) run.retire()
    }
    await this.#generations.removeRemains()
  }
}

function runsAfter(state: State, done: readonly Compacted[]): RunFile[] {
  const changed = new Map(done.map(({collection, runs}) => [collection, runs]))
  return [...state.collections.values()].flatMap((collection) =>
    (changed.get(collection) ?? collection.runs).map(({file}) => file),
  )
}
