import {limits} from '../limits.js'
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

/** The depth of a path. `custom.fields` counts as one segment, as neither of the two is ever a reference. */
function depthOf(path: ExpandPath): number {
  const containers = path.filter(({name}, at) => name === 'fields' && path[at - 1]?.name === 'custom')
  return path.length - containers.length
}

/**
 * Parses the paths of `expand`. Throws QueryError for ill-formed paths, more than 20, and more than three segments; a
 * path that does not exist in the document is no error. A leading name in `wrappers` (`customer` of a sign-in result)
 * does not count as a segment. Decision 17.
 */
export function parseExpand(texts: readonly string[], wrappers: readonly string[] = []): ExpandPath[] {
  if (texts.length > limits.expandPaths) {
    throw new QueryError('expand', `The expand parameter may be given at most ${limits.expandPaths} times`)
  }
  return texts.map((text) => {
    if (text.length > maxChars) throw new QueryError('expand', `A path has at most ${maxChars} characters`)
    const path = text.split('.').map((segment) => parseSegment(segment, text))
    const isWrapped = path.length > 1 && wrappers.includes(path[0]?.name ?? '')
    if (depthOf(path) > limits.expandDepth + (isWrapped ? 1 : 0)) {
      throw new QueryError('expand', `The path '${text}' is deeper than ${limits.expandDepth} segments`)
    }
    return path
  })
}
