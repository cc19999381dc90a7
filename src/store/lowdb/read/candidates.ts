import type {Predicate, Scalar} from '../../../query/ast.js'
import {type Equality, equalities} from '../../../query/index-hints.js'
import {printPredicate} from '../../../query/print.js'
import {compareText} from '../../../query/text-order.js'
import type {Page} from '../../store.js'
import type {Collection, LookUp} from '../directory/collection.js'

/** The shortest list of candidates from an index; undefined if none applies. The caller pins the files. */
export function candidates(collection: Collection, where: Predicate): LookUp | undefined {
  let best: LookUp | undefined
  for (const equality of equalities(where)) {
    const texts = textsOf(collection, equality)
    if (!texts) continue
    const found = isOfId(equality) ? byId(collection, texts) : collection.lookUp(equality.path, texts)
    if (!best || found.count < best.count) best = found
  }
  return best
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
  if (sort.length > 0) return 'no index serves the sort.'
  return where ? 'an index finds too many documents.' : 'it reads too many documents.'
}
