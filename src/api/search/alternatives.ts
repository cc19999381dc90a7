import type {Candidate} from '../../store/searchable.js'
import {type Matching, none} from './full-text.js'
import {kept, lineEnd, lineHead, placesOf} from './steps.js'

/** The share of further matching alternatives in the relevance of the best one. */
const tieBreaker = 0.05

/** Alternatives of which each is for lines that begin with one word: none fits a text that has no such line. */
interface Group {
  readonly terms: readonly Matching[]
  /** Absent where the alternatives have to be asked. */
  readonly mayFit?: (candidate: Candidate) => boolean
}

/** How well the best of some alternatives fits, and the others beside it. Most candidates have no line that several ask for. */
export function strengthOfAny(terms: readonly Matching[]): Matching['strength'] {
  const groups = grouped(terms)
  return (candidate) => {
    let [best, sum] = [none, 0]
    for (const {mayFit, terms: alternatives} of groups) {
      if (mayFit && !mayFit(candidate)) continue
      for (const {strength} of alternatives) {
        const own = strength(candidate)
        if (own === undefined) return undefined
        if (own === none) continue
        best = Math.max(best, own)
        sum += own
      }
    }
    return best === none ? none : best + tieBreaker * (sum - best)
  }
}

function grouped(terms: readonly Matching[]): readonly Group[] {
  const words = new Set(terms.map(({line}) => line?.word))
  return [...words].map((word) => {
    const alternatives = terms.filter(({line}) => line?.word === word)
    if (word === undefined || alternatives.length === 1) return {terms: alternatives}
    const tags: true[] = []
    for (const {line} of alternatives) if (line) tags[line.tag] = true
    return {terms: alternatives, mayFit: kept((candidate) => hasLineOf(tags, word, candidate.text()))}
  })
}

function hasLineOf(tags: readonly true[], word: string, text: string): boolean {
  for (const place of placesOf(word, text)) {
    if (tags[text.charCodeAt(place - 1)] && text.charCodeAt(place - lineHead) === lineEnd) return true
  }
  return false
}
