import * as v from 'valibot'
import {grouped, isObject} from '../../domain/equal.js'
import {InputError} from '../files/input-error.js'
import {matches} from '../input/row-draft.js'
import {isAppended} from './draft-shape.js'

const name = v.pipe(v.string(), v.nonEmpty())
const texts = v.union([v.string(), v.array(v.string())])
const scalar = v.union([v.string(), v.number(), v.boolean()])
const where = v.record(v.string(), v.union([scalar, v.pipe(v.array(scalar), v.nonEmpty())]))

/** A cell such as `City: Bonn, Zip: 53111|City: Ulm`. */
const records = v.strictObject({
  target: v.literal('addresses'),
  /** Between two records; `|` if absent. */
  separator: v.exactOptional(name),
  /** Name in the cell to member of an address; to an empty text, if the value has no place. */
  members: v.record(v.string(), v.string()),
})

/** How the rows of a second file find their customers, and what they bring. */
const join = v.strictObject({
  /** The file, beside the map file. */
  file: v.exactOptional(name),
  /** Its column with the customer, and the column of the first file with the same values. */
  column: name,
  to: name,
  /** Its columns to members of `addresses.*`. Transforms and aliases are those of the map. */
  columns: v.record(v.string(), texts),
  where: v.exactOptional(where),
  /** Where the file has its rows, as for the first one. */
  rows: v.exactOptional(name),
  /** Its encoding, or its sheet; without, that of --encoding and the first. */
  encoding: v.exactOptional(name),
  sheet: v.exactOptional(name),
})

/** The members of a map, each with the words that describe it in an error; of a record, of each entry. */
const sections = {
  /** Source column (or path in a JSON row) to one target, or to several. */
  columns: [v.record(v.string(), texts), 'a target, or a list of targets'],
  /**
   * Target to the value that every row gets. A member of an address, and a role that names one, is given only to rows
   * that have the address.
   */
  constants: [v.record(v.string(), scalar), 'a text, a number, true or false'],
  /** Target to the transforms that its values pass, in order. */
  transforms: [v.record(v.string(), texts), 'the name of a transform, or a list of names'],
  /**
   * Target to the values that stand for other values, before the transforms: an empty text for an absent one, null for
   * one to be filled in.
   */
  aliases: [v.record(v.string(), v.record(v.string(), v.nullable(v.string()))), 'an object of texts'],
  /** Target to the columns, perhaps with transforms of their own, that fill it if nothing else does. They never make an address. */
  fallbacks: [v.record(v.string(), v.union([texts, v.record(v.string(), texts)])), 'a column, or a list of columns'],
  /** Column whose cells hold several records, such as all addresses, to what they are. */
  records: [v.record(v.string(), records), 'an object with target (addresses), members and perhaps separator'],
  /** Columns that are left out on purpose, and why. */
  leftOut: [v.record(v.string(), v.string()), 'a text that says why'],
  /** What a person has to decide, by its target, its column or the flag that decides it. Nothing is imported before. */
  decide: [v.record(v.string(), v.string()), 'a text that says what there is to decide'],
  /** A row that has nothing in this column brings further addresses of the row above. */
  continuation: [name, 'the name of a column'],
  /** Column to the value, or values, of the rows that are taken; other rows are skipped. */
  where: [where, 'a value, or a list of values'],
  /**
   * What holds the rows: of a JSON document a list, by its path, or with `.*` an object whose members are rows (`@name`);
   * of XML the elements of a name.
   */
  rows: [name, 'the name of a list or an element'],
  /** Further files, or lists, whose rows bring addresses to the rows of this one. */
  join: [v.array(join), 'a list of objects with column, to, columns and perhaps file, rows, where, encoding and sheet'],
  /** Path of a list of names and values to the member that has the name: paths go on with the names. */
  names: [v.record(v.string(), name), 'the name of a member'],
  /** The names of the columns of a table that has no header. */
  header: [v.pipe(v.array(name), v.nonEmpty()), 'a list of names'],
  /** Texts that stand for no value, in any column. */
  absent: [v.array(name), 'a list of texts'],
  /** Columns that the map names may be missing. */
  optionalColumns: [v.boolean(), 'true or false'],
  /** By what rows find their customers, unless the caller says it. */
  match: [v.picklist(matches), `one of ${matches.join(', ')}`],
} as const

type Section = keyof typeof sections

type Frozen<T> = T extends readonly (infer Element)[]
  ? readonly Frozen<Element>[]
  : T extends object
    ? {readonly [Name in keyof T]: Frozen<T[Name]>}
    : T

/** How the rows of a foreign source become drafts. Plain data, as a map file holds it. */
export type Mapping = {readonly [Name in Section]?: Frozen<v.InferOutput<(typeof sections)[Name][0]>>}

/** A map file, for editors; `mappingOf` tells what is wrong in words of its own. */
export const MapFile = v.strictObject({
  $schema: v.exactOptional(v.string()),
  ...Object.fromEntries(
    Object.entries(sections).map(([member, [schema]]) => [member, v.exactOptional<v.GenericSchema>(schema)]),
  ),
})

const isSection = (name: string): name is Section => Object.hasOwn(sections, name)
const hasEntries = (name: Section): boolean => sections[name][0].type === 'record'

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
  const list = Object.keys(value).find((name) => isSection(name) && hasEntries(name) && Array.isArray(value[name]))
  if (list !== undefined) throw refused([list], file)
  const {issues} = v.safeParse(MapFile, value)
  if (issues)
    throw refused(
      (issues[0].path ?? []).map(({key}) => String(key)),
      file,
    )
  const {$schema: _, ...mapping} = value
  return mapping
}

function refused([name = '', entry]: readonly string[], file: string): InputError {
  if (name === '$schema') return new InputError(`'$schema' of the map file ${file} is not a text.`, {file})
  if (!isSection(name)) {
    const remedy = `It may have ${Object.keys(sections).join(', ')}.`
    return new InputError(`The map file ${file} has an unknown member '${name}'.`, {file, remedy})
  }
  const what = hasEntries(name) && entry !== undefined ? `${name}.${entry}` : name
  const wanted = hasEntries(name) && entry === undefined ? 'an object' : sections[name][1]
  return new InputError(`'${what}' of the map file ${file} is not ${wanted}.`, {file})
}

function assigned(text: string, flag: string, form = /^([^=]+)=(.*)$/s): [string, string] {
  const [, name, value] = form.exec(text) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  throw new InputError(`'${text}' is not of the form ${flag}.`, {remedy: `Write ${flag}.`})
}

interface MappingTexts {
  /** `SOURCE=TARGET`; the last `=` divides, since a header may hold one. */
  readonly columns?: readonly string[]
  /** `TARGET=VALUE` */
  readonly constants?: readonly string[]
  /** `TARGET=TRANSFORM` */
  readonly transforms?: readonly string[]
}

/** A name given twice collects its values. */
const gathered = (texts: readonly string[] = [], split: (text: string) => [string, string]): Record<string, string[]> =>
  Object.fromEntries(grouped(texts.map(split)))

/**
 * A mapping laid over another. What `over` says of a column or a target replaces what `base` says of it: a target that
 * `over` fills is no longer filled by what `base` has for it.
 */
export function overlaid(base: Mapping, over: Mapping): Mapping {
  const taken = Object.values(over.columns ?? {}).flat()
  const filled = new Set([...taken.filter((path) => !isAppended(path)), ...Object.keys(over.constants ?? {})])
  const left = (section: object = {}) => Object.entries(section).filter(([target]) => !filled.has(target))
  const columns = Object.entries(base.columns ?? {}).flatMap(([column, targets]) => {
    const free = [targets].flat().filter((target) => !filled.has(target))
    return free.length > 0 ? [[column, free.length === 1 ? free[0] : free] as const] : []
  })
  type Sections = Readonly<Record<string, object>>
  const below = {...base, columns: Object.fromEntries(columns)} as object as Sections
  const above = over as object as Sections
  const named = Object.entries({columns: {}, constants: {}, transforms: {}, ...base, ...over})
  return Object.fromEntries(
    named.map(([name, section]) => {
      if (!isObject(section)) return [name, section]
      const own = name === 'constants' || name === 'fallbacks' ? Object.fromEntries(left(below[name])) : below[name]
      return [name, {...own, ...above[name]}]
    }),
  )
}

/** A mapping from flags laid over one from a file. Throws InputError for a text of the wrong form. */
export const withTexts = (base: Mapping, {columns, constants = [], transforms}: MappingTexts): Mapping =>
  overlaid(base, {
    columns: gathered(columns, (text) => assigned(text, 'SOURCE=TARGET', /^(.+)=([^=]+)$/s)),
    constants: Object.fromEntries(constants.map((text) => assigned(text, 'TARGET=VALUE'))),
    transforms: gathered(transforms, (text) => assigned(text, 'TARGET=TRANSFORM')),
  })

/** What a map leaves to a person, in sentences. */
export const decisionsOf = ({decide = {}}: Mapping): readonly string[] =>
  Object.entries(decide).map(([what, words]) => `${what}: ${words}`)

/** Throws InputError for a map that leaves something to decide. `taken`: what the flags of the run decide, by their names. */
export function checkDecided({decide = {}}: Mapping, taken: Readonly<Record<string, boolean>> = {}): void {
  const open = decisionsOf({
    decide: Object.fromEntries(Object.entries(decide).filter(([name]) => taken[name] !== true)),
  })
  if (open.length === 0) return
  throw new InputError(`The map leaves to you: ${open.join(' ')}`, {
    remedy: "Give the flags that are named, or take from 'decide' in the map what you have decided.",
  })
}
