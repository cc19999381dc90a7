import type {Predicate, Scalar, SortKey} from '../../query/ast.js'
import {equalities, lowerBound} from '../../query/plan.js'
import {comparator, topK} from '../../query/sort.js'
import {compareText} from '../../query/text-order.js'
import {compile} from '../../query/to-function.js'
import type {Document, Found, Page} from '../store.js'
import {breather} from './breath.js'
import type {Collection} from './collection.js'
import type {Entry} from './entry.js'

/** Documents looked at between two looks at the clock. */
const sliceSize = 256
const firstSliceSize = 16
/** How long a scan keeps the event loop to itself. */
const budgetMs = 5

/** One page of a collection, from an index where the predicate allows it and by a scan otherwise. */
export async function select(collection: Collection, page: Page): Promise<Found<Document>> {
  const {where, sort = [], count} = page
  const matches = where ? compile<Document>(where, collection.facets) : undefined
  const slices = (where && candidates(collection, where)) ?? scan(collection, where)
  const gather = isById(sort) ? firstOf(page) : bestOf(page, comparator<Document>(sort, collection.facets))
  const cap = count?.cap ?? 0
  let total = matches || !count ? 0 : collection.size
  const breath = breather(budgetMs)
  for (const slice of slices) {
    const found = slice.flatMap(({doc}) => (!matches || matches(doc) ? [doc] : []))
    gather.add(found)
    if (matches) total += found.length
    if (gather.isFull() && (!count || !matches || total >= cap)) break
    await breath()
  }
  return {results: gather.results(), ...(count ? {total: Math.min(total, cap)} : {})}
}

/** Entries in ascending order of ids, in slices between which others may run. */
type Slices = Iterable<readonly Entry[]>

/** The shortest list that an index offers; nothing if no index helps. */
function candidates(collection: Collection, where: Predicate): Slices | undefined {
  let best: LookUp | undefined
  for (const {path, facet, values} of equalities(where)) {
    const found = lookUp(collection, path, facet === true, values)
    if (found && (!best || found.count < best.count)) best = found
  }
  return best && slicesOf(best.entries())
}

interface LookUp {
  readonly count: number
  readonly entries: () => Iterable<Entry>
}

function lookUp(collection: Collection, path: string, facet: boolean, values: readonly Scalar[]): LookUp | undefined {
  const texts = [...new Set(values)].filter((value) => typeof value === 'string')
  if (texts.length < new Set(values).size) return undefined
  if (!facet && path === 'id') {
    const ids = texts.sort(compareText)
    return {count: ids.length, entries: () => ids.flatMap((id) => collection.get(id) ?? [])}
  }
  if (!collection.hasFacet(path)) return undefined
  return {count: collection.countByFacet(path, texts), entries: () => collection.byFacet(path, texts)}
}

/** Small slices first, since a short page may need no more. */
function* slicesOf(entries: Iterable<Entry>): Generator<readonly Entry[]> {
  let slice: Entry[] = []
  let size = firstSliceSize
  for (const entry of entries) {
    slice.push(entry)
    if (slice.length < size) continue
    yield slice
    slice = []
    size = Math.min(size * 2, sliceSize)
  }
  yield slice
}

function* scan(collection: Collection, where: Predicate | undefined): Generator<readonly Entry[]> {
  const bound = where && lowerBound(where)
  const first = bound?.inclusive ? collection.get(bound.id) : undefined
  if (first) yield [first]
  yield* slicesOf(collection.following(bound?.id))
}

const isById = (sort: readonly SortKey[]): boolean => {
  const [key] = sort
  return !key || (key.direction === 'asc' && key.field.path.length === 1 && key.field.path[0] === 'id')
}

interface Gathering {
  add(documents: readonly Document[]): void
  /** No further document can change the results. */
  isFull(): boolean
  results(): Document[]
}

/** The page of documents that arrive in its order. */
function firstOf({offset, limit}: Page): Gathering {
  const results: Document[] = []
  let skip = offset
  return {
    add(documents) {
      const skipped = Math.min(skip, documents.length)
      skip -= skipped
      results.push(...documents.slice(skipped, skipped + limit - results.length))
    },
    isFull: () => results.length >= limit,
    results: () => results,
  }
}

/** The page of documents that arrive in any order. */
function bestOf({offset, limit}: Page, compare: (a: Document, b: Document) => number): Gathering {
  let best: Document[] = []
  return {
    add(documents) {
      if (documents.length > 0) best = topK([...best, ...documents], offset + limit, compare)
    },
    isFull: () => limit === 0,
    results: () => best.slice(offset),
  }
}
