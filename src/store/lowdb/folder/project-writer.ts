import {join} from 'node:path'
import {asWriteError, ManifestUnsure, unwritable} from '../file/failures.js'
import {indexName, journalName} from '../file/manifest.js'
import type {Entry} from '../line/entry.js'
import {allFacetsSignature} from '../line/facets.js'
import {dueMerge, sharingJournal} from '../merge/due.js'
import type {KindMerge} from '../merge/merge.js'
import {openSegment, type Segment} from '../table/segment.js'
import type {Collection} from '../tree/collection.js'
import type {State} from '../tree/state.js'
import {Journal} from './journal.js'
import type {Loaded} from './load.js'
import {ManifestWriter} from './manifest-writer.js'
import type {JournaledOptions} from './options.js'

/** Journals of this length are left at close: the next opening replays them in a few milliseconds. */
const leftAtCloseBytes = 128 << 10
/** Number of journals of former holders that may be left at close. */
const filesLeftAtClose = 16
/** Factor by which journals of a server may exceed `compactBytes` beside large segments. A command has less memory. */
const serverSlack = 4
/** The same for the first merge of a command, which has no pages of an index in memory yet. */
const firstSlack = 3
/** Maximum factor by which failed compactions put off the next one. */
const maxBackoff = 32

/** Owns the journal and manifest of one project for writing. */
export class ProjectWriter {
  readonly #directory: string
  readonly #options: JournaledOptions
  readonly #journal: Journal
  readonly #manifests: ManifestWriter
  /** That of the last commit. */
  #state: State | undefined
  #compacting: Promise<void> = Promise.resolve()
  #compactsBehind = false
  /** Set once commits go to the journal behind those that are compacted. */
  #isAhead = false
  /** Set once writes have waited for the compaction: whether it is overdue. */
  #overdue: Promise<boolean> | undefined
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
    ;[this.#manifests, this.#journal] = files
    this.#isOutdated = isOutdated
  }

  /** Seals the journal of the former holder as it was read, and starts one that this holder alone writes. */
  static async open(directory: string, options: JournaledOptions, loaded: Loaded | undefined): Promise<ProjectWriter> {
    const {files, facets} = options
    const lease = options.lease()
    if (!lease) throw new Error(`${directory} was opened for reading`)
    lease.fence()
    const generations = await ManifestWriter.open(files, directory, lease, loaded?.manifest)
    const {length: bytes, last} = loaded?.end ?? {length: 0, last: 0}
    const fd = await generations.nextJournal({bytes, last}, allFacetsSignature(facets))
    const onAppended = (): void => writer.#compactIfDue()
    const journal = new Journal({...lease, files, fd, last, fence: generations.check, onAppended})
    try {
      await options.register()
      await generations.removeRemains()
    } catch (error) {
      await journal.close()
      throw error
    }
    const segments = [...(loaded?.state.collections.values() ?? [])].flatMap((collection) => collection.segments)
    for (const segment of segments) await segment.save()
    // A one-shot command leaves the merge to a server.
    const isOutdated = !lease.isCommand && segments.some(({hasFacets}) => !hasFacets)
    const writer = new ProjectWriter(directory, options, [generations, journal], isOutdated)
    return writer
  }

  append(entries: readonly Entry[], state: State): Promise<void> {
    this.#state = state
    // Who writes faster than a compaction merges would fill the memory. Before its line is written: one that was written
    // to the journal that is being merged must take effect before that journal ends.
    if (this.#compactsBehind && this.#isAhead && this.#journal.length > this.#dueBytes(state))
      return this.#compacted().then(() => this.#journal.append(entries))
    return this.#journal.append(entries)
  }

  #compactIfDue(): void {
    const state = this.#state
    if (state && (this.#isOutdated || this.#journalBytes > this.#dueBytes(state))) this.#compactBehind(state)
  }

  /** Resolves when the compaction has ended. Throws OverCapacity once writes have waited for long enough. */
  async #compacted(): Promise<void> {
    // The one of a command is done in its own thread, so that it ends.
    if (this.#isCommand) return this.#compacting.catch(() => {})
    this.#overdue ??= this.#isOverdue(this.#compacting)
    if (await this.#overdue) throw unwritable(new Error('merging its files does not end'))
  }

  async #isOverdue(compacting: Promise<void>): Promise<boolean> {
    const {patience, onCompactionOverdue} = this.#options
    const ended = compacting.catch(() => {}).then(() => false)
    const isOverdue = await Promise.race([ended, patience().then(() => true)])
    if (isOverdue) onCompactionOverdue?.()
    return isOverdue
  }

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

  get #isCommand(): boolean {
    return this.#options.lease()?.isCommand === true
  }

  get #isLongForClosing(): boolean {
    const {journals} = this.#manifests.manifest
    const {compactBytes} = this.#options
    return this.#journalBytes > Math.min(compactBytes, leftAtCloseBytes) || journals.length > filesLeftAtClose
  }

  /** Length from which journals are compacted in the background: longer beside large segments, which cost more. */
  #dueBytes(state: State): number {
    const {compactBytes} = this.#options
    let bytes = 0
    for (const {segments} of state.collections.values()) for (const {file} of segments) bytes += file.bytes
    if (this.#isCommand) return compactBytes * (bytes === 0 ? firstSlack : 1) * this.#backoff
    return Math.max(compactBytes, Math.min(compactBytes * serverSlack, bytes / 16)) * this.#backoff
  }

  #compactBehind(state: State): void {
    if (this.#compactsBehind) return
    this.#compactsBehind = true
    this.compact(state, false)
      // The failure was reported, and the state is complete without the compaction.
      .catch(() => {})
      .finally(() => {
        this.#compactsBehind = false
        this.#overdue = undefined
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
      // Below that of the next journal, so that the names tell the order of what they have.
      const generation = this.#manifests.next()
      await this.#nextJournal(() => {
        this.#isAhead = true
        for (const collection of state.collections.values()) collection.freeze()
      })
      await this.#mergeFrozen(state, generation, whole)
      this.#backoff = 1
      this.#isOutdated = false
    } catch (error) {
      this.#backoff = Math.min(this.#backoff * 2, maxBackoff)
      this.#isOutdated = false
      this.#options.onCompactionFailed?.(asWriteError(error, this.#directory))
      throw error
    } finally {
      this.#isAhead = false
    }
  }

  async #discard(names: readonly string[]): Promise<void> {
    try {
      for (const name of names) await this.#options.files.unlink(join(this.#directory, name))
      await this.#manifests.removeRemains()
    } catch {
      // The failure of the compaction is the one to report; the next holder removes remaining files.
    }
  }

  async #mergeFrozen(state: State, generation: number, whole: boolean): Promise<void> {
    const sharing = sharingJournal(state)
    const due = new Map<Collection, KindMerge>()
    for (const [kind, collection] of state.collections) {
      const merge = sharing.has(collection) ? undefined : dueMerge(kind, collection, generation, whole)
      if (merge) due.set(collection, merge)
    }
    const made = new Map<Collection, readonly Segment[]>()
    try {
      for (const [collection, {sources}] of due) made.set(collection, collection.segments.slice(sources.length))
      const journals = this.#manifests.manifest.journals.slice(0, -1)
      const job = {directory: this.#directory, journals, kinds: [...due.values()]}
      const changes = () => new Map([...due].map(([{frozenEntries}, {kind}]) => [kind, frozenEntries]))
      const written = due.size > 0 ? await this.#options.merge(job, changes) : []
      for (const [collection, {kind}] of due) {
        const file = written.find((segment) => segment.kind === kind)
        const opened = file && (await openSegment(this.#directory, file, {...this.#options, writes: () => true}))
        if (opened) made.set(collection, [opened, ...(made.get(collection) ?? [])])
      }
      const facets = allFacetsSignature(this.#options.facets)
      const journal = await this.#manifests.mergedJournal(generation, [...sharing.values()].flat(), facets)
      this.#manifests.check()
      const segments = [...state.collections.values()].flatMap((one) => made.get(one) ?? one.segments)
      await this.#manifests.replaceMerged(
        segments.map(({file}) => file),
        journal,
      )
    } catch (error) {
      for (const [collection, segments] of made) {
        for (const segment of segments) if (!collection.segments.includes(segment)) segment.retire()
      }
      if (error instanceof ManifestUnsure) this.#journal.stop(error)
      else
        await this.#discard([
          journalName(generation),
          ...[...due.values()].flatMap(({file}) => [file, indexName(file)]),
        ])
      throw error
    }
    for (const [collection, entries] of sharing) collection.keepFrozen(entries)
    for (const [collection, segments] of made) {
      const replaced = collection.segments.filter((segment) => !segments.includes(segment))
      collection.replaceFrozen(segments)
      for (const segment of replaced) segment.retire()
    }
    await this.#manifests.removeRemains()
  }
}
