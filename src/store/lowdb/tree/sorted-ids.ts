import {compareText} from '../../../query/text-order.js'

const chunkSize = 512

/** The index of the first element not below `id`. */
function lowerBound(ids: readonly string[], id: string): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareText(ids[middle] as string, id) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** A sorted list of ids, in chunks short enough for cheap insertion. */
export class SortedIds {
  #chunks: string[][] = []

  constructor(ids: Iterable<string> = []) {
    const sorted = [...ids].sort(compareText)
    for (let start = 0; start < sorted.length; start += chunkSize) {
      this.#chunks.push(sorted.slice(start, start + chunkSize))
    }
  }

  add(id: string): void {
    const at = this.#chunkOf(id)
    const chunk = this.#chunks[at]
    if (!chunk) {
      this.#chunks.push([id])
      return
    }
    const index = lowerBound(chunk, id)
    if (chunk[index] === id) return
    chunk.splice(index, 0, id)
    if (chunk.length > 2 * chunkSize) this.#chunks.splice(at + 1, 0, chunk.splice(chunkSize))
  }

  remove(id: string): void {
    const at = this.#chunkOf(id)
    const chunk = this.#chunks[at]
    const index = chunk ? lowerBound(chunk, id) : -1
    if (chunk?.[index] !== id) return
    chunk.splice(index, 1)
    if (chunk.length === 0) this.#chunks.splice(at, 1)
  }

  /** Up to `limit` ids above `after`, ascending; from the first id if it is absent. */
  slice(after: string | undefined, limit: number): string[] {
    const found: string[] = []
    let at = after === undefined ? 0 : this.#chunkOf(after)
    let index = after === undefined ? 0 : this.#indexAfter(at, after)
    while (found.length < limit) {
      const chunk = this.#chunks[at]
      if (!chunk) break
      found.push(...chunk.slice(index, index + limit - found.length))
      at += 1
      index = 0
    }
    return found
  }

  #indexAfter(at: number, id: string): number {
    const chunk = this.#chunks[at]
    if (!chunk) return 0
    const index = lowerBound(chunk, id)
    return chunk[index] === id ? index + 1 : index
  }

  /** The chunk of `id`: the last one that does not start above it. */
  #chunkOf(id: string): number {
    let low = 0
    let high = this.#chunks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareText(this.#chunks[middle]?.[0] as string, id) <= 0) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }
}
