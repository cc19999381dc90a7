import * as v from 'valibot'
import {isObject} from '../../domain/equal.js'
import {InputError} from '../files/input-error.js'
import {matches} from '../input/row-draft.js'
import type {Mapping} from './mapping.js'

const texts = v.union([v.string(), v.array(v.string())])
const name = v.pipe(v.string(), v.nonEmpty())

const RecordsRule = v.strictObject({
  target: v.literal('addresses'),
  separator: v.exactOptional(name),
  members: v.record(v.string(), v.string()),
})
const XmlLayout = v.strictObject({row: name, names: v.exactOptional(v.record(v.string(), v.string()))})

const scalar = v.union([v.string(), v.number(), v.boolean()])
const wanted = v.union([scalar, v.array(scalar)])
const JoinRule = v.strictObject({
  file: v.exactOptional(name),
  column: name,
  to: name,
  columns: v.record(v.string(), texts),
  where: v.exactOptional(v.record(v.string(), wanted)),
})

const entries = <T extends v.GenericSchema>(entry: T, expected: string) => ({
  schema: v.record(v.string(), entry),
  entry,
  expected,
})
const whole = <T extends v.GenericSchema>(schema: T, expected: string) => ({schema, entry: undefined, expected})

const sections = {
  columns: entries(texts, 'a target, or a list of targets'),
  constants: entries(scalar, 'a text, a number, true or false'),
  transforms: entries(texts, 'the name of a transform, or a list of names'),
  aliases: entries(v.record(v.string(), v.nullable(v.string())), 'an object of texts'),
  fallbacks: entries(texts, 'a column, or a list of columns'),
  records: entries(RecordsRule, 'an object with target (addresses), members and perhaps separator'),
  leftOut: entries(v.string(), 'a text that says why'),
  continuation: whole(name, 'the name of a column'),
  where: entries(wanted, 'a value, or a list of values'),
  rows: whole(name, 'the name of a list'),
  join: whole(JoinRule, 'an object with column, to, columns and perhaps file and where'),
  xml: whole(XmlLayout, 'an object with row and perhaps names'),
  optionalColumns: whole(v.boolean(), 'true or false'),
  match: whole(v.picklist(matches), `one of ${matches.join(', ')}`),
} as const

type Section = keyof typeof sections

/** A map file, for editors; `mappingOf` tells what is wrong in words of its own. */
export const MapFile = v.strictObject({
  $schema: v.exactOptional(v.string()),
  columns: v.exactOptional(sections.columns.schema),
  constants: v.exactOptional(sections.constants.schema),
  transforms: v.exactOptional(sections.transforms.schema),
  aliases: v.exactOptional(sections.aliases.schema),
  fallbacks: v.exactOptional(sections.fallbacks.schema),
  records: v.exactOptional(sections.records.schema),
  leftOut: v.exactOptional(sections.leftOut.schema),
  continuation: v.exactOptional(sections.continuation.schema),
  where: v.exactOptional(sections.where.schema),
  rows: v.exactOptional(sections.rows.schema),
  join: v.exactOptional(sections.join.schema),
  xml: v.exactOptional(sections.xml.schema),
  optionalColumns: v.exactOptional(sections.optionalColumns.schema),
  match: v.exactOptional(sections.match.schema),
})

const isSection = (name: string): name is Section => Object.hasOwn(sections, name)

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
    if (!isSection(name)) {
      const remedy = `It may have ${Object.keys(sections).join(', ')}.`
      throw new InputError(`The map file ${file} has an unknown member '${name}'.`, {file, remedy})
    }
    checkSection(section, name, file)
  }
  return mapping as Mapping
}

function checkSection(section: unknown, name: Section, file: string): void {
  const {schema, entry, expected} = sections[name]
  if (!entry) {
    if (!v.is(schema, section)) throw new InputError(`'${name}' of the map file ${file} is not ${expected}.`, {file})
    return
  }
  if (!isObject(section)) throw new InputError(`'${name}' of the map file ${file} is not an object.`, {file})
  for (const [key, value] of Object.entries(section)) {
    if (!v.is(entry, value))
      throw new InputError(`'${name}.${key}' of the map file ${file} is not ${expected}.`, {file})
  }
}
