import {defined} from '../../../domain/equal.js'
import {Ranking} from '../../adapter/ranking.js'
import type {Matches, Search, SearchText} from '../../store.js'
import type {Collection} from '../tree/collection.js'
import {unservedPart} from './candidates.js'
import type {Scans} from './scans.js'
import {candidatesOf} from './select.js'

/** The matches of a search: from the indexes of the texts if they tell, else from an index of values or by a scan. */
export async function search(
  collection: Collection,
  asked: Search,
  searchText: SearchText,
  scans: Scans,
): Promise<Matches> {
  const {contains, where, limit, offset} = asked
  const scan = scans.begin(() => unservedPart(collection, {...defined({where}), limit, offset}))
  const unpin = collection.pin()
  try {
    if (contains !== undefined) {
      const ranking = new Ranking(asked)
      const visit = (...found: Parameters<Ranking['add']>): void => void ranking.add(...found)
      if (await collection.search(contains, searchText, visit, scan)) return ranking.matches()
    }
    const ranking = new Ranking(asked)
    for (const entry of candidatesOf(collection, where)) {
      const document = entry?.look()
      if (document) ranking.add({id: document.id, text: () => searchText.textOf(document), document: () => document})
      const pause = scan.step()
      if (pause) await pause
    }
    return ranking.matches()
  } finally {
    unpin()
    scan.end()
  }
}
