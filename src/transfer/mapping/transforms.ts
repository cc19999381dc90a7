import {isDate, isKey} from '../../domain/rules.js'
import {InputError} from '../input/input-error.js'
import {type CountryNames, countryNames} from './country-names.js'

/** Turns the text of a cell into the text of the draft, or says in one sentence why it cannot. */
export type Transform = (text: string) => {readonly value: string} | {readonly problem: string}

export const transformNames = ['country', 'date:FORMAT', 'lower', 'slug-key', 'trim'] as const

/** Builds a transform from its name, e.g. `country` or `date:dd-mm-yyyy`. Throws InputError for an unknown one. */
export async function transformOf(name: string): Promise<Transform> {
  if (name === 'country') return country(await countryNames())
  if (name === 'lower') return (text) => ({value: text.toLowerCase()})
  if (name === 'trim') return (text) => ({value: text.trim()})
  if (name === 'slug-key') return slugKey
  if (name.startsWith('date:')) return date(name.slice('date:'.length))
  throw new InputError(`There is no transform '${name}'.`, {remedy: `Choose one of ${transformNames.join(', ')}.`})
}

const country =
  (names: CountryNames): Transform =>
  (text) => {
    const answer = names.find(text)
    if (answer === 'unknown') return {problem: `'${text}' is not a country that the list of names knows; add an alias.`}
    if ('code' in answer) return {value: answer.code}
    return {problem: `'${text}' can be ${answer.ambiguous.join(' or ')}; add an alias.`}
  }

const slugKey: Transform = (text) => {
  const value = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return isKey(value) ? {value} : {problem: `'${text}' leaves no key of 2 to 256 letters, digits, '_' and '-'.`}
}

const parts: ReadonlyMap<string, string> = new Map([
  ['yyyy', '(?<year>\\d{4})'],
  ['mm', '(?<month>\\d{2})'],
  ['m', '(?<month>\\d{1,2})'],
  ['dd', '(?<day>\\d{2})'],
  ['d', '(?<day>\\d{1,2})'],
])

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Reads dates of a form such as `dd-mm-yyyy`, `m/d/yyyy` or `yyyymmdd`. */
function date(format: string): Transform {
  const tokens = format.toLowerCase().match(/y+|m+|d+|[^ymd]+/g) ?? []
  const pattern = tokens.map((token) => parts.get(token) ?? (/[ymd]/.test(token) ? undefined : literal(token)))
  const names = tokens.map((token) => token[0]).filter((first) => first !== undefined && 'ymd'.includes(first))
  if (pattern.includes(undefined) || names.toSorted().join('') !== 'dmy') {
    throw new InputError(`'${format}' is not a form of dates.`, {
      remedy: 'Write each of yyyy, mm (or m) and dd (or d) once, such as date:dd-mm-yyyy.',
    })
  }
  const form = new RegExp(`^${pattern.join('')}$`)
  return (text) => {
    const {year = '', month = '', day = ''} = form.exec(text.trim())?.groups ?? {}
    const value = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    return isDate(value) ? {value} : {problem: `'${text}' is not a date of the form ${format}.`}
  }
}
