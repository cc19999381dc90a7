import {limits} from '../work/limits.js'
import {QueryError} from './query-error.js'

/** A member name; if the member is an array, the element at index `at`, or all elements. */
export interface ExpandSegment {
  readonly name: string
  readonly at?: number | '*'
}

export type ExpandPath = readonly ExpandSegment[]

const maxChars = 500

const segmentForm = /^([A-Za-z_][A-Za-z0-9_-]*|[A-Za-z0-9_-]{2,256})(?:\[(\*|[0-9]{1,5})\])?$/

function parseSegment(text: string, path: string): ExpandSegment {
  const [, name, at] = segmentForm.exec(text) ?? []
  if (name === undefined) {
    throw new QueryError('expand', `Expected member names joined by dots, with [*] or [n] for arrays, not '${path}'`)
  }
  if (at === undefined) return {name}
  return {name, at: at === '*' ? at : Number(at)}
}

/**
 * Parses the paths of `expand`. Throws QueryError for ill-formed paths, more than 20, and more than eight segments; a
 * path that does not exist in the document is no error. Decision 17.
 */
export function parseExpand(texts: readonly string[]): ExpandPath[] {
  if (texts.length > limits.expandPaths) {
    throw new QueryError('expand', `The expand parameter may be given at most ${limits.expandPaths} times`)
  }
  return texts.map((text) => {
    if (text.length > maxChars) throw new QueryError('expand', `A path has at most ${maxChars} characters`)
    const path = text.split('.').map((segment) => parseSegment(segment, text))
    if (path.length > limits.expandDepth) {
      throw new QueryError('expand', `The path '${text}' is deeper than ${limits.expandDepth} segments`)
    }
    return path
  })
}
