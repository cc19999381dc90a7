import type {Predicate, Scalar, SortKey} from '../../../query/ast.js'
import {
  type Equality,
  equalities,
  type IdBound,
  isMember,
  lowerBound,
  type Moments,
  momentsOf,
} from '../../../query/index-hints.js'
import {compareText} from '../../../query/text-order.js'
import type {Document, Page} from '../../store.js'
import type {Collection} from '../directory/collection.js'
import type {Entry, LookUp} from '../directory/documents.js'
import {lacks, literalsOf} from '../line/unparsed.js'

/** The shortest list of candidates from an index; undefined if none applies. The caller pins the files. */
export function candidates(collection: Collection, where: Predicate, counts = false): LookUp | undefined {
  let best: LookUp | undefined
  for (const equality of equalities(where)) {
    const texts = textsOf(collection, equality)
    if (!texts) continue
    const found = isOfId(equality) ? byId(collection, texts) : collection.lookUp(equality.path, texts)
    if (!best || found.count < best.count) best = found
  }
  for (const [member, facet] of collection.moments) {
    const moments = momentsOf(where, member)
    const found = isBounded(moments) ? collection.during(facet, moments) : undefined
    // Of more than the half a scan finds a page sooner.
    const most = best?.count ?? (counts && moments.isAll ? Infinity : collection.size / 2)
    if (found && found.count < most) best = {...found, isAll: moments.isAll}
  }
  return best
}

const isBounded = ({from, until}: Moments): boolean => from > -Infinity || until < Infinity

/** The entries in the order of the first sort key, if moments are kept in it and no index finds few. */
export function inOrder(collection: Collection, {where, sort = []}: Page, found?: LookUp): Entries | undefined {
  const [key] = sort
  const [, facet] = collection.moments.find(([member]) => key && isMember(key.field, member)) ?? []
  if (!key || facet === undefined || (found && found.count < fewFound)) return undefined
  const moments = where ? momentsOf(where, key.field.path[0] as string) : {from: -Infinity, until: Infinity}
  return collection.during(facet, moments).inTime(key.direction === 'asc' ? 1 : -1)
}

/** Entries that are sooner sorted than sought in another order. */
const fewFound = 1_000

/** Whether a look-up decides the whole predicate: one condition, whose text was compared with what is found. */
export const decides = (where: Predicate, found: LookUp): boolean =>
  found.isAll ?? (where.op === 'compare' || where.op === 'in')

const isOfId = ({path, facet}: Equality): boolean => path === 'id' && facet === undefined

/** The keys to look up in an index; undefined if it does not have the field or a value. */
function textsOf(collection: Collection, equality: Equality): readonly string[] | undefined {
  if (!isOfId(equality) && !collection.hasFacet(equality.path)) return undefined
  const wanted = new Set<Scalar>(equality.values)
  const texts = [...wanted].filter((value) => typeof value === 'string')
  return texts.length < wanted.size ? undefined : texts
}

function byId(collection: Collection, texts: readonly string[]): LookUp {
  function* entries() {
    for (const id of [...texts].sort(compareText)) yield collection.get(id)
  }
  return {count: texts.length, entries}
}

/** The fields of a predicate as dotted paths. */
function fieldsOf(predicate: Predicate): readonly string[] {
  if ('terms' in predicate) return predicate.terms.flatMap(fieldsOf)
  if ('field' in predicate) return [predicate.field.path.join('.')]
  const below = fieldsOf(predicate.term)
  return predicate.op === 'not' ? below : below.map((name) => [...predicate.path, name].join('.'))
}

const shownChars = 300

/** The fields that no index serves, for the error of a query that was aborted. */
export function unservedPart(collection: Collection, {where, sort = []}: Page): string {
  const terms = where?.op === 'and' ? where.terms : where ? [where] : []
  const isServed = (term: Predicate) => equalities(term).some((equality) => textsOf(collection, equality) !== undefined)
  const unserved = [...new Set(terms.filter((term) => !isServed(term)).flatMap(fieldsOf))].join(', ')
  const shown = unserved.length > shownChars ? `${unserved.slice(0, shownChars)}…` : unserved
  if (shown !== '') return `no index serves ${shown}.`
  if (sort.length > 0) return 'no index serves the sort.'
  return where ? 'an index finds too many documents.' : 'it reads too many documents.'
}

/** All that match, by a scan: in the order of ids where the page has it. */
export function scanned(
  collection: Collection,
  page: Page,
  matches: ((document: Document) => boolean) | undefined,
): Entries {
  const {where, sort = []} = page
  if (!where || !matches) return isById(sort) ? collection.following() : collection.inFileOrder()
  const literals = literalsOf(where)
  // Whether it shows without parsing that a document does not match.
  const isLacking = (entry: Entry): boolean =>
    literals.length > 0 && (entry.lacks(literals) || lacks(entry.read().text.bytes, literals))
  const isMatch = (entry: Entry): boolean => matches(entry.read().parsed)
  return isById(sort)
    ? scannedById(collection, {isLacking, isMatch}, page, lowerBound(where))
    : passing(collection.inFileOrder(), (entry) => !isLacking(entry) && isMatch(entry))
}

type Entries = Generator<Entry | undefined>

function* passing(entries: Iterable<Entry | undefined>, passes: (entry: Entry) => boolean): Entries {
  for (const entry of entries) yield entry && passes(entry) ? entry : undefined
}

/** Entries that are looked at before it shows that few match. */
const firstEntries = 1_000
const fewMatches = 10
/** How much less time a scan forwards takes, where documents need not be parsed. */
const timesFaster = 5

/**
 * The matches in the order of ids. Where they are so rare that a page in that order takes longer, the files are read
 * forwards, and the matches are put in order at the end. Files that were joined have the order of ids themselves.
 */
function* scannedById(
  collection: Collection,
  {isLacking, isMatch}: Readonly<Record<'isLacking' | 'isMatch', (entry: Entry) => boolean>>,
  {offset, limit, count}: Page,
  bound: IdBound | undefined,
): Entries {
  let [looked, found, lacking, ascending, last] = [0, 0, 0, 0, 0]
  const goesOn = (): boolean => {
    if (looked < firstEntries || ascending > looked * 0.9) return true
    if (count) return found >= fewMatches
    const times = 1 + ((timesFaster - 1) * lacking) / looked
    return (found + 2) * collection.size >= (offset + limit) * looked * times
  }
  for (const entry of collection.following(bound?.id, bound?.inclusive)) {
    const isLacked = isLacking(entry)
    const isFound = !isLacked && isMatch(entry)
    yield isFound ? entry : undefined
    found += Number(isFound)
    lacking += Number(isLacked)
    ascending += Number(entry.place.at > last)
    last = entry.place.at
    looked += 1
    if (goesOn()) continue
    const ids: string[] = []
    for (const other of collection.inFileOrder()) {
      if (other && compareText(other.id, entry.id) > 0 && !isLacking(other) && isMatch(other)) ids.push(other.id)
      yield undefined
    }
    yield* passing(
      ids.sort(compareText).map((id) => collection.get(id)),
      isMatch,
    )
    return
  }
}

export const isById = (sort: readonly SortKey[]): boolean => {
  const [key] = sort
  return !key || (key.direction === 'asc' && key.field.path.length === 1 && key.field.path[0] === 'id')
}
