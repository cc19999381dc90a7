import {foldings} from '../folded-text.js'

/*
 * Finds the words of search texts in the JSON of a customer: what is made of a value has its letters and digits, in order.
 */

/**
 * What may stand between two letters of a word: punctuation; and of a number whatever is no digit, since it may be one to dial.
 * Never what the word has itself: there is one way to look, so that time grows with the text alone.
 */
const between = (word: string): string => (/^\d*$/.test(word) ? '[^0-9"]*' : '[^a-z0-9"\\x80-\\uffff]*')
/** Behind a value, and not behind the name of a member. */
const inValue = '(?=[^"]*"(?!:))'

/**
 * Matches JSON, with its letters folded, that may be of a customer whose search text has one of some pieces.
 *
 *     patternOf([' obrien']).test(`{"lastName":"O'Brien"}`) // true
 */
export function patternOf(pieces: readonly string[]): RegExp {
  const lastWords = pieces.map((piece) => /[\p{L}\p{N}]*$/u.exec(piece)?.[0] ?? '')
  const words = lastWords.map((word) => [...word].join(between(word)))
  return words.length === 0 ? /^(?!)/ : new RegExp(`(?:${words.join('|')})${inValue}`, 'i')
}

/**
 * JSON, a character for each byte, as `patternOf` looks into it: letters beyond ASCII folded, in each spelling. Undefined if it
 * has escapes, combining marks, or numbers beyond ASCII.
 */
export function lettersIn(json: string): readonly string[] | undefined {
  if (json.includes('\\')) return undefined
  const [plain, spelled]: [string[], string[]] = [[], []]
  for (const [at, run] of json.split(/([\x80-\xff]+)/).entries()) {
    const letters = at % 2 === 0 ? undefined : Buffer.from(run, 'latin1').toString()
    const [form = '', other = form] = letters === undefined ? [run] : foldings(letters)
    if (letters !== undefined && (/\p{M}/u.test(letters) || /\d/.test(form))) return undefined
    plain.push(form)
    spelled.push(other)
  }
  const forms = [...new Set([plain.join(''), spelled.join('')])]
  // Nobody dials zeros in brackets.
  return forms.flatMap((form) => (form.includes('(0)') ? [form, form.replaceAll('(0)', '')] : form))
}
