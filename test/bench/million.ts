import {cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync} from 'node:fs'
import {loadavg, tmpdir} from 'node:os'
import {join} from 'node:path'
import {customerShape} from '../../src/domain/customers/customer.js'
import {parseWhere} from '../../src/query/parser.js'
import {facets} from '../../src/server/local/facets.js'
import {openStore} from '../../src/store/open.js'
import type {OpenedStore} from '../../src/store/opened-store.js'
import type {Put} from '../../src/store/store.js'
import {cleanEnvironment} from '../e2e/binary.js'
import {circumstances, has, markdownTable, median, optionOf} from './report.js'
import {cpuOf} from './startup.js'
import {customer, perSecond} from './workload.js'

const project = 'bench'

/** A stored customer of about 0.8 kB of JSON, without a password. */
function small(at: number): Put {
  const put = customer(at)
  const {companyName, customerGroup, password, defaultShippingAddressId, ...doc} = put.doc as Put['doc'] &
    Readonly<Record<string, unknown>> & {readonly addresses: readonly object[]}
  const more = {
    firstName: `First ${at % 10_007}`,
    addresses: doc.addresses.slice(0, 1),
    authenticationMode: 'ExternalAuth',
  }
  return {...put, doc: {...doc, ...more, billingAddressIds: ['a1']} as Put['doc']}
}

/** A state with that many customers, made unless it is kept from the time before. */
async function stateOf(folder: string, customers: number): Promise<string> {
  const dir = join(folder, String(customers))
  if (existsSync(dir)) return dir
  const {startServer} = await import('../../src/index.js')
  const making = `${dir}.making`
  rmSync(making, {recursive: true, force: true})
  await (await startServer({dataDir: making, projectKey: project})).stop()
  const store = await openStore({dir: making, facets, writer: 'server'})
  const step = 500
  await perSecond(Math.ceil(customers / step), 4, (at) => {
    const count = Math.min(step, customers - at * step)
    return store.commit(
      project,
      Array.from({length: count}, (_, index) => small(at * step + index)),
    )
  })
  await store.close()
  renameSync(making, dir)
  return dir
}

const queries: readonly (readonly [name: string, where: string])[] = [
  ['two texts, both rare', 'firstName="First 4975" and lastName="Lovelace 772"'],
  ['two texts, one in every document', 'authenticationMode="ExternalAuth" and lastName="Lovelace"'],
  ['two texts of three characters', 'title="Dr." and salutation="Mme"'],
  ['either of two texts', 'firstName="Nobody" or lastName="Noone"'],
  ['a member that nobody has', 'dateOfBirth is defined'],
  ['two numbers', 'custom(fields(points > 4998)) and lastMessageSequenceNumber > 1'],
  ['a text that must not be', 'firstName != "First 1" and companyName is defined'],
]

const seconds = (ms: number): string => (ms / 1000).toFixed(2)

async function timed(work: () => Promise<unknown>): Promise<{wall: number; cpu: number; failed: boolean}> {
  const [started, before] = [performance.now(), process.cpuUsage()]
  const failed = await work().then(
    () => false,
    () => true,
  )
  const {user, system} = process.cpuUsage(before)
  return {wall: performance.now() - started, cpu: (user + system) / 1000, failed}
}

/** Each query in a store that was opened for it, once and three times again. */
async function scans(dir: string): Promise<string[][]> {
  const rows: string[][] = []
  for (const [name, text] of queries) {
    const where = parseWhere([text], customerShape, new Map())
    if (!where) throw new Error('no predicate')
    const store = await openStore({dir, facets, writer: 'server'})
    const once = () =>
      timed(() => store.query(project, 'customer', {where, limit: 20, offset: 0, count: {cap: 10_000}}))
    const first = await once()
    const later = [await once(), await once(), await once()]
    await store.close()
    const of = (pick: 'wall' | 'cpu') => seconds(Math.min(...later.map((one) => one[pick])))
    const note = later.some(({failed}) => failed) ? `${name} (given up)` : name
    rows.push([note, seconds(first.wall), seconds(first.cpu), of('wall'), of('cpu')])
    console.error(rows.at(-1)?.join('  '))
  }
  return rows
}

/** Microseconds of CPU for a create, with the copies that it causes. */
async function createCost(store: OpenedStore, from: number, count: number): Promise<number> {
  const {cpu} = await timed(() => perSecond(count, 16, (at) => store.commit(project, [small(from + at)])))
  return (cpu / count) * 1000
}

/** Rounds over all sizes, so that what else the machine does meets each of them. */
async function bySize(
  dirs: ReadonlyMap<number, string>,
  folder: string,
  {rounds, creates}: {readonly rounds: number; readonly creates: number},
): Promise<string[][]> {
  const times = new Map([...dirs.keys()].map((size) => [size, {get: [] as number[], create: [] as number[]}]))
  const stores = new Map<number, OpenedStore>()
  for (const [size, dir] of dirs) {
    const copy = join(folder, `writing-${size}`)
    cpSync(dir, copy, {recursive: true})
    stores.set(size, await openStore({dir: copy, facets, writer: 'server'}))
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [size, dir] of dirs) {
      const env = {...cleanEnvironment(folder), FRONTDESK_DATA_DIR: dir, FRONTDESK_PROJECT_KEY: project}
      const get = () => cpuOf(process.execPath, ['bin/run.js', 'customers', 'get', `key=key-${size >> 1}`], env)
      if (round === 0) get()
      times.get(size)?.get.push(get())
      times.get(size)?.create.push(await createCost(stores.get(size) as OpenedStore, size + round * creates, creates))
    }
  }
  for (const store of stores.values()) await store.close()
  const cell = (all: readonly number[], digits: number) =>
    `${median(all).toFixed(digits)} (${Math.min(...all).toFixed(digits)})`
  return [...times].map(([size, {get, create}]) => [size.toLocaleString('en'), cell(get, 1), cell(create, 0)])
}

/**
 * What the number of customers costs, up to a million in files: scans of them all, `customers get` by the built command,
 * and creates without a password. Words: `customers=N`, `keep=FOLDER` for states that are made once, `rounds=N`,
 * `creates=N`, `scans` for the first part alone, `short`.
 */
export async function bench(words: readonly string[]): Promise<void> {
  const customers = Number(optionOf(words, 'customers') ?? (has(words, 'short') ? 100_000 : 1_000_000))
  const rounds = Number(optionOf(words, 'rounds') ?? (has(words, 'short') ? 4 : 12))
  const creates = Number(optionOf(words, 'creates') ?? 5_000)
  const note = circumstances(loadavg()[0])
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const kept = optionOf(words, 'keep') ?? folder
    mkdirSync(kept, {recursive: true})
    const large = await stateOf(kept, customers)
    const titles = [`Scan of ${customers.toLocaleString('en')}, s`, 'first', 'CPU', 'again, least of 3', 'CPU']
    const parts = [note, markdownTable(titles, await scans(large))]
    if (!has(words, 'scans')) {
      const sizes = [...new Set([1_000, Math.min(100_000, customers), customers])]
      const dirs = new Map<number, string>()
      for (const size of sizes) dirs.set(size, await stateOf(kept, size))
      const head = ['Customers', '`customers get`, ms of CPU', 'create without password, µs of CPU']
      parts.push(markdownTable(head, await bySize(dirs, folder, {rounds, creates})))
    }
    console.log(`\n${parts.join('\n\n')}`)
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}
