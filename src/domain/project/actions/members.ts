import * as v from 'valibot'
import {isCurrency} from '../../codes/currencies.js'
import {Country, Locale, rule, Text} from '../../rules.js'
import {projectSetter} from '../project-action.js'

/** The name of a project, and its lists: languages, countries and currencies. */

const Name = v.pipe(
  Text,
  rule((name: string) => name !== '', 'A project has a name.'),
)

export const changeName = projectSetter({
  name: 'changeName',
  summary: 'rename the project; its key stays',
  member: 'name',
  schema: Name,
})

const maxEntries = 500

const list = <S extends v.GenericSchema<unknown, string>>(entry: S) => v.pipe(v.array(entry), v.maxLength(maxEntries))

export const changeLanguages = projectSetter({
  name: 'changeLanguages',
  summary: 'replace the languages; without any, every well-formed tag is taken',
  member: 'languages',
  schema: list(Locale),
  errors: ['LanguageUsedInStores'],
  kept: (languages) => firstSpellings(languages),
})

/** Language tags without repeats, ignoring case; the first spelling stays (decision 2). */
function firstSpellings(languages: readonly string[]): readonly string[] {
  const first = new Map<string, string>()
  for (const tag of languages) {
    const lower = tag.toLowerCase()
    if (!first.has(lower)) first.set(lower, tag)
  }
  return [...first.values()]
}

export const changeCountries = projectSetter({
  name: 'changeCountries',
  summary: 'replace the countries of the project',
  member: 'countries',
  schema: list(Country),
  kept: (countries) => [...new Set(countries)],
})

const Currency = v.pipe(v.string(), rule(isCurrency, 'A currency is a code of ISO 4217, such as EUR.'))

export const changeCurrencies = projectSetter({
  name: 'changeCurrencies',
  summary: 'replace the currencies of the project',
  member: 'currencies',
  schema: list(Currency),
  kept: (currencies) => [...new Set(currencies)],
})
