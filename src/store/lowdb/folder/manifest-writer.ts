import {dirname, join} from 'node:path'
import {lockLost, ManifestUnsure} from '../file/failures.js'
import type {Files} from '../file/files.js'
import {
  generationPath,
  indexName,
  type JournalFile,
  journalName,
  type Manifest,
  manifestGeneration,
  manifestName,
  type SegmentFile,
  textsName,
  writeManifest,
} from '../file/manifest.js'
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
  #number: number

  private constructor(files: Files, directory: string, lease: WriteLease, found: Manifest | undefined, number: number) {
    this.#files = files
    this.#directory = directory
    this.#lease = lease
    this.#manifest = found
    this.#number = number
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
    return this.manifest.journals.reduce((sum, {bytes = 0}) => sum + bytes, 0)
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
    if (this.#files.identity(generationPath(this.#directory, generation)) === undefined) throw lockLost(this.#directory)
  }

  /** Rotates the journal: seals the active one at its length and returns a new one, open for writing. */
  async nextJournal(end: JournalEnd, facets: number): Promise<number> {
    const generation = this.next()
    const file = journalName(generation)
    const path = join(this.#directory, file)
    const fd = await this.#files.open(path, 'create')
    try {
      const before = this.#manifest ?? {segments: [], journals: []}
      const journals = [
        ...sealedAt(before.journals, end).filter(({bytes}) => bytes),
        {file, first: end.last + 1, facets},
      ]
      await this.#replace({...before, generation, journals})
      return fd
    } catch (error) {
      await this.#files.close(fd)
      if (!(error instanceof ManifestUnsure)) await this.#files.unlink(path)
      throw error
    }
  }

  /** Seals the active journal at its length, so that a later truncation is detected. */
  async seal(end: JournalEnd): Promise<void> {
    const sealed = sealedAt(this.manifest.journals, end)
    const filled = sealed.filter(({bytes}) => bytes)
    // A journal without commits still records the next sequence number.
    await this.#replace({
      ...this.manifest,
      generation: this.next(),
      journals: filled.length > 0 ? filled : sealed.slice(-1),
    })
    await this.removeRemains()
  }

  /** Checkpoint: new segments replace the old ones and all journals but the active one. */
  async replaceSegments(segments: readonly SegmentFile[]): Promise<void> {
    await this.#replace({
      ...this.manifest,
      generation: this.next(),
      segments,
      journals: this.manifest.journals.slice(-1),
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
      const isOld = number > 0 ? number <= generation && !named.has(name) : isTemporary(name)
      if (isOld && manifestGeneration(name) !== generation) await this.#files.unlink(join(this.#directory, name))
    }
  }

  async #replace(manifest: Manifest): Promise<void> {
    await writeManifest(this.#files, this.#directory, manifest, this.#lease.nonce)
    this.#manifest = manifest
    try {
      // A process that took over the lock before the manifest was linked did not see it; its files are then not in use.
      this.#lease.fence()
    } catch (cause) {
      throw new ManifestUnsure('the state was taken over', {cause})
    }
  }
}

const isTemporary = (name: string): boolean => name.startsWith(`${manifestName}.`)

/** The journals, the last one with its length. */
const sealedAt = (journals: readonly JournalFile[], {bytes}: JournalEnd): JournalFile[] =>
  journals.map((journal, at) => (at === journals.length - 1 ? {...journal, bytes} : journal))
