import type {Yield} from '../../../work/time-slices.js'
import {uniqueKeyText} from '../line/line.js'
import type {Lines} from './documents.js'
import type {Entry} from './entry.js'
import {
  crcWord,
  type FileOf,
  fileWord,
  floats,
  idWord,
  keyHash,
  mostRecords,
  newSeed,
  none,
  placeNumber,
  recordOf,
  sizeWord,
  startWord,
  Table,
  versionWord,
  words,
} from './table.js'

/** A list of numbers that grows. */
class Numbers {
  #list: Float64Array
  length = 0

  constructor(room: number) {
    this.#list = new Float64Array(Math.max(16, room))
  }

  add(one: number): void {
    if (this.length === this.#list.length) {
      const longer = new Float64Array(this.length * 2)
      longer.set(this.#list)
      this.#list = longer
    }
    this.#list[this.length++] = one
  }

  get list(): Float64Array {
    return this.#list.subarray(0, this.length)
  }
}

/** Two lists in order as one. */
function merged(one: Float64Array, other: Float64Array): Float64Array {
  if (other.length === 0) return one
  const all = new Float64Array(one.length + other.length)
  for (let at = 0, left = 0, right = 0; at < all.length; at += 1) {
    const isLeft = right === other.length || (left < one.length && (one[left] as number) < (other[right] as number))
    all[at] = (isLeft ? one[left++] : other[right++]) as number
  }
  return all
}

/** Makes a table of entries that come in the order of their ids, from an older table in part. */
export class TableBuilder {
  readonly #before: Table | undefined
  readonly #seed: number
  #records: Uint32Array
  #places: Float64Array
  #heads: Buffer
  #length = 0
  #size = 0
  #liveBytes = 0
  readonly #indexes: readonly Numbers[]
  /** For each record of the older table one more than its number in the new one; 0 if it is not taken over. */
  readonly #taken: Uint32Array
  #isMoved = false

  constructor(facets: number, before: Table | undefined) {
    this.#before = before
    this.#seed = before?.parts.seed ?? newSeed()
    // With room for a little more than there was: to grow copies all at once.
    const room = 1.125
    this.#records = new Uint32Array(Math.ceil((before?.size ?? 0) * room + 1_024) * words)
    this.#places = floats(this.#records)
    this.#heads = Buffer.allocUnsafeSlow(Math.ceil((before?.parts.heads.length ?? 0) * room) + (64 << 10))
    this.#indexes = Array.from({length: facets + 2}, () => new Numbers(1_024))
    this.#taken = new Uint32Array(before?.size ?? 0)
  }

  /** Takes a record of the older table over, perhaps at another place. */
  keep(record: number, place?: {readonly file: Lines; readonly at: number}): void {
    const {records, heads} = (this.#before as Table).parts
    const start = records[record * words + startWord] as number
    const end = records[(record + 1) * words + startWord] as number
    this.#grow(end - start)
    heads.copy(this.#heads, this.#length, start, end)
    this.#records.set(records.subarray(record * words, (record + 1) * words), this.#size * words)
    if (place) {
      this.#setPlace(place)
      this.#isMoved = true
    }
    this.#taken[record] = this.#size + 1
    this.#end(end - start)
  }

  add({id, version, head, size, crc}: Entry, place: {readonly file: Lines; readonly at: number}): void {
    const [name, rest] = [
      Buffer.from(id),
      Buffer.from(JSON.stringify([head.uniqueKeys.map(uniqueKeyText), head.facets])),
    ]
    this.#grow(name.length + rest.length)
    name.copy(this.#heads, this.#length)
    rest.copy(this.#heads, this.#length + name.length)
    const start = this.#size * words
    this.#records[start + sizeWord] = size
    this.#records[start + versionWord] = version
    this.#records[start + idWord] = name.length
    this.#records[start + crcWord] = crc
    this.#setPlace(place)
    for (const {key} of head.uniqueKeys) this.#index(0, key)
    for (const [at, value] of head.facets.entries()) if (value !== null) this.#index(at + 1, value)
    this.#end(name.length + rest.length)
  }

  /** Ends the table. Yields between steps, each of which is of one index. */
  async finish(fileOf: FileOf, yields: Yield): Promise<Table> {
    this.#records[this.#size * words + startWord] = this.#length
    const indexes: Float64Array[] = []
    for (const [at, added] of this.#indexes.entries()) {
      const isOfPlaces = at === this.#indexes.length - 1
      const older = isOfPlaces && this.#isMoved ? none : this.#before?.parts.indexes[at]
      indexes.push(merged(this.#kept(older ?? none), added.list.sort()))
      const pause = yields()
      if (pause) await pause
    }
    const records = this.#records.subarray(0, (this.#size + 1) * words)
    const heads = this.#heads.subarray(0, this.#length)
    return new Table({records, heads, indexes, seed: this.#seed}, fileOf, this.#liveBytes)
  }

  /** What an index of the older table has of the records that were taken over, whose order has not changed. */
  #kept(numbers: Float64Array): Float64Array {
    const kept = new Numbers(numbers.length)
    for (const number of numbers) {
      const record = recordOf(number)
      const taken = this.#taken[record] as number
      if (taken > 0) kept.add(number - record + taken - 1)
    }
    return kept.list
  }

  #setPlace({file, at}: {readonly file: Lines; readonly at: number}): void {
    this.#places[(this.#size * words) / 2] = at
    this.#indexes.at(-1)?.add(placeNumber(at, this.#size))
    this.#records[this.#size * words + fileWord] = file.number
  }

  #index(index: number, value: string): void {
    this.#indexes[index]?.add(keyHash(value, this.#seed) * mostRecords + this.#size)
  }

  #end(bytes: number): void {
    this.#liveBytes += this.#records[this.#size * words + sizeWord] as number
    this.#records[this.#size * words + startWord] = this.#length
    this.#length += bytes
    this.#size += 1
  }

  #grow(bytes: number): void {
    if ((this.#size + 2) * words > this.#records.length) {
      const longer = new Uint32Array(this.#records.length * 2)
      longer.set(this.#records)
      this.#records = longer
      this.#places = floats(longer)
    }
    if (this.#length + bytes <= this.#heads.length) return
    const longer = Buffer.allocUnsafeSlow(2 * (this.#length + bytes))
    this.#heads.copy(longer, 0, 0, this.#length)
    this.#heads = longer
  }
}
