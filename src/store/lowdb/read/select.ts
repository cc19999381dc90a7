import type {Caller} from '../../../domain/errors.js'
import {type JsonText, jsonOf} from '../../../domain/json-text.js'
import type {Predicate, SortKey} from '../../../query/ast.js'
import {Best} from '../../../query/best.js'
import {lowerBound} from '../../../query/index-hints.js'
import {instantOf} from '../../../query/instant.js'
import {type Reader, readersOf} from '../../../query/sort.js'
import {compile} from '../../../query/to-function.js'
import {isTurnSpent, nextTurn} from '../../../work/time-slices.js'
import type {Scan, Scans} from '../../adapter/scans.js'
import type {Document, Page, QueryResult} from '../../store.js'
import type {Collection} from '../directory/collection.js'
import type {Entry, Shown} from '../directory/documents.js'
import {plainMember} from '../line/unparsed.js'
import {candidates, decides, inOrder, isById, scanned, unservedPart} from './candidates.js'

/** One page of a collection, from an index if the predicate allows it, else by a scan. At once if that takes few steps. */
export function select<T>(
  collection: Collection,
  page: Page,
  shown: Shown<T>,
  scans: Scans,
): QueryResult<T> | Promise<QueryResult<T>> {
  const query = {scans, caller: page.caller, unserved: () => unservedPart(collection, page)}
  return scanning(collection, query, () => selecting(collection, page, shown))
}

interface Query {
  readonly scans: Scans
  readonly caller: Caller | undefined
  /** Names the conditions that no index serves. */
  readonly unserved: () => string
}

/** Runs work that yields after each document how many bytes it counts for. The files of now stay open until it ends. */
export function scanning<T>(
  collection: Collection,
  {scans, caller, unserved}: Query,
  work: () => Generator<number, T>,
): T | Promise<T> {
  const read = (): T | Promise<T> => {
    const [unpin, steps, scan] = [collection.pin(), work(), scans.begin(unserved, caller)]
    return worked(steps, scan, () => {
      // What the work keeps open is closed.
      steps.return(undefined as never)
      scan.end()
      unpin()
      scans.leave()
    })
  }
  // Its first step alone opens much: of those that come together each takes it in a turn of its own.
  const begin = scans.enter()?.then(nextTurn) ?? (isTurnSpent(performance.now()) ? nextTurn() : undefined)
  return begin ? begin.then(read) : read()
}

/** Bytes of documents that nobody looks into, between two looks at the clock. */
export const stepBytes = 8_192

/** Works until something has to wait, and then in turns. */
function worked<T>(work: Generator<number, T>, scan: Scan, ended: () => void): T | Promise<T> {
  let pause: Promise<void> | undefined
  try {
    for (let bytes = 0; !pause; ) {
      const next = work.next()
      if (next.done) return next.value
      bytes += next.value
      if (bytes < stepBytes) continue
      bytes = 0
      pause = scan.step()
    }
  } finally {
    if (!pause) ended()
  }
  return pause.then(
    () => worked(work, scan, ended),
    (error: unknown) => {
      ended()
      throw error
    },
  )
}

/** Those that are compared or sorted count as a step. */
function* selecting<T>(collection: Collection, page: Page, shown: Shown<T>): Generator<number, QueryResult<T>> {
  const {where, sort = [], count} = page
  const lookUp = where && candidates(collection, where, count !== undefined)
  const isDecided = lookUp !== undefined && where !== undefined && decides(where, lookUp)
  const matches = !where || isDecided ? undefined : matcher(collection, where)
  const begin = isById(sort) && where?.op === 'compare' ? lowerBound(where) : undefined
  // A scan tries what it passes.
  const ordered = isById(sort) ? undefined : inOrder(collection, page, lookUp)
  const tries = lookUp || ordered ? matches : undefined
  const found = ordered ?? lookUp?.entries()
  const entries =
    found ?? (begin ? collection.following(begin.id, begin.inclusive) : scanned(collection, page, matches))
  const results = new Results(page, shown)
  const best = isById(sort) ? undefined : new Sorting(page, sort, collection)
  const cap = count?.cap ?? 0
  const isChosen = matches !== undefined || isDecided
  let total = isChosen || !count ? 0 : collection.size
  let skip = page.offset
  const isFull = () => (best ? page.limit === 0 || (ordered !== undefined && best.isBehind) : results.isFull)
  for (const entry of entries) {
    if (isFull() && (!count || !isChosen || total >= cap)) break
    if (entry && (!tries || tries(entry.read().parsed))) {
      if (best) !isFull() && best.add(entry)
      else if (skip > 0) skip -= 1
      else results.add(entry)
      if (isChosen) total += 1
    }
    yield entry && !matches && !best ? entry.place.size : stepBytes
  }
  for (const entry of best?.entries() ?? []) {
    if (!results.add(entry)) break
    yield entry.place.size
  }
  const {isCut} = results
  return {results: results.shown, ...(count ? {total: Math.min(total, cap)} : {}), ...(isCut ? {isCut} : {})}
}

export const matcher = ({facets}: Collection, where: Predicate): Matches => compile<Document>(where, facets)

type Matches = (document: Document) => boolean

class Results<T> {
  readonly shown: T[] = []
  isCut = false
  readonly #page: Page
  readonly #show: Shown<T>

  constructor(page: Page, show: Shown<T>) {
    this.#page = page
    this.#show = show
  }

  add(found: Entry): boolean {
    if (this.isFull) return false
    const shown = this.#show(found)
    const {take} = this.#page
    // Whatever the size of the first: a page without results would be taken for the last one.
    if (take && !take(jsonOf(shown).bytes.length) && this.shown.length > 0) this.isCut = true
    else this.shown.push(shown)
    return !this.isFull
  }

  get isFull(): boolean {
    return this.isCut || this.shown.length >= this.#page.limit
  }
}

/** The first key of a document from its JSON, if that tells it: to parse it takes ten times as long. */
function firstKeyOf([key]: readonly SortKey[]): ((text: JsonText) => string | number | undefined) | undefined {
  const {path, type, facet} = key?.field ?? {path: []}
  const [name] = path
  if (name === undefined || path.length > 1 || facet !== undefined || !/^(string|date|datetime)$/.test(`${type}`))
    return undefined
  return ({bytes}) => {
    const text = plainMember(bytes, name)
    return text !== undefined && type === 'datetime' ? instantOf(text) : text
  }
}

/** The page of documents that arrive in any order: they are read again, since only ids and keys are kept of them. */
class Sorting {
  readonly #page: Page
  readonly #collection: Collection
  readonly #best: Best<Document, {readonly id: string}>
  readonly #firstKey: ReturnType<typeof firstKeyOf>
  readonly #reader: Reader<Document> | undefined
  /** Whether the first key of what was added last comes behind all that are kept. */
  isBehind = false

  constructor(page: Page, sort: readonly SortKey[], collection: Collection) {
    this.#page = page
    this.#collection = collection
    const readers = readersOf(sort, collection.facets)
    this.#best = new Best(page.offset + page.limit, readers, ({id}: Document) => ({id}))
    this.#firstKey = firstKeyOf(sort)
    this.#reader = readers[0]
  }

  add(found: Entry): void {
    const kept = found.read()
    const key = (kept.isParsed ? undefined : this.#firstKey?.(kept.text)) ?? this.#reader?.read(kept.parsed)
    this.isBehind = this.#best.isBehind(key)
    if (!this.isBehind) this.#best.add(kept.parsed)
  }

  *entries(): Generator<Entry> {
    for (const {id} of this.#best.from(this.#page.offset)) {
      const entry = this.#collection.get(id)
      if (entry) yield entry
    }
  }
}
