import {keyHash} from '../table/key-hash.js'

/** Words of a posting: the hash of its key, the number of its id, and the posting before it in the chain. */
const words = 3
/** The end of a chain. */
const none = -1

/**
 * An inverted index: the ids of each key, by the hash of the key, in chains of numbers that V8's collector need not follow.
 * An id stays with a key that it has given up, and other keys have the same hash: whoever asks compares what the id has.
 */
export class Postings {
  readonly #seed: number
  readonly #ids: string[] = []
  #postings = new Int32Array(64 * words)
  #count = 0
  /** The last posting of each chain; a power of two of them, no fewer than there are postings. */
  #last = new Int32Array(64).fill(none)

  constructor(seed: number) {
    this.#seed = seed
  }

  /** How many were numbered, of which some may have given up all keys. */
  get numbered(): number {
    return this.#ids.length
  }

  /** The number by which `add` knows an id. */
  numberOf(id: string): number {
    return this.#ids.push(id) - 1
  }

  add(tag: number, text: string, id: number): void {
    if (this.#count === this.#last.length) this.#grow()
    const at = this.#count * words
    this.#postings[at] = keyHash(tag, text, this.#seed)
    this.#postings[at + 1] = id
    this.#chain(this.#count)
    this.#count += 1
  }

  /** The ids that may have a key, some perhaps more than once. */
  find(tag: number, text: string): string[] {
    const hash = keyHash(tag, text, this.#seed) | 0
    const found: string[] = []
    let posting = this.#last[hash & (this.#last.length - 1)] as number
    while (posting !== none) {
      const at = posting * words
      if (this.#postings[at] === hash) found.push(this.#ids[this.#postings[at + 1] as number] as string)
      posting = this.#postings[at + 2] as number
    }
    return found
  }

  #chain(posting: number): void {
    const at = posting * words
    const chain = (this.#postings[at] as number) & (this.#last.length - 1)
    this.#postings[at + 2] = this.#last[chain] as number
    this.#last[chain] = posting
  }

  #grow(): void {
    const postings = new Int32Array(this.#postings.length * 2)
    postings.set(this.#postings)
    this.#postings = postings
    this.#last = new Int32Array(this.#last.length * 2).fill(none)
    for (let posting = 0; posting < this.#count; posting += 1) this.#chain(posting)
  }
}
