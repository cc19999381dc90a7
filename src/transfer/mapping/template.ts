import {addressFields} from '../../domain/address-fields.js'
import {isAssignedCountry} from '../../domain/codes/countries.js'
import {fieldRows} from '../../domain/customers/fields.js'
import {defined} from '../../domain/equal.js'
import type {Field} from '../../domain/field.js'
import {readRows} from '../input/rows.js'
import type {Source} from '../input/source.js'
import {utf8Chunks} from '../input/utf8-chunks.js'
import type {PresetName} from '../presets/preset-names.js'
import {presetByColumns, presetByXml} from '../presets/presets.js'
import {countryNames} from './country-names.js'
import {targetOf} from './draft-shape.js'
import type {Mapping} from './mapping.js'
import {transformOf} from './transforms.js'

/** A map to begin with, and the header of a table that needs none. */
export interface Template {
  readonly map: Required<Pick<Mapping, 'columns' | 'constants' | 'transforms' | 'aliases'>>
  /** Columns of a table whose names are the members themselves. */
  readonly header: readonly string[]
  /** Columns of the example for which no member was found. */
  readonly left: readonly string[]
  /** The preset that fits the example: it is the export of a shop. */
  readonly preset?: PresetName
}

const firstAddress = 'addresses.0.'
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

/** What people call the members, without blanks, case and punctuation. The customer's own come before an address's. */
const spellings: readonly (readonly [string, string])[] = [
  ...aliasesOfFields(addressFields, firstAddress),
  ...aliasesOfFields(fieldRows),
  ['group', 'customerGroup.key'],
  ['store', 'stores.0.key'],
]

const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '')

const known: ReadonlyMap<string, string> = new Map([
  ...spellings,
  ...commonMembers.map((member) => [folded(member.replace(/^.*\.(?!key$)/, '')), member] as const),
])

const guess = (column: string): string | undefined => (targetOf(column) ? column : known.get(folded(column)))

/** A template without an example. */
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
const dateForms = [
  'dd-mm-yyyy',
  'mm-dd-yyyy',
  'dd.mm.yyyy',
  'd.m.yyyy',
  'dd/mm/yyyy',
  'mm/dd/yyyy',
  'm/d/yyyy',
  'yyyymmdd',
]

/** A template that fits a table: columns by their names, transforms and missing aliases by its first rows. */
export async function templateFor(sources: readonly Source[]): Promise<Template> {
  const ofXml = await xmlPreset(sources[0])
  if (ofXml) return {...plainTemplate(), preset: ofXml}
  for await (const {columns = [], rows} of readRows(sources)) {
    const preset = presetByColumns(columns)
    const taken = new Set<string>()
    const pairs: [string, string][] = []
    const left: string[] = []
    for (const column of columns) {
      const target = guess(column)
      if (target === undefined || taken.has(target)) left.push(column)
      else {
        taken.add(target)
        pairs.push([column, target])
      }
    }
    const samples = new Map<string, Set<string>>(pairs.map(([, target]) => [target, new Set()]))
    let count = 0
    for await (const row of rows) {
      count += 1
      if (count > sampleRows) break
      for (const [column, target] of pairs) {
        const cell = row.kind === 'cells' ? row.cells[columns.indexOf(column)] : undefined
        if (cell !== undefined) samples.get(target)?.add(cell)
      }
    }
    const {transforms, aliases} = await suggestions(samples)
    return {
      map: {columns: Object.fromEntries(pairs), constants: {}, transforms, aliases},
      header: pairs.map(([, target]) => target),
      left,
      ...defined({preset}),
    }
  }
  return plainTemplate()
}

/** XML has no header; what it begins with says whose it is. */
async function xmlPreset(source: Source | undefined): Promise<PresetName | undefined> {
  if (source?.format !== 'xml') return undefined
  for await (const chunk of utf8Chunks(source)) return presetByXml(chunk.toString('utf8', 0, 4096))
  return undefined
}

async function suggestions(samples: ReadonlyMap<string, ReadonlySet<string>>) {
  const transforms: Record<string, string> = {}
  const aliases: Record<string, Record<string, string>> = {}
  const country = 'addresses.0.country'
  const countries = [...(samples.get(country) ?? [])]
  if (countries.some((name) => !isAssignedCountry(name))) {
    transforms[country] = 'country'
    const names = await countryNames()
    const unknown = countries.filter((name) => {
      const answer = names.find(name)
      return answer === 'unknown' || 'ambiguous' in answer
    })
    if (unknown.length > 0) aliases[country] = Object.fromEntries(unknown.sort().map((name) => [name, '']))
  }
  const form = await dateForm([...(samples.get('dateOfBirth') ?? [])])
  if (form !== undefined) transforms['dateOfBirth'] = `date:${form}`
  return {transforms, aliases}
}

/** The one form that all dates have; nothing if they need none. */
async function dateForm(dates: readonly string[]): Promise<string | undefined> {
  if (dates.length === 0 || dates.every((text) => /^\d{4}-\d{2}-\d{2}$/.test(text))) return undefined
  for (const form of dateForms) {
    const read = await transformOf(`date:${form}`)
    if (dates.every((text) => 'value' in read(text))) return form
  }
  return undefined
}
