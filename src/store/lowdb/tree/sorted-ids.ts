import {compareText} from '../../../query/text-order.js'

/** A sorted list of ids. */
export class SortedIds {
  readonly #ids: string[]

  constructor(ids: Iterable<string> = []) {
    this.#ids = [...ids].sort(compareText)
  }

  add(id: string): void {
    const at = this.#lowerBound(id)
    if (this.#ids[at] !== id) this.#ids.splice(at, 0, id)
  }

  remove(id: string): void {
    const at = this.#lowerBound(id)
    if (this.#ids[at] === id) this.#ids.splice(at, 1)
  }

  /** Up to `limit` ids above `after`, ascending; from the first id if it is absent. */
  slice(after: string | undefined, limit: number): string[] {
    const at = after === undefined ? 0 : this.#lowerBound(after)
    const from = this.#ids[at] === after ? at + 1 : at
    return this.#ids.slice(from, from + limit)
  }

  /** The index of the first id not below `id`. */
  #lowerBound(id: string): number {
    let [low, high] = [0, this.#ids.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareText(this.#ids[middle] as string, id) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
