import {isAssignedCountry} from '../../domain/codes/countries.js'
import {folded} from '../../domain/folded-text.js'
import {languages} from './languages.js'

type Codes = ReadonlyMap<string, ReadonlySet<string>>

/** Names are compared without case, accents, blanks, punctuation and a leading article. */
const plainName = (name: string): string => folded(name.replace(/&/g, 'and').replace(/^\P{L}*the\P{L}/iu, ''))

/** The countries, by code, that a name in one of the languages or a code of two or three letters may mean. */
export type CountryCodes = (name: string) => readonly string[]

let loaded: Promise<CountryCodes> | undefined

/** The country names of ISO 3166, loaded once and only when a transform asks for them. */
export function countryCodes(): Promise<CountryCodes> {
  loaded ??= load()
  return loaded
}

const [english, ...others] = languages

/** Parts of the United Kingdom, and its name in full, which no list has. */
const british = /^(?:england|scotland|wales|(?:unitedkingdomofgreatbritainand)?northernireland)$/

/** `Iran, Islamic Republic of` and `Iran (Islamic Republic of)`, turned round and without what follows. */
function spellings(name: string): readonly string[] {
  const [, country = '', form = ''] = /^([^,(]+?)(?:, | \()(.+?)\)?$/.exec(name) ?? []
  const isAlone = /^(?!.*democratic).*(?:republic|state|kingdom)/i.test(form)
  return [name, `${form} ${country}`, isAlone ? country : ''].map(plainName)
}

async function load(): Promise<CountryCodes> {
  const {default: library} = await import('i18n-iso-countries')
  const codesIn = (...all: readonly string[]): Codes =>
    codesByName(
      all.flatMap((language) => {
        // The list has the long names of some countries, and Intl those that people write.
        const short = new Intl.DisplayNames(language, {type: 'region', fallback: 'none'})
        const names = library.getNames(language, {select: 'all'})
        return Object.entries(names).map(([code, known]) => [code, [...known, short.of(code) ?? code]] as const)
      }),
    )
  // A name is the English one if there is one; what other languages mean by it must be the same.
  const codesOf = new Map([...codesIn(...others), ...codesIn(english)])
  let own: Codes | undefined
  return (name) => {
    const upper = name.trim().toUpperCase()
    if (isAssignedCountry(upper)) return [upper]
    const fromThree = /^[A-Z]{3}$/.test(upper) ? library.alpha3ToAlpha2(upper) : undefined
    if (fromThree !== undefined) return [fromThree]
    const spelled = spellings(name)
    if (british.test(spelled[0] ?? '')) return ['GB']
    const known = spelled.map((one) => codesOf.get(one)).find((codes) => codes !== undefined)
    if (known) return [...known].sort()
    own ??= codesByName(Object.keys(library.getAlpha2Codes()).map((code) => [code, [ownName(code)]]))
    return [...(own.get(spelled[0] ?? '') ?? [])].sort()
  }
}

/** The name of a country in its own language, such as Sverige. */
const ownName = (code: string): string =>
  new Intl.DisplayNames(new Intl.Locale(`und-${code}`).maximize().language, {type: 'region'}).of(code) ?? code

function codesByName(names: readonly (readonly [string, readonly string[]])[]): Codes {
  const codes = new Map<string, Set<string>>()
  for (const [code, spellings] of names) {
    for (const name of spellings.map(plainName)) codes.set(name, (codes.get(name) ?? new Set()).add(code))
  }
  return codes
}
