import {isAssignedCountry} from '../../domain/codes/countries.js'

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
  /** The country of an English name, or of a code of two or three letters. */
  find(name: string): CountryAnswer
}

let loaded: Promise<CountryNames> | undefined

/** The country names of ISO 3166, loaded once and only when a transform asks for them. */
export function countryNames(): Promise<CountryNames> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<CountryNames> {
  const {default: library} = await import('i18n-iso-countries')
  const codes = codesByName(library.getNames('en', {select: 'all'}))
  const find = (name: string): CountryAnswer => {
    const upper = name.trim().toUpperCase()
    if (isAssignedCountry(upper)) return {code: upper}
    const fromThree = /^[A-Z]{3}$/.test(upper) ? library.alpha3ToAlpha2(upper) : undefined
    if (fromThree !== undefined) return {code: fromThree}
    const [code, ...others] = codes.get(folded(name)) ?? []
    if (code === undefined) return 'unknown'
    return others.length > 0 ? {ambiguous: [code, ...others].sort()} : {code}
  }
  return {find}
}

function codesByName(names: Readonly<Record<string, readonly string[]>>): Codes {
  const codes = new Map<string, Set<string>>()
  for (const [code, spellings] of Object.entries(names)) {
    for (const spelling of spellings) {
      const name = folded(spelling)
      const known = codes.get(name)
      if (known) known.add(code)
      else codes.set(name, new Set([code]))
    }
  }
  return codes
}
