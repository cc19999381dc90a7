import {expect} from 'chai'
import fc from 'fast-check'
import pg from 'pg'
import type {Predicate, SortKey} from '../../src/query/ast.js'
import {parsePredicate} from '../../src/query/parser.js'
import {compile} from '../../src/query/to-function.js'
import {orderToSql, type SqlOptions, toSql} from '../../src/query/to-sql.js'
import {isOnCitus} from '../store/postgres/citus.js'
import {type Cluster, startCluster} from '../store/postgres/cluster.js'
import {type Customer, circles, customers, point, predicates, sortKeys} from './arbitraries.js'
import {customerShape, customShapes, facets, noVars} from './customer-shape.js'
import {comparator} from './order.js'
import {printPredicate} from './print.js'

const someOptions: fc.Arbitrary<SqlOptions> = fc.constantFrom({}, {id: "(id || '')"})

describe('query · SQL', () => {
  let postgres: Cluster | undefined
  let client: pg.Client | undefined

  before(async function () {
    postgres = await startCluster()
    if (postgres === undefined) {
      console.warn('SKIPPED: PostgreSQL 15 is not installed, so SQL was not compared with JavaScript.')
      this.skip()
    }
    client = new pg.Client(await postgres?.database('predicates'))
    await client.connect()
    await client.query('CREATE TABLE customer (id text, doc jsonb NOT NULL, facets jsonb NOT NULL)')
    if (isOnCitus) await client.query("SELECT create_distributed_table('customer', 'id', colocate_with => 'none')")
  })

  after(async () => {
    await client?.end()
    await postgres?.stop()
  })

  const rows = async (text: string, values: unknown[]): Promise<string[]> => {
    const result = await client?.query<{id: string}>(text, values)
    return (result?.rows ?? []).map(({id}) => id)
  }

  const insert = async (documents: readonly Customer[]): Promise<void> => {
    const table = documents.map((doc) => ({id: doc.id, doc, facets: {lowercaseEmail: facets['lowercaseEmail']?.(doc)}}))
    await rows('TRUNCATE customer', [])
    const source = 'jsonb_to_recordset($1::jsonb) AS r(id text, doc jsonb, facets jsonb)'
    await rows(`INSERT INTO customer SELECT id, doc, facets FROM ${source}`, [JSON.stringify(table)])
  }

  const select = async (predicate: Predicate, options: SqlOptions): Promise<string[]> => {
    const {text, values} = toSql(predicate, options)
    return (await rows(`SELECT id FROM customer WHERE ${text}`, values)).sort()
  }

  it('finds the same documents as JavaScript', async () => {
    await fc.assert(
      fc.asyncProperty(
        customers(12),
        fc.array(predicates, {maxLength: 10}),
        someOptions,
        async (documents, many, options) => {
          await insert(documents)
          for (const predicate of many) {
            const expected = documents.filter(compile<Customer>(predicate, facets)).map(({id}) => id)
            expect(await select(predicate, options), printPredicate(predicate)).to.deep.equal(expected.sort())
          }
        },
      ),
      {numRuns: 200, interruptAfterTimeLimit: 40_000, markInterruptAsFailure: false},
    )
  })

  it('finds the same places as JavaScript', async () => {
    const places = fc.array(point, {maxLength: 12}).map((list) => list.map((place, at) => ({id: `${at}`, place})))
    await fc.assert(
      fc.asyncProperty(places, fc.array(circles, {maxLength: 5}), async (documents, many) => {
        await insert(documents)
        for (const circle of many) {
          const expected = documents.filter(compile<Customer>(circle, facets)).map(({id}) => id)
          expect(await select(circle, {}), printPredicate(circle)).to.deep.equal(expected.sort())
        }
      }),
      {numRuns: 100, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false},
    )
  })

  it('is answered by an expression index where there is one', async () => {
    await rows("CREATE INDEX by_email ON customer ((doc->'email'))", [])
    await rows("CREATE INDEX by_group ON customer ((doc->'customerGroup'->'id'))", [])
    // Of a transaction: a cluster hands settings of a session to none of its nodes.
    await rows('BEGIN', [])
    await rows('SET LOCAL enable_seqscan = off', [])
    const plan = async (text: string): Promise<string> => {
      const sql = toSql(parsePredicate(text, customerShape, noVars, customShapes))
      const result = await client?.query(`EXPLAIN SELECT id FROM customer WHERE ${sql.text}`, sql.values)
      return JSON.stringify(result?.rows)
    }
    expect(await plan('email = "a" and version > 1')).to.include('by_email')
    expect(await plan('email in ("a", "b")')).to.include('by_email')
    expect(await plan('customerGroup(id = "g")')).to.include('by_group')
    await rows('ROLLBACK', [])
  })

  it('gives the same order as JavaScript', async () => {
    const orders = fc.array(sortKeys, {minLength: 1, maxLength: 8})
    await fc.assert(
      fc.asyncProperty(customers(12), orders, someOptions, async (documents, many: SortKey[][], options) => {
        await insert(documents)
        for (const keys of many) {
          const {text, values} = orderToSql(keys, options)
          const expected = [...documents].sort(comparator<Customer>(keys, facets)).map(({id}) => id)
          expect(await rows(`SELECT id FROM customer ORDER BY ${text}`, values), text).to.deep.equal(expected)
        }
      }),
      {numRuns: 100, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false},
    )
  })
})

describe('query · SQL text', () => {
  const sql = (text: string, options: SqlOptions = {}) =>
    toSql(parsePredicate(text, customerShape, noVars, customShapes), options)

  it('passes values and unusual names as parameters', () => {
    const {text, values} = sql('email = "x\'; drop table customer; --" and custom(fields(`o\'k` = 1))')
    expect(text).not.to.include('drop').and.not.to.include("o'k")
    const path = `$ ? ((@."o'k" == $v0[*]))`
    expect(values).to.deep.equal([JSON.stringify("x'; drop table customer; --"), path, '{"v0":[1]}'])
  })

  it('lets an index answer an equality on a member, on one below an object and on the id', () => {
    expect(sql('email = "a"')).to.deep.equal({text: "(doc->'email') = $1::jsonb", values: ['"a"']})
    expect(sql('customerGroup(id = "g")').text)
      .to.include("((doc->'customerGroup')->'id') = $1::jsonb")
      .and.not.include('EXISTS')
    expect(sql('id > "x"', {id: 'c.id', firstParameter: 3})).to.deep.equal({
      text: 'c.id COLLATE "C" > $3::text',
      values: ['x'],
    })
  })
})
