/** What keeps pages. */
interface Keeper {
  forget(): void
}

/** A power of two: the number of a page is that of a byte without its lowest bits. */
export const pageBits = 14
export const pageBytes = 1 << pageBits
/** Pages that are allocated at once: one by one they would leave holes in the heap of the C library. */
const slabPages = 64

/**
 * How many bytes of pages the indexes of a folder keep together. Over the budget all pages go. They stay with their
 * indexes, since nearly every step of a look-up asks for one that is there.
 */
export class PageBudget {
  readonly #most: number
  readonly #keepers = new Set<Keeper>()
  readonly #free: Buffer[] = []
  #bytes = 0

  constructor(budgetBytes: number) {
    this.#most = budgetBytes
  }

  /** A page for a keeper. */
  take(keeper: Keeper): Buffer {
    this.#bytes += pageBytes
    if (this.#bytes > this.#most) {
      for (const each of this.#keepers) each.forget()
      this.#keepers.clear()
      this.#bytes = pageBytes
    }
    this.#keepers.add(keeper)
    if (this.#free.length === 0) {
      const slab = Buffer.allocUnsafeSlow(pageBytes * slabPages)
      for (let at = 0; at < slab.length; at += pageBytes) this.#free.push(slab.subarray(at, at + pageBytes))
    }
    return this.#free.pop() as Buffer
  }

  /** Whoever gave a page back must not read it any more: the next one writes over it. */
  give(page: Buffer): void {
    this.#free.push(page)
  }
}
