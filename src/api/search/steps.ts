import type {Effort} from '../../effort.js'
import type {Candidate} from '../../store/searchable.js'

/*
 * The ranking of one candidate in steps, each kept for as long as the same candidate is asked about: interrupted between
 * two of them, the ranking goes on there.
 */

/** A step whose result is kept. */
export function step<T>(effort: Effort, work: (candidate: Candidate) => T): (candidate: Candidate) => T {
  let last: Candidate | undefined
  let kept: T
  return (candidate) => {
    if (candidate === last) return kept
    effort.claim(0)
    kept = work(candidate)
    last = candidate
    return kept
  }
}

/** The best of the strengths of a list, each a step of its own, up to the first of `most`; undefined where there is no list. */
export function bestStep<E>(
  effort: Effort,
  list: (candidate: Candidate) => readonly E[] | undefined,
  looked: (element: E) => number,
  {strengthOf, least, most}: {strengthOf: (element: E) => number; least: number; most: number},
): (candidate: Candidate) => number | undefined {
  let last: Candidate | undefined
  let elements: readonly E[] = []
  let [at, best] = [0, least]
  return (candidate) => {
    if (candidate !== last) {
      const found = list(candidate)
      if (!found) return undefined
      elements = found
      ;[at, best] = [0, least]
      last = candidate
    }
    for (; best < most && at < elements.length; at += 1) {
      const element = elements[at] as E
      effort.claim(looked(element))
      best = Math.max(best, strengthOf(element))
    }
    return best
  }
}

/** Whether one of a list passes, each a step of its own; undefined where there is no list. */
export function someStep<E>(
  effort: Effort,
  list: (candidate: Candidate) => readonly E[] | undefined,
  looked: (element: E) => number,
  passes: (element: E) => boolean,
): (candidate: Candidate) => boolean | undefined {
  const strengthOf = (element: E): number => Number(passes(element))
  const best = bestStep(effort, list, looked, {strengthOf, least: 0, most: 1})
  return (candidate) => {
    const found = best(candidate)
    return found === undefined ? undefined : found > 0
  }
}

/** What stands before the first word of a line: a line feed and the tag. */
export const lineHead = 2
export const lineEnd = 10

/** Longer search texts are looked at in parts of whole lines. */
const partCharacters = 16_384

/** How well a text fits; `candidate` is there if it is its whole search text. */
export type StrengthIn = (text: string, candidate?: Candidate) => number

/**
 * The best of the strengths of the parts of a search text, each a step of its own. `looks` are the characters that
 * `strengthOf` looks at for each of them.
 */
export function textStep(
  effort: Effort,
  looks: number,
  strengthOf: StrengthIn,
  {least, most}: {least: number; most: number},
): (candidate: Candidate, text: string) => number {
  let whole = ''
  const ofParts = bestStep(
    effort,
    () => partsOf(whole),
    ({length}) => length * looks,
    {strengthOf: (part) => strengthOf(part), least, most},
  )
  let last: Candidate | undefined
  let kept = least
  return (candidate, text) => {
    if (text.length > partCharacters) {
      whole = text
      return ofParts(candidate) ?? least
    }
    if (candidate !== last) {
      effort.claim(text.length * looks)
      kept = strengthOf(text, candidate)
      last = candidate
    }
    return kept
  }
}

/** The parts of the long text that was asked about last: the expressions of a search ask one after the other. */
let [lastWhole, lastParts]: [string, readonly string[]] = ['', []]

/** A search text in parts, each of which begins with a line feed but for the first. */
function partsOf(text: string): readonly string[] {
  if (text !== lastWhole) [lastWhole, lastParts] = [text, cut(text)]
  return lastParts
}

function cut(text: string): readonly string[] {
  const parts: string[] = []
  for (let from = 0; from < text.length; ) {
    const last = text.lastIndexOf('\n', from + partCharacters)
    const next = last > from ? last : text.indexOf('\n', from + partCharacters)
    const end = from + partCharacters >= text.length || next < 0 ? text.length : next
    parts.push(text.slice(from, end))
    from = end
  }
  return parts
}

/** Where a needle stands in a text, ascending; `candidate` is one that may know it, where the text is its search text. */
export function placesOf(needle: string, text: string, candidate: Candidate | undefined): readonly number[] {
  const known = candidate?.placesOf?.(needle)
  if (known) return known
  const places: number[] = []
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) places.push(at)
  return places
}
