import {foldings, isAscii} from '../folded-text.js'

/*
 * Finds the words of search texts in the JSON of a customer: what is made of a value has its letters and digits, in order.
 */

const lastWord = /[\p{L}\p{N}]+$/u

/** What may stand between two letters of a word: punctuation; and of a number anything, since it may be one to dial. */
const between = (word: string): string => (/^\d*$/.test(word) ? '(?:\\(0\\)|[^0-9"])*' : '[^a-z0-9"]*')
/** Behind a value, and not behind the name of a member. */
const inValue = '(?=[^"]*"(?!:))'

/**
 * Matches JSON, with its letters folded, that may be of a customer whose search text has one of some pieces.
 *
 *     patternOf([' obrien']).test(`{"lastName":"O'Brien"}`) // true
 */
export function patternOf(pieces: readonly string[]): RegExp {
  const words = pieces.map((piece) => {
    const [word = ''] = lastWord.exec(piece) ?? []
    return [...word].join(between(word))
  })
  return words.length === 0 ? /^(?!)/ : new RegExp(`(?:${words.join('|')})${inValue}`, 'i')
}

/** JSON as `patternOf` looks into it: letters beyond ASCII folded, in each spelling; undefined if it has escapes or numbers beyond ASCII. */
export function lettersIn(json: string): readonly string[] | undefined {
  if (json.includes('\\')) return undefined
  if (isAscii(json)) return [json]
  const runs = json.normalize('NFC').split(/([^\x00-\x7f]+)/)
  const forms = runs.map((run, at) => (at % 2 === 0 ? [run] : foldings(run)))
  if (forms.some(([form = ''], at) => at % 2 === 1 && /\d/.test(form))) return undefined
  return [...new Set([0, 1].map((spelling) => forms.map((form) => form[spelling] ?? form[0]).join('')))]
}
