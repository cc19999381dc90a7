import {compareText} from '../../../query/text-order.js'
import {Entry} from './entry.js'

/** Ids that are sorted at once. */
const mostUnsorted = 4_096

type Index = Map<string, Entry | Set<Entry>>

/** What was committed since a table was made, by id, unique key and facet. Removed documents hide those of the table. */
export class Recent {
  readonly #byId = new Map<string, Entry>()
  readonly #byKey: Index = new Map()
  readonly #byFacet: readonly Index[]
  /** Ascending, without those in `#added`. */
  #ids: readonly string[] = []
  #added: string[] = []

  constructor(facets: number) {
    this.#byFacet = Array.from({length: facets}, () => new Map())
  }

  get size(): number {
    return this.#byId.size
  }

  get(id: string): Entry | undefined {
    return this.#byId.get(id)
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  values(): Iterable<Entry> {
    return this.#byId.values()
  }

  holders(key: string): readonly Entry[] {
    return listOf(this.#byKey.get(key))
  }

  withFacet(facet: number, value: string): readonly Entry[] {
    return listOf(this.#byFacet[facet]?.get(value))
  }

  put(entry: Entry): void {
    const before = this.#byId.get(entry.id)
    if (before) this.#eachIndex(before, removeFrom)
    else this.#added.push(entry.id)
    if (entry.version > 0) this.#eachIndex(entry, addTo)
    this.#byId.set(entry.id, entry)
    if (this.#added.length === mostUnsorted) this.ids()
  }

  /** Forgets entries that a table knows as they are. */
  forget(known: readonly Entry[]): void {
    for (const entry of known) if (this.#byId.get(entry.id) === entry) this.#byId.delete(entry.id)
    const rest = [...this.#byId.values()]
    for (const index of [this.#byId, this.#byKey, ...this.#byFacet]) index.clear()
    this.#ids = []
    this.#added = []
    for (const entry of rest) this.put(entry)
  }

  /** All ids, ascending; the list never changes. */
  ids(): readonly string[] {
    if (this.#added.length === 0) return this.#ids
    const added = this.#added.sort(compareText)
    this.#added = []
    const all: string[] = []
    let at = 0
    for (const id of this.#ids) {
      while (at < added.length && compareText(added[at] as string, id) < 0) all.push(added[at++] as string)
      all.push(id)
    }
    for (; at < added.length; at += 1) all.push(added[at] as string)
    this.#ids = all
    return all
  }

  #eachIndex(entry: Entry, change: typeof addTo): void {
    const {uniqueKeys, facets} = entry.head
    for (const {key} of uniqueKeys) change(this.#byKey, key, entry)
    for (let at = 0; at < facets.length; at += 1) {
      const value = facets[at]
      if (typeof value === 'string') change(this.#byFacet[at] as Index, value, entry)
    }
  }
}

const nobody: readonly Entry[] = []

const listOf = (held: Entry | Set<Entry> | undefined): readonly Entry[] =>
  held === undefined ? nobody : held instanceof Entry ? [held] : [...held]

function addTo(index: Index, value: string, entry: Entry): void {
  const present = index.get(value)
  if (present === undefined) index.set(value, entry)
  else if (present instanceof Set) present.add(entry)
  else if (present !== entry) index.set(value, new Set([present, entry]))
}

function removeFrom(index: Index, value: string, entry: Entry): void {
  const present = index.get(value)
  if (present === entry) index.delete(value)
  else if (present instanceof Set) {
    present.delete(entry)
    if (present.size === 0) index.delete(value)
  }
}

/** Two lists in the order of ids as one. */
export function* inOrder(older: Iterable<Entry | undefined>, newer: readonly Entry[]): Generator<Entry | undefined> {
  let at = 0
  for (const entry of older) {
    for (; entry && at < newer.length && compareText((newer[at] as Entry).id, entry.id) < 0; at += 1) yield newer[at]
    yield entry
  }
  for (; at < newer.length; at += 1) yield newer[at]
}

/** Where an id is in a list in order, or would be. */
export function placeIn(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareText(ids[middle] as string, id) < 0) low = middle + 1
    else high = middle
  }
  return low
}
