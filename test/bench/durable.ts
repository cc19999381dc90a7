import {fdatasync, mkdtempSync, openSync, rmSync, write} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {facets} from '../../src/server/local/facets.js'
import {openStore} from '../../src/store/open.js'
import type {OpenedStore} from '../../src/store/opened-store.js'
import {median} from './report.js'
import {customer} from './workload.js'

const inFlight = 64
const windowMs = 400
const rounds = 9

/** Commits a second; each window does as many as fit into its time. */
type Contender = () => Promise<number>

async function perSecond(one: () => Promise<number>): Promise<number> {
  const started = performance.now()
  let count = 0
  while (performance.now() - started < windowMs) count += await one()
  return (count / (performance.now() - started)) * 1000
}

/** What the file can do: as many bytes as 64 commits have, written at once and synced. */
function fileLimit(path: string): Contender {
  const fd = openSync(path, 'w')
  const bytes = Buffer.from(`${JSON.stringify(customer(1))}\n`.repeat(inFlight))
  const [writing, syncing] = [promisify(write), promisify(fdatasync)]
  let at = 0
  return () =>
    perSecond(async () => {
      await writing(fd, bytes, 0, bytes.length, at)
      await syncing(fd)
      at += bytes.length
      return inFlight
    })
}

function ours(store: OpenedStore): Contender {
  let next = 0
  return async () => {
    const rates = Array.from({length: inFlight}, () =>
      perSecond(async () => {
        await store.commit('bench', [customer(next++)])
        return 1
      }),
    )
    return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0)
  }
}

/** Node's own SQLite, where it has one: a row and three unique keys in a transaction, with a write-ahead log that is synced. */
async function sqlite(path: string): Promise<Contender | undefined> {
  const module = await import(`node:${'sqlite'}`).catch(() => undefined)
  if (!module) return undefined
  const database = new module.DatabaseSync(path)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec(
    'create table customer (id text primary key, doc text); create table held (name text primary key, id text)',
  )
  const put = database.prepare('insert into customer values (?, ?)')
  const hold = database.prepare('insert into held values (?, ?)')
  let next = 0
  return () =>
    perSecond(async () => {
      const {doc, uniqueKeys = []} = customer(next++)
      database.exec('begin immediate')
      put.run(doc.id, JSON.stringify(doc))
      for (const {key} of uniqueKeys) hold.run(key, doc.id)
      database.exec('commit')
      return 1
    })
}

/** Commits that are on the disk, 64 in flight, turn by turn with what the file and SQLite can do. */
export async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const store = await openStore({dir: join(folder, 'state'), facets, writer: 'server'})
  try {
    const file = fileLimit(join(folder, 'limit'))
    const other = await sqlite(join(folder, 'other.db'))
    const our = ours(store)
    await our()
    const seen: {ours: number; file: number; other: number}[] = []
    for (let round = 0; round < rounds; round += 1) {
      seen.push({file: await file(), ours: await our(), other: other ? await other() : Number.NaN})
    }
    const of = (pick: (one: (typeof seen)[number]) => number) => median(seen.map(pick))
    console.log(`\nDurable commits a second, ${inFlight} in flight: ${of((one) => one.ours).toFixed(0)}`)
    console.log(
      `  of the file's own limit (${of((one) => one.file).toFixed(0)}): ${of((one) => one.ours / one.file).toFixed(2)}`,
    )
    if (other)
      console.log(
        `  of SQLite, one at a time (${of((one) => one.other).toFixed(0)}): ${of((one) => one.ours / one.other).toFixed(2)}`,
      )
  } finally {
    await store.close()
    rmSync(folder, {recursive: true, force: true})
  }
}
