import {timeOf} from '../domain/rules.js'
import type {LeafShape, LeafType, Scalar} from './ast.js'
import {instantOf, isDate} from './instant.js'

const wanted = {
  string: 'a String in double quotes such as "text"',
  number: 'a Number such as 12.5',
  boolean: 'a Boolean, true or false',
  date: 'a Date such as "1985-05-07"',
  time: 'a Time such as "10:30:00.000"',
  datetime: 'a DateTime such as "2026-01-31T08:00:00.000Z"',
  unknown: 'a text, a number, true or false',
} as const satisfies Record<LeafType, string>

const fewKeys = 20

/** The values that a field accepts, as the end of a sentence: the name of their type, and an example. */
export const wantedBy = ({leaf, keys}: LeafShape): string =>
  keys
    ? `a key of its Enum such as ${[...keys]
        .slice(0, fewKeys)
        .map((key) => JSON.stringify(key))
        .join(', ')}`
    : wanted[leaf]

/** Whether equal values of a type are equal scalars as they are stored. */
export const hasOneForm = (type: LeafType): boolean => type !== 'datetime'

const canonicalChars = 24
const maxNumberChars = 30
const decimal = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/** The number that decimal `text` stands for, or undefined where a double would be infinite or round an integer. */
export function numberOf(text: string): number | undefined {
  if (text.length > maxNumberChars || !decimal.test(text)) return undefined
  const value = Number(text)
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined
  return value === 0 ? 0 : value
}

/** A date-time literal in canonical UTC form; a bare date is its first moment in UTC. */
function canonicalInstant(text: string): string | undefined {
  const ms = instantOf(text) ?? (isDate(text) ? instantOf(`${text}T00:00:00.000Z`) : undefined)
  if (ms === undefined) return undefined
  const canonical = new Date(ms).toISOString()
  return canonical.length === canonicalChars ? canonical : undefined
}

/** The literal as a value of a field, in the form in which it is stored; undefined if it is not one. */
export function literalOf(value: Scalar, {leaf, keys}: LeafShape): Scalar | undefined {
  if (keys && !keys.has(String(value))) return undefined
  switch (leaf) {
    case 'unknown':
      return value
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === leaf ? value : undefined
    case 'date':
      return typeof value === 'string' && isDate(value) ? value : undefined
    case 'time':
      return timeOfDay(value)
    case 'datetime':
      return typeof value === 'string' ? canonicalInstant(value) : undefined
  }
}

/** A time of day as custom fields keep it; undefined for any other value. */
export const timeOfDay = (value: Scalar): string | undefined => (typeof value === 'string' ? timeOf(value) : undefined)

/** A value, and the time of day that it may mean for a field of unknown type. */
export const orTime = (value: Scalar, {leaf}: LeafShape): readonly Scalar[] =>
  leaf === 'unknown' ? [...new Set([value, timeOfDay(value) ?? value])] : [value]

const booleans = new Map([
  ['true', true],
  ['false', false],
])

/**
 * The values that the raw text of a variable may mean. For a field of unknown type `5` may be the text or the number,
 * so both are candidates; other types have one. Empty: the text is not a value of the type.
 */
export function candidatesOf(text: string, shape: LeafShape): readonly Scalar[] {
  const {leaf} = shape
  const scalars: readonly (Scalar | undefined)[] =
    leaf === 'number'
      ? [numberOf(text)]
      : leaf === 'boolean'
        ? [booleans.get(text)]
        : leaf === 'unknown'
          ? [text, numberOf(text), booleans.get(text)]
          : [literalOf(text, shape)]
  return scalars.filter((scalar) => scalar !== undefined).flatMap((scalar) => orTime(scalar, shape))
}
