import {CachedCandidate} from '../../adapter/cached-candidate.js'
import {Ranking, satisfies} from '../../adapter/ranking.js'
import type {Scan, Scans} from '../../adapter/scans.js'
import type {Matches, Search, SearchText} from '../../searchable.js'
import type {Collection} from '../directory/collection.js'
import type {Entry} from '../directory/documents.js'
import {candidates, unservedPart} from './candidates.js'
import {matcher} from './select.js'

/** The matches of a search: by the texts of all documents, or among what an index of values finds. */
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
  await scans.enter()
  const scan = scans.begin(unserved, asked.caller, scans.leave)
  const unpin = collection.pin()
  try {
    return await ranked(collection, asked, searchText, scan)
  } finally {
    unpin()
    scan.end()
  }
}

/** Documents that are looked at between two looks at the clock, where only texts in memory are. */
const textsAtOnce = 64

async function ranked(collection: Collection, asked: Search, searchText: SearchText, scan: Scan): Promise<Matches> {
  const {contains, where} = asked
  const ranking = new Ranking(asked)
  const rank = (entry: Entry, text?: string): void => {
    ranking.add(
      new CachedCandidate(
        entry.id,
        () => text ?? searchText.textOf(entry.read().parsed),
        () => entry.read().parsed,
      ),
    )
  }
  let looked = 0
  if (contains === undefined) {
    const matches = where && matcher(collection, where)
    for (const entry of (where && candidates(collection, where)?.entries()) ?? collection.inFileOrder()) {
      if (entry && (!matches || matches(entry.read().parsed))) rank(entry)
      const pause = scan.step()
      if (pause) await pause
    }
  } else {
    for (const {id, text, entry} of collection.texts.all(collection, searchText)) {
      const isFound = satisfies(text, contains)
      const current = isFound ? (entry ?? collection.get(id)) : undefined
      if (current) rank(current, text)
      looked += 1
      const pause = isFound || entry || looked % textsAtOnce === 0 ? scan.step() : undefined
      if (pause) await pause
    }
  }
  return ranking.matches()
}
