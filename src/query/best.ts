import {compareKeys, type Identified, type Key, type Reader} from './sort.js'
import {compareText} from './text-order.js'

interface Keyed<D> {
  readonly kept: D
  readonly keys: readonly Key[]
}

/** Most documents that gather between two sortings: a list that is in order but for so many is sorted quickly. */
const mostSlack = 500

/**
 * Top-k selection: keeps the `most` first documents of a sequence in the order of their keys, then of ascending id
 * (decision 16). Sorts whenever some more have gathered, and passes over what comes behind the last of those that it keeps.
 */
export class Best<D extends Identified, K extends Identified> {
  readonly #most: number
  readonly #readers: readonly Reader<D>[]
  readonly #kept: Keyed<K>[] = []
  readonly #keep: (document: D) => K
  readonly #slack: number
  #last: Keyed<K> | undefined
  #sorted = 0

  /** `keep` tells what stands for a document and has its id. */
  constructor(most: number, readers: readonly Reader<D>[], keep: (document: D) => K) {
    this.#most = most
    this.#keep = keep
    this.#slack = Math.min(mostSlack, Math.max(32, most))
    this.#readers = readers
  }

  add(document: D): void {
    if (this.#last && this.#comesAfter(document, this.#last)) return
    const keys = this.#readers.map(({read}) => read(document))
    if (this.#kept.push({kept: this.#keep(document), keys}) >= this.#sorted + this.#slack) this.#cut()
  }

  /** Whether a document whose first key this is comes behind the last of those that it keeps. */
  isBehind(first: Key): boolean {
    const [reader] = this.#readers
    return this.#last !== undefined && reader !== undefined && compareKeys(first, this.#last.keys[0]) * reader.sign > 0
  }

  from(offset: number): K[] {
    this.#cut()
    return this.#kept.slice(offset).map(({kept}) => kept)
  }

  #cut(): void {
    this.#kept.sort((a, b) => this.#order(a, b)).splice(this.#most)
    this.#sorted = this.#kept.length
    if (this.#kept.length === this.#most) this.#last = this.#kept.at(-1)
  }

  /** Reads no further keys than it takes. */
  #comesAfter(document: D, last: Keyed<K>): boolean {
    for (let at = 0; at < this.#readers.length; at += 1) {
      const {read, sign} = this.#readers[at] as Reader<D>
      const order = compareKeys(read(document), last.keys[at])
      if (order !== 0) return order * sign > 0
    }
    return compareText(document.id, last.kept.id) > 0
  }

  #order(a: Keyed<K>, b: Keyed<K>): number {
    for (let at = 0; at < this.#readers.length; at += 1) {
      const order = compareKeys(a.keys[at], b.keys[at])
      if (order !== 0) return order * (this.#readers[at]?.sign ?? 1)
    }
    return compareText(a.kept.id, b.kept.id)
  }
}
