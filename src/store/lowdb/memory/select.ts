import {defined} from '../../../domain/equal.js'
import {satisfies} from '../../../domain/search/words.js'
import type {Predicate, SortKey} from '../../../query/ast.js'
import {Best} from '../../../query/best.js'
import {lowerBound} from '../../../query/index-hints.js'
import {compile} from '../../../query/to-function.js'
import type {Document, Found, Page, SearchText} from '../../store.js'
import type {Entry} from '../format/entry.js'
import {candidates, unservedPart} from './candidates.js'
import type {Collection} from './collection.js'
import type {Scan, Scans} from './scans.js'

/** One page of a collection, from an index if the predicate allows it, else by a scan. */
export async function select(
  collection: Collection,
  page: Page,
  scans: Scans,
  searchText?: SearchText,
): Promise<Found<Document>> {
  const scan = scans.begin(() => unservedPart(collection, page))
  // A search reads lines that it found before it last waited.
  const unpin = page.words ? collection.pin() : undefined
  try {
    return await selected(collection, page, scan, searchText)
  } finally {
    unpin?.()
    scan.end()
  }
}

async function selected(
  collection: Collection,
  page: Page,
  scan: Scan,
  searchText: SearchText | undefined,
): Promise<Found<Document>> {
  const {where, words, sort = [], count} = page
  const searched = words && searchText && (await collection.searched(words, searchText, () => scan.step()))
  const matches = matcher(collection, searched ? defined({where}) : page, searchText)
  const entries = searched ?? (where && (await candidates(collection, where, scan))) ?? inOrder(collection, where)
  const gather = isById(sort)
    ? firstOf(page)
    : bestOf(page, new Best(page.offset + page.limit, sort, collection.facets))
  const cap = count?.cap ?? 0
  const isChosen = matches !== undefined || searched !== undefined
  let total = isChosen || !count ? 0 : collection.size
  const isDone = () => gather.isFull() && (!count || !isChosen || total >= cap)
  for (const entry of entries) {
    if (isDone()) break
    if (entry && (!matches || matches(entry.doc))) {
      gather.add(entry)
      if (isChosen) total += 1
    }
    const pause = scan.step()
    if (pause) await pause
  }
  return {results: gather.results(), ...(count ? {total: Math.min(total, cap)} : {})}
}

/** Whether a document is on the page: by its predicate and its words. Undefined if every one is. */
function matcher(
  {facets}: Collection,
  {where, words}: Pick<Page, 'where' | 'words'>,
  searchText: SearchText | undefined,
): ((document: Document) => boolean) | undefined {
  const suits = where ? compile<Document>(where, facets) : undefined
  if (!words) return suits
  if (!searchText) throw new Error('documents of this kind have no search text')
  const {textOf} = searchText
  return (document) => satisfies(document.id, textOf(document), words) && (!suits || suits(document))
}

function* inOrder(collection: Collection, where: Predicate | undefined): Generator<Entry | undefined> {
  const bound = where && lowerBound(where)
  const first = bound?.inclusive ? collection.get(bound.id) : undefined
  if (first) yield first
  yield* collection.following(bound?.id)
}

const isById = (sort: readonly SortKey[]): boolean => {
  const [key] = sort
  return !key || (key.direction === 'asc' && key.field.path.length === 1 && key.field.path[0] === 'id')
}

interface Gathering {
  add(found: Pick<Entry, 'doc'>): void
  /** No further document can change the results. */
  isFull(): boolean
  results(): Document[]
}

/** The page of documents that arrive in its order. */
function firstOf({offset, limit}: Page): Gathering {
  const results: Document[] = []
  let skip = offset
  return {
    add(found) {
      if (skip > 0) skip -= 1
      else if (results.length < limit) results.push(found.doc)
    },
    isFull: () => results.length >= limit,
    results: () => results,
  }
}

/** The page of documents that arrive in any order. */
const bestOf = ({offset, limit}: Page, best: Best<Document>): Gathering => ({
  add: ({doc}) => best.add(doc),
  isFull: () => limit === 0,
  results: () => best.from(offset),
})
