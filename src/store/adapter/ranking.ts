import {Best} from '../../query/best.js'
import type {Candidate, Contains, Match, Matches, Ranked, Search} from '../searchable.js'
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

/** Collects the matches of a search, of which it keeps those of the page. */
export class Ranking {
  readonly #search: Search
  readonly #best: Best<Ranked, Match>
  #total = 0

  constructor(search: Search) {
    this.#search = search
    this.#best = new Best(search.offset + search.limit, search.order, ({id, relevance}) => ({id, relevance}))
  }

  /** Ranks a candidate. False: add it again with its document. */
  add(candidate: Candidate): boolean {
    const relevance = this.#search.relevance(candidate)
    if (relevance === undefined) return false
    if (relevance >= 0) {
      this.#best.add({id: candidate.id, candidate, relevance})
      this.#total += 1
    }
    return true
  }

  matches(): Matches {
    return {total: this.#total, results: this.#best.from(this.#search.offset)}
  }
}

export function satisfies(text: string, contains: Contains): boolean {
  if (typeof contains === 'string') return text.includes(contains)
  if ('all' in contains) return contains.all.every((one) => satisfies(text, one))
  return contains.any.some((one) => satisfies(text, one))
}
