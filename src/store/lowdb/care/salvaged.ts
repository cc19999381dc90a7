import type {JournalFile} from '../file/manifest.js'
import type {Entry} from '../line/entry.js'

/** A place in a file that cannot be read. */
export interface Lost {
  readonly file: string
  /** Absent if the whole file is missing. */
  readonly byte?: number
}

/** A range of sequence numbers, both ends included; without an end the number of commits is unknown. */
export interface CommitRange {
  readonly from: number
  readonly to?: number
}

/** Documents that have to be written to a new segment. */
export interface Rewritten {
  readonly kind: string
  readonly entries: ReadonlyMap<string, Entry>
  /** The change that they make to the number of documents. */
  readonly countDelta: number
}

/** A journal as a manifest names it, or only its file if none does. */
export type NamedJournal = Pick<JournalFile, 'file'> & Partial<JournalFile>

/** Ids of the existing documents, by kind. */
export class Present {
  readonly #ids = new Map<string, Set<string>>()

  has(kind: string, id: string): boolean {
    return this.#ids.get(kind)?.has(id) === true
  }

  /** Returns by how many documents the entry makes the kind larger. */
  set({kind, id, version}: Entry): number {
    const ids = this.#ids.get(kind) ?? new Set()
    this.#ids.set(kind, ids)
    const before = ids.size
    if (version > 0) ids.add(id)
    else ids.delete(id)
    return ids.size - before
  }

  get size(): number {
    return [...this.#ids.values()].reduce((sum, ids) => sum + ids.size, 0)
  }
}
