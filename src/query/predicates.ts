import type {Comparison, Field, Leaf, Predicate, Scalar} from './ast.js'

/** Predicates of the service itself, as the parser would make them of a text. */

type Path = string | readonly string[]

const compared =
  (comparison: Comparison, type: Field['type']) =>
  (path: Path, value: string): Predicate => ({
    op: 'compare',
    field: {path: [path].flat(), type},
    comparison,
    value,
  })

export const is = compared('=', 'string')
/** In the order of ids. */
export const follows = compared('>', 'string')
export const isAfter = compared('>', 'datetime')
export const isBefore = compared('<', 'datetime')

export const isOneOf = (path: Path, values: readonly string[]): Leaf => ({
  op: 'in',
  field: {path: [path].flat(), type: 'string'},
  negated: false,
  values,
})

/** Something at a path through objects and arrays, as `lineItems.custom.type.id`, is this text. */
export function names(path: string, value: string): Predicate {
  const [first = '', ...rest] = path.split('.')
  return rest.length === 0 ? is(first, value) : {op: 'nested', path: [first], term: names(rest.join('.'), value)}
}

const indexed = (facet: string): Field => ({path: [facet], type: 'string', facet})

/** The same by an index: the facet of this name. */
export const isFacet = (facet: string, value: string): Predicate => ({
  op: 'compare',
  field: indexed(facet),
  comparison: '=',
  value,
})

/** The same of several values. */
export const isOneOfFacet = (facet: string, values: readonly string[]): Predicate => ({
  ...isOneOf(facet, values),
  field: indexed(facet),
})

export const isAbsent = (path: string): Predicate => ({
  op: 'defined',
  field: {path: [path], type: 'unknown'},
  negated: true,
})

/** None holds where none is given. */
export const either = (...terms: readonly Predicate[]): Predicate =>
  terms.length === 1 && terms[0] ? terms[0] : {op: 'or', terms}

/** All of them, as far as they are given; undefined for none. */
export function allOf(...terms: readonly (Predicate | undefined)[]): Predicate | undefined {
  const given = terms.filter((term) => term !== undefined)
  return given.length > 1 ? {op: 'and', terms: given} : given[0]
}

/** The same condition made of `in`, orders, `defined`, `empty` and `within`; the leaf itself if it is one of these. */
export function simplified(leaf: Leaf): Predicate {
  const {field} = leaf
  const oneOf = (values: readonly Scalar[]): Predicate => ({op: 'in', field, negated: false, values})
  const values = leaf.op === 'in' || leaf.op === 'contains' ? leaf.values : leaf.op === 'compare' ? [leaf.value] : []
  if (leaf.op === 'contains' && leaf.mode === 'all') return {op: 'and', terms: values.map((value) => oneOf([value]))}
  if (leaf.op === 'contains' || (leaf.op === 'compare' && leaf.comparison === '=')) return oneOf(values)
  const isNegated = leaf.op === 'in' ? leaf.negated : leaf.op === 'compare' && leaf.comparison === '!='
  if (!isNegated) return leaf
  const none: Predicate = {op: 'not', term: oneOf(values)}
  return {op: 'and', terms: [{op: 'defined', field, negated: false}, none]}
}
