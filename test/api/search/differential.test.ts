import {expect} from 'chai'
import fc from 'fast-check'
import {customerSearch} from '../../../src/api/search/search.js'
import {facets, searchTexts} from '../../../src/server/local/facets.js'
import {openStore} from '../../../src/store/open.js'
import type {OpenedStore} from '../../../src/store/opened-store.js'
import type {Change, Document} from '../../../src/store/store.js'
import {newDirectory, removeDirectories} from '../../store/directory.js'
import {type Cluster, startCluster} from '../../store/postgres/cluster.js'
import {matches} from './evaluator.js'

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

const customer = fc.record(
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
      fc.record({and: list}),
      fc.record({or: list}),
      fc.record({not: list}),
      fc.record({filter: list}),
    ),
  }
})
const expression = anyExpression.filter((one) => countOf(one) <= 50)

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const noKeys = new Map<string, string>()

describe('api · customer search beside an independent evaluator', () => {
  let cluster: Cluster | undefined
  const stores: OpenedStore[] = []
  let customers: readonly Document[] = []

  before(async () => {
    cluster = await startCluster()
    const url = await cluster?.database('differential')
    for (const place of [
      {dir: ':memory:'},
      {dir: newDirectory()},
      ...(url === undefined ? [] : [{dir: ':memory:', url}]),
    ]) {
      stores.push(await openStore({...place, facets, searchTexts, writer: 'server'}))
    }
    const drawn = fc.sample(customer, {numRuns: 60, seed: 7})
    customers = drawn.map((one, at) => plain({...one, id: `c${10 + at}-x`, version: 1}) as Document)
    const changes = customers.map((doc): Change => ({kind: 'customer', expect: 0, doc}))
    for (const store of stores) {
      await store.commit('shop', changes.slice(0, 40))
      await store.compact()
      await store.commit('shop', changes.slice(40))
    }
  })
  after(async () => {
    for (const store of stores) await store.close()
    await cluster?.stop()
    removeDirectories()
  })

  it('finds the same customers in every store, in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(expression, async (drawn) => {
        const query = plain(drawn)
        const expected = customers.filter((one) => matches(one, query)).map(({id}) => id)
        const search = customerSearch({query, limit: 100, offset: 0, groupKeys: noKeys})
        const found = await Promise.all(stores.map((store) => store.search('shop', 'customer', search)))
        for (const {total, results} of found) {
          expect(results.map(({id}) => id).sort()).to.deep.equal([...expected].sort())
          expect(total).to.equal(expected.length)
          expect(results).to.deep.equal(found[0]?.results)
        }
      }),
      {numRuns: 400},
    )
  })

  /** Somebody is found, and in every store those whom the evaluator finds. */
  async function isFoundEverywhere(query: object): Promise<void> {
    const expected = customers.filter((one) => matches(one, query)).map(({id}) => id)
    expect(expected).not.to.deep.equal([])
    const search = customerSearch({query, limit: 100, offset: 0, groupKeys: noKeys})
    for (const store of stores) {
      const {results} = await store.search('shop', 'customer', search)
      expect(results.map(({id}) => id).sort()).to.deep.equal([...expected].sort())
    }
  }

  it('looks for a word in the values of the field, which may stand elsewhere as well', async () => {
    for (const value of ['anna', 'meyer', 'Юля']) {
      const note = {field: 'custom.fields.note', value}
      for (const other of [{fullText: note}, {fullTextPrefix: note}, {fuzzy: {...note, level: 0}}]) {
        await isFoundEverywhere({and: [{fullTextPrefix: {field: 'all', value}}, other]})
      }
    }
  })

  it('takes as many values as a request has', async () => {
    const values = Array.from({length: 1_000}, (_, at) =>
      Array.from({length: 30}, (__, word) => `w${at}x${word}`).join(' '),
    )
    const expressions = Array.from({length: 9}, (_, at) => ({
      exact: {field: 'lastName', values: values.map((one) => `${one} ${at}`)},
    }))
    await isFoundEverywhere({or: [...expressions, {exact: {field: 'firstName', values: ['Anna', ...values.slice(1)]}}]})
  })

  it('orders by relevance, and by fields with ties by relevance, time and id', async () => {
    await fc.assert(
      fc.asyncProperty(expression, fc.constantFrom('lastName', 'dateOfBirth', 'createdAt'), async (drawn, field) => {
        const query = plain(drawn)
        for (const sort of [undefined, [{field, order: 'asc' as const}]]) {
          const whole = customerSearch({query, ...(sort ? {sort} : {}), limit: 100, offset: 0, groupKeys: noKeys})
          const part = customerSearch({query, ...(sort ? {sort} : {}), limit: 3, offset: 2, groupKeys: noKeys})
          const [store] = stores as [OpenedStore]
          const [{results}, page] = [
            await store.search('shop', 'customer', whole),
            await store.search('shop', 'customer', part),
          ]
          expect(page.results).to.deep.equal(results.slice(2, 5))
          const relevance = results.map((one) => one.relevance)
          if (!sort) expect(relevance).to.deep.equal([...relevance].sort((a, b) => b - a))
        }
      }),
      {numRuns: 100},
    )
  })
})
