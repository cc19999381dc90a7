import type {Candidate} from '../searchable.js'
import type {Document} from '../store.js'

/** A candidate of a search that makes its text and its document only once. */
export class CachedCandidate implements Candidate {
  readonly id: string
  readonly #makeText: () => string
  readonly #read: () => Document | undefined
  #text: string | undefined
  #document: Document | undefined

  constructor(id: string, text: () => string, read: () => Document | undefined) {
    this.id = id
    this.#makeText = text
    this.#read = read
  }

  text(): string {
    this.#text ??= this.#makeText()
    return this.#text
  }

  document(): Document | undefined {
    this.#document ??= this.#read()
    return this.#document
  }
}
