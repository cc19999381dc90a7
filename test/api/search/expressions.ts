import fc from 'fast-check'

const words = [
  'Anna',
  'anna',
  'Ann',
  'Müller',
  'Mueller',
  "O'Brien",
  'Meyer',
  'Meier',
  'Brandvold',
  'van',
  'Dijk',
  'D-1001',
  'al',
  'Юля',
]
const word = fc.constantFrom(...words)
const text = fc.array(word, {minLength: 1, maxLength: 3}).map((parts) => parts.join(' '))
const day = fc.constantFrom('1984-02-29', '1990-04-07', '2000-01-01')
const moment = fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-06-01T12:00:00.000Z', '2026-11-20T10:00:00.000Z')
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, {nil: undefined})

/** Customers whose values have the same words again and again. */
export const customer = fc.record(
  {
    key: fc.constantFrom('anna-1', 'brandvold', 'D-1001'),
    customerNumber: word,
    email: fc.constantFrom('anna.meyer@example.com', 'Brandvold@Example.com', 'x@y.de'),
    firstName: text,
    middleName: word,
    lastName: text,
    dateOfBirth: day,
    companyName: text,
    createdAt: moment,
    lastModifiedAt: moment,
    isEmailVerified: fc.boolean(),
    addresses: fc.array(
      fc.record({country: fc.constant('DE'), city: text, streetName: text, region: text}, {requiredKeys: ['country']}),
      {maxLength: 2},
    ),
    stores: fc.array(
      fc.constantFrom('berlin', 'london').map((key) => ({typeId: 'store', key})),
      {maxLength: 2},
    ),
    custom: fc.record({fields: fc.record({note: text, points: fc.integer({min: 0, max: 3})}, {requiredKeys: []})}),
  },
  {requiredKeys: ['email', 'createdAt', 'lastModifiedAt', 'addresses']},
)

const texts = [
  'key',
  'customerNumber',
  'email',
  'firstName',
  'lastName',
  'companyName',
  'addresses.city',
  'addresses.region',
  'fullName',
  'custom.fields.note',
]
const textField = fc.constantFrom(...texts)
const piece = fc.oneof(
  text,
  word,
  word.map((one) => one.slice(0, 3)),
  fc.constantFrom('a', 'anna.meyer@example.com', 'anna-1', '-'),
)
const cased = {caseInsensitive: maybe(fc.boolean())}
const mustMatch = maybe(fc.constantFrom('all', 'any'))
const wordField = fc.oneof(textField, fc.constant('all'))
const bounds = <T>(value: fc.Arbitrary<T>) =>
  fc
    .record({gte: value, lt: value, gt: value, lte: value}, {requiredKeys: []})
    .filter((one) => Object.keys(one).length > 0)

const simple = fc.oneof(
  fc.record({
    exact: fc.oneof(
      fc.record({field: textField, value: piece, ...cased}),
      fc.record({field: textField, values: fc.array(piece, {minLength: 1, maxLength: 3}), ...cased}),
      fc.record({field: fc.constant('dateOfBirth'), value: day}),
      fc.record({field: fc.constant('isEmailVerified'), value: fc.boolean()}),
      fc.record({field: fc.constant('stores.key'), value: fc.constantFrom('berlin', 'paris')}),
      fc.record({field: fc.constant('custom.fields.points'), value: fc.integer({min: 0, max: 3})}),
    ),
  }),
  fc.record({
    prefix: fc.record({
      field: fc.oneof(textField, fc.constant('id')),
      value: fc.oneof(piece, fc.constant('c1')),
      ...cased,
    }),
  }),
  fc.record({
    wildcard: fc.record({
      field: textField,
      value: fc.tuple(piece, fc.constantFrom('*', '?', '*a*')).map(([one, star]) => `${star}${one.slice(1)}${star}`),
      ...cased,
    }),
  }),
  fc.record({fullText: fc.record({field: wordField, value: piece, mustMatch})}),
  fc.record({fullTextPrefix: fc.record({field: wordField, value: piece, mustMatch})}),
  fc.record({fuzzy: fc.record({field: wordField, value: piece, mustMatch, level: fc.constantFrom(0, 1, 2)})}),
  fc.record({
    range: fc.oneof(
      bounds(day).map((one) => ({field: 'dateOfBirth', ...one})),
      bounds(moment).map((one) => ({field: 'createdAt', ...one})),
      bounds(fc.integer({min: 0, max: 3})).map((one) => ({field: 'custom.fields.points', ...one})),
    ),
  }),
  fc.record({
    exists: fc.record({field: fc.oneof(textField, fc.constantFrom('dateOfBirth', 'stores.key', 'vatId', 'addresses'))}),
  }),
)

/** One value of several fields, as `find` asks for what may be an identifier. */
const ofSeveral = fc
  .tuple(piece, fc.uniqueArray(textField, {minLength: 2, maxLength: 4}), maybe(simple))
  .map(([value, fields, other]) => ({
    or: [
      ...fields.map((field) => ({exact: {field, value, caseInsensitive: true}})),
      {fullText: {field: 'lastName', value}},
      ...(other ? [other] : []),
    ],
  }))

/** Expressions, simple and compound, in one; a request has at most 50. */
const countOf = (one: object): number =>
  Object.values(one).reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.reduce((all: number, each: object) => all + countOf(each), 0) : 0),
    1,
  )

const {expression: anyExpression} = fc.letrec<{expression: object}>((tie) => {
  const list = fc.array(tie('expression'), {minLength: 1, maxLength: 3})
  return {
    expression: fc.oneof(
      {depthSize: 'small', withCrossShrink: true},
      simple,
      ofSeveral,
      fc.record({and: list}),
      fc.record({or: list}),
      fc.record({not: list}),
      fc.record({filter: list}),
    ),
  }
})
/** The query of a search, of everything that the language has. */
export const expression = anyExpression.filter((one) => countOf(one) <= 50)
