import {foldings} from './folded-text.js'

/** A word of a search: the search text of a document has one of `spellings`, or its id begins with `idStart`. */
export interface SearchWord {
  readonly spellings: readonly string[]
  /** Absent: too short to tell an id from a word. */
  readonly idStart?: string
}

/** Shorter words are found at the start of too many ids. */
const minIdStart = 4
const maxWords = 10

/** The words of a search, each of which must be found. None if the text has neither letters nor digits. */
export const searchWords = (text: string): readonly SearchWord[] =>
  text
    .split(/[\s,;/|]+/)
    .map(wordOf)
    .filter(({spellings}) => spellings.length > 0)
    .slice(0, maxWords)

function wordOf(typed: string): SearchWord {
  const forms = foldings(typed).filter((form) => form !== '')
  // Dialled within the country, a phone number has a zero that it lacks behind the country code.
  const dialled = forms.filter((form) => /^0+[1-9]\d*$/.test(form)).map((form) => form.replace(/^0+/, ''))
  const idStart = typed.toLowerCase()
  const spellings = [...new Set([...forms, ...dialled])]
  return idStart.length < minIdStart ? {spellings} : {spellings, idStart}
}

/** Whether a document with this search text satisfies every word. */
export const satisfies = (id: string, text: string, words: readonly SearchWord[]): boolean =>
  words.every(
    ({spellings, idStart}) =>
      spellings.some((spelling) => text.includes(spelling)) || (idStart !== undefined && id.startsWith(idStart)),
  )
