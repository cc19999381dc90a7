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

export type CountryAnswer =
  | {readonly code: string}
  /** Several countries go by the name: their codes. */
  | {readonly ambiguous: readonly string[]}
  | 'unknown'

export interface CountryNames {
  /** The country of a name in one of the languages, or of a code of two or three letters. */
  find(name: string): CountryAnswer
}

let loaded: Promise<CountryNames> | undefined

/** The country names of ISO 3166, loaded once and only when a transform asks for them. */
export function countryNames(): Promise<CountryNames> {
  loaded ??= load()
  return loaded
}

const [english, ...others] = languages

async function load(): Promise<CountryNames> {
  const {default: library} = await import('i18n-iso-countries')
  const codesIn = (...all: readonly string[]): Codes =>
    codesByName(all.flatMap((language) => Object.entries(library.getNames(language, {select: 'all'}))))
  // A name is the English one if there is one; what other languages mean by it must be the same.
  const codesOf = new Map([...codesIn(...others), ...codesIn(english)])
  const find = (name: string): CountryAnswer => {
    const upper = name.trim().toUpperCase()
    if (isAssignedCountry(upper)) return {code: upper}
    const fromThree = /^[A-Z]{3}$/.test(upper) ? library.alpha3ToAlpha2(upper) : undefined
    if (fromThree !== undefined) return {code: fromThree}
    const [code, ...more] = codesOf.get(folded(name)) ?? []
    if (code === undefined) return 'unknown'
    return more.length > 0 ? {ambiguous: [code, ...more].sort()} : {code}
  }
  return {find}
}

function codesByName(names: readonly (readonly [string, readonly string[]])[]): Codes {
  const codes = new Map<string, Set<string>>()
  for (const [code, spellings] of names) {
    for (const name of spellings.map(folded)) codes.set(name, (codes.get(name) ?? new Set()).add(code))
  }
  return codes
}
