import type {Mapping} from '../mapping/mapping.js'

/** A map for the documented customer export of one shop. Plain data: whatever a preset does, a map file can do. */
export interface Preset {
  /** The name of the shop, for people. */
  readonly label: string
  readonly mapping: Mapping
  /** Columns that only this export has: all of one of the lists. */
  readonly header: readonly (readonly string[])[]
  /** What customers have no field for, as custom fields; imported if a type is named. */
  readonly custom: Mapping
  /** The customer groups of the shop by key; imported if asked for, since they have to exist at the target. */
  readonly groups?: Mapping
  /** The same for stores. */
  readonly stores?: Mapping
}

/** What of a preset is asked for beside the fields of a customer. */
export interface PresetChoice {
  /** Key of the type that has the custom fields. */
  readonly customType?: string
  readonly groups?: boolean
  readonly stores?: boolean
}

const later = {
  custom: 'add --custom-type KEY to keep it as a custom field',
  groups: 'add --with-groups to keep it',
  stores: 'add --with-stores to keep it',
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
  return [...parts, ...typed].reduce<Mapping>(added, preset.mapping)
}

/** Both together; columns of both go to the targets of both. */
function added(one: Mapping, other: Mapping): Mapping {
  const columns = {...one.columns}
  for (const [column, targets] of Object.entries(other.columns ?? {})) {
    columns[column] = [...[columns[column] ?? []].flat(), ...[targets].flat()]
  }
  return {
    ...one,
    columns,
    constants: {...one.constants, ...other.constants},
    transforms: {...one.transforms, ...other.transforms},
    aliases: {...one.aliases, ...other.aliases},
    leftOut: {...other.leftOut, ...one.leftOut},
  }
}

const yesNoAliases = Object.fromEntries([
  ...['yes', 'y', 'true', '1'].map((text) => [text, 'true']),
  ...['no', 'n', 'false', '0'].map((text) => [text, 'false']),
])

/** Custom fields from columns: text, a list cut at a separator, or yes and no. */
export const customFields = (
  fields: Readonly<Record<string, readonly [field: string, ...transforms: string[]]>>,
): Mapping => {
  const entries = Object.entries(fields)
  const path = (field: string): string => `custom.fields.${field}`
  const yesNo = entries.filter(([, [, kind]]) => kind === 'yes-no')
  return {
    columns: Object.fromEntries(entries.map(([column, [field]]) => [column, path(field)])),
    transforms: Object.fromEntries(
      entries.flatMap(([, [field, ...list]]) => (list.length > 0 && list[0] !== 'yes-no' ? [[path(field), list]] : [])),
    ),
    aliases: Object.fromEntries(yesNo.map(([, [field]]) => [path(field), yesNoAliases])),
  }
}

/** Columns that are left out, and why. */
export const leftOut = (reasons: Readonly<Record<string, readonly string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(reasons).flatMap(([reason, columns]) => columns.map((column) => [column, reason])))

/** Aliases of a shop's own country ids, from 1, to codes; `-` stands for no country. */
export const numberedCountries = (codes: string): Record<string, string> =>
  Object.fromEntries(codes.split(' ').flatMap((code, at) => (code === '-' ? [] : [[`${at + 1}`, code]])))
