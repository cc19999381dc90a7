import type {Predicate} from '../../../query/ast.js'
import {CachedCandidate} from '../../adapter/cached-candidate.js'
import {Ranking} from '../../adapter/ranking.js'
import type {Scan, Scans} from '../../adapter/scans.js'
import type {Matches, Search, SearchText} from '../../searchable.js'
import type {Entry} from '../line/entry.js'
import type {Collection} from '../tree/collection.js'
import {candidates, unservedPart} from './candidates.js'
import {inOrder, matcher} from './select.js'

/** The matches of a search: from the indexes of the texts if they tell, else from an index of values or by a scan. */
export async function search(
  collection: Collection,
  asked: Search,
  searchText: SearchText,
  scans: Scans,
): Promise<Matches> {
  const {contains, where, limit, offset} = asked
  const unserved = (): string =>
    contains !== undefined
      ? 'too many texts have what it looks for.'
      : where
        ? unservedPart(collection, {where, limit, offset})
        : 'no index serves the search.'
  const scan = scans.begin(unserved, asked.caller)
  const unpin = collection.pin()
  try {
    if (contains !== undefined) {
      const ranking = new Ranking(asked)
      const visit = (...found: Parameters<Ranking['add']>): void => void ranking.add(...found)
      if (await collection.search(contains, searchText, visit, scan)) return ranking.matches()
    }
    return await scanned(collection, asked, searchText, scans, scan)
  } finally {
    unpin()
    scan.end()
  }
}

/** Ranks what an index of values finds, or every document. */
async function scanned(collection: Collection, asked: Search, searchText: SearchText, scans: Scans, scan: Scan) {
  await scans.enter()
  try {
    const ranking = new Ranking(asked)
    for (const entry of candidatesOf(collection, asked.where)) {
      const document = entry?.look()
      if (document)
        ranking.add(
          new CachedCandidate(
            document.id,
            () => searchText.textOf(document),
            () => document,
          ),
        )
      const pause = scan.step()
      if (pause) await pause
    }
    return ranking.matches()
  } finally {
    scans.leave()
  }
}

/** What is ranked where no index of texts serves: what an index of values finds, or every document. */
function* candidatesOf(collection: Collection, where: Predicate | undefined): Generator<Entry | undefined> {
  const lookUp = where && candidates(collection, where)
  if (lookUp) yield* lookUp.entries()
  else yield* inOrder(collection, where, where ? matcher(collection, where) : () => true)
}
