/** A record by its place in the chunk, without what ends it. */
export interface Place {
  readonly start: number
  readonly end: number
  /** Where the needle stands. */
  readonly at: number
}

/** Bytes, or a string that has a character for each byte; `Part` is what is looked for in it. */
interface Chunk<Part> {
  readonly length: number
  at(place: number): unknown
  indexOf(part: Part, from?: number): number
  lastIndexOf(part: Part, from?: number): number
}

/** Finds the records of a chunk that have one of some needles, without a look at the others; without needles, all. */
export class RecordSearch<Part> {
  readonly #needles: readonly Part[]
  readonly #ending: Part
  readonly #lead: unknown
  /** Where each needle stands next in the chunk, as far as it was looked for. */
  readonly #found: number[]
  /** Where each needle stands in the record that was asked about last, which ends there. */
  readonly #places: {until: number; places: readonly number[]}[]
  #chunk: Chunk<Part> | undefined

  /**
   * `ending` ends each record, and no needle has it. `lead` stands before each needle, and belongs to it: what is frequent is
   * not looked for, since the search would stop at each.
   */
  constructor(needles: readonly Part[], ending: Part, lead?: unknown) {
    this.#needles = needles
    this.#ending = ending
    this.#lead = lead
    this.#found = needles.map(() => -1)
    this.#places = needles.map(() => ({until: -1, places: []}))
  }

  /** Goes on in another chunk of whole records. */
  begin(chunk: Chunk<Part>): void {
    this.#chunk = chunk
    this.#found.fill(-1)
    for (const one of this.#places) one.until = -1
  }

  /** The first such record that begins at `from` or later, where one begins. */
  next(from: number): Place | undefined {
    const chunk = this.#chunk
    if (!chunk || from >= chunk.length) return undefined
    const at = this.#needles.length === 0 ? from : this.#next(chunk, from)
    if (at >= chunk.length) return undefined
    let start = from
    let end = placeIn(chunk, this.#ending, from)
    if (end < at) {
      start = chunk.lastIndexOf(this.#ending, at) + 1
      end = placeIn(chunk, this.#ending, at)
    }
    return {start, end, at}
  }

  /** Where a needle stands in the part from `from` to the end of the record that was found last. */
  placesOf(needle: number, from: number, to: number): readonly number[] {
    const kept = this.#places[needle]
    const chunk = this.#chunk
    if (!kept || !chunk) return []
    if (kept.until === to) return kept.places
    const places: number[] = []
    let found = this.#found[needle] as number
    while (found < to) {
      if (found >= from) places.push(found - from)
      found = this.#placeOf(needle, chunk, found + 1)
    }
    this.#found[needle] = found
    kept.until = to
    kept.places = places
    return places
  }

  #next(chunk: Chunk<Part>, from: number): number {
    let first = chunk.length
    for (let at = 0; at < this.#needles.length; at += 1) {
      let found = this.#found[at] as number
      if (found < from) {
        found = this.#placeOf(at, chunk, from)
        this.#found[at] = found
      }
      if (found < first) first = found
    }
    return first
  }

  #placeOf(needle: number, chunk: Chunk<Part>, from: number): number {
    const part = this.#needles[needle] as Part
    if (this.#lead === undefined) return placeIn(chunk, part, from)
    let at = placeIn(chunk, part, from + 1)
    while (at < chunk.length && chunk.at(at - 1) !== this.#lead) at = placeIn(chunk, part, at + 1)
    return at < chunk.length ? at - 1 : at
  }
}

/** The first place of a part, the end of the chunk if there is none. */
function placeIn<Part>(chunk: Chunk<Part>, part: Part, from: number): number {
  const place = chunk.indexOf(part, from)
  return place < 0 ? chunk.length : place
}
