import fc from 'fast-check'
import type {Comparison, Field, LeafType, Predicate, Scalar, Shape} from '../../src/query/ast.js'
import {memberOf} from '../../src/query/path-reader.js'
import {customerShape, customShapes} from './customer-shape.js'

// Small pools, so that predicates and documents meet.
const texts = [
  '',
  'a',
  'A',
  'ab',
  'b',
  'Ä',
  'é',
  'e\u0301',
  'x"y',
  'x\\',
  "o'k",
  '\ufffd',
  '\u{1f600}',
  '5',
  'true',
  ' ',
  '\n',
]
const numbers = [0, 1, 2, -1.5, 2.5, 3e-7, 9007199254740991]
const days = ['1985-05-07', '2000-02-29', '1999-12-31']
const times = ['00:00:00.000', '10:30:00.000', '23:59:59.999']
const instants = [
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '1970-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
]
const oddInstants = [
  '2026-01-01T00:00Z',
  '2026-01-01T02:00:00+02:00',
  '2026-01-01T00:00:00.001999Z',
  '2026-01-01T00:00:00.0009999999Z',
  '9999-12-31T23:59:59.999-14:59',
  '0001-01-01T00:00:00+14:59',
  '2026-02-30T00:00:00.000Z',
  '1900-02-29T00:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
  '2026-01-01T24:00:00.000Z',
  '2026-01-01T00:00:00.000',
  '2026-01-01T00:00:00+15:00',
  '2026-01-01T00:00:00.0000000000Z',
]
const openNames = ['x', 'y', 'my-field', 'in', '__proto__', 'constructor', 'toString', "o'k", 'a b', '$1', 'ü']

const fieldNames = ['seenAt', 'callAt', 'visits', 'tags', 'budget', 'credits', 'greeting']

const text = fc.constantFrom(...texts)
const number = fc.constantFrom(...numbers)
const scalar: fc.Arbitrary<Scalar> = fc.oneof(text, number, fc.boolean(), fc.constantFrom(...instants))
const degrees = fc.oneof(
  fc.constantFrom<unknown>(13.4, 13.41, 52.5, 52.51, 0, 1e-200, 90, -90, 180, -180, 181, 91, '13.4', null),
  fc.double({min: -185, max: 185, noNaN: true}),
)
export const point = fc.tuple(degrees, degrees).map((coordinates) => ({type: 'Point', coordinates}))

function valuesOf(type: LeafType): fc.Arbitrary<Scalar> {
  switch (type) {
    case 'string':
      return text
    case 'number':
      return number
    case 'boolean':
      return fc.boolean()
    case 'date':
      return fc.constantFrom(...days)
    case 'time':
      return fc.constantFrom(...times)
    case 'datetime':
      return fc.constantFrom(...instants)
    case 'unknown':
      return scalar
  }
}

const comparison = fc.constantFrom<Comparison>('=', '!=', '<', '>', '<=', '>=')

function leafOf(field: Field, isValue: boolean, isPlace = false): fc.Arbitrary<Predicate> {
  const value = valuesOf(field.type)
  const values = fc.array(value, {minLength: 1, maxLength: 3})
  const presence = fc.record({
    op: fc.constantFrom('defined' as const, 'empty' as const),
    field: fc.constant(field),
    negated: fc.boolean(),
  })
  if (!isValue) return presence
  const leaves: fc.Arbitrary<Predicate>[] = [
    presence,
    fc.record({op: fc.constant('compare' as const), field: fc.constant(field), comparison, value}),
    fc.record({op: fc.constant('in' as const), field: fc.constant(field), negated: fc.boolean(), values}),
    fc.record({
      op: fc.constant('contains' as const),
      field: fc.constant(field),
      mode: fc.constantFrom('all' as const, 'any' as const),
      values,
    }),
  ]
  if (isPlace) {
    leaves.push(
      fc.record({
        op: fc.constant('within' as const),
        field: fc.constant(field),
        longitude: fc.constantFrom(13.4, 0, -180),
        latitude: fc.constantFrom(52.5, 0, 1e-200, 90),
        radiusMeters: fc.constantFrom(0, 500, 5000, 5e6, 1e7, 2.1e7),
      }),
    )
  }
  return fc.oneof(...leaves)
}

function conditionOn(name: string, shape: Shape, depth: number, inList: boolean): fc.Arbitrary<Predicate> {
  const array = shape.array ? {array: true as const} : {}
  if ('leaf' in shape) {
    return leafOf({path: [name], type: shape.leaf, ...array, ...(shape.facet ? {facet: shape.facet} : {})}, true)
  }
  const isAnything = 'open' in shape && !shape.of
  const leaf = leafOf({path: [name], type: 'unknown', ...array}, isAnything, isAnything && !inList)
  if (depth === 0) return leaf
  const isSingle = ('members' in shape || 'fieldsOf' in shape) && !shape.array
  const single = isSingle ? {single: true as const} : {}
  const nested = predicateOn(shape, depth - 1, inList || !isSingle).map(
    (term): Predicate => ({op: 'nested', path: [name], ...single, term}),
  )
  return fc.oneof(leaf, {arbitrary: nested, weight: 3})
}

function predicateOn(shape: Shape, depth: number, inList = false): fc.Arbitrary<Predicate> {
  const members: [string, Shape][] =
    'members' in shape
      ? Object.entries(shape.members)
      : [...openNames, ...('fieldsOf' in shape ? fieldNames : [])].map((name) => [name, shapeBelow(shape, name)])
  const condition = fc.oneof(...members.map(([name, member]) => conditionOn(name, member, depth, inList)))
  if (depth === 0) return condition
  const below = predicateOn(shape, depth - 1, inList)
  const terms = fc.array(below, {minLength: 2, maxLength: 3})
  return fc.oneof(
    {arbitrary: condition, weight: 4},
    fc.record({op: fc.constantFrom('and' as const, 'or' as const), terms}),
    fc.record({op: fc.constant('not' as const), term: below}),
  )
}

const shapeBelow = (shape: Shape, name: string): Shape => memberOf(shape, name, customShapes) ?? {open: true}

/** Conditions on a place. */
export const circles: fc.Arbitrary<Predicate> = leafOf({path: ['place'], type: 'unknown'}, true, true).filter(
  ({op}) => op === 'within',
)

/** Predicates as the parser makes them for a customer. */
export const predicates: fc.Arbitrary<Predicate> = predicateOn(customerShape, 3)

/** `Object.fromEntries` makes own members even of `__proto__`. */
const objectOf = (value: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc.array(fc.tuple(fc.constantFrom(...openNames), value), {maxLength: 4}).map((entries) => Object.fromEntries(entries))

const openValue: fc.Arbitrary<unknown> = fc.oneof(
  scalar,
  fc.constant(null),
  fc.constantFrom(...oddInstants),
  point,
  fc.array(fc.oneof(scalar, fc.constant(null), point), {maxLength: 3}),
  objectOf(scalar),
  fc.array(objectOf(scalar), {maxLength: 2}),
)

/** Mostly of the type, now and then anything: documents are kept as they were given. */
const about = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({arbitrary: value, weight: 8}, {arbitrary: openValue, weight: 1})

const reference = fc.record({typeId: text, id: text}, {requiredKeys: []})
const money = fc.record({currencyCode: text, centAmount: number})
/** Moments and times below arrays are in the form in which the service stores them. */
const kept = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({arbitrary: value, weight: 8}, {arbitrary: fc.oneof(scalar, fc.constant(null)), weight: 1})

const typed = fc.record(
  {
    x: about(number),
    seenAt: kept(fc.constantFrom(...instants)),
    callAt: kept(fc.constantFrom(...times)),
    visits: kept(fc.array(kept(fc.constantFrom(...instants)), {maxLength: 3})),
    tags: about(fc.array(text, {maxLength: 3})),
    budget: about(money),
    credits: about(fc.array(about(money), {maxLength: 3})),
    greeting: about(objectOf(text)),
  },
  {requiredKeys: []},
)
const fields = fc.tuple(objectOf(openValue), typed).map(([open, own]) => ({...open, ...own}))
const custom = fc.record({type: about(reference), fields: about(fields)}, {requiredKeys: []})
const address = fc.record({id: text, city: about(text), country: text, custom: about(custom)}, {requiredKeys: []})

export interface Customer {
  readonly id: string
  readonly [member: string]: unknown
}

const customer = fc.record(
  {
    version: about(number),
    createdAt: about(fc.constantFrom(...instants, ...oddInstants)),
    email: about(text),
    firstName: about(text),
    dateOfBirth: about(fc.constantFrom(...days)),
    isEmailVerified: about(fc.boolean()),
    customerGroup: about(reference),
    addresses: about(fc.array(about(address), {maxLength: 3})),
    stores: about(fc.array(reference, {maxLength: 2})),
    shippingAddressIds: about(fc.array(about(text), {maxLength: 3})),
    custom: about(custom),
  },
  {requiredKeys: []},
)

const ids = ['a', 'A', 'b', 'ab', '\ufffd', '\u{1f600}', 'é', '0']

/** Customers with distinct ids. */
export const customers = (maxLength: number): fc.Arbitrary<Customer[]> =>
  fc
    .array(customer, {maxLength})
    .map((members) =>
      members.map((member, at) => ({...member, id: `${ids[at % ids.length]}${Math.floor(at / ids.length)}`})),
    )

const sortFields: Field[] = [
  {path: ['email'], type: 'string'},
  {path: ['version'], type: 'number'},
  {path: ['isEmailVerified'], type: 'boolean'},
  {path: ['createdAt'], type: 'datetime'},
  {path: ['dateOfBirth'], type: 'date'},
  {path: ['lowercaseEmail'], type: 'string', facet: 'lowercaseEmail'},
  {path: ['customerGroup', 'id'], type: 'string'},
  {path: ['custom', 'fields', 'x'], type: 'unknown'},
  {path: ['custom', 'fields', 'constructor'], type: 'unknown'},
  {path: ['id'], type: 'string'},
]

export const sortKeys = fc.array(
  fc.record({field: fc.constantFrom(...sortFields), direction: fc.constantFrom('asc' as const, 'desc' as const)}),
  {maxLength: 3},
)
