/** A record by its place in the chunk, without what ends it. */
export interface Place {
  readonly start: number
  readonly end: number
  /** Where the needle stands. */
  readonly at: number
}

/** Finds the records of a chunk that have one of some needles, without a look at the others; without needles, all. */
export class RecordSearch {
  readonly #needles: readonly Buffer[]
  readonly #ending: number
  /** Where each needle stands next in the chunk, as far as it was looked for. */
  readonly #found: number[]
  #chunk: Buffer = Buffer.alloc(0)

  /** `ending` is the byte that ends each record, and that no needle has. */
  constructor(needles: readonly Buffer[] | undefined, ending: number) {
    this.#needles = needles ?? [Buffer.alloc(0)]
    this.#ending = ending
    this.#found = this.#needles.map(() => -1)
  }

  /** Goes on in another chunk of whole records. */
  begin(chunk: Buffer): void {
    this.#chunk = chunk
    this.#found.fill(-1)
  }

  /** The first such record that begins at `from` or later. */
  next(from: number): Place | undefined {
    const found = this.#next(from)
    if (found >= this.#chunk.length) return undefined
    const start = found === 0 ? 0 : this.#chunk.lastIndexOf(this.#ending, found - 1) + 1
    const end = this.#chunk.indexOf(this.#ending, found)
    return {start, end: end < 0 ? this.#chunk.length : end, at: found}
  }

  #next(from: number): number {
    let first = this.#chunk.length
    for (const [at, needle] of this.#needles.entries()) {
      let found = this.#found[at] as number
      if (found < from) {
        found = this.#chunk.indexOf(needle, from)
        if (found < 0) found = this.#chunk.length
        this.#found[at] = found
      }
      first = Math.min(first, found)
    }
    return first
  }
}
