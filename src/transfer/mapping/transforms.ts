import {isObject} from '../../domain/equal.js'
import {isKey} from '../../domain/rules.js'
import {InputError} from '../files/input-error.js'
import {asCell, type Cell, jsonOrText, textOfCell} from '../input/cell.js'
import {type CountryCodes, countryCodes} from './country-names.js'
import {dateReader} from './dates.js'
import {peek} from './paths.js'

/** What a transform makes of a cell: a text, a list, nothing (as of an empty cell), or a sentence why it cannot. */
export type Step = {readonly value: Cell | readonly string[] | undefined} | Problem

/** One sentence why a text cannot be used, and whether an alias for it would help. */
export interface Problem {
  readonly problem: string
  readonly takesAlias?: true
  /** The text for which the alias would stand. */
  readonly name?: string
}

export type Transform = (cell: Cell) => Step

const ofText =
  (transform: (text: string) => Step): Transform =>
  (cell) =>
    transform(textOfCell(cell))

/** What a name stands for; `argument` shows what comes after a colon, if anything does. */
interface Named {
  readonly argument?: string
  readonly make: (argument: string, path: string, today?: string) => Transform | Promise<Transform>
}

const named: Readonly<Record<string, Named>> = {
  country: {make: async () => country(await countryCodes())},
  date: {
    argument: 'FORMAT',
    make: (format, path, today) => dateReader('date', format, path === 'dateOfBirth' ? today : undefined),
  },
  datetime: {argument: 'FORMAT', make: (format) => dateReader('datetime', format)},
  html: {make: html},
  json: {argument: 'PATH', make: (path) => ofText((text) => inJson(text, path))},
  lower: {make: () => ofText((text) => ({value: text.toLowerCase()}))},
  name: {argument: 'first|last', make: namePart},
  part: {argument: 'N:SEPARATOR', make: part},
  prefix: {argument: 'TEXT', make: (prefix) => ofText((text) => ({value: prefix + text}))},
  replace: {argument: '/PATTERN/TEXT/', make: replace},
  'slug-key': {make: () => ofText(slugKey)},
  split: {argument: 'SEPARATOR', make: split},
  trim: {make: () => ofText((text) => ({value: text.trim()}))},
}

/** What a list of transforms may say beside turning one text into another; `value-pipe.ts` reads these. */
const ofTheList = ['default:TEXT', 'first', 'join:SEPARATOR'] as const

const transformNames = [
  ...Object.entries(named).map(([name, {argument}]) => (argument === undefined ? name : `${name}:${argument}`)),
  ...ofTheList,
].sort()

/** Builds a transform of a target from its name, e.g. `country` or `date:dd-mm-yyyy`. Throws InputError for an unknown one. */
export async function transformOf(name: string, path = '', today?: string): Promise<Transform> {
  const [first = '', ...rest] = name.split(':')
  const found = Object.hasOwn(named, first) ? named[first] : undefined
  if (!found || (found.argument === undefined && rest.length > 0))
    throw new InputError(`There is no transform '${name}'.`, {remedy: `Choose one of ${transformNames.join(', ')}.`})
  const argument = rest.join(':')
  if (found.argument !== undefined && argument === '')
    throw new InputError(`The transform '${first}' needs a value after its name.`, {
      remedy: `Write ${first}:${found.argument}.`,
    })
  return found.make(argument, path, today)
}

const country = (codesOf: CountryCodes): Transform =>
  ofText((text) => {
    const [code, ...others] = codesOf(text)
    if (code === undefined)
      return {problem: `'${text}' is not a country that the list of names knows; add an alias.`, takesAlias: true}
    if (others.length === 0) return {value: code}
    return {problem: `'${text}' can be ${[code, ...others].join(' or ')}; add an alias.`, takesAlias: true}
  })

/** What a path names in a cell that is JSON: a value, or a list of values. */
function inJson(text: string, path: string): Step {
  const document = jsonOrText(text)
  if (!isObject(document)) return {problem: `'${text}' is not a JSON object.`}
  const value = peek(document, path)
  if (value === undefined || value === null) return {value: undefined}
  const cells = [value].flat().flatMap((one) => asCell(one) ?? [])
  if (cells.length === 0) return {problem: `'${path}' is neither a value nor a list of values in '${text}'.`}
  return {value: Array.isArray(value) ? cells.map(textOfCell) : cells[0]}
}

/** Letters of names and places for which HTML 4 has no entity. */
const laterEntities = {Zcaron: 'Ž', zcaron: 'ž', Ccaron: 'Č', ccaron: 'č', Lstrok: 'Ł', lstrok: 'ł'}

const entity = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,7}));/g

const characterOf = (code: number): string | undefined =>
  code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : String.fromCodePoint(code)

/** The characters for which entities stand, such as `ü` for `&uuml;`; unknown ones stay. */
async function html(): Promise<Transform> {
  const {ENTITIES} = (await import('sax')).default as object as {readonly ENTITIES: Readonly<Record<string, string>>}
  const characters = new Map(Object.entries({...ENTITIES, ...laterEntities}))
  const decoded = (whole: string, decimal?: string, hex?: string, name?: string): string => {
    if (name !== undefined) return characters.get(name) ?? whole
    return characterOf(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) ?? whole
  }
  return ofText((text) => ({value: text.replace(entity, decoded)}))
}

const slugKey = (text: string): Step => {
  const value = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return isKey(value) ? {value} : {problem: `'${text}' leaves no key of 2 to 256 letters, digits, '_' and '-'.`}
}

/** A separator as a flag can write it: `\n` and `\t` stand for a line break and a tab. */
export const separatorOf = (text: string): string => text.replace(/\\n/g, '\n').replace(/\\t/g, '\t')

const pieces = (text: string, separator: string): string[] => text.split(separator).map((piece) => piece.trim())

const filled = (text: string): boolean => text !== ''

const maxPieces = 1000

function split(argument: string): Transform {
  const separator = separatorOf(argument)
  return ofText((text) => {
    const value = pieces(text, separator).filter(filled)
    if (value.length > maxPieces) return {problem: `The value has ${value.length} parts; ${maxPieces} are the most.`}
    return {value: value.length > 0 ? value : undefined}
  })
}

/**
 * The part with a number, from 1, or from the end with `-` before it; with `-` behind it, that part and all that follow, or
 * those up to another (`1--5`), divided by blanks. Empty parts count.
 */
function part(argument: string): Transform {
  const {from, range, to, separator} =
    /^(?<from>-?[1-9]\d?)(?<range>-(?<to>-?[1-9]\d?)?)?:(?<separator>.+)$/s.exec(argument)?.groups ?? {}
  if (from === undefined || separator === undefined) {
    throw new InputError(`'part:${argument}' does not say which part.`, {
      remedy:
        'Write part:1:SEPARATOR, part:-1:SEPARATOR for the last, part:2-:SEPARATOR for all from the second on, or part:1--3:SEPARATOR for all but the last two.',
    })
  }
  const [at, last] = [from, to ?? '-1'].map((text) => (text.startsWith('-') ? Number(text) : Number(text) - 1))
  return ofText((text) => {
    const found = pieces(text, separatorOf(separator))
    const end = (last ?? 0) + 1 || undefined
    const value = range === undefined ? found.at(at ?? 0) : found.slice(at, end).filter(filled).join(' ')
    return {value: value === '' ? undefined : value}
  })
}

/** Words that belong to the name behind them, and those that belong to the one before. */
const particle = /^(?:v[ao]n|vom|zum?|zur|de|de[nrlst]|dell[ao]|d[aiou]|d[ao]s|la|le|te[rn]?|a[fv]|el|al|bin|ibn|y|e)$/
const address = /^(?:dr|prof|mrs?|ms|miss|herr|frau|hr|fr|mme|mlle|sir)\.?$/i

/**
 * First and last name of a cell: `Last, First`, else the first word and the rest. Particles such as `van` and `de la` go
 * with the last name, wherever they stand.
 *
 *     nameParts('Ludwig van Beethoven') // {first: 'Ludwig', last: 'van Beethoven'}
 *     nameParts('Beethoven, Ludwig van') // {first: 'Ludwig', last: 'van Beethoven'}
 */
export function nameParts(text: string): {readonly first: string; readonly last: string} {
  const [head = '', given, ...more] = text.trim().split(/\s*,\s*/)
  const words = (given ?? head).split(/\s+/)
  if (given === undefined) {
    const title = words.findIndex((word) => !address.test(word))
    const at = particle.test(words[title] ?? '') ? title : title + 1
    return {first: words.slice(0, at).join(' '), last: words.slice(at).join(' ')}
  }
  const at = words.findLastIndex((word) => !particle.test(word)) + 1
  return {first: words.slice(0, at).join(' '), last: [...words.slice(at), head, ...more].join(' ')}
}

function namePart(which: string): Transform {
  if (which !== 'first' && which !== 'last') {
    throw new InputError(`'name:${which}' names no part of a name.`, {remedy: 'Write name:first or name:last.'})
  }
  // An email in the place of a name is none.
  return ofText((text) => ({value: text.includes('@') ? undefined : nameParts(text)[which]}))
}

const maxPatternLength = 500
const maxReplacedLength = 10_000

function replace(argument: string): Transform {
  const [mark = ''] = argument
  const [before, pattern = '', to, flags, ...more] = argument.split(mark)
  if (
    /[\w\s\\]/.test(mark) ||
    before !== '' ||
    pattern === '' ||
    to === undefined ||
    !/^i?$/.test(flags ?? '-') ||
    more.length > 0
  ) {
    throw new InputError(`'replace:${argument}' is not of the form replace:/PATTERN/TEXT/.`, {
      remedy:
        'Write the same mark three times, such as replace:/ +/-/ or replace:|^0+||; i after the last one ignores case.',
    })
  }
  if (pattern.length > maxPatternLength) {
    throw new InputError(`The pattern of 'replace:' is longer than ${maxPatternLength} characters.`)
  }
  const form = patternOf(pattern, flags === 'i' ? 'gi' : 'g')
  return ofText((text) =>
    text.length > maxReplacedLength
      ? {problem: `The value is longer than ${maxReplacedLength} characters, too long to replace in.`}
      : {value: text.replaceAll(form, to)},
  )
}

function patternOf(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags)
  } catch (cause) {
    const {message} = cause as Error
    throw new InputError(
      `The pattern '${pattern}' cannot be used: ${message}.`,
      {remedy: 'Write a regular expression of JavaScript.'},
      {cause},
    )
  }
}
