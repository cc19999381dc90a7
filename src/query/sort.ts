import type {Field, Shape, SortKey} from './ast.js'
import {instantOf} from './instant.js'
import {QueryError} from './query-error.js'
import {type FacetFunctions, facetFunction, pathReader} from './read.js'
import {compareText} from './text-order.js'

const maxKeys = 10
const maxChars = 500

interface Identified {
  readonly id: string
}

/** Fields below arrays have no one value to sort by. */
const isSortable = (shape: Shape): boolean => !shape.array

function sortError(name: string, shape: Shape): QueryError {
  const names =
    'members' in shape ? Object.keys(shape.members).filter((key) => isSortable(shape.members[key] as Shape)) : []
  const list = names.sort(compareText).map((key) => `\`${key}\``)
  const sortable = list.length > 0 ? ` Sortable fields are: ${list.join(', ')}.` : ''
  return new QueryError('sort', `Invalid query field '${name}' in sort path.${sortable}`)
}

function fieldOf(path: readonly string[], shape: Shape): Field {
  let here = shape
  for (const name of path) {
    if ('open' in here) return {path, type: 'unknown'}
    const next = 'members' in here && Object.hasOwn(here.members, name) ? here.members[name] : undefined
    if (next === undefined || !isSortable(next)) throw sortError(name, here)
    here = next
  }
  if ('leaf' in here) return {path, type: here.leaf, ...(here.facet ? {facet: here.facet} : {})}
  throw sortError(path.at(-1) ?? '', here)
}

function parseKey(text: string, shape: Shape): SortKey {
  if (text.length > maxChars) throw new QueryError('sort', `A sort expression has at most ${maxChars} characters`)
  const [path = '', direction = 'asc', ...rest] = text.trim().split(/[ \t]+/)
  const names = path.split('.').map((name) => (/^`[^`]+`$/.test(name) ? name.slice(1, -1) : name))
  const wellFormed = names.every((name) => /^[A-Za-z0-9_-]+$/.test(name)) && rest.length === 0
  const lower = direction.toLowerCase()
  if (!wellFormed || (lower !== 'asc' && lower !== 'desc')) {
    throw new QueryError('sort', `Expected '<field> asc' or '<field> desc' instead of '${text}'.`)
  }
  return {field: fieldOf(names, shape), direction: lower}
}

/** The sort keys of a request, first one leading. At most ten; an array or what is below one cannot be sorted by. */
export function parseSort(texts: readonly string[], shape: Shape): SortKey[] {
  if (texts.length > maxKeys) throw new QueryError('sort', `The sort parameter may be given at most ${maxKeys} times`)
  return texts.map((text) => parseKey(text, shape))
}

type Key = string | number | boolean | undefined
type Comparator<D> = (a: D, b: D) => number

function keyReader<D>(field: Field, facets: FacetFunctions<D>): (document: D) => Key {
  const read = field.facet === undefined ? pathReader(field.path) : facetFunction(facets, field.facet)
  if (field.type === 'datetime') {
    return (document) => {
      const value = read(document)
      return typeof value === 'string' ? instantOf(value) : undefined
    }
  }
  const wanted = field.type === 'date' ? 'string' : field.type
  return (document) => {
    const value = read(document)
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
    return wanted === 'unknown' || typeof value === wanted ? value : undefined
  }
}

const ranks: Readonly<Record<string, number>> = {boolean: 0, number: 1, string: 2, undefined: 3}
const rank = (key: Key): number => ranks[typeof key] ?? 3

/** Ascending: booleans, numbers, texts, absent. */
function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return typeof a === typeof b ? Number(a ?? 0) - Number(b ?? 0) : rank(a) - rank(b)
}

interface Reader<D> {
  readonly read: (document: D) => Key
  readonly sign: number
}

const readersOf = <D>(keys: readonly SortKey[], facets: FacetFunctions<D>): Reader<D>[] =>
  keys.map(({field, direction}) => ({read: keyReader(field, facets), sign: direction === 'asc' ? 1 : -1}))

/**
 * A total order of documents: the keys in turn, then ascending id. Absent values, and values that are not of the key's
 * type, come last in `asc` and first in `desc`. Decision 16.
 */
export function comparator<D extends Identified = Identified>(
  keys: readonly SortKey[],
  facets: FacetFunctions<D> = {},
): Comparator<D> {
  const readers = readersOf(keys, facets)
  return (a, b) => {
    for (const {read, sign} of readers) {
      const order = compareKeys(read(a), read(b))
      if (order !== 0) return order * sign
    }
    return compareText(a.id, b.id)
  }
}

interface Keyed<D> {
  readonly document: D
  readonly keys: readonly Key[]
}

/**
 * The `k` first documents in the order of `comparator`, sorted. Reads the keys of each document once: documents that
 * arrive in the reverse order, as the newest first do, would otherwise cost many comparisons each.
 */
export function firstK<D extends Identified>(
  documents: Iterable<D>,
  k: number,
  keys: readonly SortKey[],
  facets: FacetFunctions<D> = {},
): D[] {
  const readers = readersOf(keys, facets)
  const signs = readers.map(({sign}) => sign)
  const compare = (a: Keyed<D>, b: Keyed<D>) => {
    for (let at = 0; at < signs.length; at += 1) {
      const order = compareKeys(a.keys[at], b.keys[at])
      if (order !== 0) return order * (signs[at] as number)
    }
    return compareText(a.document.id, b.document.id)
  }
  function* keyed(): Iterable<Keyed<D>> {
    for (const document of documents) yield {document, keys: readers.map(({read}) => read(document))}
  }
  return topK(keyed(), k, compare).map(({document}) => document)
}

/** The `k` first items in the order of `compare`, sorted, in memory for `k` items. */
export function topK<T>(items: Iterable<T>, k: number, compare: Comparator<T>): T[] {
  if (k <= 0) return []
  const heap: T[] = []
  for (const item of items) {
    if (heap.length < k) {
      heap.push(item)
      siftUp(heap, compare)
    } else if (compare(item, heap[0] as T) < 0) {
      heap[0] = item
      siftDown(heap, compare)
    }
  }
  return heap.sort(compare)
}

/** The heap keeps its last item in order at the root. */
function siftUp<T>(heap: T[], compare: Comparator<T>): void {
  let at = heap.length - 1
  const item = heap[at] as T
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (compare(item, heap[parent] as T) <= 0) break
    heap[at] = heap[parent] as T
    at = parent
  }
  heap[at] = item
}

function siftDown<T>(heap: T[], compare: Comparator<T>): void {
  const item = heap[0] as T
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && compare(heap[child + 1] as T, heap[child] as T) > 0) child += 1
    if (compare(heap[child] as T, item) <= 0) break
    heap[at] = heap[child] as T
    at = child
  }
  heap[at] = item
}
