import {compareText} from '../../../query/text-order.js'
import type {Entry} from '../format/entry.js'
import type {Faceted, Layer} from '../format/layer.js'
import {merged, mergedByHeap} from './merge.js'

/** Up to this number of sources, a linear merge is faster than a heap. */
const fewSources = 8

/** Up to this number of entries are read at once, without generators that could wait. */
const fewEntries = 32

interface Source {
  readonly faceted: Faceted
  readonly value: string
  readonly above: readonly Layer[]
}

/** The entries with one of some values of a facet. Each layer is asked once, for their number and for them. */
export class FacetLookUp {
  readonly #layers: readonly Layer[]
  readonly #facet: number
  readonly #sources: Source[] = []
  /** An upper bound of the number of entries. */
  count = 0

  /** The layers of a collection, and the index of the facet. The caller keeps the files of the layers open. */
  constructor(layers: readonly Layer[], facet: number) {
    this.#layers = layers
    this.#facet = facet
  }

  add(value: string): void {
    for (const [depth, layer] of this.#layers.entries()) {
      const faceted = layer.faceted(this.#facet, value)
      if (faceted.count === 0) continue
      this.count += faceted.count
      this.#sources.push({faceted, value, above: this.#layers.slice(0, depth)})
    }
  }

  /** Ascending by id; undefined marks a step of work without an entry. */
  entries(): Iterable<Entry | undefined> {
    if (this.count <= fewEntries) return this.#few()
    const sources = this.#sources.map((source) => this.#of(source))
    return sources.length > fewSources ? mergedByHeap(sources) : merged(sources)
  }

  #few(): Entry[] {
    const found = new Map<string, Entry>()
    for (const source of this.#sources) for (const entry of this.#of(source)) found.set(entry.id, entry)
    const entries = [...found.values()]
    return entries.length > 1 ? entries.sort((a, b) => compareText(a.id, b.id)) : entries
  }

  /** In the version of the newest layer, where that has the value too: what changes meanwhile is not missed. */
  *#of({faceted, value, above}: Source): Generator<Entry> {
    for (const entry of faceted.entries()) {
      const newer = newerOf(entry.id, above)
      if (!newer) yield entry
      else if (newer.version > 0 && newer.facets[this.#facet] === value) yield newer
    }
  }
}

function newerOf(id: string, above: readonly Layer[]): Entry | undefined {
  for (const layer of above) {
    const newer = layer.get(id)
    if (newer) return newer
  }
  return undefined
}
