import {isDate} from '../../domain/rules.js'

const monthNames = (): ReadonlyMap<string, number> => {
  const names = new Map<string, number>()
  for (const language of ['en', 'de', 'fr', 'es', 'it', 'nl']) {
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
