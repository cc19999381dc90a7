import {BufferPool} from './buffer-pool.js'

/** What keeps pages: forgets those that nobody asked for since it forgot the last time. */
interface Keeper {
  age(): void
}

export const pageBytes = 1 << 14
/** Pages that are allocated at once. */
const slabPages = 64

/**
 * How many bytes of pages the indexes of a folder keep together, in two generations as in `Cache`. The pages stay with their
 * indexes, since nearly every step of a look-up asks for one that is there.
 */
export class PageBudget {
  /** Where the pages lie. */
  readonly pool = new BufferPool(pageBytes, {slabCount: slabPages})
  readonly #most: number
  #bytes = 0
  #young = new Set<Keeper>()
  #old: ReadonlySet<Keeper> = new Set()

  constructor(budgetBytes: number) {
    this.#most = budgetBytes / 2
  }

  /** Counts a page that is about to be kept; the oldest generation goes if it is one too many. */
  add(keeper: Keeper): void {
    this.#bytes += pageBytes
    if (this.#bytes > this.#most) {
      for (const each of new Set([...this.#old, ...this.#young])) each.age()
      this.#old = this.#young
      this.#young = new Set()
      this.#bytes = pageBytes
    }
    this.#young.add(keeper)
  }
}
