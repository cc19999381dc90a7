import type {SortKey} from '../../../query/ast.js'
import {type IdBound, lowerBound} from '../../../query/index-hints.js'
import {compareText} from '../../../query/text-order.js'
import type {Document, Page} from '../../store.js'
import type {Collection} from '../directory/collection.js'
import type {Entry} from '../directory/entry.js'
import {lacks, literalsOf} from '../line/literals.js'

/** All that match, by a scan: in the order of ids where the page has it. */
export function scanned(
  collection: Collection,
  {where, sort = []}: Page,
  matches: ((document: Document) => boolean) | undefined,
): Entries {
  if (!where || !matches) return isById(sort) ? collection.following(undefined) : collection.inFileOrder()
  const literals = literalsOf(where)
  const passes = (entry: Entry): boolean =>
    !(literals.length > 0 && lacks(entry.text().bytes, literals)) && matches(entry.look())
  return isById(sort) ? byId(collection, passes, lowerBound(where)) : passing(collection.inFileOrder(), passes)
}

type Entries = Generator<Entry | undefined>

function* passing(entries: Iterable<Entry | undefined>, passes: (entry: Entry) => boolean): Entries {
  for (const entry of entries) yield entry && passes(entry) ? entry : undefined
}

/** Entries that are looked at before it shows that few match. */
const firstEntries = 1_000
const fewMatches = 10
/** Ids of matches that are kept until they are in order. */
const mostIds = 10_000

/**
 * The matches in the order of ids. Where they are rare the files are read forwards, which takes a fifth of the time, and
 * the matches are put in order at the end.
 */
function* byId(collection: Collection, passes: (entry: Entry) => boolean, bound: IdBound | undefined): Entries {
  let [looked, found, last] = [0, 0, bound?.id]
  const first = bound?.inclusive ? collection.get(bound.id) : undefined
  if (first && passes(first)) yield first
  for (const entry of collection.following(last)) {
    const isMatch = passes(entry)
    yield isMatch ? entry : undefined
    if (isMatch) found += 1
    looked += 1
    last = entry.id
    if (looked === firstEntries && found < fewMatches) break
  }
  if (looked !== firstEntries || found >= fewMatches) return
  const ids: string[] = []
  for (const entry of collection.inFileOrder()) {
    if (entry && (last === undefined || compareText(entry.id, last) > 0) && passes(entry)) ids.push(entry.id)
    if (ids.length > mostIds) break
    yield undefined
  }
  if (ids.length > mostIds) yield* passing(collection.following(last), passes)
  for (const id of ids.length > mostIds ? [] : ids.sort(compareText)) {
    const entry = collection.get(id)
    yield entry && passes(entry) ? entry : undefined
  }
}

/** All from a bound of ids on: where that is the whole predicate, nobody has to look inside. */
export function* from(collection: Collection, {id, inclusive}: IdBound): Generator<Entry> {
  const first = inclusive ? collection.get(id) : undefined
  if (first) yield first
  yield* collection.following(id)
}

export const isById = (sort: readonly SortKey[]): boolean => {
  const [key] = sort
  return !key || (key.direction === 'asc' && key.field.path.length === 1 && key.field.path[0] === 'id')
}
