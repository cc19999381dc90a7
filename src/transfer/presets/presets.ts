import {readFileSync} from 'node:fs'
import {shipped} from '../../files/shipped.js'
import {type Mapping, overlaid} from '../mapping/mapping.js'
import {type PresetName, presetNames} from './preset-names.js'

/** A map for the documented customer export of one shop: NAME.json beside this. Whatever a preset does, a map file can do. */
export interface Preset {
  readonly label: string
  readonly mapping: Mapping
  /** Columns that only this export has: all of one of the lists. */
  readonly header: readonly (readonly string[])[]
  /** Of an export without a header: a pattern of what its first cells are, with commas between them. */
  readonly begins?: string
  /** The namespace of its XML. */
  readonly namespace?: string
  /** What customers have no field for, as custom fields; imported if a type is named. */
  readonly custom?: Mapping
  /** The customer groups of the shop by key; imported if asked for, since they have to exist at the target. */
  readonly groups?: Mapping
  /** The same for stores. */
  readonly stores?: Mapping
}

export interface PresetChoice {
  /** Key of the type that has the custom fields. */
  readonly customType?: string
  readonly groups?: boolean
  readonly stores?: boolean
}

export const presetNamed = (name: PresetName): Preset =>
  JSON.parse(readFileSync(shipped('src', 'transfer', 'presets', `${name}.json`), 'utf8')) as Preset

/** The first shop whose export has such columns: one of WooCommerce has those of WordPress as well. */
export function presetByColumns(columns: readonly string[]): PresetName | undefined {
  const there = new Set(columns)
  return presetNames.find((name) => {
    const {header, begins} = presetNamed(name)
    const hasBegun = begins !== undefined && new RegExp(begins).test(columns.join())
    return hasBegun || header.some((list) => list.every((column) => there.has(column)))
  })
}

/** The shop whose export begins like this, if it is XML of one. */
export const presetByXml = (head: string): PresetName | undefined =>
  presetNames.find((name) => {
    const {namespace} = presetNamed(name)
    return namespace !== undefined && head.includes(namespace)
  })

const later = {
  custom: 'kept as custom fields with --custom-type KEY',
  groups: 'kept with --with-groups',
  stores: 'kept with --with-stores',
} as const

/** The mapping of a preset with the parts that were chosen. What was not chosen is left out with a word. */
export function presetMapping(preset: Preset, choice: PresetChoice = {}): Mapping {
  const {customType, groups = false, stores = false} = choice
  const chosen = {custom: customType !== undefined, groups, stores}
  const parts = (['custom', 'groups', 'stores'] as const).flatMap((name) => {
    const part = preset[name]
    if (!part) return []
    if (chosen[name]) return [part]
    const leftOut = Object.fromEntries(Object.keys(part.columns ?? {}).map((column) => [column, later[name]]))
    return [{leftOut}]
  })
  const typed = customType === undefined ? [] : [{constants: {'custom.type.key': customType}}]
  return [...parts, ...typed].reduce<Mapping>(overlaid, preset.mapping)
}
