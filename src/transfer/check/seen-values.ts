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
  readonly #tables = Array.from({length: 1 << tableBits}, () => tableOf(initialCapacity))

  constructor(seed: number) {
    this.#seed = seed >>> 0
  }

  /** Where the text was met before, if it was. The same text with another `tag` is another one. */
  find(text: string, tag = 0): Seen | undefined {
    const high = this.#hash(text, tag)
    const table = this.#tables[high >>> (32 - tableBits)] as Table
    return seenAt(table, slotOf(table, high, this.#low))
  }

  /** Remembers the text, unless it was met before: then it tells where. `line` counts from 1. */
  add(text: string, {line, source, marked = false}: Seen, tag = 0): Seen | undefined {
    const high = this.#hash(text, tag)
    const number = high >>> (32 - tableBits)
    const table = this.#tables[number] as Table
    const at = slotOf(table, high, this.#low)
    if (table.lines[at] !== 0) return seenAt(table, at)
    put(table, at, high, this.#low, line, marked ? source | mark : source)
    if (table.size * 5 > table.lines.length * 4) this.#tables[number] = grown(table)
    return undefined
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

type Table = ReturnType<typeof tableOf>

/** Open addressing over columns of numbers. A line of 0 is a free slot. */
const tableOf = (capacity: number) => ({
  size: 0,
  high: new Uint32Array(capacity),
  low: new Uint32Array(capacity),
  lines: new Uint32Array(capacity),
  places: new Uint16Array(capacity),
})

function seenAt(table: Table, at: number): Seen | undefined {
  const line = table.lines[at] ?? 0
  if (line === 0) return undefined
  const place = table.places[at] ?? 0
  return {line, source: place & ~mark, marked: (place & mark) !== 0}
}

function put(table: Table, at: number, high: number, low: number, line: number, place: number): void {
  table.size += 1
  table.high[at] = high
  table.low[at] = low
  table.lines[at] = line
  table.places[at] = place
}

function slotOf(table: Table, high: number, low: number): number {
  const capacity = table.lines.length
  let at = low % capacity
  while (table.lines[at] !== 0 && (table.high[at] !== high || table.low[at] !== low)) {
    at = at + 1 === capacity ? 0 : at + 1
  }
  return at
}

function grown(table: Table): Table {
  const larger = tableOf(Math.floor(table.lines.length * growth))
  for (let at = 0; at < table.lines.length; at += 1) {
    const [high, low, line] = [table.high[at] ?? 0, table.low[at] ?? 0, table.lines[at] ?? 0]
    if (line !== 0) put(larger, slotOf(larger, high, low), high, low, line, table.places[at] ?? 0)
  }
  return larger
}
