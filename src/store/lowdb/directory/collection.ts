import {compareText} from '../../../query/text-order.js'
import type {Facets} from '../../store.js'
import {type Entry, isExclusive} from './entry.js'
import {inOrder, placeIn, Recent} from './recent.js'
import {recordOf, type Table} from './table.js'
import {Texts} from './texts.js'

export interface LookUp {
  /** An upper bound of the number of entries. */
  readonly count: number
  /** Ascending by id; undefined marks a step of work without an entry. */
  readonly entries: () => Iterable<Entry | undefined>
}

export type FacetFunctions = Facets[string]

const noFacets: FacetFunctions = {}

export const facetsOf = (facets: Facets, kind: string): FacetFunctions =>
  Object.hasOwn(facets, kind) ? (facets[kind] ?? noFacets) : noFacets

const nobody: readonly Entry[] = []

/** Counts on over all collections: those of a state that was read again have revisions of their own. */
let revisions = 0

/** The directory of one kind: a table of what a hint has, and above it what was committed since. */
export class Collection {
  readonly facets: FacetFunctions
  readonly texts = new Texts()
  readonly #pin: () => () => void
  readonly #names: readonly string[]
  #table: Table | undefined
  readonly #recent: Recent
  #size = 0
  #liveBytes = 0
  #revision = ++revisions

  constructor(facets: FacetFunctions = noFacets, pin: () => () => void = () => () => {}) {
    this.facets = facets
    this.#pin = pin
    this.#names = Object.keys(facets)
    this.#recent = new Recent(this.#names.length)
  }

  get size(): number {
    return this.#size
  }

  /** Bytes of the lines that are in effect. */
  get liveBytes(): number {
    return this.#liveBytes
  }

  /** Another number after every change. */
  get revision(): number {
    return this.#revision
  }

  get table(): Table | undefined {
    return this.#table
  }

  /** Documents that the table does not know, or not so. */
  get recent(): Recent {
    return this.#recent
  }

  get(id: string): Entry | undefined {
    const newer = this.#recent.get(id)
    if (newer) return newer.version === 0 ? undefined : newer
    const record = this.#table?.find(id) ?? -1
    return record < 0 ? undefined : this.#table?.entry(record)
  }

  /** All holders of a unique key, exclusive or shared. */
  holders(key: string): readonly Entry[] {
    const newer = this.#recent.holders(key)
    const table = this.#table
    if (!table) return newer
    const older: Entry[] = []
    for (const number of table.having(0, key)) {
      const entry = this.#older(table, recordOf(number))
      if (entry?.uniqueKeys.some((one) => one.key === key)) older.push(entry)
    }
    return older.length === 0 ? newer : newer.length === 0 ? older : [...newer, ...older]
  }

  holder(key: string): Entry | undefined {
    for (const entry of this.holders(key)) if (isExclusive(entry, key)) return entry
    return undefined
  }

  /** Whether a look-up by the facet is complete. */
  hasFacet(name: string): boolean {
    return this.#names.includes(name)
  }

  /** The entries with one of some values of a facet. */
  lookUp(name: string, texts: readonly string[]): LookUp {
    const [facet, values, table] = [this.#names.indexOf(name), new Set(texts), this.#table]
    const found = [...values].map((value) => table?.having(facet + 1, value) ?? new Float64Array(0))
    let count = found.reduce((sum, {length}) => sum + length, 0)
    const newer = [...values].flatMap((value) => this.#recent.withFacet(facet, value))
    count += newer.length
    const entries = () => {
      const numbers =
        found.length === 1 ? (found[0] as Float64Array) : Float64Array.from(found.flatMap((one) => [...one]))
      const records = found.length === 1 ? numbers : numbers.map(recordOf).sort()
      const older = table ? this.#faceted(table, records, facet, values) : nobody
      return inOrder(
        older,
        newer.sort((one, other) => compareText(one.id, other.id)),
      )
    }
    return {count, entries}
  }

  *#faceted(
    table: Table,
    numbers: Float64Array,
    facet: number,
    values: ReadonlySet<string>,
  ): Generator<Entry | undefined> {
    let last = -1
    for (const number of numbers) {
      const record = recordOf(number)
      const entry = record === last ? undefined : this.#older(table, record)
      last = record
      yield entry && values.has(entry.facets[facet] ?? '') ? entry : undefined
    }
  }

  /** Entries with ids above `after`, ascending. Concurrent commits may or may not appear. */
  *following(after: string | undefined): Generator<Entry> {
    for (let last = after; ; ) {
      const table = this.#table
      for (const entry of this.#inOrder(table, last)) {
        last = entry.id
        yield entry
        // What the table did not know may be in the next one alone.
        if (this.#table !== table) break
      }
      if (this.#table === table) return
    }
  }

  /** All entries in the order in which files have them, nearly; undefined marks a step without one. As `following`. */
  *inFileOrder(): Generator<Entry | undefined> {
    const table = this.#table
    const newer = new Set([...this.#recent.values()].map(({id}) => id))
    for (const id of newer) yield this.get(id)
    for (const number of table?.inFileOrder ?? []) {
      const entry = (table as Table).entry(recordOf(number))
      const isCurrent = this.#table === table && !this.#recent.has(entry.id)
      yield isCurrent ? entry : newer.has(entry.id) ? undefined : this.get(entry.id)
    }
  }

  *#inOrder(table: Table | undefined, after: string | undefined): Generator<Entry> {
    const ids = this.#recent.ids()
    let at = after === undefined ? 0 : placeIn(ids, after)
    if (after !== undefined && ids[at] === after) at += 1
    let record = table === undefined ? 0 : after === undefined ? 0 : table.from(after)
    if (table && after !== undefined && record < table.size && table.idOf(record) === after) record += 1
    for (; table && record < table.size; record += 1) {
      const older = table.entry(record)
      for (; at < ids.length && compareText(ids[at] as string, older.id) < 0; at += 1) {
        const newer = this.get(ids[at] as string)
        if (newer) yield newer
      }
      if (!this.#recent.has(older.id)) yield older
    }
    for (; at < ids.length; at += 1) {
      const newer = this.get(ids[at] as string)
      if (newer) yield newer
    }
  }

  /** Takes a change over, the removal of a document (version 0) too. */
  put(entry: Entry): void {
    const before = this.#recent.get(entry.id)
    const older = before ? undefined : this.get(entry.id)
    const replaced = before && before.version > 0 ? before : older
    if (replaced) {
      this.#size -= 1
      this.#liveBytes -= replaced.size
      replaced.file.drop(replaced.at)
    }
    if (entry.version > 0) {
      this.#size += 1
      this.#liveBytes += entry.size
    }
    this.#recent.put(entry)
    this.texts.change(entry.id)
    this.#revision = ++revisions
  }

  /**
   * What there is for a new table, in the order of ids: the records of the table, and what is newer; removed documents
   * too. What is committed meanwhile may be missing.
   */
  *current(): Generator<number | Entry> {
    const [table, ids] = [this.#table, this.#recent.ids()]
    let at = 0
    for (let record = 0; table && record < table.size; record += 1) {
      const id = table.idOf(record)
      for (; at < ids.length && compareText(ids[at] as string, id) <= 0; at += 1) {
        yield this.#recent.get(ids[at] as string) as Entry
      }
      if (!this.#recent.has(id)) yield record
    }
    for (; at < ids.length; at += 1) yield this.#recent.get(ids[at] as string) as Entry
  }

  /** Begins with a table of a hint. */
  load(table: Table): void {
    this.#table = table
    this.#size = table.size
    this.#liveBytes = table.liveBytes
    this.#revision = ++revisions
  }

  /** Replaces the table by one that knows these entries as they are. */
  replaceTable(table: Table, known: readonly Entry[]): void {
    this.#table = table
    this.#recent.forget(known)
  }

  /** Keeps the files of now open until the function that it returns is called. */
  pin(): () => void {
    return this.#pin()
  }

  /** The document of a record, if nothing newer hides it. */
  #older(table: Table, record: number): Entry | undefined {
    const entry = table.entry(record)
    if (this.#recent.has(entry.id)) return undefined
    // Another table may know something newer by now.
    return this.#table === table || this.get(entry.id)?.version === entry.version ? entry : undefined
  }
}
