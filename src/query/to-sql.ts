import type {Field, Leaf, Predicate, Scalar, SortKey} from './ast.js'
import {earthRadiusMeters, toleranceMeters} from './geo.js'
import {instantForm} from './instant.js'
import {jsonPath, written} from './json-path.js'
import {simplified} from './predicates.js'

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

export interface Sql {
  readonly text: string
  readonly values: unknown[]
}

/**
 * The predicate as a condition for PostgreSQL, without subqueries, that selects what the function of `compile` accepts. It
 * may be null instead of false at the top. Values travel as parameters; so do member names beyond letters, digits, `_` and
 * `-`, and what looks into arrays. Decision 69.
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

// SQL expressions over one jsonb value. Each is null where the value is not of the type, and none can fail: CASE keeps
// a cast from being evaluated before its guard.

/** The text of a JSON string, compared by code points. */
const textOf = (value: string): string =>
  `(CASE WHEN jsonb_typeof(${value}) = 'string' THEN ${value} #>> '{}' END) COLLATE "C"`

const numericOf = (value: string): string =>
  `(CASE WHEN jsonb_typeof(${value}) = 'number' THEN (${value})::numeric END)`

const booleanOf = (value: string): string =>
  `(CASE WHEN jsonb_typeof(${value}) = 'boolean' THEN (${value})::boolean END)`

/** The moment that a JSON string names; fractions beyond milliseconds are cut, not rounded. */
const instantOf = (value: string): string =>
  `(CASE WHEN jsonb_typeof(${value}) = 'string' AND ${value} #>> '{}' ~ '${instantForm}' ` +
  `THEN regexp_replace(${value} #>> '{}', '([.][0-9]{3})[0-9]+', '\\1')::timestamptz END)`

/**
 * The great-circle distance in metres between a GeoJSON point and a centre. Differences are rounded to 12 digits, as
 * the square of a smaller number underflows, which PostgreSQL answers with an error.
 */
function distanceOf(value: string, longitude: string, latitude: string): string {
  const [east, north] = [`${value}->'coordinates'->0`, `${value}->'coordinates'->1`]
  const halfSine = (of: string, centre: string) =>
    `power(sin(radians(round((${of})::numeric - ${centre}::numeric, 12)::float8) / 2), 2)`
  const cosines = `cos(radians(round((${north})::numeric, 12)::float8)) * cos(radians(round(${latitude}::numeric, 12)::float8))`
  const chord = `${halfSine(north, latitude)} + ${cosines} * ${halfSine(east, longitude)}`
  return (
    `(CASE WHEN ${value}->>'type' = 'Point' AND jsonb_typeof(${value}->'coordinates') = 'array' ` +
    `AND jsonb_typeof(${east}) = 'number' AND jsonb_typeof(${north}) = 'number' ` +
    `THEN CASE WHEN abs((${east})::numeric) <= 180 AND abs((${north})::numeric) <= 90 ` +
    `THEN 2 * ${earthRadiusMeters} * asin(sqrt(least(1, ${chord}))) END END)`
  )
}

const plainName = /^[A-Za-z0-9_-]+$/
const sqlWords = {and: ' AND ', or: ' OR ', all: 'true', none: 'false'}
const keyOf = {string: textOf, date: textOf, time: textOf, number: numericOf, boolean: booleanOf, datetime: instantOf}

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

  #value({path, facet}: Pick<Field, 'path' | 'facet'>, object: string): string {
    if (facet !== undefined) return `(facets->'${facet}')`
    const member = (value: string, name: string) =>
      `(${value}->${plainName.test(name) ? `'${name}'` : this.#parameter(name, 'text')})`
    return path.reduce(member, object)
  }

  condition(predicate: Predicate, object: string): string {
    if ('field' in predicate) return this.#leaf(predicate, object)
    // Only NOT distinguishes null from false; AND, OR and WHERE treat them alike.
    if (predicate.op === 'not') return `NOT coalesce(${this.condition(predicate.term, object)}, false)`
    if (predicate.op !== 'nested') return written(predicate, sqlWords, (term) => this.condition(term, object))
    if (!predicate.single) return this.#inside(predicate, object)
    const value = this.#value(predicate, object)
    return `(jsonb_typeof(${value}) = 'object' AND ${this.condition(predicate.term, value)})`
  }

  /** A condition on an object that one element of an array in it may satisfy. */
  #inside(predicate: Predicate, object: string): string {
    const {path, variables} = jsonPath(predicate)
    const parameters = [this.#parameter(path, 'jsonpath'), this.#parameter(JSON.stringify(variables), 'jsonb')]
    return `jsonb_path_exists(${object}, ${parameters.join(', ')})`
  }

  #leaf(leaf: Leaf, object: string): string {
    const simple = simplified(leaf)
    if (simple !== leaf) return this.condition(simple, object)
    const {field} = leaf
    const {type, facet} = field
    if (leaf.op === 'within') {
      const centre = [leaf.longitude, leaf.latitude].map((degrees) => this.#parameter(String(degrees), 'numeric'))
      const distance = distanceOf(this.#value(field, object), ...(centre as [string, string]))
      return `${distance} <= ${this.#parameter(leaf.radiusMeters + toleranceMeters, 'float8')}`
    }
    if (!field.array && type !== 'unknown') {
      const values = leaf.op === 'in' ? leaf.values : leaf.op === 'compare' ? [leaf.value] : []
      const operator = leaf.op === 'compare' ? leaf.comparison : '='
      if (values.length > 0 && isId(field, object)) return this.#compared(this.id, operator, values, 'text')
      // What is below the document's own members is stored in one form, which jsonpath compares sooner.
      if (values.length > 0 && type === 'datetime' && object === 'doc')
        return this.#compared(instantOf(this.#value(field, object)), operator, values, 'timestamptz')
      const texts = values.map((value) => JSON.stringify(value))
      if (leaf.op === 'in' && type !== 'datetime')
        return this.#compared(this.#value(field, object), '=', texts, 'jsonb')
    }
    return facet === undefined
      ? this.#inside(leaf, object)
      : this.#inside({...leaf, field: {...field, path: [facet]}}, 'facets')
  }

  #compared(value: string, operator: string, values: readonly Scalar[], type: string): string {
    if (values.length === 1) return `${value} ${operator} ${this.#parameter(values[0], type)}`
    return `${value} = ANY (${this.#parameter(values, `${type}[]`)})`
  }

  sortTerms(field: Field): string[] {
    if (isId(field, 'doc')) return [this.id]
    const value = this.#value(field, 'doc')
    if (field.type !== 'unknown') return [keyOf[field.type](value)]
    const ranks = "WHEN 'boolean' THEN 0 WHEN 'number' THEN 1 WHEN 'string' THEN 2 ELSE 3"
    return [`CASE jsonb_typeof(${value}) ${ranks} END`, booleanOf(value), numericOf(value), textOf(value)]
  }
}

const isId = ({path, facet}: Field, object: string): boolean =>
  object === 'doc' && path.length === 1 && path[0] === 'id' && facet === undefined
