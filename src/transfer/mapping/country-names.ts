import {isAssignedCountry} from '../../domain/codes/countries.js'
import {languages} from './languages.js'

type Codes = ReadonlyMap<string, ReadonlySet<string>>

/** Names are compared without case, accents, punctuation and a leading article. */
const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '')

/** The countries, by code, that a name in one of the languages or a code of two or three letters may mean. */
export type CountryCodes = (name: string) => readonly string[]

let loaded: Promise<CountryCodes> | undefined

/** The country names of ISO 3166, loaded once and only when a transform asks for them. */
export function countryCodes(): Promise<CountryCodes> {
  loaded ??= load()
  return loaded
}

const [english, ...others] = languages

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
  return (name) => {
    const upper = name.trim().toUpperCase()
    if (isAssignedCountry(upper)) return [upper]
    const fromThree = /^[A-Z]{3}$/.test(upper) ? library.alpha3ToAlpha2(upper) : undefined
    return fromThree === undefined ? [...(codesOf.get(folded(name)) ?? [])].sort() : [fromThree]
  }
}

function codesByName(names: readonly (readonly [string, readonly string[]])[]): Codes {
  const codes = new Map<string, Set<string>>()
  for (const [code, spellings] of names) {
    for (const name of spellings.map(folded)) codes.set(name, (codes.get(name) ?? new Set()).add(code))
  }
  return codes
}
