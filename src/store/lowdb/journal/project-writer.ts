import {timeSlices} from '../../../time-slices.js'
import {allFacetsSignature} from '../format/facets.js'
import {asWriteError, ManifestUnsure} from '../format/failures.js'
import type {SegmentFile} from '../format/manifest.js'
import type {Operation} from '../format/record.js'
import type {State} from '../memory/state.js'
import {type Compacted, compactKind} from '../segments/compact.js'
import {Journal} from './journal.js'
import type {Loaded} from './load.js'
import {ManifestWriter} from './manifest-writer.js'
import type {JournaledOptions, WriteLease} from './options.js'

/** Time slices of a compaction: between the requests of a server, and in a command, where nobody else waits. */
const [serverSliceMs, oneShotSliceMs] = [2, 25]
/** Journals of this length are left at close: the next opening replays them in a few milliseconds. */
const leftAtCloseBytes = 128 << 10
/** Number of journals of former holders that may be left at close. */
const filesLeftAtClose = 16
/**
 * Maximum factor by which the journals of a server may exceed `compactBytes` while there are many segments to merge. A
 * command merges at the same length always: an import of a million rows has the memory of one of ten thousand.
 */
const serverSlack = 4
/** Maximum factor by which failed compactions put off the next one. */
const maxBackoff = 32

/** Owns the journal and manifest of one project for writing. */
export class ProjectWriter {
  readonly #directory: string
  readonly #options: JournaledOptions
  readonly #journal: Journal
  readonly #manifests: ManifestWriter
  #compacting: Promise<void> = Promise.resolve()
  #compactsBehind = false
  /** Backoff factor: grows with each failed compaction, so that a full disk is not tried with every commit. */
  #backoff = 1
  /** Whether segments have facets of another release, which are useless for look-ups. */
  #isOutdated: boolean

  private constructor(
    directory: string,
    options: JournaledOptions,
    files: [ManifestWriter, Journal],
    isOutdated: boolean,
  ) {
    this.#directory = directory
    this.#options = options
    this.#manifests = files[0]
    this.#journal = files[1]
    this.#isOutdated = isOutdated
  }

  /**
   * Seals the journal of the former holder at the length that was read and starts a new one, so that late writes of the
   * former holder are never read. Creates the files of a new project.
   */
  static async open(directory: string, options: JournaledOptions, loaded: Loaded | undefined): Promise<ProjectWriter> {
    const {files, facets} = options
    const lease: WriteLease | undefined = options.lease()
    if (!lease) throw new Error(`${directory} was opened for reading`)
    lease.fence()
    const generations = await ManifestWriter.open(files, directory, lease, loaded?.manifest)
    const {length: bytes, last} = loaded?.end ?? {length: 0, last: 0}
    const fd = await generations.nextJournal({bytes, last}, allFacetsSignature(facets))
    const journal = new Journal({...lease, files, fd, last, fence: generations.check})
    try {
      await options.register()
      await generations.removeRemains()
    } catch (error) {
      await journal.close()
      throw error
    }
    const segments = [...(loaded?.state.collections.values() ?? [])].flatMap((collection) => collection.segments)
    for (const segment of segments) {
      await segment.saveIndex()
      segment.texts.save()
    }
    // A one-shot command leaves the merge to a server.
    const isOutdated = !lease.batchPerTurn && segments.some(({hasFacets}) => !hasFacets)
    return new ProjectWriter(directory, options, [generations, journal], isOutdated)
  }

  /** Resolves when the commit is durable. */
  async append(operations: readonly Operation[], state: State): Promise<void> {
    // Who writes faster than a compaction merges would fill the memory. Before its line is written: one that was written
    // to the journal that is being merged must take effect before that journal ends.
    if (this.#compactsBehind && this.#journal.length > this.#dueBytes(state)) await this.#compacting.catch(() => {})
    await this.#journal.append(operations)
    const bytes = this.#journalBytes
    const isDue = bytes > this.#options.compactBytes && bytes > this.#dueBytes(state)
    if (isDue || this.#isOutdated) this.#compactBehind(state)
  }

  /**
   * Merges the journals with the segments that are due, or with all, into new ones, concurrently with reads and writes.
   */
  compact(state: State, whole: boolean): Promise<void> {
    this.#compacting = this.#compacting.catch(() => {}).then(() => this.#compact(state, whole))
    return this.#compacting
  }

  async close(state: State | undefined): Promise<void> {
    await this.#compacting.catch(() => {})
    if (state && this.#isLongForClosing) await this.compact(state, false).catch(() => {})
    await this.#journal.idle()
    // Best effort: on a full disk the state is complete without it.
    if (this.#journal.isSound) await this.#manifests.seal(this.#journal.end).catch(() => {})
    await this.#journal.close()
  }

  /** Bytes of all journals, former holders' included: opening the state replays them all. */
  get #journalBytes(): number {
    return this.#manifests.sealedBytes + this.#journal.length
  }

  get #sliceMs(): number {
    return this.#isCommand ? oneShotSliceMs : serverSliceMs
  }

  get #isCommand(): boolean {
    return this.#options.lease()?.batchPerTurn === true
  }

  get #isLongForClosing(): boolean {
    const {journals} = this.#manifests.manifest
    const {compactBytes} = this.#options
    return this.#journalBytes > Math.min(compactBytes, leftAtCloseBytes) || journals.length > filesLeftAtClose
  }

  /**
   * Length from which journals are compacted in the background. It grows with the segments, as each merge costs more;
   * closing compacts further, so that opening stays fast.
   */
  #dueBytes(state: State): number {
    const {compactBytes} = this.#options
    const slack = this.#isCommand ? 1 : serverSlack
    let bytes = 0
    for (const {segments} of state.collections.values()) for (const {file} of segments) bytes += file.bytes
    return Math.max(compactBytes, Math.min(compactBytes * slack, bytes / 16)) * this.#backoff
  }

  #compactBehind(state: State): void {
    if (this.#compactsBehind) return
    this.#compactsBehind = true
    this.compact(state, false)
      // The failure was reported, and the state is complete without the compaction.
      .catch(() => {})
      .finally(() => {
        this.#compactsBehind = false
      })
  }

  /** Rotates the journal; `atTheSeam` runs when all commits of the old one, and none of the new, have taken effect. */
  #nextJournal(atTheSeam: () => void): Promise<void> {
    return this.#journal.rotate(async (end) => {
      const fd = await this.#manifests.nextJournal(end, allFacetsSignature(this.#options.facets))
      atTheSeam()
      return fd
    })
  }

  async #compact(state: State, whole: boolean): Promise<void> {
    try {
      await this.#nextJournal(() => {
        for (const collection of state.collections.values()) collection.freeze()
      })
      await this.#mergeFrozen(state, whole)
      this.#backoff = 1
      this.#isOutdated = false
    } catch (error) {
      this.#backoff = Math.min(this.#backoff * 2, maxBackoff)
      this.#isOutdated = false
      this.#options.onCompactionFailed?.(asWriteError(error, this.#directory))
      throw error
    }
  }

  /** Removes the files of a failed compaction. */
  async #discard(created: readonly string[]): Promise<void> {
    try {
      for (const path of created) await this.#options.files.unlink(path)
      await this.#manifests.removeRemains()
    } catch {
      // The failure of the compaction is the one to report; the next holder removes remaining files.
    }
  }

  async #mergeFrozen(state: State, whole: boolean): Promise<void> {
    const done: Compacted[] = []
    const created: string[] = []
    try {
      const generation = this.#manifests.next()
      const yields = timeSlices(this.#sliceMs)
      const how = {...this.#options, writes: () => true, generation, whole, inTiers: !this.#isCommand, yields, created}
      for (const [kind, collection] of state.collections) {
        const compacted = await compactKind(this.#directory, kind, collection, how)
        if (compacted) done.push(compacted)
      }
      this.#manifests.check()
      await this.#manifests.replaceSegments(segmentsAfter(state, done))
    } catch (error) {
      for (const segment of done.flatMap(({made}) => made)) segment.retire()
      if (error instanceof ManifestUnsure) this.#journal.stop(error)
      else await this.#discard(created)
      throw error
    }
    for (const {collection, segments, replaced} of done) {
      collection.replaceFrozen(segments)
      for (const segment of replaced) segment.retire()
    }
    await this.#manifests.removeRemains()
  }
}

function segmentsAfter(state: State, done: readonly Compacted[]): SegmentFile[] {
  const changed = new Map(done.map(({collection, segments}) => [collection, segments]))
  return [...state.collections.values()].flatMap((collection) =>
    (changed.get(collection) ?? collection.segments).map(({file}) => file),
  )
}
