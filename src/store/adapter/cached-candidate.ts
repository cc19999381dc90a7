import {type Effort, TextInPieces} from '../../effort.js'
import type {Candidate, SearchText} from '../searchable.js'
import type {Document} from '../store.js'

/** The whole search text of a document, at once. */
export const textOf = ({piecesOf}: SearchText, document: Document): string => [...piecesOf(document)].join('')

/** A candidate of a search that makes its text and its document only once. */
export class CachedCandidate implements Candidate {
  readonly id: string
  #text: string | TextInPieces
  readonly #read: () => Document | undefined
  #document: Document | undefined
  readonly #onText: ((text: string) => void) | undefined

  constructor(
    id: string,
    text: string | TextInPieces,
    read: () => Document | undefined,
    onText?: (text: string) => void,
  ) {
    this.id = id
    this.#text = text
    this.#read = read
    this.#onText = onText
  }

  text(): string {
    if (typeof this.#text === 'string') return this.#text
    this.#text = this.#text.whole()
    this.#onText?.(this.#text)
    return this.#text
  }

  document(): Document | undefined {
    this.#document ??= this.#read()
    return this.#document
  }
}

export const cachedCandidate = (document: Document, {piecesOf}: SearchText, effort: Effort): CachedCandidate =>
  new CachedCandidate(document.id, new TextInPieces(piecesOf(document), effort), () => document)
