import {Best} from '../../query/best.js'
import type {Candidate, Contains, Matches, Ranked, Search} from '../store.js'

/** Collects the matches of a search, of which it keeps those of the page. */
export class Ranking {
  readonly #search: Search
  readonly #best: Best<Ranked>
  #total = 0

  constructor(search: Search) {
    this.#search = search
    const readers = search.order.map((direction, at) => ({
      read: ({keys}: Ranked) => keys[at],
      sign: direction === 'asc' ? 1 : -1,
    }))
    this.#best = new Best(search.offset + search.limit, readers)
  }

  /** Whether it was decided: without its document a candidate may have to come again. `isCurrent` is asked for matches. */
  add(candidate: Candidate, isCurrent: (id: string) => boolean = () => true): boolean {
    const ranked = this.#search.rank(candidate)
    if (ranked === 'document') return false
    if (ranked && isCurrent(candidate.id)) {
      this.#total += 1
      this.#best.add(ranked)
    }
    return true
  }

  matches(): Matches {
    const results = this.#best.from(this.#search.offset).map(({id, relevance}) => ({id, relevance}))
    return {total: this.#total, results}
  }
}

/** Whether a text contains what is asked of it. */
export function holds(text: string, contains: Contains): boolean {
  if (typeof contains === 'string') return text.includes(contains)
  if ('all' in contains) return contains.all.every((one) => holds(text, one))
  return contains.any.some((one) => holds(text, one))
}
