import {compareKeys, type Identified, type Key, type Reader} from './sort.js'
import {compareText} from './text-order.js'

interface Keyed<D> {
  readonly document: D
  readonly keys: readonly Key[]
}

/** Documents beyond those of a page that are kept before the last ones are dropped. */
const slack = 500

/**
 * Top-k selection: keeps the `most` first documents of a sequence in the order of `comparator`. Sorts whenever twice as
 * many have gathered, and passes over what comes behind the last of those that it keeps.
 */
export class Best<D extends Identified> {
  readonly #most: number
  readonly #readers: readonly Reader<D>[]
  readonly #kept: Keyed<D>[] = []
  #last: Keyed<D> | undefined

  constructor(most: number, readers: readonly Reader<D>[]) {
    this.#most = most
    this.#readers = readers
  }

  /** `kept` stands for a document that is too large to be kept; it has its id. */
  add(document: D, kept: D = document): void {
    const item = {document: kept, keys: this.#readers.map(({read}) => read(document))}
    if (this.#last && this.#order(item, this.#last) > 0) return
    if (this.#kept.push(item) >= 2 * this.#most + slack) this.#cut()
  }

  /** The documents from `offset` on, in order. */
  from(offset: number): D[] {
    this.#cut()
    return this.#kept.slice(offset).map(({document}) => document)
  }

  #cut(): void {
    this.#kept.sort((a, b) => this.#order(a, b)).splice(this.#most)
    if (this.#kept.length === this.#most) this.#last = this.#kept.at(-1)
  }

  #order(a: Keyed<D>, b: Keyed<D>): number {
    for (let at = 0; at < this.#readers.length; at += 1) {
      const order = compareKeys(a.keys[at], b.keys[at])
      if (order !== 0) return order * (this.#readers[at]?.sign ?? 1)
    }
    return compareText(a.document.id, b.document.id)
  }
}
