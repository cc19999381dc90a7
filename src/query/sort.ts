import {limits} from '../work/limits.js'
import type {CustomShapes, Field, Shape, SortKey} from './ast.js'
import {instantOf} from './instant.js'
import type {PageParams} from './page.js'
import {type FacetFunctions, facetFunction, memberOf, pathReader} from './path-reader.js'
import {QueryError} from './query-error.js'
import {compareText} from './text-order.js'

const maxChars = 500

export interface Identified {
  readonly id: string
}

function sortError(name: string, shape: Shape): QueryError {
  // Fields below arrays have no single value.
  const names = 'members' in shape ? Object.keys(shape.members).filter((key) => !shape.members[key]?.array) : []
  const list = names.sort(compareText).map((key) => `\`${key}\``)
  const sortable = list.length > 0 ? ` Sortable fields are: ${list.join(', ')}.` : ''
  return new QueryError('sort', `Invalid query field '${name}' in sort path.${sortable}`)
}

function fieldOf(path: readonly string[], shape: Shape, custom: CustomShapes | undefined): Field {
  let here = shape
  // What is stored as it comes may be a value.
  let mayBeValue = path.length === 1
  for (const name of path) {
    mayBeValue ||= 'open' in here || 'fieldsOf' in here
    const next = memberOf(here, name, custom)
    if (next === undefined || next.array) throw sortError(name, here)
    here = next
  }
  if ('open' in here && !here.of && mayBeValue) return {path, type: 'unknown'}
  if ('leaf' in here) return {path, type: here.leaf, ...(here.facet ? {facet: here.facet} : {})}
  throw sortError(path.at(-1) ?? '', here)
}

function parseKey(text: string, shape: Shape, custom: CustomShapes | undefined): SortKey {
  if (text.length > maxChars) throw new QueryError('sort', `A sort expression has at most ${maxChars} characters`)
  const [path = '', direction = 'asc', ...rest] = text.trim().split(/[ \t]+/)
  const names = path.split('.').map((name) => (/^`[^`]+`$/.test(name) ? name.slice(1, -1) : name))
  const wellFormed = names.every((name) => /^[A-Za-z0-9_-]+$/.test(name)) && rest.length === 0
  const lower = direction.toLowerCase()
  if (!wellFormed || (lower !== 'asc' && lower !== 'desc')) {
    throw new QueryError('sort', `Expected '<field> asc' or '<field> desc' instead of '${text}'.`)
  }
  return {field: fieldOf(names, shape, custom), direction: lower}
}

/**
 * The sort keys of a request, the first one leading: at most ten, and fewer for a deep page. Throws QueryError for
 * arrays and fields below them.
 */
export function parseSort(
  texts: readonly string[],
  shape: Shape,
  {offset, limit}: Pick<PageParams, 'offset' | 'limit'> = {offset: 0, limit: 0},
  custom?: CustomShapes,
): SortKey[] {
  if (texts.length > limits.sortKeys)
    throw new QueryError('sort', `The sort parameter may be given at most ${limits.sortKeys} times`)
  if (texts.length * (offset + limit) > limits.sortedCells) {
    const detail = `${texts.length} sort keys order at most ${Math.floor(limits.sortedCells / texts.length)} results: ask for less than offset ${offset} and limit ${limit}`
    throw new QueryError('sort', detail)
  }
  return texts.map((text) => parseKey(text, shape, custom))
}

export type Key = string | number | boolean | undefined

function keyReader<D>(field: Field, facets: FacetFunctions<D>): (document: D) => Key {
  const read = field.facet === undefined ? pathReader(field.path) : facetFunction(facets, field.facet)
  if (field.type === 'datetime') return (document) => instantOf(read(document))
  const wanted = field.type === 'date' || field.type === 'time' ? 'string' : field.type
  return (document) => {
    const value = read(document)
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
    return wanted === 'unknown' || typeof value === wanted ? value : undefined
  }
}

const ranks: Readonly<Record<string, number>> = {boolean: 0, number: 1, string: 2, undefined: 3}
const rank = (key: Key): number => ranks[typeof key] ?? 3

/** Ascending: booleans, numbers, texts, absent. */
export function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return typeof a === typeof b ? Number(a ?? 0) - Number(b ?? 0) : rank(a) - rank(b)
}

export interface Reader<D> {
  readonly read: (document: D) => Key
  readonly sign: number
}

/**
 * For each sort key, how to read its value from a document, and the sign of its direction. Absent values, and values that
 * are not of the key's type, come last in `asc` and first in `desc`. Decision 16.
 */
export const readersOf = <D>(keys: readonly SortKey[], facets: FacetFunctions<D>): Reader<D>[] =>
  keys.map(({field, direction}) => ({read: keyReader(field, facets), sign: direction === 'asc' ? 1 : -1}))
