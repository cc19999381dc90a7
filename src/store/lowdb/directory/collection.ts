import type {Moments} from '../../../query/index-hints.js'
import type {Facets} from '../../store.js'
import {type Entry, isExclusive, type Lines, type LookUp} from './documents.js'
import {type RecordParts, Records} from './records.js'
import {entryOf, firstFrom, HashIndex, hashIn, hashOf, newSeed, recordIn, Sorted, Timeline} from './sorted.js'
import {Texts} from './texts.js'

type Entries = Generator<Entry | undefined>

export type FacetFunctions = Facets[string]

const momentIn = ({head}: Entry, at: number): number => Date.parse(head.facets[at] ?? '') || Number.POSITIVE_INFINITY

/** Counts on over all collections: those of a state that was read again have revisions of their own. */
let revisions = 0

export interface Parts extends RecordParts {
  readonly seed: number
  /** The records in the order of ids, the index of ids, that of unique keys, those of facets, and that of places. */
  readonly lists: readonly Float64Array[]
}

const [ofIds, ofKeys, ofFacets] = [0, 1, 2]
/** Bytes of a file whose records are in any order in the index of places. */
const nearBytes = 1_024
/** A power of two. */
const foundRoom = 4_096
/** Records that are sorted by themselves. */
const fewRecords = 1_000

function slotOf(id: string): number {
  let slot = 0
  for (let at = Math.max(0, id.length - 6); at < id.length; at += 1) slot = (slot * 31 + id.charCodeAt(at)) | 0
  return slot & (foundRoom - 1)
}

/** The directory of one kind: for each document where its line is, its version, unique keys and facets. */
export class Collection {
  readonly facets: FacetFunctions
  /** Keeps the files of now open until the function that it returns is called. */
  readonly pin: () => () => void
  texts = new Texts()
  size = 0
  liveBytes = 0
  /** Another number after every change. */
  revision = ++revisions
  /** The members by whose moments entries are found, with the names of their facets. */
  readonly moments: readonly (readonly [member: string, facet: string])[]
  readonly #timelines = new Map<string, Timeline>()
  readonly #names: readonly string[]
  readonly #records: Records
  readonly #seed: number
  /** Ids that were found last, each in the one slot for its end, and their records, which they keep. */
  readonly #foundIds: string[] = []
  readonly #found = new Int32Array(foundRoom)
  readonly #indexes: readonly HashIndex[]
  readonly #places: Sorted
  /** All records in the order of ids, removed documents too. */
  readonly #order: Sorted
  readonly #files = new Map<number, Lines>()

  constructor(facets: FacetFunctions, pin: () => () => void, parts?: Parts, files: readonly Lines[] = []) {
    this.facets = facets
    this.pin = pin
    this.#names = Object.keys(facets)
    this.moments = Object.entries(facets).flatMap(([name, {orders}]) => (orders === undefined ? [] : [[orders, name]]))
    this.#records = new Records(parts)
    this.#seed = parts?.seed ?? newSeed()
    const [order, ...lists] = parts?.lists ?? []
    this.#order = new Sorted(order, this.#compare)
    this.#indexes = Array.from({length: this.#names.length + ofFacets}, (_, at) => new HashIndex(lists[at]))
    this.#places = new Sorted(lists.at(-1))
    for (const file of files) this.#files.set(file.number, file)
    for (let record = 0; record < this.#records.size; record += 1) this.#count(record, 1)
  }

  /** What a hint needs; what changes from here on may be in it in part. */
  parts(): Parts {
    const lists = [this.#order.all(), ...this.#indexes.map((index) => index.all()), this.#places.all()]
    return {...this.#records.parts(), seed: this.#seed, lists}
  }

  get(id: string): Entry | undefined {
    return this.#live(this.#find(id))
  }

  /** All holders of a unique key, exclusive or shared. */
  holders(key: string): readonly Entry[] {
    const entries = this.#having(ofKeys, key).map((record) => this.#live(record))
    return entries.filter((entry) => entry?.head.uniqueKeys.some((one) => one.key === key)) as Entry[]
  }

  holder(key: string): Entry | undefined {
    return this.holders(key).find(({head}) => isExclusive(head, key))
  }

  hasFacet(name: string): boolean {
    return this.#names.includes(name) && this.facets[name]?.orders === undefined
  }

  lookUp(name: string, texts: readonly string[]): LookUp {
    const facet = this.#names.indexOf(name)
    const values = new Set(texts)
    const found = [...values].map((value) => this.#having(ofFacets + facet, value))
    const entries = () => this.#faceted(new Set(found.flat()), facet, values)
    return {count: found.reduce((sum, {length}) => sum + length, 0), entries}
  }

  *#faceted(records: ReadonlySet<number>, facet: number, values: ReadonlySet<string>): Entries {
    for (const entry of this.#byId(records)) {
      yield entry && values.has(entry.head.facets[facet] ?? '') ? entry : undefined
    }
  }

  *#byId(records: ReadonlySet<number>): Entries {
    const isFew = records.size <= fewRecords
    for (const record of isFew ? [...records].sort(this.#compare) : this.#order.all()) {
      if (isFew || records.has(record)) yield this.#live(record)
    }
  }

  /** The entries whose moment is in a range, by id or, `inTime`, in the order of these moments. */
  during(facet: string, {from, until}: Pick<Moments, 'from' | 'until'>): LookUp & {inTime(sign: number): Entries} {
    const records = this.#timeline(facet).between(from, until)
    const {length} = records
    const live = (record: number) => this.#live(record | 0)
    function* inTime(sign: number) {
      for (let at = 0; at < length; at += 1) yield live(records[sign > 0 ? at : length - 1 - at] as number)
    }
    return {count: length, entries: () => this.#byId(new Set(records)), inTime}
  }

  #timeline(facet: string): Timeline {
    const at = this.#names.indexOf(facet)
    const made =
      this.#timelines.get(facet) ??
      new Timeline(Float64Array.from({length: this.#records.size}, (_, record) => momentIn(this.#entry(record), at)))
    this.#timelines.set(facet, made)
    return made
  }

  /** Entries with ids above `after`, or from it on, ascending. What is committed meanwhile may or may not appear. */
  *following(after?: string, isIncluded = false): Generator<Entry> {
    const order = this.#order.all()
    const id = Buffer.from(after ?? '')
    const start =
      after === undefined ? 0 : firstFrom(order, (record) => this.#records.compare(record, id) < Number(!isIncluded))
    for (let at = start; at < order.length; at += 1) {
      const entry = this.#live((order[at] as number) | 0)
      if (entry) yield entry
    }
  }

  /** All entries in the order in which files have them, nearly; undefined marks a step without one. As `following`. */
  *inFileOrder(): Entries {
    for (const one of this.#places.all()) {
      const record = recordIn(one)
      // A document that was replaced is also at the place of its last line.
      yield hashIn(one) === this.#nearPlace(record) ? this.#live(record) : undefined
    }
  }

  /** What was committed to a file from a place on, removed documents too. */
  *since(file: number, place: number): Generator<Entry> {
    for (let record = 0; record < this.#records.size; record += 1) {
      if (this.#records.file(record) === file && this.#records.place(record) >= place) yield this.#entry(record)
    }
  }

  /** Takes a change over, the removal of a document (version 0) too. */
  put(entry: Entry): void {
    const {id, head} = entry
    const present = this.#find(id)
    const record = present ?? this.#keep(slotOf(id), id, this.#records.add(id))
    if (present === undefined) {
      this.#indexes[ofIds]?.addRecord(hashOf(id, this.#seed), record)
      this.#order.add(record)
    } else {
      this.#count(record, -1)
      if (this.#records.version(record) > 0) this.#fileIn(record).drop?.(this.#records.place(record))
    }
    this.#files.set(entry.place.file.number, entry.place.file)
    if (this.#records.set(record, entry)) {
      for (const {key} of head.uniqueKeys) this.#indexes[ofKeys]?.addRecord(hashOf(key, this.#seed), record)
      for (const [at, value] of head.facets.entries()) {
        if (value !== null && this.hasFacet(this.#names[at] as string))
          this.#indexes[ofFacets + at]?.addRecord(hashOf(value, this.#seed), record)
      }
      for (const [name, timeline] of this.#timelines) {
        if (!timeline.set(record, momentIn(entry, this.#names.indexOf(name)))) this.#timelines.delete(name)
      }
    }
    this.#places.add(entryOf(this.#nearPlace(record), record))
    this.#count(record, 1)
    this.texts.change(id)
    this.revision = ++revisions
  }

  #having(index: number, value: string): number[] {
    return this.#indexes[index]?.having(hashOf(value, this.#seed)) ?? []
  }

  #find(id: string): number | undefined {
    const slot = slotOf(id)
    if (this.#foundIds[slot] === id) return this.#found[slot]
    const record = this.#having(ofIds, id).find((one) => this.#records.id(one) === id)
    return record === undefined ? undefined : this.#keep(slot, id, record)
  }

  #keep(slot: number, id: string, record: number): number {
    this.#foundIds[slot] = id
    this.#found[slot] = record
    return record
  }

  #live(record: number | undefined): Entry | undefined {
    return record !== undefined && this.#records.version(record) > 0 ? this.#entry(record) : undefined
  }

  #entry(record: number): Entry {
    return this.#records.entry(record, this.#fileIn(record))
  }

  #fileIn(record: number): Lines {
    return this.#files.get(this.#records.file(record)) as Lines
  }

  #nearPlace(record: number): number {
    return Math.floor(this.#records.place(record) / nearBytes)
  }

  readonly #compare = (one: number, other: number): number => this.#records.compare(one, other)

  #count(record: number, one: 1 | -1): void {
    if (this.#records.version(record) === 0) return
    this.size += one
    this.liveBytes += one * this.#records.lineSize(record)
  }
}
