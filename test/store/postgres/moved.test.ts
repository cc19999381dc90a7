import {expect} from 'chai'
import pg from 'pg'
import {openStore} from '../../../src/store/open.js'
import type {OpenedStore} from '../../../src/store/opened-store.js'
import type {Change} from '../../../src/store/store.js'
import {patienceMs} from '../../patience.js'
import {facets} from '../contract.js'
import {rejection} from '../directory.js'
import {type Cluster, startCluster} from './cluster.js'

describe('store · PostgreSQL, a document that moves while a commit is under way', () => {
  let cluster: Cluster
  let store: OpenedStore
  let other: pg.Client

  before(async function () {
    const started = await startCluster()
    if (!started) return this.skip()
    cluster = started
    const url = await cluster.database('moved')
    store = await openStore({dir: ':memory:', url, facets, writer: 'server'})
    other = new pg.Client(url)
    await other.connect()
  })

  after(async () => {
    await other?.end()
    await store?.close()
    await cluster?.stop()
  })

  /** Until another connection waits for a row of ours. */
  const awaited = async (): Promise<void> => {
    const deadline = Date.now() + patienceMs
    for (;;) {
      const {rowCount} = await cluster.client.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
      if (rowCount !== 0) return
      if (Date.now() > deadline) throw new Error('nobody waits')
    }
  }

  const put = (id: string, version: number): Change => ({kind: 'people', expect: version - 1, doc: {id, version}})
  const message = (id: string): Change => ({kind: 'message', expect: 0, doc: {id, version: 1}})

  for (const {what, id, complete} of [
    {what: 'an update', id: 'ada'},
    {what: 'an update that completes later', id: 'bob', complete: async () => [message('later')]},
  ]) {
    it(`leaves nothing of ${what}`, async () => {
      await store.commit('shop', [put(id, 1)])
      await other.query('BEGIN')
      await other.query('UPDATE frontdesk.document SET version = 2 WHERE id = $1', [id])
      const ended = rejection(store.commit('shop', [put(id, 2), message(`of-${id}`)], complete))
      await awaited()
      await other.query('COMMIT')
      expect(await ended).to.include({name: 'VersionConflict', expected: 1, current: 2})
      for (const absent of [`of-${id}`, 'later']) expect(await store.get('shop', 'message', absent)).to.equal(undefined)
    })
  }
})
