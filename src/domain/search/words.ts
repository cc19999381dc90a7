import {dialled, foldings, isAscii, partsOf, queryWords, tokensOf} from '../folded-text.js'

/** As most values are: nothing divides it, and it has one spelling. */
const plainWord = /^[a-z0-9]+$/i

/**
 * The words of a value, folded, each once: the parts between blanks and punctuation, and what punctuation alone divides
 * also as one word.
 *
 *     wordsOf("Müller O'Brien") // ['muller', 'mueller', 'o', 'brien', 'obrien']
 */
export function wordsOf(value: string): readonly string[] {
  if (plainWord.test(value)) return [value.toLowerCase()]
  if (isAscii(value)) return asciiWords(value.toLowerCase())
  const words = new Set<string>()
  for (const token of tokensOf(value)) {
    const own = partsOf(token)
    for (const part of own) for (const form of foldings(part)) words.add(form)
    if (own.length > 1) for (const form of foldings(token)) words.add(form)
  }
  words.delete('')
  return [...words]
}

function asciiWords(value: string): readonly string[] {
  const words = new Set<string>()
  for (const token of value.split(/\s+/)) {
    const own = token.match(/[a-z0-9]+/g) ?? []
    for (const part of own) words.add(part)
    if (own.length > 1) words.add(own.join(''))
  }
  return [...words]
}

/** The parts of a text in one spelling: of each, any value that has the text has the letters. */
export const lettersOf = (text: string): readonly string[] => queryWords(text).map(([plain = '']) => plain)

/**
 * The words of a telephone number: beside those of its text all of its digits, and what is dialled within the country,
 * without zeros in front.
 *
 *     phoneWords('+49 (0)30 5550') // ['49', '0', '030', '30', …, '49305550', '9305550', '305550', '05550']
 */
export function phoneWords(value: string): readonly string[] {
  const digits = dialled(value)
  const national = /^\s*(\+|00)/.test(value) ? [1, 2, 3].map((code) => digits.slice(code)) : []
  return [...new Set([...wordsOf(value), digits, ...national])].filter((word) => word !== '')
}

/** How many edits a word of a length may differ by: none up to 2 characters, one up to 5, beyond two. */
export const editsFor = ({length}: string, level: number): number =>
  Math.min(level, length <= 2 ? 0 : length <= 5 ? 1 : 2)

/** The Levenshtein distance of two words, undefined above `most`. */
export function editDistance(a: string, b: string, most: number): number | undefined {
  if (a === b) return 0
  if (Math.abs(a.length - b.length) > most) return undefined
  const row = Array.from({length: b.length + 1}, (_, at) => at)
  for (let at = 1; at <= a.length; at += 1) {
    const letter = a.charCodeAt(at - 1)
    // What is further from the diagonal differs by more.
    const [first, last] = [Math.max(1, at - most), Math.min(b.length, at + most)]
    const start = first === 1 ? at : most + 1
    let [diagonal, left, least] = [row[first - 1] as number, start, start]
    row[first - 1] = start
    if (last < b.length) row[last + 1] = most + 1
    for (let column = first; column <= last; column += 1) {
      const above = row[column] as number
      left = Math.min(diagonal + Number(letter !== b.charCodeAt(column - 1)), above + 1, left + 1)
      row[column] = left
      diagonal = above
      if (left < least) least = left
    }
    if (least > most) return undefined
  }
  const distance = row[b.length] as number
  return distance <= most ? distance : undefined
}

/** Pieces of a word of which every word within so many edits has one. */
export function piecesOf(word: string, edits: number): readonly string[] {
  const length = Math.floor(word.length / (edits + 1))
  return Array.from({length: edits + 1}, (_, at) =>
    word.slice(at * length, at === edits ? undefined : (at + 1) * length),
  )
}
