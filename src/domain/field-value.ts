import type {Facts} from './action.js'
import {fractionDigitsOf, isCurrency} from './codes/currencies.js'
import {hasLocales, isLocalized, localizedRule} from './collections/localized.js'
import type {FieldType} from './collections/type.js'
import {defined, equal, isObject} from './equal.js'
import {ApiError} from './errors.js'
import {isDate, momentOf, timeOf} from './rules.js'

interface FieldContext {
  readonly type: FieldType
  readonly field: string
  readonly facts: Facts
}

type Reader = (value: unknown, context: FieldContext) => unknown

const refuse = (value: unknown, {field}: FieldContext, rule: string, allowedValues?: readonly string[]): ApiError =>
  ApiError.of('InvalidField', {field, invalidValue: value, rule, ...defined({allowedValues})})

const checked =
  (holds: (value: unknown) => boolean, rule: string): Reader =>
  (value, context) => {
    if (!holds(value)) throw refuse(value, context, rule)
    return value
  }

/** A text stored in normal form, so that equal values are equal texts. */
const normalised =
  (normalForm: (text: string) => string | undefined, rule: string): Reader =>
  (value, context) => {
    const stored = typeof value === 'string' ? normalForm(value) : undefined
    if (stored === undefined) throw refuse(value, context, rule)
    return stored
  }

const enumeration: Reader = (value, context) => {
  const keys = (context.type.values ?? []).map(({key}) => key)
  if (typeof value !== 'string' || !keys.includes(value))
    throw refuse(value, context, 'It is not a key of the list.', keys)
  return value
}

const money: Reader = (value, context) => {
  const {currencyCode, centAmount} = isObject(value) ? value : {}
  if (typeof currencyCode !== 'string' || !isCurrency(currencyCode) || !Number.isSafeInteger(centAmount)) {
    throw refuse(value, context, 'Money has a currencyCode of ISO 4217 and a whole centAmount.')
  }
  return {type: 'centPrecision', currencyCode, centAmount, fractionDigits: fractionDigitsOf(currencyCode)}
}

const reference: Reader = (value, context) => {
  const typeId = context.type.referenceTypeId
  const rule = `It must be a reference with the typeId '${typeId}' and an id.`
  if (!isObject(value) || value['typeId'] !== typeId || typeId === undefined) throw refuse(value, context, rule)
  const {id, key} = value
  if (typeof id === 'string' && key === undefined) return {typeId, id: context.facts.resolve({typeId, id}).id}
  if (typeof key === 'string' && id === undefined) return {typeId, id: context.facts.resolve({typeId, key}).id}
  throw refuse(value, context, rule)
}

const set: Reader = (value, context) => {
  const element = context.type.elementType
  if (!Array.isArray(value) || !element) throw refuse(value, context, 'It must be an array.')
  const values = value.map((entry: unknown) => fieldValueOf(entry, element, context.field, context.facts))
  if (hasRepeat(values)) throw refuse(value, context, 'A set holds each value once.')
  return values
}

function hasRepeat(values: readonly unknown[]): boolean {
  const objects = values.filter((value) => typeof value === 'object')
  const scalars = values.filter((value) => typeof value !== 'object')
  if (new Set(scalars).size < scalars.length) return true
  return objects.some((entry, at) => objects.slice(at + 1).some((other) => equal(entry, other)))
}

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['Boolean', checked((value) => typeof value === 'boolean', 'It must be true or false.')],
  ['Number', checked(Number.isFinite, 'It must be a number.')],
  ['String', checked((value) => typeof value === 'string', 'It must be text.')],
  ['LocalizedString', checked((value) => isLocalized(value) && hasLocales(value), localizedRule)],
  ['Enum', enumeration],
  ['LocalizedEnum', enumeration],
  ['Money', money],
  [
    'Date',
    checked((value) => typeof value === 'string' && isDate(value), 'A date has the form YYYY-MM-DD and exists.'),
  ],
  ['Time', normalised(timeOf, 'A time has the form HH:MM:SS or HH:MM:SS.mmm.')],
  ['DateTime', normalised(momentOf, 'A moment has the form YYYY-MM-DDTHH:MM:SS.mmmZ.')],
  ['Reference', reference],
  ['Set', set],
])

/** Checks a value against its field's type and normalises it. Throws InvalidField and ReferencedResourceNotFound. */
export function fieldValueOf(value: unknown, type: FieldType, field: string, facts: Facts): unknown {
  const read = readers.get(type.name)
  if (!read) throw ApiError.of('InvalidField', {field, rule: `The field type '${type.name}' is unknown.`})
  return read(value, {type, field, facts})
}
