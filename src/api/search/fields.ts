import {customerShape} from '../../domain/customers/customer.js'
import {fieldRows} from '../../domain/customers/fields.js'
import {timeOf} from '../../domain/rules.js'
import {type TextField, textFields} from '../../domain/search/search-text.js'
import type {Field, LeafType, Predicate, Shape} from '../../query/ast.js'
import {QueryError} from '../../query/query-error.js'

/** The fields that a search may name, derived from the shape of a customer. Source: API › Customer Search. */

export interface SearchField {
  readonly name: string
  readonly type: LeafType
  /** The values of a customer, those of an array each. */
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

/** How a request describes a field. */
export interface Described {
  readonly language: string | undefined
  readonly fieldType: string | undefined
  /** The keys of customer groups by their ids. */
  readonly groupKeys: ReadonlyMap<string, string>
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
  time: 'string',
}

const nameParts = fieldRows.filter(({namePart, personal}) => namePart && personal === 'name').map(({name}) => name)

/** The field of a name. Throws QueryError for one that customers do not have. */
export function searchField(name: string, described: Described): SearchField {
  const type = typeNamed(described.fieldType)
  if (name === 'all') {
    return {
      name,
      type: 'string',
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
    return {name, type: 'string', values, texts, hasLines: false}
  }
  const path = name.split('.')
  if (/(^|\.)customerGroup\.key$/.test(name)) {
    const toId = [...path.slice(0, -1), 'id']
    typeAt(toId, name)
    const values = (customer: object) =>
      valuesAt(customer, toId).flatMap((id) => described.groupKeys.get(String(id)) ?? [])
    return {name, type: 'string', values, texts: [], hasLines: false}
  }
  const found = typeAt(path, name)
  const texts = textFields.filter((text) => text.name === name)
  const common = {name, texts, hasLines: texts.length > 0}
  if (found === 'open') {
    const values = (customer: object) => valuesAt(customer, path).flatMap((value) => scalarsOf(value, described))
    return {...common, type: type ?? 'unknown', values}
  }
  const values = (customer: object) => valuesAt(customer, path)
  if (found === 'object') return {...common, type: 'unknown', values}
  return {...common, type: found, values, predicate: (condition) => nested(customerShape, path, condition)}
}

function typeNamed(fieldType: string | undefined): LeafType | undefined {
  if (fieldType === undefined) return undefined
  const name = fieldType.replace(/^set_/, '')
  if (!Object.hasOwn(typesOfCustomFields, name)) throw new QueryError('query', `There is no fieldType '${fieldType}'.`)
  return typesOfCustomFields[name]
}

/** The type of the leaf at a path, or that it has members or is a custom field. */
function typeAt(path: readonly string[], name: string): LeafType | 'open' | 'object' {
  let shape: Shape = customerShape
  for (const member of path) {
    if ('open' in shape) return 'open'
    const next: Shape | undefined =
      'members' in shape && Object.hasOwn(shape.members, member) ? shape.members[member] : undefined
    if (!next || 'facet' in next) throw new QueryError('query', `There is no field '${name}'.`)
    shape = next
  }
  return 'leaf' in shape ? shape.leaf : 'object'
}

/** What stands at a path, through arrays. */
function valuesAt(node: unknown, path: readonly string[]): readonly unknown[] {
  if (Array.isArray(node)) return node.flatMap((element) => valuesAt(element, path))
  if (node === undefined || node === null) return []
  const [member, ...rest] = path
  if (member === undefined) return [node]
  return typeof node === 'object' && Object.hasOwn(node, member) ? valuesAt(Reflect.get(node, member), rest) : []
}

/** The value of a custom field as it is compared: of a localised text those asked for, of a reference its id. */
function scalarsOf(value: unknown, {fieldType = '', language}: Described): readonly unknown[] {
  if (typeof value === 'string') return fieldType.endsWith('time') ? [timeOf(value) ?? value] : [value]
  if (typeof value !== 'object' || value === null) return [value]
  if (language !== undefined) return valuesAt(value, [language])
  if ('id' in value) return [value.id]
  return fieldType.endsWith('ltext') ? Object.values(value) : [value]
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
