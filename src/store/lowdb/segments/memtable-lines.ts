import type {Yield} from '../../../time-slices.js'
import type {Entry} from '../format/entry.js'
import {type FacetFunctions, facetValues} from '../format/facets.js'
import type {Memtable} from '../memory/memtable.js'
import type {LineSource, LineWriter} from './line-source.js'

/** The entries of a memtable that no longer changes, as lines of a segment. */
export class MemtableLines implements LineSource {
  hasEnded = false
  readonly #entries: readonly Entry[]
  readonly #refacet: FacetFunctions | undefined
  #at = -1

  private constructor(entries: readonly Entry[], refacet: FacetFunctions | undefined) {
    this.#entries = entries
    this.#refacet = refacet
  }

  /** `refacet` are the facets of this release, where the entries have others. */
  static async of(memtable: Memtable, yields: Yield, refacet?: FacetFunctions): Promise<MemtableLines> {
    return new MemtableLines(await memtable.sorted(yields), refacet)
  }

  get id(): string {
    return this.#entry.id
  }

  get isTombstone(): boolean {
    return this.#entry.version === 0
  }

  next(): boolean {
    this.#at += 1
    this.hasEnded = this.#at >= this.#entries.length
    return !this.hasEnded
  }

  write(writer: LineWriter): void {
    const entry = this.#entry
    writer.entry(entry, this.#refacet && entry.version > 0 ? facetValues(this.#refacet, entry.doc) : entry.facets)
  }

  carriedKeys(): undefined {
    return undefined
  }

  get #entry(): Entry {
    return this.#entries[this.#at] as Entry
  }
}
