import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {facets} from '../../src/server/local/facets.js'
import {openStore} from '../../src/store/open.js'
import {changeCost} from './store-changes.js'
import {printDurable} from './store-durable.js'
import {opening} from './store-opening.js'
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

const number = (value: number | undefined): string => (value === undefined ? '-' : value.toFixed(value < 100 ? 2 : 0))
const row = (head: string, cells: readonly string[], unit = ''): string =>
  `${head.padEnd(52)}${cells.map((cell) => cell.padStart(14)).join('')}  ${unit}`

async function printChanges(sizes: readonly number[]): Promise<void> {
  console.log(row('\nA change of one customer', ['lowdb write()', 'ours, durable', 'times faster']))
  for (const size of sizes) {
    const {lowdb, ours} = await changeCost(size)
    const cells = [lowdb, ours, lowdb / ours].map(number)
    console.log(row(`of ${size.toLocaleString('en')}`, cells, 'ms'))
  }
}

async function printOpenings(sizes: readonly number[]): Promise<void> {
  const heads = ['lowdb, parsed', 'ours', 'lowdb memory', 'our memory', 'load', 'room each']
  console.log(row('\nOpening, in a new process, with the first answer', heads))
  for (const size of sizes) {
    const {lowdb, ours, loadedPerSecond, bytesEach} = await opening(size)
    const times = [lowdb?.milliseconds, ours.milliseconds].map((value) => `${number(value)} ms`)
    const memory = [lowdb?.megabytes, ours.megabytes].map((value) => `${number(value)} MB`)
    const cells = [...times, ...memory, `${number(loadedPerSecond)} /s`, `${number(bytesEach)} B`]
    console.log(row(`of ${size.toLocaleString('en')}`, cells))
  }
}

async function printRequests(customers: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const columns = new Map([
      ['memory', await benchLowdb(':memory:', customers)],
      ['folder', await benchLowdb(join(folder, 'state'), customers)],
      ['PostgreSQL', (await benchPostgres(customers)) ?? []],
    ])
    console.log(row(`\nRequests over ${customers.toLocaleString('en')} customers`, [...columns.keys()]))
    printRows([...columns.values()])
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

function printRows(columns: readonly (readonly Measurement[])[]): void {
  const all = columns.flat()
  for (const name of new Set(all.map((one) => one.name))) {
    const cells = columns.map((column) => number(column.find((one) => one.name === name)?.value))
    console.log(row(name, cells, all.find((one) => one.name === name)?.unit))
  }
}

/**
 * `npm run bench -- store [CUSTOMERS] [MANY]`: changes and opening beside lowdb's own file, the same requests in memory,
 * in a folder and in PostgreSQL, and PostgreSQL with many. 20,000 and a million unless told. `-- store durable` measures
 * commits with 64 in flight alone.
 */
export async function bench([some = '20000', many = '1000000']: readonly string[]): Promise<void> {
  await printDurable()
  if (some === 'durable') return
  const large = Number(many)
  await printChanges([1_000, 10_000, 100_000].filter((size) => size <= large))
  await printOpenings([...new Set([1_000, Math.min(100_000, large), large])])
  await printRequests(Number(some))
  if (large <= Number(some)) return
  console.log(row(`\nPostgreSQL with ${large.toLocaleString('en')} customers`, []))
  printRows([(await benchPostgres(large)) ?? []])
}
