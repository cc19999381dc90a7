import {expect} from 'chai'
import {openStore} from '../../../src/store/open.js'
import type {OpenedStore} from '../../../src/store/opened-store.js'
import {type Engine, engines, storeSchema} from '../../../src/store/postgres/connection/engines.js'
import {tables} from '../../../src/store/postgres/schema/schema.js'
import {everything} from '../contract/subject.js'
import {facets, put} from '../contract.js'
import {rejection} from '../directory.js'
import {type Cluster, queried, startCluster} from './cluster.js'

/** Tables of the release before members kept their order, as that release made them. */
const formerTables = [
  'CREATE SCHEMA frontdesk',
  'CREATE TABLE frontdesk.migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  `CREATE TABLE frontdesk.document (project text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL, version bigint NOT NULL, doc jsonb NOT NULL, facets jsonb, claims jsonb,
    PRIMARY KEY (project, kind, id))`,
  `CREATE TABLE frontdesk.claim (project text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL, holder text COLLATE "C", PRIMARY KEY (project, kind, key))`,
  `CREATE TABLE frontdesk.share (project text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL, holder text COLLATE "C" NOT NULL, PRIMARY KEY (project, kind, key, holder))`,
  `CREATE TABLE frontdesk.tally (project text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL,
    part integer NOT NULL, documents bigint NOT NULL, PRIMARY KEY (project, kind, part))`,
  "INSERT INTO frontdesk.migration (name) VALUES ('0000 lock'), ('0001 tables')",
]

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

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

  it('brings the tables and texts of a former release up to date', async () => {
    const url = await cluster.database('former')
    const odd = {id: 'a\ufdd00000b', version: 1, name: '\ufdd00000', rat: '🐀', plain: 'ü', control: '\u0001'}
    const row = (doc: {id: string}, uniqueKeys: object[]) =>
      `INSERT INTO frontdesk.document VALUES ('shop', 'people', ${quoted(doc.id)}, 1, ${quoted(JSON.stringify(doc))},
        NULL, ${quoted(JSON.stringify(uniqueKeys))})`
    await queried(
      url,
      [
        ...formerTables,
        row(odd, [{key: 'email:\ufdd0d83d'}]),
        row({id: 'plain'}, []),
        row({...odd, id: '🐀'}, [{key: 'shared', shared: true}]),
        "INSERT INTO frontdesk.claim VALUES ('shop', 'people', 'email:\ufdd0d83d', 'a\ufdd00000b'), ('shop', 'people', 'shared', NULL)",
        "INSERT INTO frontdesk.share VALUES ('shop', 'people', 'shared', '🐀')",
        "INSERT INTO frontdesk.tally VALUES ('shop', 'people', 0, 3)",
      ].join(';\n'),
    )
    const store = await open(url)
    const expected = {...odd, id: 'a\0b', name: '\0'}
    expect(await store.get('shop', 'people', 'a\0b')).to.deep.equal(expected)
    expect(await store.find('shop', 'people', 'email:\ud83d')).to.deep.equal(expected)
    expect(await store.get('shop', 'people', '🐀')).to.deep.equal({...expected, id: '🐀'})
    await store.commit('shop', [put('🐀', 2)])
    await store.commit('shop', [put('sole', 1, {}, ['shared'])])
    const {results} = await store.query('shop', 'people', everything)
    expect(results.map(({id}) => id)).to.deep.equal(['a\0b', 'plain', 'sole', '🐀'])
    expect(await queried(url, "SELECT 1 FROM frontdesk.claim WHERE key ~ '\ufdd0'")).to.deep.equal([])
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
      ['ALTER TABLE frontdesk.claim DROP CONSTRAINT claim_pkey', 'claim has not the primary key'],
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

  it('distributes every table by a part of its only unique constraint, on each engine', () => {
    for (const {key, distribution} of tables) expect(key).to.include(distribution)
    const distributed: Record<Engine, RegExp> = {
      postgres: /PRIMARY KEY \(project, kind, id\)\)/,
      partitioned: /PARTITION BY HASH \(id\)/,
      citus: /create_distributed_table\('frontdesk\.document', 'id'/,
      yugabyte: /PRIMARY KEY \(id HASH, project ASC, kind ASC\)/,
      cockroach: /id text NOT NULL, .*PRIMARY KEY \(project, kind, id\)/,
    }
    for (const engine of engines) {
      const text = storeSchema(engine, facets).join(';\n')
      expect(text).to.match(distributed[engine])
      expect(text).not.to.match(/UNIQUE|REFERENCES/)
    }
  })
})
