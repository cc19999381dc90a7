import {CachedCandidate, Ranking, satisfies} from '../../adapter/ranking.js'
import type {Scans} from '../../adapter/scans.js'
import type {Matches, Search, SearchText} from '../../searchable.js'
import type {Collection} from '../directory/collection.js'
import type {Entry} from '../directory/documents.js'
import {candidates, unservedPart} from './candidates.js'
import {matcher, scanning, stepBytes} from './select.js'

/** The matches of a search: by the texts of all documents, or among what an index of values finds. */
export function search(
  collection: Collection,
  asked: Search,
  searchText: SearchText,
  scans: Scans,
): Matches | Promise<Matches> {
  const {contains, where, limit, offset} = asked
  const unserved = (): string =>
    contains !== undefined
      ? 'too many texts have what it looks for.'
      : where
        ? unservedPart(collection, {where, limit, offset})
        : 'no index serves the search.'
  const query = {scans, caller: asked.caller, unserved}
  return scanning(collection, query, () => ranked(collection, asked, searchText))
}

/** What looking at a text in memory counts for. */
const textBytes = stepBytes / 64

function* ranked(collection: Collection, asked: Search, searchText: SearchText): Generator<number, Matches> {
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
  if (contains === undefined) {
    const matches = where && matcher(collection, where)
    for (const entry of (where && candidates(collection, where)?.entries()) ?? collection.inFileOrder()) {
      if (entry && (!matches || matches(entry.read().parsed))) rank(entry)
      yield stepBytes
    }
  } else {
    for (const {id, text, entry} of collection.texts.all(collection, searchText)) {
      const isFound = satisfies(text, contains)
      const current = isFound ? (entry ?? collection.get(id)) : undefined
      if (current) rank(current, text)
      yield isFound || entry ? stepBytes : textBytes
    }
  }
  return ranking.matches()
}
