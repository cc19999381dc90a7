import {mixed} from '../../domain/customers/written.js'

export interface Seen {
  readonly line: number
  /** Index of the source, below 32,768. */
  readonly source: number
  /** One bit of the caller's own. */
  readonly marked?: boolean
}

const initialCapacity = 64
const growth = 1.25
const mark = 0x8000
const tableBits = 6

/**
 * Remembers millions of texts in 18 to 22 bytes each: 64 bits of a seeded hash and a place. Two texts of a million share
 * a hash once in forty million runs; the seed keeps a file from being made so that they do. The texts are spread over
 * many tables, so that one that grows needs room for little more than is there already.
 */
export class SeenValues {
  readonly #seed: number
  #low = 0
  readonly #tables = Array.from({length: 1 << tableBits}, () => new Table())

  constructor(seed: number) {
    this.#seed = seed >>> 0
  }

  /** Where the text was met before, if it was. The same text with another `tag` is another one. */
  find(text: string, tag = 0): Seen | undefined {
    const high = this.#hash(text, tag)
    return this.#tableOf(high).find(high, this.#low)
  }

  /** Remembers the text, unless it was met before: then it tells where. `line` counts from 1. */
  add(text: string, {line, source, marked = false}: Seen, tag = 0): Seen | undefined {
    const high = this.#hash(text, tag)
    return this.#tableOf(high).add(high, this.#low, line, marked ? source | mark : source)
  }

  #tableOf(high: number): Table {
    return this.#tables[high >>> (32 - tableBits)] as Table
  }

  /** The lower lane is left in `#low`. */
  #hash(text: string, tag: number): number {
    return mixed(text, Math.imul(this.#seed ^ tag, 2_654_435_761), this.#keepLow)
  }

  readonly #keepLow = (high: number, low: number): number => {
    this.#low = low >>> 0
    return high >>> 0
  }
}

/** Open addressing over columns of numbers. A line of 0 is a free slot. */
class Table {
  #capacity = initialCapacity
  #size = 0
  #high = new Uint32Array(initialCapacity)
  #low = new Uint32Array(initialCapacity)
  #lines = new Uint32Array(initialCapacity)
  #places = new Uint16Array(initialCapacity)

  find(high: number, low: number): Seen | undefined {
    return this.#seenAt(this.#slotOf(high, low))
  }

  add(high: number, low: number, line: number, place: number): Seen | undefined {
    const at = this.#slotOf(high, low)
    if (this.#lines[at] !== 0) return this.#seenAt(at)
    this.#put(at, high, low, line, place)
    this.#size += 1
    if (this.#size * 5 > this.#capacity * 4) this.#grow()
    return undefined
  }

  #seenAt(at: number): Seen | undefined {
    const line = this.#lines[at] ?? 0
    if (line === 0) return undefined
    const place = this.#places[at] ?? 0
    return {line, source: place & ~mark, marked: (place & mark) !== 0}
  }

  #put(at: number, high: number, low: number, line: number, place: number): void {
    this.#high[at] = high
    this.#low[at] = low
    this.#lines[at] = line
    this.#places[at] = place
  }

  #slotOf(high: number, low: number): number {
    let at = low % this.#capacity
    while (this.#lines[at] !== 0 && (this.#high[at] !== high || this.#low[at] !== low)) {
      at = at + 1 === this.#capacity ? 0 : at + 1
    }
    return at
  }

  #grow(): void {
    const [high, low, lines, places] = [this.#high, this.#low, this.#lines, this.#places]
    this.#capacity = Math.floor(this.#capacity * growth)
    this.#high = new Uint32Array(this.#capacity)
    this.#low = new Uint32Array(this.#capacity)
    this.#lines = new Uint32Array(this.#capacity)
    this.#places = new Uint16Array(this.#capacity)
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] ?? 0
      if (line === 0) continue
      const [h, l] = [high[at] ?? 0, low[at] ?? 0]
      this.#put(this.#slotOf(h, l), h, l, line, places[at] ?? 0)
    }
  }
}
