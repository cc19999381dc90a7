import {userIdentifiers} from '../../domain/customers/fields.js'
import {dialled, queryWords} from '../../domain/folded-text.js'
import {limits} from '../../work/limits.js'
import {datesIn} from '../input/dates-in.js'

/** The one search request that is made of what somebody typed, as the platform and our servers take it. */

type Expression = Readonly<Record<string, unknown>>

/** By how much one kind of match counts more than another. */
const [identity, beginning, alternative, misheard] = [10, 4, 3, 1]

const exact = (field: string, values: readonly string[]): Expression => ({
  exact: {field, values, caseInsensitive: true, boost: identity},
})
const fullTextPrefix = (value: string, boost: number): Expression => ({fullTextPrefix: {field: 'all', value, boost}})
const fuzzy = (value: string, mustMatch: 'all' | 'any'): Expression => ({
  fuzzy: {field: 'all', value, level: 2, mustMatch, boost: misheard},
})

/** Words beyond these are looked for as they are written only. */
const maxMisheard = 8

/** Whether people mishear a word: a number is said again, and of two letters any other word would be like it. */
const isSpoken = (word: string): boolean => /^\P{N}{3,}$/u.test(word)

/** How else a word that sounds so is written, in short words and in long ones. */
const sounds: readonly (readonly [RegExp, string])[] = [
  [/w/g, 'v'],
  [/v/g, 'w'],
  [/y/g, 'ij'],
  [/ij/g, 'y'],
  [/ph/g, 'f'],
]
const [hard, soft] = ['tpkfw', 'dbgvv']
const softened = (word: string): string => word.replace(/[tpkfw]/g, (letter) => soft[hard.indexOf(letter)] ?? letter)

/** The word and how else it may be written, from what is heard: `brantwolt` is `brantvolt` and `brandvold` too. */
function heardAs(word: string): string {
  const plain = word.toLowerCase()
  const long = plain.length < 8 ? [] : [softened(plain)]
  return [...new Set([plain, ...sounds.map(([sound, letters]) => plain.replace(sound, letters)), ...long])].join(' ')
}

/** The word with two neighbouring letters exchanged. In longer ones these are two wrong letters, which `fuzzy` allows. */
const exchanged = (word: string): string =>
  Array.from(word.slice(1), (next, at) => `${word.slice(0, at)}${next}${word[at]}${word.slice(at + 2)}`).join(' ')

/** What names begin with, and what is written as one word with it or apart: `mac donald`, `delacruz`. */
const nameStart = /(^|\s)(mac|mc|fitz|o|d|de|da|do|di|du|le|la|el|al|van|von|saint|st)\s(?=\p{L})/giu
const partedName = /^(?:(de|van|von)(la|las|los|der|den|de)|(de|da|do|di|du|le|la|el|al))(\p{L}{3,}|)$/iu

const nothing = (): readonly Expression[] => []

const misheardAs = (word: string): readonly Expression[] => [
  // What has several parts, as an email, is all of them.
  /^\p{L}+$/u.test(word) ? fuzzy(heardAs(word), 'any') : fuzzy(word, 'all'),
  ...(word.length === 4 || word.length === 5
    ? [{fullText: {field: 'all', value: exchanged(word), mustMatch: 'any', boost: misheard}}]
    : []),
  ...(partedName.test(word) ? [fullTextPrefix(word.replace(partedName, '$1$3 $2 $4'), misheard)] : []),
]

/** How a street or a company is abbreviated: what begins so is written out as well. */
const abbreviated = (word: string): string =>
  word.replace(/stra(?:ß|ss)e$/i, 'str').replace(/^gebr(?:ü|ue|u)der$/i, 'gebr')

/** The words of a text. What stands behind the number of a house belongs to it, and `12/3` is one; `und` is as good as `&`. */
function wordsIn(text: string): readonly string[] {
  const joined = text.replace(/(?<=(?:^|\s)\d{1,4}) (?=(?:\p{L}|bis|ter)(?:$|[\s,;|]))/giu, '')
  const each = joined.split(/[\s,;|]+|(?<!\d)\/|\/(?!\d)/).filter((word) => queryWords(word).length > 0)
  const telling = each.filter((word) => !/^(?:und|and|et)$/i.test(word))
  return telling.length > 0 ? telling : each
}

/** A word by how it begins or, with less weight, by what sounds like it; a number also as that of a house or a post office. */
function wordQuery(word: string, weight = alternative, heard = misheardAs): Expression {
  const beginnings = fullTextPrefix(abbreviated(word), weight)
  const numbersAs = isHouse(word) ? houseNumbers : /\d/.test(word) ? postalCodes : nothing
  const others = (isSpoken(word) ? heard : numbersAs)(word)
  return others.length > 0 ? {or: [beginnings, ...others]} : beginnings
}

/** The words beside a date that `searchQuery` looks for, as they begin. */
export const beginningsIn = (text: string): string => wordsIn(datesIn(text).rest).map(abbreviated).join(' ')

/** Each word by itself; several also as one name. As it is written: without what sounds like it. */
function words(text: string, isAsWritten = false): readonly Expression[] {
  const each = wordsIn(text)
  if (each.length > maxMisheard) return []
  if (isAsWritten) return [{and: each.map((word) => wordQuery(word, alternative, nothing))}]
  const [only = '', second] = each
  if (second === undefined) return isSpoken(only) ? [...misheardAs(only), ...divided(only)] : postalCodes(only)
  const names = each.join(' ').replace(nameStart, '$1$2').split(' ')
  const joined = each.every(isSpoken) ? [fullTextPrefix(each.join(''), misheard)] : []
  return [
    {and: each.map((word) => wordQuery(word))},
    ...(names.length < each.length ? [{and: names.map((name) => wordQuery(name, identity))}] : []),
    ...joined,
  ]
}

const isHouse = (word: string): boolean => /^\d{1,4}(?:\p{L}|bis|ter|[/-]\d{1,3}\p{L}?)?$/iu.test(word)
/** `12b` is written `12 b`, too. */
const houseNumbers = (word: string): readonly Expression[] =>
  [...new Set([word, word.replace(/(?<=\d)(?=\p{L})/u, ' ')])].map((value) => ({
    prefix: {field: 'addresses.streetNumber', value, caseInsensitive: true, boost: misheard},
  }))

const wildcard = (field: string, value: string): Expression => ({wildcard: {field, value, caseInsensitive: true}})
/** A code that is written in two parts: its second has two to four signs. */
const postalCodes = (word: string): readonly Expression[] =>
  (/^[\p{L}\d]{5,7}$/u.test(word) ? [2, 3, 4] : []).map((signs) =>
    wildcard('addresses.postalCode', `${word.slice(0, -signs)}*${word.slice(-signs)}`),
  )

/** A number of a customer, however its digits are grouped: by twos, threes or fours, or by threes from behind. */
function identifiers(text: string): readonly Expression[] {
  const [, letters, digits] = /^(\p{L}{0,5})(\d{4,12})$/u.exec(text.replace(/[\s._/-]/g, '')) ?? []
  const ways = [/(?<=^(?:..)+)(?!$)/g, /(?<=^(?:...)+)(?!$)/g, /(?<=^(?:....)+)(?!$)/g, /(?<!^)(?=(?:...)+$)/g]
  const patterns = ways.map((way) => `${letters}${letters && '*'}${digits?.replace(way, '*')}`)
  return digits === undefined ? [] : [...new Set(patterns)].map((value) => wildcard('customerNumber', value))
}

/** Shortest part of a name that is written in one word, and the longest such word. */
const [shortestPart, longestName] = [3, 20]

/** A first and a last name that are written as one word: `vandijk`, `mirasolheim`. */
const divided = (word: string): readonly Expression[] =>
  word.length > longestName
    ? []
    : Array.from({length: Math.max(0, word.length - 2 * shortestPart + 1)}, (_, at) => at + shortestPart).map((at) =>
        fullTextPrefix(`${word.slice(0, at)} ${word.slice(at)}`, misheard),
      )

/** Ids are of hexadecimal digits; an exact one begins with itself. */
const isIdStart = (text: string): boolean => /^[0-9a-f]{4}[0-9a-f-]*$/i.test(text)

const asWritten = (text: string) => words(text, true)
/** For the words of a text, and for those beside a date in it: each pair looks for more than the one before. */
const ways = [
  [nothing, nothing],
  [asWritten, asWritten],
  [asWritten, words],
  [words, words],
] as const

/** Those on a field, and those that hold a list of others. */
const expressionsIn = (query: Expression): number => JSON.stringify(query).match(/"field":|":\[\{/g)?.length ?? 0

/** The query for a text that has letters or digits, as large as a search may be: in a store it has six expressions more. */
export function searchQuery(typed: string): Expression {
  const queries = ways.map(([ofAll, ofRest]) => queryBy(typed.trim(), ofAll, ofRest))
  return queries.reduce((best, query) => (expressionsIn(query) > limits.searchExpressions - 6 ? best : query))
}

function queryBy(text: string, ofAll: typeof asWritten, ofRest: typeof asWritten): Expression {
  const {dates, rest} = datesIn(text)
  const isMore = queryWords(rest).length > 0
  const born = dates.length === 0 ? [] : [{exact: {field: 'dateOfBirth', values: dates, boost: identity}}]
  const alternatives = [
    ...[...(text.includes('@') ? ['email'] : []), ...userIdentifiers].map((field) => exact(field, [text])),
    ...(isIdStart(text) ? [{prefix: {field: 'id', value: text.toLowerCase(), boost: identity}}] : []),
    fullTextPrefix(text, beginning),
    ...identifiers(text),
    ...(isPhone(text) ? phones(text) : ofAll(text)),
    ...(isMore && born.length > 0
      ? [{and: [...born, {or: [fullTextPrefix(rest, alternative), ...ofRest(rest)]}]}]
      : born),
  ]
  return {or: alternatives}
}

const isPhone = (text: string): boolean => /^[\d\s+()./-]+$/.test(text) && text.replace(/\D/g, '').length >= 6

/** A telephone number however it is grouped, with and without the code of its country. */
function phones(text: string): readonly Expression[] {
  const digits = dialled(text)
  const national = /^(\+|00)/.test(text) ? [1, 2, 3].map((code) => digits.slice(code)) : []
  const value = [digits, ...national].join(' ')
  const groups = text.replace(/\(0\)/g, ' ').match(/\d+/g) ?? []
  const pattern = `*${groups.join('*').replace(/^0+/, '')}*`
  return [
    {fullTextPrefix: {field: 'all', value, mustMatch: 'any', boost: beginning}},
    ...['phone', 'mobile'].map((member) => ({wildcard: {field: `addresses.${member}`, value: pattern}})),
  ]
}
