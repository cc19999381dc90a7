import * as v from 'valibot'
import {isObject} from '../../domain/equal.js'
import {isSecretPath} from '../../domain/secret-members.js'
import {InputError} from '../input/input-error.js'
import {type Target, targetOf} from './draft-shape.js'

/** How the rows of a foreign source become drafts. Plain data, as a map file holds it. */
export interface Mapping {
  /** Source column (or path in a JSON row) to one target, or to several. */
  readonly columns?: Readonly<Record<string, string | readonly string[]>>
  /** Target to the value that every row gets. */
  readonly constants?: Readonly<Record<string, string | number | boolean>>
  /** Target to the transforms that its values pass, in order. */
  readonly transforms?: Readonly<Record<string, string | readonly string[]>>
  /** Target to the values that stand for other values; they come before the transforms. */
  readonly aliases?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const sections = ['columns', 'constants', 'transforms', 'aliases'] as const

const texts = v.union([v.string(), v.array(v.string())])

const entryRules = {
  columns: {schema: texts, expected: 'a target, or a list of targets'},
  constants: {schema: v.union([v.string(), v.number(), v.boolean()]), expected: 'a text, a number, true or false'},
  transforms: {schema: texts, expected: 'the name of a transform, or a list of names'},
  aliases: {schema: v.record(v.string(), v.string()), expected: 'an object of texts'},
} as const

const section = <T extends v.GenericSchema>(entry: T) => v.exactOptional(v.record(v.string(), entry))

/** A map file, for editors; `mappingOf` tells what is wrong in words of its own. */
export const MapFile = v.strictObject({
  $schema: v.exactOptional(v.string()),
  columns: section(entryRules.columns.schema),
  constants: section(entryRules.constants.schema),
  transforms: section(entryRules.transforms.schema),
  aliases: section(entryRules.aliases.schema),
})

/**
 * Reads the text of a map file. Throws InputError that names the file and the member.
 *
 *     mappingOf('{"columns": {"E-Mail": "email"}, "transforms": {"email": "trim"}}', 'map.json')
 *     // {columns: {'E-Mail': 'email'}, transforms: {email: 'trim'}}
 */
export function mappingOf(text: string, file: string): Mapping {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new InputError(`The map file ${file} is not valid JSON.`, {file}, {cause})
  }
  if (!isObject(value)) throw new InputError(`The map file ${file} is not a JSON object.`, {file})
  const {$schema, ...mapping} = value
  if ($schema !== undefined && typeof $schema !== 'string') {
    throw new InputError(`'$schema' of the map file ${file} is not a text.`, {file})
  }
  for (const [name, section] of Object.entries(mapping)) {
    const rule = sections.find((known) => known === name)
    if (!rule) {
      const remedy = `It may have ${sections.join(', ')}.`
      throw new InputError(`The map file ${file} has an unknown member '${name}'.`, {file, remedy})
    }
    checkSection(section, rule, file)
  }
  return mapping as Mapping
}

function checkSection(section: unknown, name: (typeof sections)[number], file: string): void {
  if (!isObject(section)) throw new InputError(`'${name}' of the map file ${file} is not an object.`, {file})
  const {schema, expected} = entryRules[name]
  for (const [key, value] of Object.entries(section)) {
    if (!v.is(schema, value))
      throw new InputError(`'${name}.${key}' of the map file ${file} is not ${expected}.`, {file})
  }
}

const assigned = (text: string, flag: string): [string, string] => {
  const at = text.lastIndexOf('=')
  if (at <= 0 || at === text.length - 1) {
    throw new InputError(`'${text}' is not of the form ${flag}.`, {remedy: `Write ${flag}.`})
  }
  return [text.slice(0, at), text.slice(at + 1)]
}

const firstAssigned = (text: string, flag: string): [string, string] => {
  const at = text.indexOf('=')
  if (at <= 0) throw new InputError(`'${text}' is not of the form ${flag}.`, {remedy: `Write ${flag}.`})
  return [text.slice(0, at), text.slice(at + 1)]
}

export interface MappingTexts {
  /** `SOURCE=TARGET`; the last `=` divides, since a header may hold one. */
  readonly columns?: readonly string[]
  /** `TARGET=VALUE` */
  readonly constants?: readonly string[]
  /** `TARGET=TRANSFORM` */
  readonly transforms?: readonly string[]
}

/** A mapping from flags laid over one from a file. Throws InputError for a text of the wrong form. */
export function withTexts(base: Mapping, texts: MappingTexts): Mapping {
  return {
    ...base,
    columns: gathered(base.columns, texts.columns, (text) => assigned(text, 'SOURCE=TARGET')),
    constants: {
      ...base.constants,
      ...Object.fromEntries((texts.constants ?? []).map((text) => firstAssigned(text, 'TARGET=VALUE'))),
    },
    transforms: gathered(base.transforms, texts.transforms, (text) => firstAssigned(text, 'TARGET=TRANSFORM')),
  }
}

/** Entries given as flags replace those of the file; a name given twice as a flag collects its values. */
function gathered(
  base: Readonly<Record<string, string | readonly string[]>> = {},
  texts: readonly string[] = [],
  split: (text: string) => [string, string],
): Record<string, string | readonly string[]> {
  const given = new Map<string, string[]>()
  for (const [name, value] of texts.map(split)) given.set(name, [...(given.get(name) ?? []), value])
  return Object.fromEntries([...Object.entries(base), ...given])
}

/** Every target that a mapping names, checked. Throws InputError for one that is no member of a draft. */
export function checkedTarget(path: string, section: string): Target {
  const target = targetOf(path)
  if (!target) {
    throw new InputError(`'${path}' in ${section} is not a member of a customer draft.`, {
      remedy:
        "Name a member such as firstName, addresses.0.city or custom.fields.NAME; 'customers template' lists them.",
    })
  }
  if (section === 'constants' && isSecretPath(path)) {
    throw new InputError(`'${path}' cannot be the same for every row.`, {
      remedy: 'Use --password-mode generate, or a column of the file.',
    })
  }
  return target
}
