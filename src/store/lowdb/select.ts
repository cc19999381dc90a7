import type {Predicate, Scalar, SortKey} from '../../query/ast.js'
import {equalities, type IdBound, lowerBound} from '../../query/plan.js'
import {comparator, topK} from '../../query/sort.js'
import {compile} from '../../query/to-function.js'
import type {Document, Found, Page} from '../store.js'
import {breather} from './breath.js'
import type {Collection} from './collection.js'
import type {Entry} from './entry.js'

/** Documents looked at between two looks at the clock. */
const sliceSize = 256
/** How long a scan keeps the event loop to itself. */
const budgetMs = 5

/** One page of a collection, from an index where the predicate allows it and by a scan otherwise. */
export async function select(collection: Collection, page: Page): Promise<Found<Document>> {
  const {where, sort = [], count} = page
  const matches = where ? compile<Document>(where, collection.facets) : undefined
  const source = (where && candidates(collection, where)) ?? scan(collection, page)
  const inOrder = source.ordered && isById(sort)
  const gather = inOrder ? firstOf(page) : bestOf(page, comparator<Document>(sort, collection.facets))
  const cap = count?.cap ?? 0
  let total = matches || !count ? 0 : collection.size
  const breath = breather(budgetMs)
  for (const slice of source.slices) {
    const found = slice.flatMap(({doc}) => (!matches || matches(doc) ? [doc] : []))
    gather.add(found)
    if (matches) total += found.length
    if (gather.isFull() && (!count || !matches || total >= cap)) break
    await breath()
  }
  return {results: gather.results(), ...(count ? {total: Math.min(total, cap)} : {})}
}

interface Source {
  readonly slices: Iterable<readonly Entry[]>
  /** Whether the slices come in ascending order of ids. */
  readonly ordered: boolean
}

/** The shortest list that an index offers; nothing if no index helps. */
function candidates(collection: Collection, where: Predicate): Source | undefined {
  let best: Entry[] | undefined
  for (const {path, facet, values} of equalities(where)) {
    const found = lookUp(collection, path, facet === true, values)
    if (found && (!best || found.length < best.length)) best = found
  }
  return best && {slices: slicesOf(best), ordered: false}
}

function lookUp(collection: Collection, path: string, facet: boolean, values: readonly Scalar[]): Entry[] | undefined {
  const texts = [...new Set(values)].filter((value) => typeof value === 'string')
  if (texts.length < new Set(values).size) return undefined
  if (!facet && path === 'id') return texts.flatMap((id) => collection.get(id) ?? [])
  return collection.hasFacet(path) ? texts.flatMap((text) => collection.byFacet(path, text)) : undefined
}

function* slicesOf(entries: readonly Entry[]): Generator<readonly Entry[]> {
  for (let start = 0; start < entries.length; start += sliceSize) yield entries.slice(start, start + sliceSize)
}

function scan(collection: Collection, {where, limit, offset}: Page): Source {
  // A short page from the start needs no more documents than it shows.
  const size = where ? sliceSize : Math.min(sliceSize, offset + limit)
  return {slices: slicesById(collection, where && lowerBound(where), Math.max(size, 1)), ordered: true}
}

function* slicesById(collection: Collection, bound: IdBound | undefined, size: number): Generator<readonly Entry[]> {
  const first = bound?.inclusive ? collection.get(bound.id) : undefined
  if (first) yield [first]
  let slice: Entry[] = []
  for (const entry of collection.following(bound?.id)) {
    slice.push(entry)
    if (slice.length < size) continue
    yield slice
    slice = []
  }
  yield slice
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
