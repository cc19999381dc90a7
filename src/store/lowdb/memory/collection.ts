import type {Entry} from '../format/entry.js'
import type {FacetFunctions} from '../format/facets.js'
import type {Layer} from '../format/layer.js'
import type {Segment} from '../segments/segment.js'
import {Memtable} from './memtable.js'
import {merged, mergedByHeap} from './merge.js'

/** Up to this number of sources, a linear merge is faster than a heap. */
const fewSources = 8

/** The documents of one kind as a log-structured merge tree: a mutable memtable above immutable layers. */
export class Collection {
  readonly facets: FacetFunctions
  readonly #names: readonly string[]
  #size = 0
  #newest = new Memtable()
  /** Frozen memtables that a compaction is writing to a segment, newest first. */
  #frozen: readonly Memtable[] = []
  #segments: readonly Segment[] = []
  #layers: readonly Layer[] = [this.#newest]

  constructor(facets: FacetFunctions = {}) {
    this.facets = facets
    this.#names = Object.keys(facets)
  }

  /** Documents, without those removed. */
  get size(): number {
    return this.#size
  }

  /** Newest first. */
  get segments(): readonly Segment[] {
    return this.#segments
  }

  get frozen(): readonly Memtable[] {
    return this.#frozen
  }

  get(id: string): Entry | undefined {
    for (const layer of this.#layers) {
      const entry = layer.get(id)
      if (entry) return entry.version === 0 ? undefined : entry
    }
    return undefined
  }

  /** All holders of the unique key `key`, exclusive or shared. */
  holders(key: string): Entry[] {
    return this.#layers.flatMap((layer, depth) => [...this.#unshadowed(layer.holding(key), depth)])
  }

  /** The exclusive holder of the unique key `key`. */
  holder(key: string): Entry | undefined {
    return this.holders(key).find(({uniqueKeys}) =>
      uniqueKeys.some((uniqueKey) => uniqueKey.key === key && !uniqueKey.shared),
    )
  }

  /** Whether every layer has the facet, so that a look-up is complete. */
  hasFacet(name: string): boolean {
    return this.#names.includes(name) && this.#segments.every((segment) => segment.hasFacets)
  }

  /** Entries with one of the values of a facet, ascending by id; undefined marks a step of work without an entry. */
  byFacet(name: string, values: readonly string[]): Generator<Entry | undefined> {
    const at = this.#names.indexOf(name)
    const sources = this.#layers.flatMap((layer, depth) =>
      values.map((value) => this.#unshadowed(layer.faceted(at, value), depth)),
    )
    return sources.length > fewSources ? mergedByHeap(sources) : merged(sources)
  }

  /** An upper bound of the number of entries with the value. */
  countByFacet(name: string, value: string): number {
    const at = this.#names.indexOf(name)
    return this.#layers.reduce((sum, layer) => sum + layer.countFaceted(at, value), 0)
  }

  /** Entries with ids above `after`, ascending. Concurrent commits may or may not appear. */
  *following(after: string | undefined): Generator<Entry> {
    for (const entry of merged(this.#layers.map((layer) => layer.following(after)))) {
      if (entry.version > 0) yield entry
    }
  }

  put(entry: Entry, grown: number): void {
    this.#size += grown
    this.#newest.put(entry, grown, this.#layers.length === 1)
  }

  /** Loads the segments of the manifest, newest first. */
  load(segments: readonly Segment[]): void {
    this.#size = segments.reduce((sum, {grown}) => sum + grown, 0)
    this.#replace([], segments)
  }

  /** Freezes the memtable and starts a new one for further commits. */
  freeze(): void {
    const frozen = this.#newest.size > 0 ? [this.#newest, ...this.#frozen] : this.#frozen
    this.#newest = this.#newest.size > 0 ? new Memtable() : this.#newest
    this.#replace(frozen, this.#segments)
  }

  /** Ends a compaction: new segments replace their sources and all frozen memtables. */
  replaceFrozen(segments: readonly Segment[]): void {
    this.#replace([], segments)
  }

  #replace(frozen: readonly Memtable[], segments: readonly Segment[]): void {
    this.#frozen = frozen
    this.#segments = segments
    this.#layers = [this.#newest, ...frozen, ...segments]
  }

  /** Leaves out entries that a layer above `depth` has replaced. */
  *#unshadowed(entries: Iterable<Entry>, depth: number): Generator<Entry> {
    const newer = this.#layers.slice(0, depth)
    for (const entry of entries) if (!newer.some((layer) => layer.get(entry.id))) yield entry
  }
}
