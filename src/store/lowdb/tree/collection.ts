import type {Work} from '../../adapter/scans.js'
import type {Candidate, Contains, SearchText} from '../../searchable.js'
import type {Entry} from '../line/entry.js'
import type {FacetFunctions} from '../line/facets.js'
import type {Literals} from '../line/literals.js'
import {newSeed} from '../table/key-hash.js'
import type {Layer} from '../table/layer.js'
import type {Segment} from '../table/segment.js'
import {Memtable} from './memtable.js'
import {hiding, inNewestVersion, merged, newerOf} from './merge.js'

export interface LookUp {
  /** An upper bound of the number of entries. */
  readonly count: number
  /** Ascending by id; undefined marks a step of work without an entry. */
  readonly entries: () => Iterable<Entry | undefined>
}

const nobody: readonly Entry[] = []

/** Counts on over all collections: those of a state that was read again have revisions of their own. */
let revisions = 0

/** The documents of one kind as a log-structured merge tree: a mutable memtable above immutable layers. */
export class Collection {
  readonly facets: FacetFunctions
  readonly #names: readonly string[]
  #size = 0
  #revision = ++revisions
  /** Of the last search: what is searched once will be searched again. */
  #searchText: SearchText | undefined
  #ownSeed: number | undefined
  #memtable = this.#newMemtable()
  /** Frozen memtables, newest first: what a compaction is writing to files, and what it left in a journal. */
  #frozen: readonly Memtable[] = []
  #segments: readonly Segment[] = []
  #layers: readonly Layer[] = [this.#memtable]

  constructor(facets: FacetFunctions = {}) {
    this.facets = facets
    this.#names = Object.keys(facets)
  }

  /** Documents, without those removed. */
  get size(): number {
    return this.#size
  }

  /** Another number after every change. */
  get revision(): number {
    return this.#revision
  }

  /** Newest first. */
  get segments(): readonly Segment[] {
    return this.#segments
  }

  get frozen(): readonly Memtable[] {
    return this.#frozen
  }

  /** Of the hashes of its keys. Layers that share one have a key hashed once, and merges take the hashes over. */
  get seed(): number {
    this.#ownSeed = this.#segments[0]?.index.seed ?? this.#ownSeed ?? newSeed()
    return this.#ownSeed
  }

  get(id: string): Entry | undefined {
    const entry = newerOf(id, this.#layers)
    return entry?.version === 0 ? undefined : entry
  }

  /** All holders of the unique key `key`, exclusive or shared. */
  holders(key: string): readonly Entry[] {
    let found: readonly Entry[] = nobody
    for (let depth = 0; depth < this.#layers.length; depth += 1) {
      const entries = (this.#layers[depth] as Layer).withUniqueKey(key)
      if (entries.length > 0) found = [...found, ...entries.filter((entry) => !isShadowed(entry, this.#layers, depth))]
    }
    return found
  }

  holder(key: string): Entry | undefined {
    for (const entry of this.holders(key)) if (isExclusive(entry, key)) return entry
    return undefined
  }

  /** Whether every layer has the facet, so that a look-up is complete. */
  hasFacet(name: string): boolean {
    return this.#names.includes(name) && this.#segments.every((segment) => segment.hasFacets)
  }

  /** The entries with one of some values of a facet. The caller keeps the segments open: see `pin`. */
  lookUp(name: string, texts: readonly string[]): LookUp {
    const [layers, facet, values] = [this.#layers, this.#names.indexOf(name), new Set(texts)]
    const found = layers.map((layer) => layer.faceted(facet, values))
    const passes = ({facets}: Entry) => values.has(facets[facet] ?? '')
    const entries = () => {
      const sources: Generator<Entry | undefined>[] = []
      for (const [depth, {count, entries: all}] of found.entries()) {
        if (count > 0) sources.push(inNewestVersion(all(), layers.slice(0, depth), passes))
      }
      return merged(sources)
    }
    return {count: found.reduce((sum, {count}) => sum + count, 0), entries}
  }

  /** Entries with ids above `after`, ascending. Concurrent commits may or may not appear. */
  *following(after: string | undefined): Generator<Entry> {
    for (const entry of merged(this.#layers.map((layer) => layer.following(after)))) {
      if (entry.version > 0) yield entry
    }
  }

  /** As `following`, of the entries that pass and have the literals; undefined marks a step without an entry. */
  *passing(
    literals: Literals,
    passes: (entry: Entry) => boolean,
    after: string | undefined,
  ): Generator<Entry | undefined> {
    const unpin = this.pin()
    try {
      yield* merged(
        this.#layers.map((layer, depth) =>
          inNewestVersion(layer.passing(literals, after), this.#layers.slice(0, depth), passes),
        ),
      )
    } finally {
      unpin()
    }
  }

  put(entry: Entry): void {
    this.#size += entry.countDelta
    this.#revision = ++revisions
    this.#memtable.put(entry, this.#layers.length === 1)
  }

  /** Loads the segments of the manifest, newest first. */
  load(segments: readonly Segment[]): void {
    this.#size = segments.reduce((sum, {file}) => sum + file.countDelta, 0)
    this.#revision = ++revisions
    this.#replace([], segments)
  }

  /** Freezes the memtable and starts a new one for further commits. */
  freeze(): void {
    const frozen = this.#memtable.size > 0 ? [this.#memtable, ...this.#frozen] : this.#frozen
    this.#memtable = this.#memtable.size > 0 ? this.#newMemtable() : this.#memtable
    this.#replace(frozen, this.#segments)
  }

  /** The newest entries of the frozen memtables, which are what sealed journals have. */
  get frozenEntries(): ReadonlyMap<string, Entry> {
    const [only, ...older] = this.#frozen
    if (older.length === 0) return only?.entries ?? new Map()
    return new Map([...this.#frozen].reverse().flatMap(({entries}) => [...entries]))
  }

  /** Ends a compaction: new segments replace their sources and all frozen memtables. */
  replaceFrozen(segments: readonly Segment[]): void {
    this.#replace([], segments)
    // Searches go on while the texts of the new segments are made; who comes meanwhile waits for them.
    const searchText = this.#searchText
    if (searchText) for (const {texts} of segments) texts.open(searchText).catch(() => undefined)
  }

  /** Ends a compaction that wrote the documents of all frozen memtables, and has no segments of them. */
  keepFrozen(entries: readonly Entry[]): void {
    const kept = this.#newMemtable()
    for (const entry of entries) kept.put(entry, true)
    this.#replace([kept], this.#segments)
  }

  /**
   * Visits documents whose search texts have what is asked, others perhaps, in any order; `isCurrent` tells whether nothing
   * newer has replaced one. False if no index of the texts can serve, when some may have been visited. What is committed
   * meanwhile may or may not appear. The caller keeps the segments open, see `pin`.
   */
  async search(
    contains: Contains,
    searchText: SearchText,
    visit: (candidate: Candidate, isCurrent: (one: Candidate) => boolean) => void,
    work: Work,
  ): Promise<boolean> {
    this.#searchText = searchText
    const layers = this.#layers
    for (const [depth, layer] of layers.entries()) {
      const isCurrent = (candidate: Candidate) => !isShadowed(candidate, layers, depth)
      if (!(await layer.search(contains, searchText, (candidate) => visit(candidate, isCurrent), work))) return false
    }
    return true
  }

  /** Keeps the files of the segments of now open until the function that it returns is called. */
  pin(): () => void {
    const unpins = this.#segments.map(({handles}) => handles.pin())
    return () => {
      for (const unpin of unpins) unpin()
    }
  }

  #newMemtable(): Memtable {
    return new Memtable(() => this.seed)
  }

  #replace(frozen: readonly Memtable[], segments: readonly Segment[]): void {
    this.#frozen = frozen
    this.#segments = segments
    this.#layers = [this.#memtable, ...frozen, ...segments]
  }
}

/** Whether one of the layers above a depth has the document, or its tombstone. */
const isShadowed = (document: {readonly id: string}, layers: readonly Layer[], depth: number): boolean =>
  hiding(document, layers, depth) !== undefined

/** Whether a document holds a unique key alone. */
export const isExclusive = ({uniqueKeys}: Entry, key: string): boolean =>
  uniqueKeys.some((uniqueKey) => uniqueKey.key === key && !uniqueKey.shared)
