import {elementPieces, searchPieces} from '../../domain/search/search-text.js'
import {type Effort, TextInPieces} from '../../effort.js'
import type {Candidate} from '../../store/searchable.js'
import type {Document} from '../../store/store.js'
import {type Matching, none} from './full-text.js'

/**
 * The document of a candidate with those elements of the list of a field of which each, alone in it, matches. Each element
 * is a step of its own, which is kept while the same candidate is asked about.
 */
export function withElements(name: string, {strength}: Matching, effort: Effort): (candidate: Candidate) => Document {
  const [list = ''] = name.split('.')
  let last: Candidate | undefined
  let elements: Elements | undefined
  return (candidate) => {
    if (candidate !== last) {
      elements = Elements.of(candidate.document() as Document, list, effort)
      last = candidate
    }
    return elements?.passing((alone) => strength(alone) !== none) ?? (candidate.document() as Document)
  }
}

class Elements {
  readonly #others: Document
  readonly #list: string
  readonly #all: readonly object[]
  readonly #effort: Effort
  /** What the search texts with each element alone have in common. */
  readonly #own: TextInPieces
  readonly #passing: object[] = []
  #at = 0
  #alone: Candidate | undefined

  private constructor(document: Document, list: string, all: readonly object[], effort: Effort) {
    this.#others = {...document, [list]: []}
    this.#list = list
    this.#all = all
    this.#effort = effort
    this.#own = new TextInPieces(searchPieces(this.#others), effort)
  }

  /** Undefined for a field that is no list. */
  static of(document: Document, list: string, effort: Effort): Elements | undefined {
    const all: unknown = Reflect.get(document, list)
    return Array.isArray(all) ? new Elements(document, list, all, effort) : undefined
  }

  passing(passes: (alone: Candidate) => boolean): Document {
    for (; this.#at < this.#all.length; this.#at += 1) {
      const element = this.#all[this.#at] as object
      // Interrupted, the same one is asked about again.
      this.#alone ??= this.#candidate(element)
      if (passes(this.#alone)) this.#passing.push(element)
      this.#alone = undefined
    }
    return {...this.#others, [this.#list]: this.#passing}
  }

  #candidate(element: object): Candidate {
    const document = {...this.#others, [this.#list]: [element]}
    const added = new TextInPieces(this.#list === 'addresses' ? elementPieces(element) : [], this.#effort)
    let whole: string | undefined
    const text = (): string => {
      whole ??= `${this.#own.whole()}${added.whole()}`
      return whole
    }
    return {id: document.id, text, document: () => document}
  }
}
