import type {Comparison, Field, Predicate} from './ast.js'

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
  op: 'in',
  field: indexed(facet),
  negated: false,
  values,
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
