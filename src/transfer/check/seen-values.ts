/** Where a value was met first. */
export interface Seen {
  readonly line: number
  /** Index of the source. */
  readonly source: number
}

const initialCapacity = 1 << 12

/**
 * Remembers millions of texts in a few bytes each: 64 bits of a seeded hash and a place. Two texts of a million share a
 * hash once in forty million runs; the seed keeps a file from being made so that they do.
 */
export class SeenValues {
  readonly #seed: number
  #capacity = initialCapacity
  #size = 0
  #high = new Uint32Array(initialCapacity)
  #low = new Uint32Array(initialCapacity)
  #lines = new Uint32Array(initialCapacity)
  #sources = new Uint16Array(initialCapacity)

  /** `seed`: a random whole number below 2^32. */
  constructor(seed: number) {
    this.#seed = seed >>> 0
  }

  /** Where the text was met before, if it was. */
  find(text: string): Seen | undefined {
    const at = this.#slotOf(...this.#hash(text))
    const line = this.#lines[at] ?? 0
    return line === 0 ? undefined : {line, source: this.#sources[at] ?? 0}
  }

  /** Remembers the text, unless it was met before. `line` counts from 1. */
  add(text: string, {line, source}: Seen): void {
    const [high, low] = this.#hash(text)
    const at = this.#slotOf(high, low)
    if (this.#lines[at] !== 0) return
    this.#put(at, high, low, line, source)
    this.#size += 1
    if (this.#size * 4 > this.#capacity * 3) this.#grow()
  }

  #put(at: number, high: number, low: number, line: number, source: number): void {
    this.#high[at] = high
    this.#low[at] = low
    this.#lines[at] = line
    this.#sources[at] = source
  }

  #slotOf(high: number, low: number): number {
    const mask = this.#capacity - 1
    let at = low & mask
    while (this.#lines[at] !== 0 && (this.#high[at] !== high || this.#low[at] !== low)) at = (at + 1) & mask
    return at
  }

  #grow(): void {
    const [high, low, lines, sources] = [this.#high, this.#low, this.#lines, this.#sources]
    this.#capacity *= 2
    this.#high = new Uint32Array(this.#capacity)
    this.#low = new Uint32Array(this.#capacity)
    this.#lines = new Uint32Array(this.#capacity)
    this.#sources = new Uint16Array(this.#capacity)
    for (const [at, line] of lines.entries()) {
      if (line === 0) continue
      const [h, l] = [high[at] ?? 0, low[at] ?? 0]
      this.#put(this.#slotOf(h, l), h, l, line, sources[at] ?? 0)
    }
  }

  /** Two lanes of 32 bits, mixed at the end as in MurmurHash3. */
  #hash(text: string): [number, number] {
    let high = 0xdeadbeef ^ this.#seed
    let low = 0x41c6ce57 ^ this.#seed
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      high = Math.imul(high ^ code, 2_654_435_761)
      low = Math.imul(low ^ code, 1_597_334_677)
    }
    high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
    low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
    return [high >>> 0, low >>> 0]
  }
}
