import type {Effort} from '../../effort.js'
import type {Candidate} from '../../store/store.js'

/*
 * The ranking of one candidate in steps, each kept for as long as the same candidate is asked about: interrupted between
 * two of them, the ranking goes on there.
 */

/** A step whose result is kept. `looked` tells how many characters it looks at. */
export function step<T>(
  effort: Effort,
  looked: (candidate: Candidate) => number,
  work: (candidate: Candidate) => T,
): (candidate: Candidate) => T {
  let last: Candidate | undefined
  let kept: T
  return (candidate) => {
    if (candidate === last) return kept
    const characters = looked(candidate)
    effort.begin()
    kept = work(candidate)
    effort.spend(characters)
    last = candidate
    return kept
  }
}

/** Whether one of a list passes, each a step of its own; undefined where there is no list. */
export function someStep<E>(
  effort: Effort,
  list: (candidate: Candidate) => readonly E[] | undefined,
  looked: (element: E) => number,
  passes: (element: E) => boolean,
): (candidate: Candidate) => boolean | undefined {
  let last: Candidate | undefined
  let elements: readonly E[] = []
  let at = 0
  let hasPassed = false
  return (candidate) => {
    if (candidate !== last) {
      const found = list(candidate)
      if (!found) return undefined
      elements = found
      ;[at, hasPassed] = [0, false]
      last = candidate
      effort.spend(found.length)
    }
    for (; !hasPassed && at < elements.length; at += 1) {
      const element = elements[at] as E
      effort.begin()
      effort.spend(looked(element))
      hasPassed = passes(element)
    }
    return hasPassed
  }
}
