import {isObject} from '../domain/equal.js'
import type {Comparison, Field, Leaf, Predicate, Scalar} from './ast.js'
import {isWithin} from './geo.js'
import {instantOf} from './instant.js'
import {type FacetFunctions, facetFunction, pathReader} from './path-reader.js'
import {compareText} from './text-order.js'

/** `node` is the object that paths start at, `root` the document that facets are computed from. */
type Test<D> = (node: unknown, root: D) => boolean
type Read<D> = (node: unknown, root: D) => unknown
type ValueTest = (value: unknown) => boolean

/**
 * The predicate as a function of the document, made of closures. Every condition is true or false: one about an absent
 * value is false and its `not` true. `!=` and `not in` hold when the value is there and `=` and `in` do not. Absent,
 * null, `[]`, `{}` and `""` are empty. In an array of scalars, one element that satisfies is enough. Decision 15.
 */
export function compile<D extends object = object>(
  predicate: Predicate,
  facets: FacetFunctions<D> = {},
): (document: D) => boolean {
  const test = testOf(predicate, facets)
  return (document) => test(document, document)
}

function testOf<D>(predicate: Predicate, facets: FacetFunctions<D>): Test<D> {
  if ('field' in predicate) return leafTest(predicate, facets)
  switch (predicate.op) {
    case 'and':
    case 'or': {
      const tests = predicate.terms.map((term) => testOf(term, facets))
      if (predicate.op === 'or') return (node, root) => tests.some((test) => test(node, root))
      return (node, root) => tests.every((test) => test(node, root))
    }
    case 'not': {
      const test = testOf(predicate.term, facets)
      return (node, root) => !test(node, root)
    }
    case 'nested':
      return nested(pathReader(predicate.path), testOf(predicate.term, facets), predicate.single === true)
  }
}

function nested<D>(read: (node: unknown) => unknown, test: Test<D>, single: boolean): Test<D> {
  return (node, root) => {
    const value = read(node)
    if (!Array.isArray(value)) return isObject(value) && test(value, root)
    return !single && value.some((element) => isObject(element) && test(element, root))
  }
}

function readerOf<D>(field: Field, facets: FacetFunctions<D>): Read<D> {
  if (field.facet === undefined) return pathReader(field.path)
  const compute = facetFunction(facets, field.facet)
  return (_node, root) => compute(root)
}

function leafTest<D>(leaf: Leaf, facets: FacetFunctions<D>): Test<D> {
  const read = readerOf(leaf.field, facets)
  const holds = valueTest(leaf)
  return (node, root) => holds(read(node, root))
}

function valueTest(leaf: Leaf): ValueTest {
  const {field} = leaf
  switch (leaf.op) {
    case 'defined':
      return leaf.negated ? (value) => value === undefined : (value) => value !== undefined
    case 'empty':
      return leaf.negated ? (value) => !isEmpty(value) : isEmpty
    case 'compare':
      if (leaf.comparison === '=') return anyElement(field, oneOf(field, [leaf.value]))
      if (leaf.comparison === '!=') return definedAndNot(anyElement(field, oneOf(field, [leaf.value])))
      return anyElement(field, ordered(field, leaf.comparison, leaf.value))
    case 'in': {
      const holds = anyElement(field, oneOf(field, leaf.values))
      return leaf.negated ? definedAndNot(holds) : holds
    }
    case 'contains':
      return leaf.mode === 'any' ? anyElement(field, oneOf(field, leaf.values)) : allElements(field, leaf.values)
    case 'within':
      return (value) => isWithin(value, leaf)
  }
}

const definedAndNot =
  (holds: ValueTest): ValueTest =>
  (value) =>
    value !== undefined && !holds(value)

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}

/** A test that holds for the value or, if the field is or may be an array of scalars, for any element. */
function anyElement(field: Field, holds: ValueTest): ValueTest {
  if (field.array !== true && field.type !== 'unknown') return holds
  return (value) => (Array.isArray(value) ? value.some(holds) : holds(value))
}

function oneOf(field: Field, values: readonly Scalar[]): ValueTest {
  if (field.type === 'datetime') {
    const instants = new Set<unknown>(values.map(instantOf))
    return (value) => {
      const ms = instantOf(value)
      return ms !== undefined && instants.has(ms)
    }
  }
  const [first] = values
  if (values.length === 1) return (value) => value === first
  const set = new Set<unknown>(values)
  return (value) => set.has(value)
}

/** Whether all values are elements of the array, in one pass over the elements. */
function allElements(field: Field, values: readonly Scalar[]): ValueTest {
  const read = field.type === 'datetime' ? instantOf : (value: unknown) => value
  const wanted = new Set<unknown>(values.map(read))
  return (value) => {
    const found = new Set<unknown>()
    anyElement(field, (element) => {
      const key = read(element)
      if (key !== undefined && wanted.has(key)) found.add(key)
      return found.size === wanted.size
    })(value)
    return found.size === wanted.size
  }
}

type Ordering = Exclude<Comparison, '=' | '!='>

/** Whether a comparison holds for the order of two values. */
export const holdsFor: Readonly<Record<Ordering, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
}

function ordered(field: Field, comparison: Ordering, literal: Scalar): ValueTest {
  const holds = holdsFor[comparison]
  if (field.type === 'datetime') {
    const limit = instantOf(literal)
    if (limit === undefined) return () => false
    return (value) => {
      const ms = instantOf(value)
      return ms !== undefined && holds(ms - limit)
    }
  }
  if (typeof literal === 'string') return (value) => typeof value === 'string' && holds(compareText(value, literal))
  const limit = Number(literal)
  const type = typeof literal
  return (value) => typeof value === type && holds(Number(value) - limit)
}
