import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {facets} from '../../src/server/facets.js'
import {openStore} from '../../src/store/open.js'
import {benchPostgres} from './store-postgres.js'
import {fill, type Measurement, requests} from './store-workload.js'

async function benchLowdb(dir: string, customers: number): Promise<Measurement[]> {
  const store = await openStore({dir, facets, writer: 'server'})
  try {
    const loaded = await fill(store, 0, customers)
    const name = `load ${customers.toLocaleString('en')} with credentials`
    return [{name, value: loaded, unit: 'customers/s'}, ...(await requests(store, customers))]
  } finally {
    await store.close()
  }
}

const shown = (measurement: Measurement | undefined): string =>
  measurement ? measurement.value.toFixed(measurement.value < 100 ? 2 : 0) : '-'

/** `npm run bench -- store [CUSTOMERS]`: the same work in memory, in a folder and in PostgreSQL, side by side. */
export async function bench([words = '20000']: readonly string[]): Promise<void> {
  const customers = Number(words)
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const columns = new Map([
      ['memory', await benchLowdb(':memory:', customers)],
      ['folder', await benchLowdb(join(folder, 'state'), customers)],
      ['PostgreSQL', (await benchPostgres(customers)) ?? []],
    ])
    const all = [...columns.values()].flat()
    const names = [...new Set(all.map(({name}) => name))]
    console.log(['', ...columns.keys()].map((head, at) => (at === 0 ? head.padEnd(52) : head.padStart(12))).join(''))
    for (const name of names) {
      const cells = [...columns.values()].map((rows) => shown(rows.find((row) => row.name === name)).padStart(12))
      const unit = all.find((row) => row.name === name)?.unit ?? ''
      console.log(`${name.padEnd(52)}${cells.join('')}  ${unit}`)
    }
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}
