import {compareText} from '../../../query/text-order.js'
import {lowerBound} from '../table/lower-bound.js'

/** An insertion moves at most twice as many ids. */
const chunkSize = 512

/** A sorted list of ids, in chunks that are short enough for cheap insertion. */
export class SortedIds {
  readonly #chunks: string[][] = [[]]

  constructor(ids: Iterable<string>) {
    const sorted = [...ids].sort(compareText)
    for (let start = 0; start < sorted.length; start += chunkSize) {
      this.#chunks[start / chunkSize] = sorted.slice(start, start + chunkSize)
    }
  }

  add(id: string): void {
    const {at, chunk, index} = this.#placeOf(id)
    if (chunk[index] === id) return
    chunk.splice(index, 0, id)
    if (chunk.length > 2 * chunkSize) this.#chunks.splice(at + 1, 0, chunk.splice(chunkSize))
  }

  remove(id: string): void {
    const {at, chunk, index} = this.#placeOf(id)
    if (chunk[index] !== id) return
    chunk.splice(index, 1)
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(at, 1)
  }

  /** Up to `limit` ids above `after`, ascending; from the first id if it is absent. */
  slice(after: string | undefined, limit: number): string[] {
    const place = this.#placeOf(after ?? '')
    const found: string[] = []
    let from = place.chunk[place.index] === after ? place.index + 1 : place.index
    for (let at = place.at; at < this.#chunks.length && found.length < limit; at += 1) {
      found.push(...(this.#chunks[at] as string[]).slice(from, from + limit - found.length))
      from = 0
    }
    return found
  }

  /** The last chunk that does not begin above an id, and where the id is in it or belongs. */
  #placeOf(id: string): {readonly at: number; readonly chunk: string[]; readonly index: number} {
    const startsBelow = (chunk: number) => compareText(this.#chunks[chunk]?.[0] as string, id) <= 0
    const at = lowerBound(1, this.#chunks.length, startsBelow) - 1
    const chunk = this.#chunks[at] as string[]
    return {at, chunk, index: lowerBound(0, chunk.length, (one) => compareText(chunk[one] as string, id) < 0)}
  }
}
