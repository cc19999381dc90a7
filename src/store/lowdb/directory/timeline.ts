import {firstFrom, merged} from './hash-index.js'

/** Records in the order of a moment that each has, milliseconds since 1970; those without one are at its end. */
export class Timeline {
  #moments: Float64Array
  #order: Float64Array
  #added: number[] = []

  constructor(moments: Float64Array) {
    this.#moments = moments
    this.#order = Float64Array.from(moments.keys()).sort(this.#compare)
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
    this.#added.push(record)
    return true
  }

  /** The records from a moment to another, both inclusive; the list never changes. */
  between(from: number, until: number): Float64Array {
    if (this.#added.length > 0) {
      this.#order = merged(this.#order, Float64Array.from(this.#added).sort(this.#compare), this.#compare)
      this.#added = []
    }
    const first = firstFrom(this.#order, (record) => this.#at(record) < from)
    return this.#order.subarray(
      first,
      firstFrom(this.#order, (record) => this.#at(record) <= until, first),
    )
  }

  #at(record: number): number {
    return this.#moments[record] as number
  }

  readonly #compare = (one: number, other: number): number => this.#at(one) - this.#at(other) || one - other
}
