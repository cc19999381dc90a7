import pg from 'pg'
import {facets} from '../../src/server/local/facets.js'
import {openStore} from '../../src/store/open.js'
import type {OpenedStore} from '../../src/store/opened-store.js'
import {startCluster} from '../store/postgres/cluster.js'
import {fill, idOf, type Measurement, perSecond, requests} from './store-workload.js'

async function bytesPer(url: string, customers: number): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('VACUUM ANALYZE')
  const {rows} = await client.query<{bytes: string}>(
    `SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'frontdesk' AND c.relkind = 'r'`,
  )
  await client.end()
  return Number(rows[0]?.bytes) / customers
}

async function compaction(store: OpenedStore, customers: number): Promise<Measurement> {
  const made = idOf(customers + 4_999)
  const version = (await store.get('bench', 'customer', made))?.version ?? 0
  await store.commit('bench', [{kind: 'customer', expect: version, remove: made}])
  const rate = await perSecond(1, 1, () => store.compact())
  return {name: 'compaction after a removal', value: 1000 / rate, unit: 'ms'}
}

/**
 * A durable PostgreSQL with many customers: how fast they are loaded, read, found, changed and made, and how much room
 * each takes. Undefined where PostgreSQL is not installed.
 */
export async function benchPostgres(customers: number): Promise<Measurement[] | undefined> {
  const settings = ['fsync=on', 'shared_buffers=512MB', 'max_wal_size=4GB', 'checkpoint_timeout=30min']
  const cluster = await startCluster({settings})
  if (!cluster) return undefined
  let store: OpenedStore | undefined
  try {
    const url = await cluster.database('bench')
    store = await openStore({dir: ':memory:', url, facets, writer: 'server'})
    const loaded = await fill(store, 0, customers)
    const bytes = await bytesPer(url, customers)
    return [
      {name: `load ${customers.toLocaleString('en')} with credentials`, value: loaded, unit: 'customers/s'},
      {name: 'room for one, indexes and credential included', value: bytes, unit: 'bytes'},
      ...(await requests(store, customers)),
      await compaction(store, customers),
    ]
  } finally {
    await store?.close()
    await cluster.stop()
  }
}
