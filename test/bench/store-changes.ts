import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Low} from 'lowdb'
import {JSONFile} from 'lowdb/node'
import {facets} from '../../src/server/local/facets.js'
import {openStore} from '../../src/store/open.js'
import {customer, fill} from './store-workload.js'

export interface ChangeCost {
  readonly customers: number
  /** Milliseconds for a change of one customer: lowdb's own file, which is never synced, and ours, which is. */
  readonly lowdb: number
  readonly ours: number
}

const millisecondsOf = async (count: number, one: (at: number) => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  for (let at = 0; at < count; at += 1) await one(at)
  return (performance.now() - started) / count
}

async function ofLowdb(file: string, customers: number): Promise<number> {
  const all = Array.from({length: customers}, (_, at) => customer(at).doc)
  const low = new Low<{customers: object[]}>(new JSONFile(file), {customers: all})
  return millisecondsOf(5, async (at) => {
    low.data.customers[at] = customer(at, 2).doc
    await low.write()
  })
}

async function ofOurs(dir: string, customers: number): Promise<number> {
  const filled = await openStore({dir, facets, writer: 'server'})
  await fill(filled, 0, customers)
  // Closing ends the merging of what was filled in.
  await filled.close()
  const store = await openStore({dir, facets, writer: 'server'})
  try {
    return await millisecondsOf(200, (at) => store.commit('bench', [customer(at, 2)]))
  } finally {
    await store.close()
  }
}

/** What a change of one customer costs by the number of customers there are. */
export async function changeCost(customers: number): Promise<ChangeCost> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const lowdb = await ofLowdb(join(folder, 'db.json'), customers)
    return {customers, lowdb, ours: await ofOurs(join(folder, 'state'), customers)}
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}
