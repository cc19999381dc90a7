import type {JsonText} from '../../../domain/json-text.js'
import {CachedCandidate, Ranking, satisfies} from '../../adapter/ranking.js'
import type {Scans} from '../../adapter/scans.js'
import type {Contains, Matches, Search, SearchText, Unparsed} from '../../searchable.js'
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
  return scanning(collection, {scans, caller: asked.caller, unserved}, () => ranked(collection, asked, searchText))
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
    for (const found of collection.texts.all(collection, searchText, mayHave(contains, searchText))) {
      const isFound = found && satisfies(found.text, contains)
      const current = isFound ? (found.entry ?? collection.get(found.id)) : undefined
      if (current) rank(current, found?.text)
      yield !found || found.entry || isFound ? stepBytes : textBytes
    }
  }
  return ranking.matches()
}

/** Whether JSON may be of a document whose text contains something: to look for it there takes a tenth of making the text. */
function mayHave(contains: Contains, {unparsed}: SearchText): (json: JsonText) => boolean {
  if (!unparsed) return () => true
  const passes = passing(contains, unparsed)
  return ({bytes}) => {
    const letters = unparsed.lettersIn(bytes)
    return !letters || passes(letters)
  }
}

function passing(contains: Contains, unparsed: Unparsed): (letters: readonly string[]) => boolean {
  const eachOf = (all: readonly Contains[]) => all.map((one) => passing(one, unparsed))
  if (typeof contains === 'object' && 'all' in contains) {
    const each = eachOf(contains.all)
    return (letters) => each.every((passes) => passes(letters))
  }
  const any = typeof contains === 'string' ? [contains] : contains.any
  const pattern = unparsed.patternOf(any.filter((one) => typeof one === 'string'))
  const each = eachOf(any.filter((one) => typeof one === 'object'))
  return (letters) => letters.some((form) => pattern.test(form)) || each.some((passes) => passes(letters))
}
