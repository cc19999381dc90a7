import {foldings} from '../folded-text.js'

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

/**
 * JSON, a character for each byte, as `patternOf` looks into it: letters beyond ASCII folded, in each spelling. Undefined if it
 * has escapes, combining marks, or numbers beyond ASCII.
 */
export function lettersIn(json: string): readonly string[] | undefined {
  if (json.includes('\\')) return undefined
  const runs = json.split(/([\x80-\xff]+)/)
  if (runs.length === 1) return runs
  const [plain, spelled]: [string[], string[]] = [[], []]
  for (const [at, run] of runs.entries()) {
    const letters = at % 2 === 0 ? undefined : Buffer.from(run, 'latin1').toString()
    const [form = '', other = form] = letters === undefined ? [run] : foldings(letters)
    if (letters !== undefined && (/\p{M}/u.test(letters) || /\d/.test(form))) return undefined
    plain.push(form)
    spelled.push(other)
  }
  return [...new Set([plain.join(''), spelled.join('')])]
}
