import {expect} from 'chai'
import pg from 'pg'
import type {Predicate} from '../../../src/query/ast.js'
import {openStore} from '../../../src/store/open.js'
import type {OpenedStore} from '../../../src/store/opened-store.js'
import * as statements from '../../../src/store/postgres/schema/statements.js'
import {Selection} from '../../../src/store/postgres/select.js'
import type {Facets, Page, Put} from '../../../src/store/store.js'
import {equals} from '../contract/subject.js'
import {type Cluster, startCluster} from './cluster.js'

const facets: Facets = {
  people: {
    email: (document) => (document as {email?: string}).email,
    lowercaseEmail: (document) => (document as {email?: string}).email?.toLowerCase(),
    side: Object.assign(() => 'left', {isCommon: true as const}),
    born: Object.assign((document: object) => (document as {bornAt?: string}).bornAt, {orders: 'bornAt'}),
  },
}

/** Stands in the way of a statement to see it. */
class Seen extends Error {
  readonly statement: {text: string; values: readonly unknown[]}

  constructor(text: string, values: readonly unknown[]) {
    super('seen')
    this.statement = {text, values}
  }
}

describe('store · plans of PostgreSQL', () => {
  let cluster: Cluster
  let store: OpenedStore
  let client: pg.Client

  before(async function () {
    const started = await startCluster({settings: ['autovacuum=off']})
    if (!started) return this.skip()
    cluster = started
    const url = await cluster.database('plans')
    store = await openStore({dir: ':memory:', url, facets, writer: 'server'})
    const people = Array.from({length: 4000}, (_, at): Put => {
      const bornAt = new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString()
      const doc = {id: `p${at}`, version: 1, email: `P${at}@example.com`, age: at % 90, bornAt}
      return {kind: 'people', expect: 0, doc, uniqueKeys: [{key: `email:${at}`}]}
    })
    await store.commit('shop', people)
    client = new pg.Client(url)
    await client.connect()
  })

  after(async () => {
    await client?.end()
    await store?.close()
    await cluster?.stop()
  })

  const explained = async (text: string, values: readonly unknown[]): Promise<string> => {
    const {rows} = await client.query<{'QUERY PLAN': string}>(`EXPLAIN ${text}`, [...values])
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  const planOf = async (page: Partial<Page>): Promise<string> => {
    const see = (statement: {text: string}, values: readonly unknown[] = []) =>
      Promise.reject(new Seen(statement.text, values))
    const asked = new Selection(facets, ['shop', 'people'], {limit: 20, offset: 0, ...page}, String)
    const seen = await asked.read(see).catch((error: unknown) => error)
    if (!(seen instanceof Seen)) throw new Error('the query was not seen', {cause: seen})
    return explained(seen.statement.text, seen.statement.values)
  }

  const both = (...terms: Predicate[]): Predicate => ({op: 'and', terms})
  const oneOf = (...values: string[]): Predicate => ({
    op: 'in',
    negated: false,
    values,
    field: {path: ['email'], type: 'string'},
  })

  for (const when of ['before the database has looked at the table', 'afterwards']) {
    it(`answers pages and equalities on ids from an index, ${when}`, async () => {
      if (when === 'afterwards') await client.query('ANALYZE')
      expect(await planOf({where: equals('id', 'p7')}))
        .to.include('document_pkey')
        .and.not.include('Seq Scan')
      const later: Predicate = {...equals('id', 'p7'), comparison: '>'} as Predicate
      expect(await planOf({where: later}))
        .to.include('document_pkey')
        .and.not.include('Seq Scan')
      expect(await planOf({}))
        .to.include('document_pkey')
        .and.not.include('Sort')
    })

    it(`looks up by the whole key, ${when}`, async () => {
      const uniqueKey = ['shop', 'people', 'email:7']
      const document = ['shop', 'people', 'p7']
      const whole = /Index Cond: \(\(project = 'shop'::text\) AND \(kind = 'people'::text\) AND \((id|key) = /
      for (const [statement, values] of [
        [statements.readVersion, document],
        [statements.lockForReplacing, document],
        [statements.lockForRemoving, document],
        [statements.removeDocument, [...document, 1, null]],
        [statements.lockForChange, uniqueKey],
        [statements.lockForSharing, uniqueKey],
        [statements.freeUniqueKey, [...uniqueKey, 'p7']],
      ] as const) {
        const plan = await explained(statement.text, values)
        expect(plan, statement.name).to.match(whole).and.not.include('Seq Scan')
      }
    })

    it(`answers equalities on facets, and on members that are facets, from their index, ${when}`, async () => {
      const byEmail = equals('email', 'P7@example.com')
      expect(await planOf({where: byEmail})).to.include('document_facet_email')
      expect(await planOf({where: both(equals('age', 7), byEmail)})).to.include('document_facet_email')
      expect(await planOf({where: oneOf('P7@example.com', 'P8@example.com')})).to.include('document_facet_email')
      const byFacet = equals('email', 'p7@example.com', 'lowercaseEmail')
      expect(await planOf({where: byFacet})).to.include('document_facet_lowercaseemail')
    })

    it(`pages in the order of moments from their index, ${when}`, async () => {
      const field = {path: ['bornAt'], type: 'datetime'} as const
      const after: Predicate = {op: 'compare', comparison: '>', value: '2026-01-01T00:10:00.000Z', field}
      for (const direction of ['asc', 'desc'] as const) {
        const keys = [
          {field, direction},
          {field: {path: ['age'], type: 'number'}, direction: 'asc'},
        ] as const
        const plan = await planOf({where: after, sort: keys})
        expect(plan).to.match(/Limit .*\n\s+->\s+Index Scan (Backward )?using document_facet_born/)
        expect(plan).to.match(/Index Cond: .*born/)
      }
    })

    it(`finds unique keys that nobody shares without reading those that are held, ${when}`, async () => {
      expect(await explained(statements.readUnshared.text, [])).to.include('unique_key_unshared')
    })
  }

  it('looks up a document, and the holder of a unique key, by the whole key', async () => {
    const whole = (column: string) =>
      new RegExp(`Index Cond: \\(\\(project = 'shop'::text\\) AND \\(kind = 'people'::text\\) AND \\(${column} = `)
    const gets = await explained(statements.getDocument.text, ['shop', 'people', 'p7'])
    expect(gets).to.match(whole('id')).and.not.include('Seq Scan')
    const finds = await explained(statements.findDocument.text, ['shop', 'people', 'email:7'])
    expect(finds).to.match(whole('id')).and.match(whole('key')).and.not.include('Seq Scan')
  })
})
