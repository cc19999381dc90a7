import type {Field, Leaf, Predicate, Scalar, SortKey} from './ast.js'
import {toleranceMeters} from './geo.js'
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
 * The predicate as a condition for PostgreSQL that selects what the function of `compile` accepts. It may be null
 * instead of false at the top. Values travel as parameters; so do member names beyond letters, digits, `_` and `-`.
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
  #aliases = 0

  constructor({id = 'id', firstParameter = 1}: SqlOptions) {
    this.id = `${id} COLLATE "C"`
    this.#first = firstParameter
  }

  #parameter(value: unknown, type: string): string {
    this.values.push(value)
    return `$${this.#first + this.values.length - 1}::${type}`
  }

  #member(object: string, name: string): string {
    return `(${object}->${plainName.test(name) ? `'${name}'` : this.#parameter(name, 'text')})`
  }

  #value({path, facet}: Field, object: string): string {
    if (facet !== undefined) return this.#member('facets', facet)
    return path.reduce((value, name) => this.#member(value, name), object)
  }

  /** Whether any element of an array, or a value that is not an array, satisfies `holds`. */
  #anyElement(value: string, holds: (element: string) => string): string {
    this.#aliases += 1
    const alias = `e${this.#aliases}`
    const elements = `CASE jsonb_typeof(${value}) WHEN 'array' THEN ${value} ELSE '[]'::jsonb || ${value} END`
    const condition = holds(`${alias}.element`)
    return `EXISTS (SELECT 1 FROM jsonb_array_elements(${elements}) AS ${alias}(element) WHERE ${condition})`
  }

  condition(predicate: Predicate, object: string): string {
    if ('field' in predicate) return this.#leaf(predicate, object)
    switch (predicate.op) {
      case 'and':
        return this.#join(predicate.terms, object, ' AND ', 'true')
      case 'or':
        return this.#join(predicate.terms, object, ' OR ', 'false')
      case 'not':
        // Only NOT distinguishes null from false; AND, OR, EXISTS and WHERE treat them alike.
        return `NOT coalesce(${this.condition(predicate.term, object)}, false)`
      case 'nested': {
        const {path, term} = predicate
        const value = path.reduce((outer, name) => this.#member(outer, name), object)
        const holds = (inner: string) => `(jsonb_typeof(${inner}) = 'object' AND ${this.condition(term, inner)})`
        return predicate.single ? holds(value) : this.#anyElement(value, holds)
      }
    }
  }

  #join(terms: readonly Predicate[], object: string, by: string, empty: string): string {
    return terms.length === 0 ? empty : `(${terms.map((term) => this.condition(term, object)).join(by)})`
  }

  #leaf(leaf: Leaf, object: string): string {
    const {field} = leaf
    const onId = isId(field, object) ? this.#idCondition(leaf) : undefined
    if (onId !== undefined) return onId
    const value = this.#value(field, object)
    switch (leaf.op) {
      case 'defined':
        return `coalesce(jsonb_typeof(${value}), 'null') ${leaf.negated ? '=' : '<>'} 'null'`
      case 'empty':
        return `coalesce(${value}, 'null') ${leaf.negated ? 'NOT IN' : 'IN'} ('null', '[]', '{}', '""')`
      case 'compare': {
        const {comparison} = leaf
        if (comparison === '=') return this.#oneOf(field, value, [leaf.value])
        if (comparison === '!=') return this.#definedAndNot(value, this.#oneOf(field, value, [leaf.value]))
        return this.#each(field, value, (element) => this.#ordered(field, element, comparison, leaf.value))
      }
      case 'in': {
        const holds = this.#oneOf(field, value, leaf.values)
        return leaf.negated ? this.#definedAndNot(value, holds) : holds
      }
      case 'contains':
        if (leaf.mode === 'any') return this.#oneOf(field, value, leaf.values)
        return `(${leaf.values.map((one) => this.#oneOf(field, value, [one])).join(' AND ') || 'true'})`
      case 'within':
        return this.#each(field, value, (element) => {
          const distance = distanceOf(
            element,
            this.#parameter(String(leaf.longitude), 'numeric'),
            this.#parameter(String(leaf.latitude), 'numeric'),
          )
          return `${distance} <= ${this.#parameter(leaf.radiusMeters + toleranceMeters, 'float8')}`
        })
    }
  }

  #definedAndNot(value: string, condition: string): string {
    return `(coalesce(jsonb_typeof(${value}), 'null') <> 'null' AND NOT coalesce(${condition}, false))`
  }

  #each(field: Field, value: string, holds: (element: string) => string): string {
    return mayBeArray(field) ? this.#anyElement(value, holds) : holds(value)
  }

  #oneOf(field: Field, value: string, values: readonly Scalar[]): string {
    if (field.type === 'datetime') {
      const instants = this.#parameter(values, 'timestamptz[]')
      return this.#each(field, value, (element) => `${instantOf(element)} = ANY (${instants})`)
    }
    // A scalar contains its equal, an array contains the scalars that are its elements.
    const operator = mayBeArray(field) ? '@>' : '='
    const [first] = values
    if (values.length === 1) return `${value} ${operator} ${this.#parameter(JSON.stringify(first), 'jsonb')}`
    const texts = values.map((one) => JSON.stringify(one))
    return `${value} ${operator} ANY (${this.#parameter(texts, 'jsonb[]')})`
  }

  #ordered(field: Field, value: string, comparison: string, literal: Scalar): string {
    if (field.type === 'datetime') return `${instantOf(value)} ${comparison} ${this.#parameter(literal, 'timestamptz')}`
    if (typeof literal === 'string') return `${textOf(value)} ${comparison} ${this.#parameter(literal, 'text')}`
    if (typeof literal === 'boolean') return `${booleanOf(value)} ${comparison} ${this.#parameter(literal, 'boolean')}`
    return `${numericOf(value)} ${comparison} ${this.#parameter(String(literal), 'numeric')}`
  }

  /** The condition on the column of ids; undefined for one that compares with anything but texts. */
  #idCondition(leaf: Leaf): string | undefined {
    if (leaf.op === 'compare' && typeof leaf.value === 'string') {
      const operator = leaf.comparison === '!=' ? '<>' : leaf.comparison
      return `${this.id} ${operator} ${this.#parameter(leaf.value, 'text')}`
    }
    if (leaf.op !== 'in' || !leaf.values.every((value) => typeof value === 'string')) return undefined
    return leaf.negated
      ? `${this.id} <> ALL (${this.#parameter(leaf.values, 'text[]')})`
      : `${this.id} = ANY (${this.#parameter(leaf.values, 'text[]')})`
  }

  /** The expressions to order by, null for a document without a value of the type. */
  sortTerms(field: Field): string[] {
    if (isId(field, 'doc')) return [this.id]
    const value = this.#value(field, 'doc')
    switch (field.type) {
      case 'string':
      case 'date':
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

const mayBeArray = ({array, type}: Field): boolean => array === true || type === 'unknown'
