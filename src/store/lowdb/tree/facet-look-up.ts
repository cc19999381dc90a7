import type {Entry} from '../line/entry.js'
import type {Faceted, Layer} from '../table/layer.js'
import {inNewestVersion, merged} from './merge.js'

/** The entries with one of some values of a facet. Each layer is asked once, for their number and for them. */
export class FacetLookUp {
  readonly #layers: readonly Layer[]
  readonly #facet: number
  readonly #found: readonly Faceted[]
  readonly #values = new Set<string>()
  /** An upper bound of the number of entries. */
  count = 0

  /** The layers of a collection, and the index of the facet. The caller keeps the files of the layers open. */
  constructor(layers: readonly Layer[], facet: number) {
    this.#layers = layers
    this.#facet = facet
    this.#found = layers.map((layer) => layer.faceted(facet))
  }

  add(value: string): void {
    this.#values.add(value)
    for (const faceted of this.#found) faceted.add(value)
    this.count = this.#found.reduce((sum, {count}) => sum + count, 0)
  }

  /** Ascending by id; undefined marks a step of work. */
  entries(): Iterable<Entry | undefined> {
    const passes = ({facets}: Entry) => this.#values.has(facets[this.#facet] ?? '')
    const sources = this.#found.map((faceted, depth) =>
      inNewestVersion(faceted.count === 0 ? [] : faceted.entries(), this.#layers.slice(0, depth), passes),
    )
    return merged(sources)
  }
}
