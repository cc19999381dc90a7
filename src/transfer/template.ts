import {readFileSync} from 'node:fs'
import {addressFields} from '../domain/address-fields.js'
import {isAssignedCountry} from '../domain/codes/countries.js'
import {mayBeHash} from '../domain/credentials/password-hash.js'
import {fieldRows} from '../domain/customers/fields.js'
import {defined} from '../domain/equal.js'
import type {Field} from '../domain/field.js'
import {isDate, isKey} from '../domain/rules.js'
import {shipped} from '../files/shipped.js'
import {asCell, isBlank, textOfCell} from './input/cell.js'
import {eachRow, type Rows, type Source} from './input/row.js'
import {readRows} from './input/rows.js'
import {utf8Chunks} from './input/utf8-chunks.js'
import {holderOf} from './mapping/compiled-mapping.js'
import {countryCodes} from './mapping/country-names.js'
import {commonDate, dateReader} from './mapping/dates.js'
import {eachElement, isAppended, starred, targetOf} from './mapping/draft-shape.js'
import {foldedName} from './mapping/languages.js'
import type {Mapping} from './mapping/mapping.js'
import {leafPaths, peek} from './mapping/paths.js'
import type {PresetName} from './presets/preset-names.js'
import {presetByColumns, presetByXml} from './presets/presets.js'
import {placedAddresses} from './template-addresses.js'
import {layoutOf} from './template-layout.js'

/** A map to begin with, and the header of a table that needs none. */
export interface Template {
  readonly map: Required<Pick<Mapping, 'columns' | 'constants' | 'transforms' | 'aliases'>> &
    Pick<Mapping, 'rows' | 'names'>
  /** Columns of a table whose names are the members themselves. */
  readonly header: readonly string[]
  /** Columns of the example for which no member was found. */
  readonly left: readonly string[]
  /** The preset that fits the example: it is the export of a shop. */
  readonly preset?: PresetName
}

const firstAddress = 'addresses.0.'
const everyAddress = `addresses.${eachElement}.`
const commonOf = (fields: readonly Field[], prefix = ''): string[] =>
  fields.filter(({common}) => common).map(({name}) => prefix + name)

/** What finds a customer, by key or email, stands in front. */
const keyFirst = (fields: readonly Field[]): Field[] =>
  fields.toSorted((one, other) => Number(isMain(other)) - Number(isMain(one)))
const isMain = ({name, required}: Field): boolean => name === 'key' || required === true

/** The members that most tables have. */
export const commonMembers: readonly string[] = [
  ...commonOf(keyFirst(fieldRows)),
  'isEmailVerified',
  'password',
  ...commonOf(addressFields, firstAddress),
  'defaultShippingAddress',
  'defaultBillingAddress',
  'customerGroup.key',
  'stores.0.key',
]

const aliasesOfFields = (fields: readonly Field[], prefix = ''): [string, string][] =>
  fields.flatMap(({name, aliases = []}) => aliases.map((alias): [string, string] => [alias, prefix + name]))

let known: ReadonlyMap<string, string> | undefined

/**
 * What people call the members, folded; in German, French, Spanish, Italian, Dutch and Polish as well. The customer's own
 * come before an address's, and English before the others.
 */
function knownNames(): ReadonlyMap<string, string> {
  const headerNames = JSON.parse(
    readFileSync(shipped('src', 'transfer', 'presets', 'header-names.json'), 'utf8'),
  ) as Record<string, string>
  return new Map([
    ...Object.entries(headerNames).flatMap(([member, names]) =>
      names.split(' ').map((name): [string, string] => [name, member]),
    ),
    ...aliasesOfFields(addressFields, firstAddress),
    ...aliasesOfFields(fieldRows),
    ['group', 'customerGroup.key'],
    ['store', 'stores.0.key'],
    ...[...commonMembers, 'title', 'salutation'].map((member): [string, string] => [
      foldedName(member.replace(/^.*\.(?!key$)/, '')),
      member,
    ]),
  ])
}

/** The member that a column means by its name. */
function guess(column: string): string | undefined {
  if (targetOf(column)) return column
  known ??= knownNames()
  return known.get(foldedName(column))
}

/** `Street (2)` is the second column `Street` of a table: in one of several addresses, the same member of the second. */
function guessRepeated(column: string, samples: Samples): {readonly target: string | undefined} | undefined {
  const [, name = '', number] = /^(.+) \((\d)\)$/.exec(column) ?? []
  if (number === undefined || !samples.has(name)) return undefined
  const first = guess(name)
  return {target: first?.startsWith(firstAddress) ? first.replace('0', `${Number(number) - 1}`) : undefined}
}

const plainNames: ReadonlySet<string> = new Set(
  fieldRows.flatMap(({name}) => (['key', 'customerNumber', 'externalId'].includes(name) ? [] : name)),
)

/** A plain member of the customer by the last word of a path, such as `attributes.email`; an id may be anybody's. */
function guessInner(path: string): string | undefined {
  const target = path.includes('.') && !path.includes(eachElement) ? guess(path.slice(path.lastIndexOf('.') + 1)) : ''
  return plainNames.has(target ?? '') ? target : undefined
}

/** The template of a table whose columns are named like the members of a customer. */
export const plainTemplate = (): Template => ({
  map: {
    columns: Object.fromEntries(commonMembers.map((member) => [member, member])),
    constants: {},
    transforms: {},
    aliases: {},
  },
  header: commonMembers,
  left: [],
})

const sampleRows = 1000
/** Makes a key of an id of one digit. */
const keyPrefix = 'shop-'
const dateForms = 'dd-mm-yyyy mm-dd-yyyy dd/mm/yyyy mm/dd/yyyy d/m/yyyy m/d/yyyy d.m.yy d/m/yy m/d/yy d-mmm-yy'.split(
  ' ',
)

/** Columns of an example and some of their texts. */
type Samples = ReadonlyMap<string, ReadonlySet<string>>

/**
 * A template that fits a file: columns by their names, transforms and missing aliases by its first rows.
 *
 *     const {map, left, preset} = await templateFor((await openSources(['crm.csv'])).list)
 */
export async function templateFor(sources: readonly Source[]): Promise<Template> {
  const ofXml = await xmlPreset(sources[0])
  if (ofXml) return {...plainTemplate(), preset: ofXml}
  const layout = await layoutOf(sources[0])
  for await (const table of readRows(sources, layout)) {
    const {map, ...rest} = await templateOf(await samplesOf(table))
    return {...rest, map: {...layout, ...map}}
  }
  return plainTemplate()
}

async function samplesOf({columns = [], pieces}: Rows): Promise<Samples> {
  const samples = new Map<string, Set<string>>(columns.map((column) => [column, new Set()]))
  const note = (column: string, value: unknown): void => {
    const texts = samples.get(column) ?? new Set()
    samples.set(column, texts)
    const cell = asCell(value)
    if (!isBlank(cell) && cell !== undefined) texts.add(textOfCell(cell))
  }
  let count = 0
  for await (const row of eachRow(pieces)) {
    count += 1
    if (count > sampleRows) break
    if (row.kind === 'cells') for (const [at, cell] of row.cells.entries()) note(columns[at] ?? '', cell)
    if (row.kind !== 'document') continue
    for (const path of leafPaths(row.document)) note(path, peek(row.document, path.replaceAll('.*', '.0')))
  }
  return samples
}

async function templateOf(samples: Samples): Promise<Template> {
  const preset = presetByColumns([...samples.keys()])
  known ??= knownNames()
  const own = [...samples.keys()].filter((column) => !guessRepeated(column, samples))
  const placed = placedAddresses(own, known)
  const pairs = new Map<string, string>()
  const left: string[] = []
  for (const [column, texts] of samples) {
    const repeated = guessRepeated(column, samples)
    const guessed = repeated ? repeated.target : placed.has(column) ? placed.get(column) : guess(column)
    const target = guessed === 'password' && [...texts].some(mayBeHash) ? 'passwordHash' : guessed
    // Each source of appended addresses has the member once.
    const id = target !== undefined && isAppended(target) ? `${target} ${holderOf(column)}` : target
    if (target === undefined || id === undefined || pairs.has(id)) left.push(column)
    else pairs.set(id, column)
  }
  const unknown = left.filter((column) => {
    const target = guessInner(column)
    if (target === undefined || pairs.has(target)) return true
    pairs.set(target, column)
    return false
  })
  const targetIn = (id: string): string => id.split(' ', 1)[0] ?? ''
  const columns = Object.fromEntries([...pairs].map(([id, column]) => [column, targetIn(id)]))
  const header = [...pairs.keys()].map(targetIn)
  const country = `${header.every((target) => !/^addresses\.[*+]/.test(target)) ? firstAddress : everyAddress}country`
  const textsOf = (target: string): string[] =>
    [...pairs].flatMap(([id, column]) => {
      const path = targetIn(id)
      const isIt =
        path === target || starred(path) === target || (isAppended(path) && path.replace('+', '*') === target)
      return isIt ? [...(samples.get(column) ?? [])] : []
    })
  const {transforms, aliases} = await suggestions(textsOf, country)
  return {map: {columns, constants: {}, transforms, aliases}, header, left: unknown, ...defined({preset})}
}

/** XML has no header; what it begins with says whose it is. */
async function xmlPreset(source: Source | undefined): Promise<PresetName | undefined> {
  if (source?.format !== 'xml') return undefined
  for await (const chunk of utf8Chunks(source)) return presetByXml(chunk.toString('utf8', 0, 4096))
  return undefined
}

async function suggestions(textsOf: (target: string) => readonly string[], country: string) {
  const transforms: Record<string, string> = {}
  const aliases: Record<string, Record<string, null>> = {}
  const countries = textsOf(country)
  if (countries.some((name) => !isAssignedCountry(name))) {
    transforms[country] = 'country'
    const codesOf = await countryCodes()
    const unknown = countries.filter((name) => codesOf(name).length !== 1)
    if (unknown.length > 0) aliases[country] = Object.fromEntries(unknown.sort().map((name) => [name, null]))
  }
  const keys = textsOf('key')
  if (!keys.every(isKey) && keys.every((key) => isKey(keyPrefix + key))) transforms['key'] = `prefix:${keyPrefix}`
  const dates = textsOf('dateOfBirth')
  const forms = dates.every((text) => isDate(commonDate(text))) ? [] : formsOf(dates)
  if (forms.length > 0) transforms['dateOfBirth'] = `date:${forms.join('|')}`
  return {transforms, aliases}
}

/** The forms that all dates have, one for each way to read them: only a person can tell which is meant. */
function formsOf(dates: readonly string[]): readonly string[] {
  const readings = new Map<string, string>()
  for (const form of dateForms) {
    const read = dates.map(dateReader('date', form))
    const days = read.flatMap((one) => ('value' in one ? one.value : [])).join()
    if (read.every((one) => 'value' in one) && !readings.has(days)) readings.set(days, form)
  }
  return [...readings.values()]
}
