import {isSecretPath} from '../../domain/secret-members.js'
import {InputError} from '../files/input-error.js'
import type {Match} from '../input/row-draft.js'
import type {XmlLayout} from '../input/xml-rows.js'
import {type Target, targetOf} from './draft-shape.js'

/** Target to the values that stand for other values: an empty text for an absent one, null for one to be filled in. */
export type Aliases = Readonly<Record<string, Readonly<Record<string, string | null>>>>

type Scalar = string | number | boolean

/** How the rows of a second file find their customers, and what they bring. */
export interface JoinRule {
  /** The file, beside the map file. */
  readonly file?: string
  /** Its column with the customer, and the column of the first file with the same values. */
  readonly column: string
  readonly to: string
  /** Its columns to members of `addresses.*`. Transforms and aliases are those of the map. */
  readonly columns: Readonly<Record<string, string | readonly string[]>>
  readonly where?: Mapping['where']
}

/** How the rows of a foreign source become drafts. Plain data, as a map file holds it. */
export interface Mapping {
  /** Source column (or path in a JSON row) to one target, or to several. */
  readonly columns?: Readonly<Record<string, string | readonly string[]>>
  /**
   * Target to the value that every row gets. A member of an address, and a role that names one, is given only to rows
   * that have the address.
   */
  readonly constants?: Readonly<Record<string, string | number | boolean>>
  /** Target to the transforms that its values pass, in order. */
  readonly transforms?: Readonly<Record<string, string | readonly string[]>>
  /** Target to the values that stand for other values; they come before the transforms. */
  readonly aliases?: Aliases
  /** Target to the columns from which it is filled if nothing else fills it. They never make an address. */
  readonly fallbacks?: Readonly<Record<string, string | readonly string[]>>
  /** Column whose cells hold several records, such as all addresses, to what they are. */
  readonly records?: Readonly<Record<string, RecordsRule>>
  /** A row that has nothing in this column brings further addresses of the row above. */
  readonly continuation?: string
  /** Column to the value, or values, of the rows that are taken; other rows are skipped. */
  readonly where?: Readonly<Record<string, Scalar | readonly Scalar[]>>
  /** Where a JSON document has its rows: a member, or a path to one. */
  readonly rows?: string
  /** A second file whose rows bring addresses to the rows of this one. */
  readonly join?: JoinRule
  /** Columns that are left out on purpose, and why. */
  readonly leftOut?: Readonly<Record<string, string>>
  /** How XML is cut into rows. Only what is mapped is read of them. */
  readonly xml?: XmlLayout
  /** Columns that the map names may be missing. */
  readonly optionalColumns?: boolean
  /** By what rows find their customers, unless the caller says it. */
  readonly match?: Match
}

/** A cell such as `City: Bonn, Zip: 53111|City: Ulm`. */
export interface RecordsRule {
  readonly target: 'addresses'
  /** Between two records; `|` if absent. */
  readonly separator?: string
  /** Name in the cell to member of an address; to an empty text, if the value has no place. */
  readonly members: Readonly<Record<string, string>>
}

/** The two sides of a text of the form `flag`, divided by its last `=` or its first. */
function assigned(text: string, flag: string, divider: 'first' | 'last' = 'first'): [string, string] {
  const at = divider === 'last' ? text.lastIndexOf('=') : text.indexOf('=')
  if (at <= 0 || (divider === 'last' && at === text.length - 1))
    throw new InputError(`'${text}' is not of the form ${flag}.`, {remedy: `Write ${flag}.`})
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

/** A mapping as flags give it. Throws InputError for a text of the wrong form. */
function mappingFromTexts(texts: MappingTexts): Mapping {
  const constants = (texts.constants ?? []).map((text) => assigned(text, 'TARGET=VALUE'))
  return {
    columns: gathered(texts.columns, (text) => assigned(text, 'SOURCE=TARGET', 'last')),
    constants: Object.fromEntries(constants),
    transforms: gathered(texts.transforms, (text) => assigned(text, 'TARGET=TRANSFORM')),
  }
}

/** A name given twice collects its values. */
function gathered(texts: readonly string[] = [], split: (text: string) => [string, string]): Record<string, string[]> {
  const given = new Map<string, string[]>()
  for (const [name, value] of texts.map(split)) given.set(name, [...(given.get(name) ?? []), value])
  return Object.fromEntries(given)
}

/**
 * A mapping laid over another. What `over` says of a column or a target replaces what `base` says of it: a target that
 * `over` fills is no longer filled by what `base` has for it.
 */
export function overlaid(base: Mapping, over: Mapping): Mapping {
  const filled = new Set([...Object.values(over.columns ?? {}).flat(), ...Object.keys(over.constants ?? {})])
  const left = <T>(section: Readonly<Record<string, T>> = {}) =>
    Object.entries(section).filter(([target]) => !filled.has(target))
  const columns = Object.entries(base.columns ?? {}).flatMap(([column, targets]) => {
    const free = [targets].flat().filter((target) => !filled.has(target))
    return free.length > 0 ? [[column, free.length === 1 ? free[0] : free] as const] : []
  })
  const joined = <T>(below: readonly (readonly [string, T])[], above: Readonly<Record<string, T>> = {}) =>
    Object.fromEntries([...below, ...Object.entries(above)])
  const {constants, fallbacks, transforms, aliases, records, leftOut, where, ...more} = {...base, ...over}
  return {
    ...more,
    columns: joined(columns as [string, string | readonly string[]][], over.columns),
    constants: joined(left(base.constants), over.constants),
    transforms: {...base.transforms, ...over.transforms},
    ...(aliases ? {aliases: {...base.aliases, ...over.aliases}} : {}),
    ...(fallbacks ? {fallbacks: joined(left(base.fallbacks), over.fallbacks)} : {}),
    ...(records ? {records: {...base.records, ...over.records}} : {}),
    ...(where ? {where: {...base.where, ...over.where}} : {}),
    ...(leftOut ? {leftOut: {...base.leftOut, ...over.leftOut}} : {}),
  }
}

/** A mapping from flags laid over one from a file. Throws InputError for a text of the wrong form. */
export const withTexts = (base: Mapping, texts: MappingTexts): Mapping => overlaid(base, mappingFromTexts(texts))

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
