import type {Predicate, Scalar} from '../../../query/ast.js'
import {type Equality, equalities} from '../../../query/index-hints.js'
import {printPredicate} from '../../../query/print.js'
import {compareText} from '../../../query/text-order.js'
import type {Page} from '../../store.js'
import type {Entry} from '../line/entry.js'
import type {Collection} from '../tree/collection.js'
import type {FacetLookUp} from '../tree/facet-look-up.js'

/** Entries, ascending by id; undefined marks a step of work without an entry. */
export type Entries = Iterable<Entry | undefined>

/** The shortest list of candidates from an index; undefined if none applies. The caller pins the segments. */
export function* candidates(collection: Collection, where: Predicate): Generator<undefined, LookUp | undefined> {
  let best: LookUp | undefined
  // All of one moment: which facets the layers have, and the layers that are asked.
  for (const [texts, facet] of lookUps(collection, where)) {
    const found = facet ? yield* counted(facet, texts, best?.count) : byId(collection, texts)
    if (found && found.count < (best?.count ?? Number.POSITIVE_INFINITY)) best = found
  }
  return best
}

/** The texts that an index can be asked for; without a look-up they are ids. */
const lookUps = (collection: Collection, where: Predicate): [readonly string[], FacetLookUp | undefined][] =>
  equalities(where).flatMap((equality) => {
    const texts = textsOf(collection, equality)
    return texts ? [[texts, isOfId(equality) ? undefined : collection.lookUp(equality.path)]] : []
  })

export interface LookUp {
  readonly count: number
  readonly entries: () => Entries
}

/** Whether a look-up decides the whole predicate: one condition, whose text was compared with what is found. */
export const decides = (where: Predicate): boolean => where.op === 'compare' || where.op === 'in'

const isOfId = ({path, facet}: Equality): boolean => path === 'id' && facet === undefined

/** The keys to look up in an index; undefined if it does not have the field or a value. */
function textsOf(collection: Collection, equality: Equality): readonly string[] | undefined {
  if (!isOfId(equality) && !collection.hasFacet(equality.path)) return undefined
  const wanted = new Set<Scalar>(equality.values)
  const texts = [...wanted].filter((value) => typeof value === 'string')
  return texts.length < wanted.size ? undefined : texts
}

/** Undefined if there are no fewer than those found so far. */
function* counted(
  found: FacetLookUp,
  texts: readonly string[],
  best = Number.POSITIVE_INFINITY,
): Generator<undefined, LookUp | undefined> {
  for (const text of texts) {
    found.add(text)
    if (found.count >= best) return undefined
    yield
  }
  return found
}

function byId(collection: Collection, texts: readonly string[]): LookUp {
  function* entries() {
    for (const id of [...texts].sort(compareText)) yield collection.get(id)
  }
  return {count: texts.length, entries}
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
