import {fieldRows} from '../../domain/customers/fields.js'
import {isDate} from '../../domain/rules.js'
import {dialled, queryWords} from '../../domain/search/words.js'

/** The one search request that is made of what somebody typed, as the platform and our servers take it. */

type Expression = Readonly<Record<string, unknown>>

/** By how much one kind of match counts more than another. */
const [identity, beginning, alternative, misheard] = [10, 4, 3, 1]

/** The members whose whole value names a customer. */
export const identifying: readonly string[] = fieldRows.filter(({identifies}) => identifies).map(({name}) => name)

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
    ...identifying.filter((field) => field !== 'email' || text.includes('@')).map((field) => exact(field, [text])),
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

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl']

const monthNames = (): ReadonlyMap<string, number> => {
  const names = new Map<string, number>()
  for (const language of languages) {
    for (const form of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, {month: form, timeZone: 'UTC'})
      for (let month = 1; month <= 12; month += 1) {
        names.set(
          format
            .format(Date.UTC(2000, month - 1))
            .replace('.', '')
            .toLowerCase(),
          month,
        )
      }
    }
  }
  return names
}

const numeric = [
  /(?<!\d)(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})(?!\d)/,
  /(?<!\d)(\d{1,2})[-/. ]\s?(\d{1,2})[-/. ]\s?(\d{4}|\d{2})(?!\d)/,
]
const worded = [
  /(?<!\d)(\d{1,2})(?:\.|st|nd|rd|th|er|º)?\s+(?:of\s+|de\s+)?(\p{L}{3,})\.?,?\s+(?:de\s+)?(\d{4}|\d{2})(?!\d)/iu,
  /(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4}|\d{2})(?!\d)/iu,
  /(?<!\d)(\d{4})\s+(\p{L}{3,})\.?\s+(\d{1,2})(?!\d)/iu,
]

/**
 * The days that a text may name, and the text without them.
 *
 *     datesIn('Meyer 3.4.1984') // {dates: ['1984-04-03', '1984-03-04'], rest: 'Meyer '}
 */
export function datesIn(text: string): {readonly dates: readonly string[]; readonly rest: string} {
  for (const form of [...numeric, ...worded]) {
    const found = form.exec(text)
    const dates = found ? daysOf(found.slice(1)) : []
    if (found && dates.length > 0) return {dates, rest: text.replace(found[0], ' ')}
  }
  return {dates: [], rest: text}
}

/** From this year of a century on, two digits mean the last one. */
const firstOfOne = 30

/** The existing days that three parts may stand for, in any order that people write. */
function daysOf([first = '', second = '', third = '']: readonly string[]): readonly string[] {
  const orders =
    first.length === 4
      ? [[first, second, third]]
      : [
          [third, second, first],
          [third, first, second],
        ]
  const days = orders.flatMap(([year = '', month = '', day = '']) => {
    const number = /^\d/.test(month) ? Number(month) : (monthNames().get(month.toLowerCase()) ?? 0)
    const centuries = Number(year) < firstOfOne ? ['19', '20'] : ['19']
    const years = year.length === 2 ? centuries.map((century) => century + year) : [year]
    return years.map((full) => `${full}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`)
  })
  return [...new Set(days)].filter(isDate)
}
