import type {Yield} from '../../../time-slices.js'
import type {Entry} from '../format/entry.js'
import {type FacetFunctions, facetValues} from '../format/facets.js'
import type {Memtable} from '../memory/memtable.js'
import type {LineSource, LineWriter} from './line-source.js'

/** The entries of a memtable that no longer changes, as lines of a segment. */
export class MemtableLines implements LineSource {
  readonly id = {bytes: new Uint8Array(256), start: 0, end: 0, text: undefined as string | undefined}
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

  get isTombstone(): boolean {
    return this.#entry.version === 0
  }

  next(): boolean {
    this.#at += 1
    this.hasEnded = this.#at >= this.#entries.length
    if (!this.hasEnded) this.#takeId(this.#entry.id)
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

  #takeId(id: string): void {
    if (id.length > this.id.bytes.length) this.id.bytes = new Uint8Array(id.length * 2)
    const {bytes} = this.id
    this.id.end = id.length
    this.id.text = undefined
    for (let at = 0; at < id.length; at += 1) {
      const unit = id.charCodeAt(at)
      if (unit > 0x7f) {
        this.id.text = id
        return
      }
      bytes[at] = unit
    }
  }
}
