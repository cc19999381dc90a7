import {expect} from 'chai'
import fc from 'fast-check'
import {customerSearch} from '../../../src/api/search/search.js'
import {facets, searchTexts} from '../../../src/server/local/facets.js'
import {openStore} from '../../../src/store/open.js'
import type {OpenedStore} from '../../../src/store/opened-store.js'
import type {Change, Document} from '../../../src/store/store.js'
import {rounds} from '../../rounds.js'
import {newDirectory, removeDirectories} from '../../store/directory.js'
import {type Cluster, startCluster} from '../../store/postgres/cluster.js'
import {matches} from './evaluator.js'
import {customer, expression} from './expressions.js'

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
      {numRuns: rounds(60, 400)},
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
      {numRuns: rounds(25, 100)},
    )
  })
})
