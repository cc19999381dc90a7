import type {Candidate} from '../../store/searchable.js'

/** Keeps a result while the same candidate is asked about. */
export function kept<T>(work: (candidate: Candidate) => T): (candidate: Candidate) => T {
  let last: Candidate | undefined
  let result: T
  return (candidate) => {
    if (candidate === last) return result
    result = work(candidate)
    last = candidate
    return result
  }
}

/** What stands before the first word of a line: a line feed and the tag. */
export const lineHead = 2
export const lineEnd = 10

export type StrengthIn = (text: string) => number

/** Where a needle stands in a text, ascending. */
export function placesOf(needle: string, text: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) places.push(at)
  return places
}
