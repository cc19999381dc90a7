import * as v from 'valibot'
import {isCurrency} from '../../codes/currencies.js'
import {withMember} from '../../equal.js'
import {Country, Locale, rule} from '../../rules.js'
import {projectAction} from '../project-action.js'

/** The actions on the lists of a project: languages, countries and currencies. */

const maxEntries = 500

const list = <S extends v.GenericSchema<unknown, string>>(entry: S) => v.pipe(v.array(entry), v.maxLength(maxEntries))

export const changeLanguages = projectAction({
  name: 'changeLanguages',
  summary: 'replace the languages; without any, every well-formed tag is taken',
  fields: ['languages'],
  schema: v.object({languages: list(Locale)}),
  messages: [],
  errors: ['LanguageUsedInStores'],
  apply: (project, {languages}) => ({next: withMember(project, 'languages', firstSpellings(languages))}),
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

export const changeCountries = projectAction({
  name: 'changeCountries',
  summary: 'replace the countries of the project',
  fields: ['countries'],
  schema: v.object({countries: list(Country)}),
  messages: [],
  apply: (project, {countries}) => ({next: withMember(project, 'countries', [...new Set(countries)])}),
})

const Currency = v.pipe(v.string(), rule(isCurrency, 'A currency is a code of ISO 4217, such as EUR.'))

export const changeCurrencies = projectAction({
  name: 'changeCurrencies',
  summary: 'replace the currencies of the project',
  fields: ['currencies'],
  schema: v.object({currencies: list(Currency)}),
  messages: [],
  apply: (project, {currencies}) => ({next: withMember(project, 'currencies', [...new Set(currencies)])}),
})
