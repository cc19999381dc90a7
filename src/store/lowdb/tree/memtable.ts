import {compareText} from '../../../query/text-order.js'
import {CachedCandidate} from '../../adapter/cached-candidate.js'
import {satisfies} from '../../adapter/ranking.js'
import type {Work} from '../../adapter/scans.js'
import type {Contains, SearchText} from '../../searchable.js'
import type {Entry} from '../line/entry.js'
import {type Literals, lacks} from '../line/literals.js'
import {facetTag, uniqueKeyTag} from '../table/key-hash.js'
import {type FacetLookUp, type Layer, nothingFound, type Visit} from '../table/layer.js'
import {Postings} from './postings.js'
import {SortedIds} from './sorted-ids.js'

const none: readonly never[] = []

/** Ids that a scan takes first: a page has 20 entries unless it is asked for more. */
const firstIds = 21

/** So many entries are indexed when somebody asks, at no cost that a request would notice. */
const indexedLater = 500

/** The memtable: the newest layer, with the changes of commits since the segments below were written. */
export class Memtable implements Layer {
  /** By their ids, tombstones included. */
  readonly entries = new Map<string, Entry>()
  readonly #texts = new WeakMap<Entry, string>()
  readonly #seed: () => number
  /** Of unique keys and facets. Created on demand: many commands look only into some kinds. */
  #postings: Postings | undefined
  /** Created on demand: many commands never page. */
  #order: SortedIds | undefined

  /** Estimated size of the segment that it becomes; replaced entries count too. */
  bytes = 0
  /** The change that it makes to the number of documents. */
  countDelta = 0

  /** `seed` is asked once, for the hashes of keys. */
  constructor(seed: () => number) {
    this.#seed = seed
  }

  get size(): number {
    return this.entries.size
  }

  get onlyAdds(): boolean {
    return this.countDelta === this.entries.size
  }

  get(id: string): Entry | undefined {
    return this.entries.get(id)
  }

  withUniqueKey(key: string): readonly Entry[] {
    const ids = this.#indexed().find(uniqueKeyTag, key)
    if (ids.length === 0) return none
    return this.#all(new Set(ids.reverse())).filter((entry) => hasKey(entry, key))
  }

  faceted(facet: number, values: ReadonlySet<string>): FacetLookUp {
    const postings = this.#indexed()
    const ids: string[] = []
    for (const value of values) for (const id of postings.find(facetTag(facet), value)) ids.push(id)
    if (ids.length === 0) return nothingFound
    return {count: ids.length, entries: () => this.#each(ids.sort(compareText))}
  }

  *#each(ids: readonly string[]): Generator<Entry> {
    let last: string | undefined
    for (const id of ids) {
      const entry = id === last ? undefined : this.entries.get(id)
      last = id
      if (entry) yield entry
    }
  }

  *following(after: string | undefined): Generator<Entry> {
    this.#order ??= new SortedIds(this.entries.keys())
    // Continues after the last id, since entries may be added while a scan yields.
    let count = firstIds
    for (let last = after; ; count = 64) {
      const ids = this.#order.slice(last, count)
      if (ids.length === 0) return
      yield* this.#all(ids)
      last = ids.at(-1)
    }
  }

  *passing(literals: Literals, after: string | undefined): Generator<Entry | undefined> {
    for (const entry of this.following(after)) {
      yield entry.version > 0 && !lacks(entry.text().bytes, literals) ? entry : undefined
    }
  }

  async search(contains: Contains, searchText: SearchText, visit: Visit, work: Work): Promise<true> {
    for (const entry of this.entries.values()) {
      const looked = entry.version > 0 ? this.#looked(entry, searchText) : undefined
      if (looked && satisfies(looked.text(), contains)) visit(looked)
      const pause = work.step()
      if (pause) await pause
    }
    return true
  }

  /** Adds an entry. With `forget`, a removal leaves no tombstone, since there is no layer below. */
  put(entry: Entry, forget: boolean): void {
    this.countDelta += entry.countDelta
    this.bytes += entry.bytes
    const before = this.entries.get(entry.id)
    // Documents that nobody reads stay lines, which take less memory.
    if (!before?.isParsed) entry.forgetDocument()
    if (forget && entry.version === 0) {
      this.entries.delete(entry.id)
      this.#order?.remove(entry.id)
      return
    }
    if (!before) this.#order?.add(entry.id)
    this.entries.set(entry.id, entry)
    if (this.#postings) index(this.#postings, entry, before)
    // Made anew once most of it is of keys that were given up: one in memory is never merged.
    if (this.#postings && this.#postings.numbered > 2 * this.entries.size + indexedLater) this.#postings = undefined
    if (!this.#postings && this.entries.size > indexedLater) this.#indexed()
  }

  #indexed(): Postings {
    if (this.#postings) return this.#postings
    const postings = new Postings(this.#seed())
    for (const entry of this.entries.values()) index(postings, entry)
    this.#postings = postings
    return postings
  }

  /** Its text is kept from the first search on, as long as the entry is. */
  #looked(entry: Entry, {textOf}: SearchText): CachedCandidate {
    const text = () => {
      const made = this.#texts.get(entry) ?? textOf(entry.look())
      this.#texts.set(entry, made)
      return made
    }
    return new CachedCandidate(entry.id, text, () => entry.doc)
  }

  #all(ids: Iterable<string>): readonly Entry[] {
    const entries: Entry[] = []
    for (const id of ids) {
      const entry = this.entries.get(id)
      if (entry) entries.push(entry)
    }
    return entries
  }
}

/** Notes the keys of an entry, but for those that it shares with the one before it. */
function index(postings: Postings, {id, uniqueKeys, facets}: Entry, before?: Entry): void {
  let number: number | undefined
  for (const {key} of uniqueKeys) {
    if (before && hasKey(before, key)) continue
    number ??= postings.numberOf(id)
    postings.add(uniqueKeyTag, key, number)
  }
  for (let at = 0; at < facets.length; at += 1) {
    const value = facets[at]
    if (value === null || value === undefined || value === before?.facets[at]) continue
    number ??= postings.numberOf(id)
    postings.add(facetTag(at), value, number)
  }
}

function hasKey({uniqueKeys}: Entry, key: string): boolean {
  for (const held of uniqueKeys) if (held.key === key) return true
  return false
}
