import {expect} from 'chai'
import {openStore} from '../../../src/store/open.js'
import type {OpenedStore} from '../../../src/store/opened-store.js'
import {type Engine, engines, storeSchema, tables} from '../../../src/store/postgres/schema/schema.js'
import type {Document} from '../../../src/store/store.js'
import {equals, everything, type Person} from '../contract/subject.js'
import {facets, put} from '../contract.js'
import {rejection} from '../directory.js'
import {type Cluster, queried, startCluster} from './cluster.js'

describe('store · tables of PostgreSQL', () => {
  let cluster: Cluster
  const opened: OpenedStore[] = []

  before(async function () {
    const started = await startCluster()
    if (!started) return this.skip()
    cluster = started
  })

  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })

  after(() => cluster?.stop())

  const open = async (url: string, of = facets): Promise<OpenedStore> => {
    const store = await openStore({dir: ':memory:', url, facets: of, writer: 'server'})
    opened.push(store)
    return store
  }

  it('keeps the order of members, and reads what was stored without it', async () => {
    const url = await cluster.database('members')
    const store = await open(url)
    const doc = {id: 'ada', version: 1, zebra: 1, names: {last: 'L', first: 'A'}, a: [{zz: 1, y: 2}], '2': 0, '10': 1}
    await store.commit('shop', [{kind: 'people', expect: 0, doc}])
    expect(JSON.stringify(await store.get('shop', 'people', 'ada'))).to.equal(JSON.stringify(doc))
    const next = {name: 'Ada', version: 2, id: 'ada'}
    await store.commit('shop', [{kind: 'people', expect: 1, doc: next, uniqueKeys: [{key: 'email:ada'}]}])
    const found = [
      await store.get('shop', 'people', 'ada'),
      await store.find('shop', 'people', 'email:ada'),
      (await store.query('shop', 'people', everything)).results[0],
      (await store.documents('shop')[Symbol.asyncIterator]().next()).value?.doc,
      (await Promise.all(['ada', 'eve'].map((id) => store.get('shop', 'people', id))))[0],
    ]
    for (const one of found) expect(JSON.stringify(one)).to.equal(JSON.stringify(next))
    await queried(url, `UPDATE frontdesk.document SET doc = doc || '{"name": "Eve"}'`)
    expect(await store.get('shop', 'people', 'ada')).to.deep.equal({...next, name: 'Eve'})
    await queried(url, `UPDATE frontdesk.document SET body = NULL, doc = doc || '{"name": "Ada"}'`)
    expect(await store.get('shop', 'people', 'ada')).to.deep.equal(next)
  })

  it('makes the same as the statements that an administrator applies, which it then leaves alone', async () => {
    const shape = `SELECT table_name, column_name, data_type, collation_name, is_nullable FROM information_schema.columns
      WHERE table_schema = 'frontdesk' AND table_name !~ '_p[0-9]+$' ORDER BY 1, 2`
    const own = await cluster.database('own')
    await open(own)
    for (const engine of ['postgres', 'partitioned'] as const) {
      const url = await cluster.database(`by_hand_${engine}`)
      await queried(url, storeSchema(engine, facets).join(';\n'))
      const before = await queried(url, 'SELECT name, applied_at::text FROM frontdesk.migration ORDER BY name')
      await open(url)
      expect(await queried(url, shape)).to.deep.equal(await queried(own, shape))
      expect(await queried(url, 'SELECT name, applied_at::text FROM frontdesk.migration ORDER BY name')).to.deep.equal(
        before,
      )
    }
    const marks = 'SELECT name FROM frontdesk.migration ORDER BY name'
    expect(await queried(own.replace('/own', '/by_hand_postgres'), marks)).to.deep.equal(await queried(own, marks))
  })

  it('refuses tables that lack a column or the key that keeps values unique', async () => {
    const wrong = [
      ['ALTER TABLE frontdesk.unique_key DROP CONSTRAINT unique_key_pkey', 'unique_key has not the primary key'],
      ['ALTER TABLE frontdesk.document DROP COLUMN facets', 'document has no column facets'],
    ] as const
    for (const [at, [change, says]] of wrong.entries()) {
      const url = await cluster.database(`wrong_${at}`)
      await queried(url, [...storeSchema('postgres', {}), change].join(';\n'))
      const error = (await rejection(open(url, {}))) as Error
      expect(error).to.include({code: 'StateUnusable'})
      expect(error.message).to.include(says)
    }
  })

  it('derives facets and search texts again that say something else', async () => {
    const url = await cluster.database('raised')
    await (await open(url)).commit('shop', [put('a', 1, {name: 'Ada'}), put('b\u0001', 1, {name: '\0'}), put('c', 1)])
    const backwards = (document: Document): string | undefined =>
      (document as Person).name?.split('').reverse().join('')
    const store = await openStore({
      ...{dir: ':memory:', url, writer: 'server'},
      facets: {people: {lowercaseName: Object.assign(backwards, {version: 2})}},
      searchTexts: {people: {version: 2, textOf: (document) => backwards(document) ?? ''}},
    })
    opened.push(store)
    for (const [name, id] of [
      ['adA', 'a'],
      ['\0', 'b\u0001'],
    ] as const) {
      const where = equals('name', name, 'lowercaseName')
      expect((await store.query('shop', 'people', {...everything, where})).results.map((one) => one.id)).to.deep.equal([
        id,
      ])
      const search = {contains: name, relevance: () => 1, order: [], limit: 9, offset: 0}
      expect((await store.search('shop', 'people', search)).results.map((one) => one.id)).to.deep.equal([id])
    }
  })

  it('distributes every table by a part of its only unique constraint, on each engine', () => {
    for (const {key, distribution} of tables) expect(key).to.include(distribution)
    const distributed: Record<Engine, RegExp> = {
      postgres: /PRIMARY KEY \(project, kind, id\)\)/,
      partitioned: /PARTITION BY HASH \(id\)/,
      citus: /create_distributed_table\('frontdesk\.unique_key', 'project', colocate_with => 'frontdesk\.document'/,
      'citus-by-id': /create_distributed_table\('frontdesk\.document', 'id'/,
    }
    for (const engine of engines) {
      const text = storeSchema(engine, facets).join(';\n')
      expect(text).to.match(distributed[engine])
      expect(text).not.to.match(/UNIQUE|REFERENCES/)
    }
  })
})
