import {expect} from 'chai'
import pg from 'pg'
import {openStore} from '../../../src/store/open.js'
import {patientMs} from '../../../src/store/postgres/connection/connections.js'
import {lockDocument} from '../../../src/store/postgres/schema/statements.js'
import {type Change, UniqueConflict} from '../../../src/store/store.js'
import {facets} from '../contract.js'
import {type Cluster, queried, startCluster} from './cluster.js'

const birth = (id: string, key = `key:${id}`): Change[] => [
  {kind: 'people', expect: 0, doc: {id, version: 1}, uniqueKeys: [{key}]},
]

describe('store · PostgreSQL, commits that share a transaction', () => {
  let cluster: Cluster | undefined
  before(async function () {
    cluster = await startCluster()
    if (!cluster) this.skip()
  })
  after(() => cluster?.stop())

  it('replace documents together, and refuse those who come too late, each with its own error', async () => {
    const url = (await cluster?.database('updates')) ?? ''
    const store = await openStore({dir: ':memory:', url, facets, writer: 'server'})
    const person = (at: number, version: number): Change => ({
      kind: 'people',
      expect: version - 1,
      doc: {id: `p${at}`, version},
      uniqueKeys: [{key: `key:${at === 9 && version > 1 ? 10 : at}`}],
    })
    const message = (at: number, version: number): Change => ({
      kind: 'message',
      expect: 0,
      doc: {id: `m${at}-${version}`, version: 1},
    })
    try {
      await store.commit('shop', [
        ...Array.from({length: 40}, (_, at) => person(at, 1)),
        {kind: 'groups', expect: 0, doc: {id: 'g', version: 1}},
      ])
      await store.commit('shop', [person(7, 2)])
      const ended = await Promise.allSettled(
        Array.from({length: 40}, (_, at) =>
          store.commit('shop', [
            person(at, 2),
            message(at, 2),
            ...(at % 3 === 0 ? [{kind: 'groups', require: at === 12 ? 'gone' : 'g'}] : []),
          ]),
        ),
      )
      const refused = ended.flatMap((end, at) =>
        end.status === 'rejected' ? [[at, (end.reason as Error).name] as const] : [],
      )
      expect(refused).to.deep.equal([
        [7, 'VersionConflict'],
        [9, 'UniqueConflict'],
        [12, 'Missing'],
      ])
      const [found] = await queried<Record<string, string>>(
        url,
        `SELECT count(*) messages, count(DISTINCT xmin::text) transactions FROM frontdesk.document WHERE kind = 'message'`,
      )
      expect(Number(found?.['messages'])).to.equal(37)
      expect(Number(found?.['transactions'])).to.be.lessThan(8)
      for (const [at, version] of [
        [7, 2],
        [9, 1],
        [12, 1],
        [13, 2],
      ] as const) {
        expect(await store.get('shop', 'people', `p${at}`)).to.include({version})
      }
    } finally {
      await store.close()
    }
  })

  it('store nothing, and take no unique key, for a document whose facet fails', async () => {
    const url = (await cluster?.database('failing')) ?? ''
    const facet = (): string => {
      throw new Error('no facet')
    }
    const failing = await openStore({dir: ':memory:', url, facets: {people: {email: facet}}, writer: 'server'})
    try {
      expect(await failing.commit('shop', birth('ada')).catch(String)).to.equal('Error: no facet')
      const tables = 'SELECT id FROM frontdesk.document UNION ALL SELECT key FROM frontdesk.unique_key'
      expect(await queried(url, tables)).to.deep.equal([])
    } finally {
      await failing.close()
    }
  })

  it('do not wait for one that has to', async () => {
    const url = (await cluster?.database('waiting')) ?? ''
    const store = await openStore({dir: ':memory:', url, facets, writer: 'server'})
    const other = new pg.Client(url)
    await other.connect()
    try {
      await store.commit('shop', Array.from({length: 8}, (_, at) => birth(`p${at}`)).flat())
      await other.query('BEGIN')
      await other.query(lockDocument.text, ['shop', 'people', 'p3'])
      const stored: number[] = []
      const started = performance.now()
      const all = Array.from({length: 8}, (_, at) =>
        store
          .commit('shop', [
            {kind: 'people', expect: 1, doc: {id: `p${at}`, version: 2}, uniqueKeys: [{key: `key:p${at}`}]},
          ])
          .then(() => stored.push(at)),
      )
      await Promise.all(all.filter((_, at) => at !== 3))
      expect(stored).to.have.members([0, 1, 2, 4, 5, 6, 7])
      expect(performance.now() - started).to.be.below(patientMs)
      await other.query('COMMIT')
      await all[3]
      expect(await store.get('shop', 'people', 'p3')).to.include({version: 2})
    } finally {
      await other.end()
      await store.close()
    }
  })

  it('need few transactions, and refuse nobody but those who clash', async () => {
    const url = (await cluster?.database('births')) ?? ''
    const store = await openStore({dir: ':memory:', url, facets, writer: 'server'})
    try {
      await store.commit('shop', birth('held', 'key:7'))
      const all = Array.from({length: 60}, (_, at) => store.commit('shop', birth(`p${at}`, `key:${at}`)))
      const ended = await Promise.allSettled(all)
      const refused = ended.flatMap((end, at) => (end.status === 'rejected' ? [[at, end.reason as unknown]] : []))
      expect(refused.map(([at]) => at)).to.deep.equal([7])
      expect(refused[0]?.[1]).to.be.instanceOf(UniqueConflict).and.include({key: 'key:7', state: 'held'})
      const [found] = await queried(
        url,
        "SELECT count(*) documents, count(DISTINCT xmin::text) transactions FROM frontdesk.document WHERE kind = 'people'",
      )
      expect(Number(Object.values(found ?? {})[0])).to.equal(60)
      expect(Number(Object.values(found ?? {})[1])).to.be.lessThan(6)
      const {total} = await store.query('shop', 'people', {limit: 0, offset: 0, count: {cap: 100}})
      expect(total).to.equal(60)
    } finally {
      await store.close()
    }
  })
})
