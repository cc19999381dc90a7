import type {Predicate, Scalar} from '../../../query/ast.js'
import {type Equality, equalities} from '../../../query/index-hints.js'
import {printPredicate} from '../../../query/print.js'
import {compareText} from '../../../query/text-order.js'
import type {Page} from '../../store.js'
import type {Entry} from '../format/entry.js'
import type {Collection} from './collection.js'

/** Entries, ascending by id; undefined marks a step of work without an entry. */
export type Entries = Iterable<Entry | undefined>

/** The shortest list of candidates from an index, in steps of work; undefined if no index applies. */
export function* candidates(collection: Collection, where: Predicate): Generator<undefined, LookUp | undefined> {
  let best: LookUp | undefined
  for (const equality of equalities(where)) {
    const found = yield* lookUp(collection, equality, best?.count)
    if (found) best = found
  }
  return best
}

export interface LookUp {
  readonly count: number
  readonly entries: () => Entries
}

/**
 * Whether a look-up decides the whole predicate: one condition, which what is found satisfies, since its id, or the text
 * of the facet that is kept with it, was compared.
 */
export const decides = (where: Predicate): boolean => where.op === 'compare' || where.op === 'in'

/** The keys to look up in an index; undefined if it does not have the field or a value. */
function textsOf(collection: Collection, {path, facet, values}: Equality): readonly string[] | undefined {
  const isId = path === 'id' && facet === undefined
  if (!isId && !collection.hasFacet(path)) return undefined
  const wanted = new Set<Scalar>(values)
  const texts = [...wanted].filter((value) => typeof value === 'string')
  return texts.length < wanted.size ? undefined : texts
}

/** The candidates of an index, if they are fewer than the best so far. */
function* lookUp(
  collection: Collection,
  equality: Equality,
  best = Number.POSITIVE_INFINITY,
): Generator<undefined, LookUp | undefined> {
  const texts = textsOf(collection, equality)
  if (!texts) return undefined
  const {path, facet} = equality
  if (path === 'id' && facet === undefined) {
    if (texts.length >= best) return undefined
    const ids = [...texts].sort(compareText)
    return {count: ids.length, entries: () => byId(collection, ids)}
  }
  let count = 0
  for (const text of texts) {
    count += collection.countByFacet(path, text)
    if (count >= best) return undefined
    yield
  }
  return {count, entries: () => collection.byFacet(path, texts)}
}

function* byId(collection: Collection, ids: readonly string[]): Generator<Entry | undefined> {
  for (const id of ids) yield collection.get(id)
}

const shownChars = 300

/** The conditions that no index serves, for the error of a query that was aborted. */
export function unservedPart(collection: Collection, {where, sort = []}: Page): string {
  const terms = where?.op === 'and' ? where.terms : where ? [where] : []
  const isServed = (term: Predicate) => equalities(term).some((equality) => textsOf(collection, equality) !== undefined)
  const unserved = terms
    .filter((term) => !isServed(term))
    .map(printPredicate)
    .join(' and ')
  const shown = unserved.length > shownChars ? `${unserved.slice(0, shownChars)}…` : unserved
  if (shown !== '') return `no index serves '${shown}'.`
  return sort.length > 0 ? 'no index serves the sort.' : 'an index finds too many documents.'
}
