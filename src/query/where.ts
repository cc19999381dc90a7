import {limits} from '../work/limits.js'
import type {CustomShapes, Predicate, Shape} from './ast.js'
import {parsePredicate} from './parser.js'
import {QueryError} from './query-error.js'

/**
 * The `where` parameters of a request as one predicate, AND-ed; undefined without any. At most ten, which share the
 * limits on conditions and values. `custom` has the shapes of custom fields. Decisions 15 and 62.
 *
 *     parseWhere(['key = "ada"'], {members: {key: {leaf: 'string'}}}, new Map())
 *     // {op: 'compare', field: {path: ['key'], type: 'string'}, comparison: '=', value: 'ada'}
 */
export function parseWhere(
  texts: readonly string[],
  shape: Shape,
  vars: ReadonlyMap<string, readonly string[]>,
  custom?: CustomShapes,
): Predicate | undefined {
  if (texts.length > limits.where) {
    throw new QueryError('where', `The where parameter may be given at most ${limits.where} times`)
  }
  const spent = {conditions: 0, values: 0}
  const terms = texts.map((text) => parsePredicate(text, shape, vars, custom, spent))
  return terms.length > 1 ? {op: 'and', terms} : terms[0]
}
