import type {Predicate, Shape} from './ast.js'
import {parsePredicate} from './parser.js'
import {QueryError} from './query-error.js'

const maxPredicates = 10

/** All `where` of a request as one predicate, AND-ed; undefined without any. At most ten. Decision 15. */
export function parseWhere(
  texts: readonly string[],
  shape: Shape,
  vars: ReadonlyMap<string, readonly string[]>,
): Predicate | undefined {
  if (texts.length > maxPredicates) {
    throw new QueryError('where', `The where parameter may be given at most ${maxPredicates} times`)
  }
  const terms = texts.map((text) => parsePredicate(text, shape, vars))
  return terms.length > 1 ? {op: 'and', terms} : terms[0]
}
