import type {Field, Predicate} from './ast.js'

/** Predicates of the service itself, as the parser would make them of a text. */

type Path = string | readonly string[]

const textAt = (path: Path, facet?: string): Field => ({
  path: [path].flat(),
  type: 'string',
  ...(facet === undefined ? {} : {facet}),
})

export const is = (path: Path, value: string): Predicate => ({
  op: 'compare',
  field: textAt(path),
  comparison: '=',
  value,
})

/** Something at a path through objects and arrays, as `lineItems.custom.type.id`, is this text. */
export function names(path: string, value: string): Predicate {
  const [first = '', ...rest] = path.split('.')
  return rest.length === 0 ? is(first, value) : {op: 'nested', path: [first], term: names(rest.join('.'), value)}
}

/** The same by an index: the facet of this name. */
export const isFacet = (facet: string, value: string): Predicate => ({
  op: 'compare',
  field: textAt(facet, facet),
  comparison: '=',
  value,
})

/** The same of several values. */
export const isOneOfFacet = (facet: string, values: readonly string[]): Predicate => ({
  op: 'in',
  field: textAt(facet, facet),
  negated: false,
  values,
})

const moment =
  (comparison: '<' | '>') =>
  (member: string, value: string): Predicate => ({
    op: 'compare',
    field: {path: [member], type: 'datetime'},
    comparison,
    value,
  })

export const isAfter = moment('>')
export const isBefore = moment('<')

export const isAbsent = (path: string): Predicate => ({
  op: 'defined',
  field: {path: [path], type: 'unknown'},
  negated: true,
})

export const either = (...terms: readonly Predicate[]): Predicate => ({op: 'or', terms})

/** All of them, as far as they are given; undefined for none. */
export function allOf(...terms: readonly (Predicate | undefined)[]): Predicate | undefined {
  const given = terms.filter((term) => term !== undefined)
  return given.length > 1 ? {op: 'and', terms: given} : given[0]
}
