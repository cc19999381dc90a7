import {folded} from '../../domain/folded-text.js'

/** The languages of which headers, months and countries are known; the first wins where they differ. */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl'] as const

let months: ReadonlyMap<string, string> | undefined

/** Names and abbreviations, alone and beside a day: some languages decline them. */
function monthNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const language of languages) {
    for (const form of [{month: 'long'}, {month: 'short'}, {month: 'long', day: 'numeric'}] as const) {
      const format = new Intl.DateTimeFormat(language, {...form, timeZone: 'UTC'})
      for (let month = 0; month < 12; month += 1) {
        const parts = format.formatToParts(Date.UTC(2024, month, 1))
        const name = folded(parts.find(({type}) => type === 'month')?.value ?? '')
        if (!names.has(name)) names.set(name, `${month + 1}`)
      }
    }
  }
  return names
}

/** The number of a month by its name in one of the languages, or nothing. */
export function monthNamed(name: string): string | undefined {
  if (/^\d/.test(name)) return undefined
  months ??= monthNames()
  return months.get(folded(name))
}
