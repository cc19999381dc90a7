import {Effort, TextInPieces, uninterrupted} from '../../../effort.js'
import {compareText} from '../../../query/text-order.js'
import {CachedCandidate} from '../../adapter/cached-candidate.js'
import {satisfies} from '../../adapter/ranking.js'
import type {Work} from '../../adapter/scans.js'
import type {Contains, SearchText} from '../../searchable.js'
import type {Entry} from '../line/entry.js'
import {type Literals, lacks} from '../line/literals.js'
import {type FacetLookUp, type Layer, nothingFound, type Visit} from '../table/layer.js'
import {SortedIds} from './sorted-ids.js'

/** An inverted index: the ids of each text. A text with a single id needs no set. */
class Postings {
  readonly #ids = new Map<string, string | Set<string>>()

  add(text: string, id: string): void {
    const present = this.#ids.get(text)
    if (present === undefined) this.#ids.set(text, id)
    else if (typeof present !== 'string') present.add(id)
    else if (present !== id) this.#ids.set(text, new Set([present, id]))
  }

  remove(text: string, id: string): void {
    const present = this.#ids.get(text)
    if (present === id) this.#ids.delete(text)
    else if (present instanceof Set && present.delete(id) && present.size === 0) this.#ids.delete(text)
  }

  get(text: string): readonly string[] {
    const present = this.#ids.get(text)
    if (present === undefined) return none
    return typeof present === 'string' ? [present] : [...present]
  }
}

const none: readonly never[] = []

/** Ids that a scan takes first: a page has 20 entries unless it is asked for more. */
const firstIds = 21

/** So many entries are indexed when somebody asks, at no cost that a request would notice. */
const indexedLater = 500

/** The memtable: the newest layer, with the changes of commits since the segments below were written. */
export class Memtable implements Layer {
  /** By their ids, tombstones included. */
  readonly entries = new Map<string, Entry>()
  readonly #uniqueKeys = new Postings()
  readonly #facets: Postings[] = []
  readonly #texts = new WeakMap<Entry, string>()
  /** Whether the indexes have the entries: many commands look only into some kinds. */
  #isIndexed = false
  /** Created on demand: many commands never page. */
  #order: SortedIds | undefined

  /** Estimated size of the segment that it becomes; replaced entries count too. */
  bytes = 0
  /** The change that it makes to the number of documents. */
  countDelta = 0

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
    this.#indexAll()
    return this.#all(this.#uniqueKeys.get(key))
  }

  faceted(facet: number, values: ReadonlySet<string>): FacetLookUp {
    this.#indexAll()
    const ids: string[] = []
    for (const value of values) for (const id of this.#facets[facet]?.get(value) ?? none) ids.push(id)
    if (ids.length === 0) return nothingFound
    return {count: ids.length, entries: () => this.#faceted(ids.sort(compareText), facet, values)}
  }

  *#faceted(ids: readonly string[], facet: number, values: ReadonlySet<string>): Generator<Entry> {
    for (const id of ids) {
      const entry = this.entries.get(id)
      // The entry may have changed since the list was read.
      if (entry && values.has(entry.facets[facet] ?? '')) yield entry
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
    const effort = new Effort()
    for (const entry of this.entries.values()) {
      const looked = entry.version > 0 ? this.#looked(entry, searchText, effort) : undefined
      while (looked && !visited(looked, contains, visit)) {
        const pause = work.step()
        if (pause) await pause
      }
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
    if (before && this.#isIndexed) this.#unindex(before, entry)
    // Documents that nobody reads stay lines, which take less memory.
    if (!before?.isParsed) entry.forgetDocument()
    if (forget && entry.version === 0) {
      this.entries.delete(entry.id)
      this.#order?.remove(entry.id)
      return
    }
    if (!before) this.#order?.add(entry.id)
    this.entries.set(entry.id, entry)
    if (this.#isIndexed) this.#index(entry, before)
    else if (this.entries.size > indexedLater) this.#indexAll()
  }

  #indexAll(): void {
    if (this.#isIndexed) return
    this.#isIndexed = true
    for (const entry of this.entries.values()) this.#index(entry)
  }

  /** Its text is kept from the first search on, as long as the entry is. */
  #looked(entry: Entry, {piecesOf}: SearchText, effort: Effort): CachedCandidate {
    const kept = this.#texts.get(entry)
    const text = kept ?? new TextInPieces(piecesOf(entry.look()), effort)
    const whole = kept === undefined ? (made: string) => void this.#texts.set(entry, made) : undefined
    return new CachedCandidate(entry.id, text, () => entry.doc, whole)
  }

  #all(ids: readonly string[]): readonly Entry[] {
    if (ids.length === 0) return none
    const entries: Entry[] = []
    for (const id of ids) {
      const entry = this.entries.get(id)
      if (entry) entries.push(entry)
    }
    return entries
  }

  /** Adds an entry to the indexes, but for what it shares with the one before it. */
  #index({id, uniqueKeys, facets}: Entry, before?: Entry): void {
    for (const {key} of uniqueKeys) if (!before || !hasKey(before, key)) this.#uniqueKeys.add(key, id)
    for (let at = 0; at < facets.length; at += 1) {
      const value = facets[at]
      if (value === null || value === undefined || value === before?.facets[at]) continue
      this.#facets[at] ??= new Postings()
      this.#facets[at]?.add(value, id)
    }
  }

  /** Removes an entry from the indexes, but for what it shares with the one after it. */
  #unindex({id, uniqueKeys, facets}: Entry, after: Entry): void {
    for (const {key} of uniqueKeys) if (!hasKey(after, key)) this.#uniqueKeys.remove(key, id)
    for (let at = 0; at < facets.length; at += 1) {
      const value = facets[at]
      if (value === null || value === undefined || value === after.facets[at]) continue
      this.#facets[at]?.remove(value, id)
    }
  }
}

/** Longer texts are looked into by the visitor alone, which can be interrupted. */
const longText = 16_384

function visited(looked: CachedCandidate, contains: Contains, visit: Visit): boolean {
  const text = uninterrupted(() => looked.text())
  if (text === undefined) return false
  return (text.length <= longText && !satisfies(text, contains)) || visit(looked)
}

const hasKey = ({uniqueKeys}: Entry, key: string): boolean => uniqueKeys.some((held) => held.key === key)
