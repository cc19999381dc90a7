import {userIdentifiers} from '../../domain/customers/fields.js'
import {dialled, queryWords} from '../../domain/folded-text.js'
import {datesIn} from '../input/dates-in.js'

/** The one search request that is made of what somebody typed, as the platform and our servers take it. */

type Expression = Readonly<Record<string, unknown>>

/** By how much one kind of match counts more than another. */
const [identity, beginning, alternative, misheard] = [10, 4, 3, 1]

const exact = (field: string, values: readonly string[]): Expression => ({
  exact: {field, values, caseInsensitive: true, boost: identity},
})
const fullTextPrefix = (value: string, boost: number): Expression => ({fullTextPrefix: {field: 'all', value, boost}})
const fuzzy = (value: string): Expression => ({fuzzy: {field: 'all', value, level: 2, boost: misheard}})

/** Words beyond these are looked for as they are written only. */
const maxMisheard = 8

/** Whether people mishear a word: a number is said again, and of two letters any other word would be like it. */
const isSpoken = (word: string): boolean => /^\P{N}{3,}$/u.test(word)

/** Each word by how it begins or, with less weight, by what sounds like it; undefined if that is what it says already. */
function words(text: string): Expression | undefined {
  const each = text.split(/[\s,;/|]+/).filter((word) => queryWords(word).length > 0)
  if (each.length > maxMisheard || !each.some(isSpoken)) return undefined
  const spoken = each.map((word) => {
    const beginnings = fullTextPrefix(word, alternative)
    return isSpoken(word) ? {or: [beginnings, fuzzy(word)]} : beginnings
  })
  return spoken.length === 1 ? fuzzy(text) : {and: spoken}
}

/** Ids are of hexadecimal digits; an exact one begins with itself. */
const isIdStart = (text: string): boolean => /^[0-9a-f]{4}[0-9a-f-]*$/i.test(text)

/** The query for a text that has letters or digits. */
export function searchQuery(typed: string): Expression {
  const text = typed.trim()
  const {dates, rest} = datesIn(text)
  const isMore = queryWords(rest).length > 0
  const born = dates.length === 0 ? [] : [{exact: {field: 'dateOfBirth', values: dates, boost: identity}}]
  const alternatives = [
    ...[...(text.includes('@') ? ['email'] : []), ...userIdentifiers].map((field) => exact(field, [text])),
    ...(isIdStart(text) ? [{prefix: {field: 'id', value: text.toLowerCase(), boost: identity}}] : []),
    fullTextPrefix(text, beginning),
    ...(isPhone(text) ? phones(text) : [words(text)]),
    ...(isMore && born.length > 0 ? [{and: [...born, words(rest) ?? fullTextPrefix(rest, alternative)]}] : born),
  ]
  return {or: alternatives.filter((one) => one !== undefined)}
}

const minPhoneDigits = 6

const isPhone = (text: string): boolean =>
  /^[\d\s+()./-]+$/.test(text) && text.replace(/\D/g, '').length >= minPhoneDigits

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
