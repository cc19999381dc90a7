import {customerShape} from '../../domain/customers/customer.js'
import {fieldRows} from '../../domain/customers/fields.js'
import {type TextField, textFields} from '../../domain/search/search-text.js'
import type {CustomShapes, Field, LeafShape, LeafType, Predicate, Shape} from '../../query/ast.js'
import {memberOf} from '../../query/path-reader.js'
import {QueryError} from '../../query/query-error.js'

/** The fields that a search may name, derived from the shape of a customer. Source: API › Customer Search. */

export interface SearchField {
  readonly name: string
  readonly shape: LeafShape
  readonly values: (customer: object) => readonly unknown[]
  /** The fields of search texts that hold its words; none for what is only in the customer. */
  readonly texts: readonly TextField[]
  /** Each of its values has a line of its own in the search text. */
  readonly hasLines: boolean
  /** A condition on the field as a predicate; absent where none says the same. */
  readonly predicate?: (condition: (field: Field) => Predicate) => Predicate
  /** Made of several members: for full text, its prefixes and fuzzy words only. */
  readonly isText?: true
}

export interface Described {
  readonly language: string | undefined
  readonly fieldType: string | undefined
  readonly groupKeys: ReadonlyMap<string, string>
  readonly custom: CustomShapes | undefined
}

const typesOfCustomFields: Readonly<Record<string, LeafType>> = {
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  enum: 'string',
  lenum: 'string',
  ltext: 'string',
  money: 'unknown',
  number: 'number',
  reference: 'string',
  text: 'string',
  time: 'time',
}

const nameParts = fieldRows.filter(({namePart, personal}) => namePart && personal === 'name').map(({name}) => name)

/** The field of a name. Throws QueryError for one that customers do not have. */
export function searchField(name: string, described: Described): SearchField {
  const leaf = typeNamed(described.fieldType) ?? 'unknown'
  if (name === 'all') {
    return {
      name,
      shape: text,
      values: () => [],
      texts: textFields.filter(({inAll}) => inAll),
      hasLines: false,
      isText: true,
    }
  }
  if (name === 'fullName') {
    const texts = textFields.filter((text) => nameParts.some((part) => part === text.name))
    const values = (customer: object) =>
      [nameParts.flatMap((part) => valuesAt(customer, [part])).join(' ')].filter(Boolean)
    return {name, shape: text, values, texts, hasLines: false}
  }
  const path = name.split('.')
  if (/(^|\.)customerGroup\.key$/.test(name)) {
    const toId = [...path.slice(0, -1), 'id']
    shapeAt(toId, name, undefined)
    const values = (customer: object) =>
      valuesAt(customer, toId).flatMap((id) => described.groupKeys.get(String(id)) ?? [])
    return {name, shape: text, values, texts: [], hasLines: false}
  }
  const {shape, isCustom} = shapeAt(path, name, described.custom)
  const texts = textFields.filter((text) => text.name === name)
  const common = {name, texts, hasLines: texts.length > 0}
  if (isCustom) {
    const values = (customer: object) =>
      valuesAt(customer, path).flatMap((value) => scalarsOf(value, described.language))
    return {...common, shape: 'leaf' in shape ? shape : 'open' in shape && !shape.of ? {leaf} : inside(shape), values}
  }
  const values = (customer: object) => valuesAt(customer, path)
  if (!('leaf' in shape)) return {...common, shape: {leaf: 'unknown'}, values}
  return {...common, shape, values, predicate: (condition) => nested(customerShape, path, condition)}
}

function typeNamed(fieldType: string | undefined): LeafType | undefined {
  if (fieldType === undefined) return undefined
  const name = fieldType.replace(/^set_/, '')
  if (!Object.hasOwn(typesOfCustomFields, name)) throw new QueryError('query', `There is no fieldType '${fieldType}'.`)
  return typesOfCustomFields[name]
}

function shapeAt(path: readonly string[], name: string, custom: CustomShapes | undefined) {
  let shape: Shape = customerShape
  let isCustom = false
  for (const member of path) {
    isCustom ||= 'fieldsOf' in shape
    const next = memberOf(shape, member, custom)
    if (!next || 'facet' in next) throw new QueryError('query', `There is no field '${name}'.`)
    shape = next
  }
  return {shape, isCustom}
}

const text: LeafShape = {leaf: 'string'}

/** What is compared of a custom field that has members: the texts of localised text, of a reference its id. */
const inside = (shape: Shape): LeafShape =>
  'members' in shape && 'currencyCode' in shape.members ? {leaf: 'unknown'} : text

function valuesAt(node: unknown, path: readonly string[]): readonly unknown[] {
  if (Array.isArray(node)) return node.flatMap((element) => valuesAt(element, path))
  if (node === undefined || node === null) return []
  const [member, ...rest] = path
  if (member === undefined) return [node]
  return typeof node === 'object' && Object.hasOwn(node, member) ? valuesAt(Reflect.get(node, member), rest) : []
}

/** The value of a custom field as it is compared: of a localised text those asked for, of a reference its id. */
function scalarsOf(value: unknown, language: string | undefined): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [value]
  if (language !== undefined) return valuesAt(value, [language])
  if ('id' in value) return [value.id]
  return 'currencyCode' in value ? [value] : Object.values(value)
}

/** The condition where the shape has it: within an element of each array on the way. */
function nested(shape: Shape, path: readonly string[], condition: (field: Field) => Predicate): Predicate {
  let here = shape
  for (const [at, member] of path.entries()) {
    here = 'members' in here ? (here.members[member] as Shape) : here
    const rest = path.slice(at + 1)
    if (here.array && rest.length > 0) {
      const {array: _, ...element} = here
      return {op: 'nested', path: path.slice(0, at + 1), term: nested(element as Shape, rest, condition)}
    }
  }
  const type = 'leaf' in here ? here.leaf : 'unknown'
  return condition({path, type, ...(here.array ? {array: true} : {})})
}
