import type {Field, Leaf, Predicate, Scalar, SortKey} from './ast.js'
import {toleranceMeters} from './geo.js'
import {jsonPath, simplified} from './json-path.js'
import {booleanOf, distanceOf, instantOf, numericOf, textOf} from './sql-values.js'

/**
 * A table has the jsonb columns `doc`, the document, and `facets`, its derived values, and the text column `id`, whose index
 * serves conditions and order.
 */
export interface SqlOptions {
  /** An expression in place of the column `id`, interpolated unescaped: it never comes from a request. */
  readonly id?: string
  /** The number of the first parameter. Default 1. */
  readonly firstParameter?: number
}

/** A piece of SQL whose `$n` stand for `values`. */
export interface Sql {
  readonly text: string
  readonly values: unknown[]
}

/**
 * The predicate as a condition for PostgreSQL that selects what the function of `compile` accepts, without subqueries. It
 * may be null instead of false at the top. Values travel as parameters; so do member names beyond letters, digits, `_` and
 * `-`.
 */
export function toSql(predicate: Predicate, options: SqlOptions = {}): Sql {
  const writer = new Writer(options)
  return {text: writer.condition(predicate, 'doc'), values: writer.values}
}

/** The terms of `ORDER BY`, the sort keys in turn, then ascending id (decision 16). */
export function orderToSql(keys: readonly SortKey[], options: SqlOptions = {}): Sql {
  const writer = new Writer(options)
  const terms = keys.flatMap(({field, direction}) => {
    const ends = direction === 'asc' ? 'ASC NULLS LAST' : 'DESC NULLS FIRST'
    return writer.sortTerms(field).map((term) => `${term} ${ends}`)
  })
  return {text: [...terms, `${writer.id} ASC`].join(', '), values: writer.values}
}

const plainName = /^[A-Za-z0-9_-]+$/

class Writer {
  readonly values: unknown[] = []
  readonly id: string
  readonly #first: number

  constructor({id = 'id', firstParameter = 1}: SqlOptions) {
    this.id = `${id} COLLATE "C"`
    this.#first = firstParameter
  }

  #parameter(value: unknown, type: string): string {
    this.values.push(value)
    return `$${this.#first + this.values.length - 1}::${type}`
  }

  #member(object: string, path: readonly string[]): string {
    const [name, ...rest] = path
    if (name === undefined) return object
    return this.#member(`(${object}->${plainName.test(name) ? `'${name}'` : this.#parameter(name, 'text')})`, rest)
  }

  #value({path, facet}: Field, object: string): string {
    return facet === undefined ? this.#member(object, path) : this.#member('facets', [facet])
  }

  condition(predicate: Predicate, object: string): string {
    if ('field' in predicate) return this.#leaf(predicate, object)
    switch (predicate.op) {
      case 'and':
        return this.#join(predicate.terms, object, ' AND ', 'true')
      case 'or':
        return this.#join(predicate.terms, object, ' OR ', 'false')
      case 'not':
        // Only NOT distinguishes null from false; AND, OR and WHERE treat them alike.
        return `NOT coalesce(${this.condition(predicate.term, object)}, false)`
      case 'nested': {
        if (!predicate.single) return this.#inside(predicate, object)
        const value = this.#member(object, predicate.path)
        return `(jsonb_typeof(${value}) = 'object' AND ${this.condition(predicate.term, value)})`
      }
    }
  }

  #join(terms: readonly Predicate[], object: string, by: string, empty: string): string {
    return terms.length === 0 ? empty : `(${terms.map((term) => this.condition(term, object)).join(by)})`
  }

  /** A condition on an object that an array of its may satisfy by one element. */
  #inside(predicate: Predicate, object: string): string {
    const {path, variables} = jsonPath(predicate)
    const parameters = [this.#parameter(path, 'jsonpath'), this.#parameter(JSON.stringify(variables), 'jsonb')]
    return `jsonb_path_exists(${object}, ${parameters.join(', ')})`
  }

  #leaf(leaf: Leaf, object: string): string {
    const simple = simplified(leaf)
    if (simple !== leaf) return this.condition(simple, object)
    const {field} = leaf
    const {facet, type, array} = field
    if (leaf.op === 'within') return this.#within(leaf, this.#value(field, object))
    if (!array && type !== 'unknown') {
      const isOnId = isId(field, object)
      if (leaf.op === 'in') {
        if (isOnId) return this.#oneOf(this.id, leaf.values, 'text')
        if (type === 'datetime') return this.#oneOf(instantOf(this.#value(field, object)), leaf.values, 'timestamptz')
        const texts = leaf.values.map((value) => JSON.stringify(value))
        return this.#oneOf(this.#value(field, object), texts, 'jsonb')
      }
      if (leaf.op === 'compare' && (isOnId || type === 'datetime')) {
        const [value, kind] = isOnId ? [this.id, 'text'] : [instantOf(this.#value(field, object)), 'timestamptz']
        return `${value} ${leaf.comparison} ${this.#parameter(leaf.value, kind)}`
      }
    }
    if (facet === undefined) return this.#inside(leaf, object)
    return this.#inside({...leaf, field: {...field, path: [facet]}}, 'facets')
  }

  #oneOf(value: string, values: readonly Scalar[], type: string): string {
    if (values.length === 1) return `${value} = ${this.#parameter(values[0], type)}`
    return `${value} = ANY (${this.#parameter(values, `${type}[]`)})`
  }

  #within({longitude, latitude, radiusMeters}: Extract<Leaf, {op: 'within'}>, value: string): string {
    const centre = [longitude, latitude].map((degrees) => this.#parameter(String(degrees), 'numeric')) as [
      string,
      string,
    ]
    return `${distanceOf(value, ...centre)} <= ${this.#parameter(radiusMeters + toleranceMeters, 'float8')}`
  }

  /** The expressions to order by, null for a document without a value of the type. */
  sortTerms(field: Field): string[] {
    if (isId(field, 'doc')) return [this.id]
    const value = this.#value(field, 'doc')
    switch (field.type) {
      case 'string':
      case 'date':
      case 'time':
        return [textOf(value)]
      case 'number':
        return [numericOf(value)]
      case 'boolean':
        return [booleanOf(value)]
      case 'datetime':
        return [instantOf(value)]
      case 'unknown': {
        const ranks = "WHEN 'boolean' THEN 0 WHEN 'number' THEN 1 WHEN 'string' THEN 2 ELSE 3"
        return [`CASE jsonb_typeof(${value}) ${ranks} END`, booleanOf(value), numericOf(value), textOf(value)]
      }
    }
  }
}

const isId = ({path, facet}: Field, object: string): boolean =>
  object === 'doc' && path.length === 1 && path[0] === 'id' && facet === undefined
