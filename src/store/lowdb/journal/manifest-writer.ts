import {dirname, join} from 'node:path'
import {lockLost, ManifestUnsure} from '../format/failures.js'
import type {Files} from '../format/files.js'
import {
  firstManifest,
  generationPath,
  indexName,
  type JournalFile,
  journalName,
  type Manifest,
  manifestGeneration,
  manifestName,
  type SegmentFile,
  writeManifest,
} from '../format/manifest.js'

/** The number that a file of a project bears; 0 for others. */
export const generationOf = (name: string): number =>
  manifestGeneration(name) || Number(/\.(\d+)\.(?:ndjson|idx|jsonl)$/.exec(name)?.[1] ?? 0)

/** What kept the length of a journal up to format 1. */
const formerMark = 'durable.json'

/** The holder's lease on the files. */
export interface Holding {
  /** Throws when another process has taken the state. */
  readonly fence: () => void
  /** A file name part that no other process uses. */
  readonly nonce: string
}

/** Where a journal ends. */
export interface JournalEnd {
  readonly bytes: number
  readonly last: number
}

/**
 * The files of a project as its holder changes them, one manifest after the other.
 *
 * A former holder may have stalled anywhere and go on at any time, so nothing here relies on a check that came before:
 * numbers are taken above all that are in use, files are made under names that nobody has, a manifest takes effect by a
 * name that can be given once, and only files that the holder made or found are removed.
 */
export class ManifestWriter {
  readonly #files: Files
  readonly #directory: string
  readonly #holding: Holding
  #manifest: Manifest | undefined
  #number: number

  private constructor(files: Files, directory: string, holding: Holding, found: Manifest | undefined, number: number) {
    this.#files = files
    this.#directory = directory
    this.#holding = holding
    this.#manifest = found
    this.#number = number
  }

  static async open(files: Files, directory: string, holding: Holding, found: Manifest | undefined) {
    if (!found) {
      await files.makeDirectory(directory)
      await files.syncDirectory(dirname(directory))
    }
    const numbers = (await files.list(directory)).map(generationOf)
    return new ManifestWriter(files, directory, holding, found, Math.max(found?.generation ?? 0, ...numbers))
  }

  get manifest(): Manifest {
    if (!this.#manifest) throw new Error(`${this.#directory} has no manifest`)
    return this.#manifest
  }

  /** Bytes of the journals that have ended. */
  get sealedBytes(): number {
    return this.manifest.journals.reduce((sum, {bytes = 0}) => sum + bytes, 0)
  }

  /** Allocates a generation: a number that no file and no manifest has. */
  next(): number {
    this.#number += 1
    return this.#number
  }

  /** The fence: throws when another process has begun a manifest of its own, or taken the lock. */
  readonly check = (): void => {
    this.#holding.fence()
    const {generation} = this.manifest
    if (this.#files.identity(generationPath(this.#directory, generation)) === undefined) throw lockLost(this.#directory)
  }

  /** Rotates the journal: seals the last one at its length and starts another, which is returned open for writing. */
  async nextJournal(end: JournalEnd, facets: number): Promise<number> {
    const generation = this.next()
    const file = journalName(generation)
    const path = join(this.#directory, file)
    const fd = await this.#files.open(path, 'create')
    try {
      const before = this.#manifest ?? firstManifest(generation)
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

  /** Seals the growing journal at its length, so that a later cut is known for damage. */
  async seal(end: JournalEnd): Promise<void> {
    const sealed = sealedAt(this.manifest.journals, end)
    const filled = sealed.filter(({bytes}) => bytes)
    // One without commits says at least which number the next commit has.
    await this.#replace({
      ...this.manifest,
      generation: this.next(),
      journals: filled.length > 0 ? filled : sealed.slice(-1),
    })
    await this.removeRemains()
  }

  /** Checkpoint: new segments replace the old ones and all journals but the growing one. */
  async replaceSegments(segments: readonly SegmentFile[]): Promise<void> {
    await this.#replace({
      ...this.manifest,
      generation: this.next(),
      segments,
      journals: this.manifest.journals.slice(-1),
    })
  }

  /** Removes files that the manifest does not name: of older generations, and of attempts that were cut off. */
  async removeRemains(): Promise<void> {
    const {segments, journals, generation} = this.manifest
    const named = new Set([...segments.flatMap(({file}) => [file, indexName(file)]), ...journals.map(({file}) => file)])
    this.check()
    for (const name of await this.#files.list(this.#directory)) {
      const number = generationOf(name)
      const isOld = number > 0 ? number <= generation && !named.has(name) : isTemporary(name)
      if (isOld && manifestGeneration(name) !== generation) await this.#files.unlink(join(this.#directory, name))
    }
  }

  async #replace(manifest: Manifest): Promise<void> {
    await writeManifest(this.#files, this.#directory, manifest, this.#holding.nonce)
    this.#manifest = manifest
    try {
      // Who took the lock before the manifest had its name did not see it, and will not name its files.
      this.#holding.fence()
    } catch (cause) {
      throw new ManifestUnsure('the state was taken over', {cause})
    }
  }
}

const isTemporary = (name: string): boolean => name.startsWith(`${manifestName}.`) || name === formerMark

/** The journals with the length of the last one. */
const sealedAt = (journals: readonly JournalFile[], {bytes}: JournalEnd): JournalFile[] =>
  journals.map((journal, at) => (at === journals.length - 1 ? {...journal, bytes} : journal))
