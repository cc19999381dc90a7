import {dirname, join} from 'node:path'
import {linesOf} from '../file/checksum.js'
import {lockLost, ManifestUnsure} from '../file/failures.js'
import {type Files, unlinkQuietly, writeNew} from '../file/files.js'
import {
  indexName,
  isUnfinished,
  type JournalFile,
  journalName,
  type Manifest,
  manifestGeneration,
  manifestPath,
  type SegmentFile,
  writeManifest,
} from '../file/manifest.js'
import type {Entry} from '../line/entry.js'
import {commitRecords} from '../line/replay.js'
import {textsName} from '../table/segment-texts.js'
import type {WriteLease} from './options.js'

/** The generation in the name of a project's file; 0 for other files. */
export const generationOf = (name: string): number =>
  manifestGeneration(name) || Number(/\.(\d+)\.(?:ndjson|idx|jsonl)$/.exec(name)?.[1] ?? 0)

export interface JournalEnd {
  readonly bytes: number
  readonly last: number
}

/**
 * Changes the files of a project, one manifest after the other.
 *
 * A former holder may have stalled at any point and may resume at any time, so nothing here relies on an earlier check:
 * generations are above all in use, files get unique names, a manifest takes effect by linking a name that can be linked
 * only once, and only files that this holder created or found are removed.
 */
export class ManifestWriter {
  readonly #files: Files
  readonly #directory: string
  readonly #lease: WriteLease
  #manifest: Manifest | undefined
  /** Of the journals that no merge has written; appends ask. */
  #sealedBytes = 0
  #number: number

  private constructor(files: Files, directory: string, lease: WriteLease, found: Manifest | undefined, number: number) {
    this.#files = files
    this.#directory = directory
    this.#lease = lease
    this.#number = number
    if (found) this.#take(found)
  }

  static async open(files: Files, directory: string, lease: WriteLease, found: Manifest | undefined) {
    if (!found) {
      await files.makeDirectory(directory)
      await files.syncDirectory(dirname(directory))
    }
    const numbers = (await files.list(directory)).map(generationOf)
    return new ManifestWriter(files, directory, lease, found, Math.max(found?.generation ?? 0, ...numbers))
  }

  get manifest(): Manifest {
    if (!this.#manifest) throw new Error(`${this.#directory} has no manifest`)
    return this.#manifest
  }

  get sealedBytes(): number {
    return this.#sealedBytes
  }

  /** A manifest that is in effect, as an object of one shape. */
  #take({generation, segments, journals}: Manifest): void {
    this.#manifest = {generation, segments, journals}
    this.#sealedBytes = journals.reduce((sum, {bytes = 0, isMerged}) => sum + (isMerged ? 0 : bytes), 0)
  }

  /** Allocates a generation: a number that no file and no manifest has. */
  next(): number {
    this.#number += 1
    return this.#number
  }

  /** The fence: throws once another process has written a manifest or taken over the lock. */
  readonly check = (): void => {
    this.#lease.fence()
    const {generation} = this.manifest
    if (this.#files.identity(manifestPath(this.#directory, generation)) === undefined) throw lockLost(this.#directory)
  }

  /** Rotates the journal: seals the active one at its length and returns a new one, open for writing. */
  async nextJournal(end: JournalEnd, facets: number): Promise<number> {
    const generation = this.next()
    const file = journalName(generation)
    const path = join(this.#directory, file)
    const fd = await this.#files.open(path, 'create')
    const before = this.#manifest
    try {
      const {segments, journals} = before ?? {segments: [], journals: []}
      const filled = sealedAt(journals, end).filter(({bytes}) => bytes)
      const active = {file, first: end.last + 1, facets}
      const manifest = {generation, segments, journals: [...filled, active]}
      await this.#replace(manifest, {files: before === undefined, own: true})
    } catch (error) {
      await this.#files.close(fd)
      if (!(error instanceof ManifestUnsure)) await this.#files.unlink(path)
      throw error
    }
    // It would be in effect again if the new journal were lost.
    if (before) await unlinkQuietly(this.#files, manifestPath(this.#directory, before.generation))
    return fd
  }

  /**
   * Seals the active journal at its length, so that a later truncation is detected. The manifest before says the same to
   * who reads the whole journal, so that it stays and a power cut may take this one; the next holder removes it.
   */
  async seal(end: JournalEnd): Promise<void> {
    const sealed = sealedAt(this.manifest.journals, end)
    const filled = sealed.filter(({bytes}) => bytes)
    // A journal without commits goes, unless it alone records the next sequence number.
    const goes = end.bytes === 0 && filled.length > 0
    const manifest = {...this.manifest, generation: this.next(), journals: goes ? filled : sealed}
    await this.#replace(manifest, {files: false, own: goes})
    if (goes) await this.removeRemains()
  }

  /** Writes the documents of kinds without segments to a journal, as what was committed before the active one. */
  async mergedJournal(generation: number, entries: readonly Entry[], facets: number): Promise<JournalFile[]> {
    if (entries.length === 0) return []
    const first = (this.manifest.journals.at(-1)?.first ?? 1) - 1
    const content = linesOf(commitRecords(first, first - 1, entries))
    const file = journalName(generation)
    await writeNew(this.#files, join(this.#directory, file), content)
    return [{file, first, facets, bytes: content.length, isMerged: true}]
  }

  /** Checkpoint: what a merge made replaces the segments and all journals but the active one. */
  async replaceMerged(segments: readonly SegmentFile[], journals: readonly JournalFile[]): Promise<void> {
    await this.#replace({
      ...this.manifest,
      generation: this.next(),
      segments,
      journals: [...journals, ...this.manifest.journals.slice(-1)],
    })
  }

  /** Removes files that the manifest does not name: of older generations, and of interrupted attempts. */
  async removeRemains(): Promise<void> {
    const {segments, journals, generation} = this.manifest
    const named = new Set([
      ...segments.flatMap(({file}) => [file, indexName(file), textsName(file)]),
      ...journals.map(({file}) => file),
    ])
    this.check()
    for (const name of await this.#files.list(this.#directory)) {
      const number = generationOf(name)
      const isOld = number > 0 ? number <= generation && !named.has(name) : isUnfinished(name)
      if (isOld && manifestGeneration(name) !== generation) await this.#files.unlink(join(this.#directory, name))
    }
  }

  async #replace(manifest: Manifest, durable = {files: true, own: true}): Promise<void> {
    await writeManifest(this.#files, this.#directory, manifest, {nonce: this.#lease.nonce, durable})
    this.#take(manifest)
    try {
      // A process that took over the lock before the manifest was linked did not see it; its files are then not in use.
      this.#lease.fence()
    } catch (cause) {
      throw new ManifestUnsure('the state was taken over', {cause})
    }
  }
}

/** The journals, the last one with its length. */
const sealedAt = (journals: readonly JournalFile[], {bytes}: JournalEnd): JournalFile[] =>
  journals.map((journal, at) => (at === journals.length - 1 ? {...journal, bytes} : journal))
