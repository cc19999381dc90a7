import {randomInt} from 'node:crypto'

/** Entries of an index are numbers: a hash, and the record that has or had a value with it. */
const mostRecords = 2 ** 26

// `| 0`: as small integers, which V8 need not put into objects of their own.
export const recordIn = (entry: number): number => (entry % mostRecords) | 0

export const entryOf = (hash: number, record: number): number => hash * mostRecords + record

export const hashIn = (entry: number): number => Math.floor(entry / mostRecords)

/** A seed for hashes. Random, so that nobody can choose values that collide. */
export const newSeed = (): number => randomInt(2 ** 32 - 1)

/** A hash of a text, of 27 bits. Not cryptographic: matches are compared with the text itself. */
export function hashOf(text: string, seed: number): number {
  let hash = seed ^ text.length
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x85ebca6b)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35)
  return (hash ^ (hash >>> 13)) >>> 5
}

/** New numbers that are kept apart, since each merge copies the list. */
const mostAdded = 16_384

/** Numbers in an order, each once. */
export class Sorted {
  protected list: Float64Array
  protected added: number[] = []
  readonly #compare: ((one: number, other: number) => number) | undefined

  /** Ascending without `compare`. */
  constructor(list: Float64Array = new Float64Array(0), compare?: (one: number, other: number) => number) {
    this.list = list
    this.#compare = compare
  }

  add(one: number): void {
    if (this.added.push(one) === mostAdded) this.all()
  }

  /** All numbers; the list never changes. */
  all(): Float64Array {
    if (this.added.length > 0) {
      const added = Float64Array.from(this.added).sort(this.#compare)
      this.list = merged(this.list, added, this.#compare ?? ((one, other) => one - other))
      this.added = []
    }
    return this.list
  }
}

/** Finds records by a hash, and all records in the order of hashes. */
export class HashIndex extends Sorted {
  /** Where those that were added stand: by hash the last one, and for each the one before with its hash. */
  readonly #last = new Map<number, number>()
  readonly #before: (number | undefined)[] = []

  addRecord(hash: number, record: number): void {
    const at = this.added.length
    this.#before[at] = this.#last.get(hash)
    this.#last.set(hash, at)
    this.add(entryOf(hash, record))
  }

  /** The records that may have a hash, some perhaps twice. */
  having(hash: number): number[] {
    const first = hash * mostRecords
    const {list} = this
    const records: number[] = []
    for (let at = firstFrom(list, (one) => one < first); (list[at] as number) < first + mostRecords; at += 1) {
      records.push(((list[at] as number) - first) | 0)
    }
    for (let at = this.#last.get(hash); at !== undefined; at = this.#before[at])
      records.push(recordIn(this.added[at] as number))
    return records
  }

  override all(): Float64Array {
    this.#last.clear()
    return super.all()
  }
}

/** Where the first number stands that is not below. */
export function firstFrom(list: Float64Array, isBelow: (one: number) => boolean, from = 0, end = list.length): number {
  let [low, high] = [from, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBelow(list[middle] as number)) low = middle + 1
    else high = middle
  }
  return low
}

/** A list with others in it, both in order, without what would be there twice. */
function merged(
  list: Float64Array,
  others: Float64Array,
  compare: (one: number, other: number) => number,
): Float64Array {
  const all = new Float64Array(list.length + others.length)
  let [from, length] = [0, 0]
  for (const other of others) {
    let near = 1
    while (from + near < list.length && compare(list[from + near] as number, other) < 0) near *= 2
    const place = firstFrom(list, (one) => compare(one, other) < 0, from, Math.min(from + near, list.length))
    all.set(list.subarray(from, place), length)
    length += place - from
    from = place
    if (list[place] === other || all[length - 1] === other) continue
    all[length] = other
    length += 1
  }
  all.set(list.subarray(from), length)
  return all.subarray(0, length + list.length - from)
}

/** Records in the order of a moment that each has, milliseconds since 1970; those without one are at its end. */
export class Timeline {
  #moments: Float64Array
  readonly #order: Sorted

  constructor(moments: Float64Array) {
    this.#moments = moments
    this.#order = new Sorted(Float64Array.from(moments.keys()).sort(this.#compare), this.#compare)
  }

  /** Takes a record over; false if it had another moment before, which the order cannot follow. */
  set(record: number, moment: number): boolean {
    const before = this.#moments[record]
    if (before !== undefined && !Number.isNaN(before)) return before === moment
    if (record >= this.#moments.length) {
      const moments = new Float64Array(Math.ceil(record * 1.5) + 8).fill(Number.NaN)
      moments.set(this.#moments)
      this.#moments = moments
    }
    this.#moments[record] = moment
    this.#order.add(record)
    return true
  }

  /** The records from a moment to another, both inclusive; the list never changes. */
  between(from: number, until: number): Float64Array {
    const order = this.#order.all()
    const first = firstFrom(order, (record) => this.#at(record) < from)
    const end = firstFrom(order, (record) => this.#at(record) <= until, first)
    return order.subarray(first, end)
  }

  #at(record: number): number {
    return this.#moments[record] as number
  }

  readonly #compare = (one: number, other: number): number => this.#at(one) - this.#at(other) || one - other
}
