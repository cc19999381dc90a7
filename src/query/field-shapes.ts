import type {FieldType, Type} from '../domain/collections/type.js'
import type {CustomShapes, Shape} from './ast.js'
import {anything} from './path-reader.js'

const text: Shape = {leaf: 'string'}

/** What predicates, sort keys, searches and assertions may say of a custom field, by the name of its type. */
const shapes = new Map<string, Shape>([
  ['Boolean', {leaf: 'boolean'}],
  ['Number', {leaf: 'number'}],
  ['String', text],
  ['Date', {leaf: 'date'}],
  ['Time', {leaf: 'time'}],
  ['DateTime', {leaf: 'datetime'}],
  ['LocalizedString', {open: true, of: text, example: 'a LocalizedString, as in (en = "text")'}],
  [
    'Money',
    {
      members: {type: text, currencyCode: text, centAmount: {leaf: 'number'}, fractionDigits: {leaf: 'number'}},
      example: 'a Money, as in (currencyCode = "EUR" and centAmount > 1000)',
    },
  ],
  ['Reference', {members: {typeId: text, id: text}, example: 'a Reference, as in (id = "ID")'}],
])

/** Enums have values, sets a type of their elements. */
function shapeOf({name, values, elementType}: FieldType): Shape {
  if (elementType) return {...shapeOf(elementType), array: true} as Shape
  return values ? {...text, keys: new Set(values.map(({key}) => key))} : (shapes.get(name) ?? anything)
}

/** One name has one type in all types of a kind of resource (decision 35), but for the keys of enums. */
function both(known: Shape, other: Shape): Shape {
  if (!('leaf' in known && known.keys && 'leaf' in other && other.keys)) return known
  return {...known, keys: new Set([...known.keys, ...other.keys])}
}

/** The shapes of the custom fields of types. Decision 62. */
export function shapesIn(types: Iterable<Pick<Type, 'resourceTypeIds' | 'fieldDefinitions'>>): CustomShapes {
  const made = new Map<string, Map<string, Shape>>()
  for (const {resourceTypeIds = [], fieldDefinitions = []} of types) {
    for (const kind of resourceTypeIds) {
      const ofKind = made.get(kind) ?? new Map<string, Shape>()
      made.set(kind, ofKind)
      for (const {name, type} of fieldDefinitions) {
        const known = ofKind.get(name)
        ofKind.set(name, known ? both(known, shapeOf(type)) : shapeOf(type))
      }
    }
  }
  return made
}
