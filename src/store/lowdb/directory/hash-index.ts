import {randomInt} from 'node:crypto'

/** Entries of an index are numbers: a hash, and the record that has or had a value with it. */
const mostRecords = 2 ** 26

// `| 0`: as small integers, which V8 need not put into objects of their own.
export const recordIn = (entry: number): number => (entry % mostRecords) | 0

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

/** New entries that are kept apart, since each merge copies the list. */
export const mostAdded = 16_384

/** Finds records by a hash, and all records in the order of hashes. */
export class HashIndex {
  #list: Float64Array
  readonly #added = new Map<number, number[]>()
  #count = 0

  constructor(list: Float64Array = new Float64Array(0)) {
    this.#list = list
  }

  add(hash: number, record: number): void {
    const same = this.#added.get(hash)
    if (same) same.push(record)
    else this.#added.set(hash, [record])
    this.#count += 1
    if (this.#count === mostAdded) this.all()
  }

  /** The records that may have a hash, some perhaps twice. */
  having(hash: number): number[] {
    const first = hash * mostRecords
    const records: number[] = []
    const list = this.#list
    let [low, high] = [0, list.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((list[middle] as number) < first) low = middle + 1
      else high = middle
    }
    for (; low < list.length && (list[low] as number) < first + mostRecords; low += 1) {
      records.push(((list[low] as number) - first) | 0)
    }
    for (const record of this.#added.get(hash) ?? []) records.push(record)
    return records
  }

  /** All entries, ascending; the list never changes. */
  all(): Float64Array {
    if (this.#count > 0) {
      const added: number[] = []
      for (const [hash, records] of this.#added) for (const one of records) added.push(hash * mostRecords + one)
      this.#list = merged(this.#list, Float64Array.from(added).sort(), (one, other) => one - other)
      this.#added.clear()
      this.#count = 0
    }
    return this.#list
  }
}

/** Where the first number stands that is not below. */
export function firstFrom(list: Float64Array, isBelow: (one: number) => boolean, from = 0): number {
  let [low, high] = [from, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBelow(list[middle] as number)) low = middle + 1
    else high = middle
  }
  return low
}

/** A list with others in it, both in order, without what would be there twice. */
export function merged(
  list: Float64Array,
  others: Float64Array,
  compare: (one: number, other: number) => number,
): Float64Array {
  const all = new Float64Array(list.length + others.length)
  let [from, length] = [0, 0]
  for (const other of others) {
    const place = firstFrom(list, (one) => compare(one, other) < 0, from)
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
