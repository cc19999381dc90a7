import type {SortKey} from './ast.js'
import type {FacetFunctions} from './path-reader.js'
import {compareKeys, type Identified, type Key, readersOf} from './sort.js'
import {compareText} from './text-order.js'

interface Keyed<D> {
  readonly document: D
  readonly keys: readonly Key[]
}

/**
 * Top-k selection: keeps the `most` first documents of a sequence, in the order of `comparator`, in a bounded heap with
 * the last of them at its root. Reads the sort keys of each document once, and sorts only the documents of the page.
 */
export class Best<D extends Identified> {
  readonly #most: number
  readonly #readers: ReturnType<typeof readersOf<D>>
  readonly #heap: Keyed<D>[] = []

  constructor(most: number, keys: readonly SortKey[], facets: FacetFunctions<D> = {}) {
    this.#most = most
    this.#readers = readersOf(keys, facets)
  }

  add(document: D): void {
    if (this.#most <= 0) return
    const item = {document, keys: this.#readers.map(({read}) => read(document))}
    const [last] = this.#heap
    if (this.#heap.length < this.#most) this.#siftUp(this.#heap.push(item) - 1)
    else if (last && this.#order(item, last) < 0) {
      this.#heap[0] = item
      this.#siftDown()
    }
  }

  /** The documents from `offset` on, in order. Empties the heap: nothing can be added afterwards. */
  from(offset: number): D[] {
    const page: D[] = []
    while (this.#heap.length > offset) {
      const [last] = this.#heap as [Keyed<D>]
      const moved = this.#heap.pop() as Keyed<D>
      if (this.#heap.length > 0) {
        this.#heap[0] = moved
        this.#siftDown()
      }
      page.push(last.document)
    }
    return page.reverse()
  }

  #order(a: Keyed<D>, b: Keyed<D>): number {
    for (let at = 0; at < this.#readers.length; at += 1) {
      const order = compareKeys(a.keys[at], b.keys[at])
      if (order !== 0) return order * (this.#readers[at]?.sign ?? 1)
    }
    return compareText(a.document.id, b.document.id)
  }

  #siftUp(from: number): void {
    const heap = this.#heap
    const item = heap[from] as Keyed<D>
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#order(item, heap[parent] as Keyed<D>) <= 0) break
      heap[at] = heap[parent] as Keyed<D>
      at = parent
    }
    heap[at] = item
  }

  #siftDown(): void {
    const heap = this.#heap
    const item = heap[0] as Keyed<D>
    let at = 0
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      const right = child + 1
      if (right < heap.length && this.#order(heap[right] as Keyed<D>, heap[child] as Keyed<D>) > 0) child = right
      if (this.#order(heap[child] as Keyed<D>, item) <= 0) break
      heap[at] = heap[child] as Keyed<D>
      at = child
    }
    heap[at] = item
  }
}
