import type {Field, Predicate, Scalar} from './ast.js'
import {instantOf} from './instant.js'
import {hasOneForm} from './literal.js'
import {simplified} from './predicates.js'
import {compareText} from './text-order.js'

/** A necessary condition of every match: the value at `path`, or of the facet `path`, is one of `values`. */
export interface Equality {
  /** Member names joined by dots, through arrays too (`stores.key`), or the name of the facet. */
  readonly path: string
  readonly facet?: true
  readonly values: readonly Scalar[]
}

/**
 * Conditions from which an index can find candidates; the compiled predicate still has to filter those. Each condition
 * is necessary, none sufficient. Date-times are left out, as equal ones may differ as text.
 */
export function equalities(predicate: Predicate): Equality[] {
  return collect(predicate, [])
}

function collect(predicate: Predicate, outer: readonly string[]): Equality[] {
  if ('field' in predicate) {
    const simple = simplified(predicate)
    if (simple !== predicate) return collect(simple, outer)
    return predicate.op === 'in' ? equality(predicate.field, outer, predicate.values) : []
  }
  if (predicate.op === 'and') return predicate.terms.flatMap((term) => collect(term, outer))
  if (predicate.op === 'or') return union(predicate.terms.map((term) => collect(term, outer)))
  return predicate.op === 'nested' ? collect(predicate.term, [...outer, ...predicate.path]) : []
}

function equality(field: Field, outer: readonly string[], values: readonly Scalar[]): Equality[] {
  if (field.facet !== undefined) return [{path: field.facet, facet: true, values}]
  const names = [...outer, ...field.path]
  if (!hasOneForm(field.type) || names.some((name) => name.includes('.'))) return []
  return [{path: names.join('.'), values}]
}

/** The conditions of an `or`: the paths that every alternative has, with the values of all. */
function union(alternatives: readonly (readonly Equality[])[]): Equality[] {
  const [first = [], ...others] = alternatives
  return first.flatMap((candidate) => {
    const same = others.map((other) =>
      other.find(({path, facet}) => path === candidate.path && facet === candidate.facet),
    )
    if (!same.every((match) => match !== undefined)) return []
    return [{...candidate, values: [...new Set([...candidate.values, ...same.flatMap(({values}) => values)])]}]
  })
}

export interface IdBound {
  readonly id: string
  /** Whether the id itself may match. */
  readonly inclusive: boolean
}

/** The greatest lower bound on `id` that every match satisfies, so that paging by id can start there. */
export function lowerBound(predicate: Predicate): IdBound | undefined {
  if (predicate.op === 'and') {
    return predicate.terms.map(lowerBound).reduce((best, bound) => (isTighter(bound, best) ? bound : best), undefined)
  }
  if (predicate.op !== 'compare' || typeof predicate.value !== 'string') return undefined
  const {field, comparison, value} = predicate
  const isId = field.path.length === 1 && field.path[0] === 'id' && field.facet === undefined
  if (!isId || field.type === 'datetime' || (comparison !== '>' && comparison !== '>=')) return undefined
  return {id: value, inclusive: comparison === '>='}
}

function isTighter(bound: IdBound | undefined, best: IdBound | undefined): boolean {
  if (bound === undefined || best === undefined) return best === undefined
  const order = compareText(bound.id, best.id)
  return order > 0 || (order === 0 && best.inclusive && !bound.inclusive)
}

/** Moments, milliseconds since 1970, both inclusive. */
export interface Moments {
  readonly from: number
  readonly until: number
  /** Whether everything in between matches. */
  readonly isAll: boolean
}

/** Documents without a moment stand behind the last one. */
const [always, lastMoment]: [Moments, number] = [{from: -Infinity, until: Infinity, isAll: false}, 8.64e15]

/** The moments of a member outside of which nothing matches. */
export function momentsOf(predicate: Predicate, member: string): Moments {
  if (predicate.op === 'and') {
    return predicate.terms
      .map((term) => momentsOf(term, member))
      .reduce((one, other) => ({
        from: Math.max(one.from, other.from),
        until: Math.min(one.until, other.until),
        isAll: one.isAll && other.isAll,
      }))
  }
  if (predicate.op !== 'compare' || !isMember(predicate.field, member)) return always
  const {comparison, value} = predicate
  const at = instantOf(String(value))
  if (at === undefined || comparison === '!=') return always
  const from = {'=': at, '>=': at, '>': at + 1}[comparison as string] ?? -lastMoment
  const until = {'=': at, '<=': at, '<': at - 1}[comparison as string] ?? lastMoment
  return {from, until, isAll: true}
}

/** Whether a field is a moment at the top of a document. */
export const isMember = ({path, type, facet}: Field, member: string): boolean =>
  path.length === 1 && path[0] === member && type === 'datetime' && facet === undefined
