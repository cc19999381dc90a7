import {execFileSync} from 'node:child_process'
import {once} from 'node:events'
import {createWriteStream, mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {finished} from 'node:stream/promises'
import {fileURLToPath} from 'node:url'
import {facets} from '../../src/server/local/facets.js'
import {openStore} from '../../src/store/open.js'
import {customer, fill} from './store-workload.js'

export interface Opening {
  readonly customers: number
  readonly loadedPerSecond: number
  readonly bytesEach: number
  /** Of a new process, from opening to the first answer. */
  readonly ours: Opened
  /** lowdb's file, parsed as a whole; absent where it is longer than a string can be. */
  readonly lowdb?: Opened
}

interface Opened {
  readonly milliseconds: number
  readonly megabytes: number
}

const script = fileURLToPath(new URL('./store-open-process.ts', import.meta.url))
/** From about 300,000 customers on, a file of lowdb is longer than V8's longest string. */
const lowdbLimit = 250_000

const opened = (kind: 'ours' | 'lowdb', path: string): Opened => {
  const run = (): Opened =>
    JSON.parse(execFileSync(process.execPath, ['--import', 'tsx/esm', script, kind, path], {encoding: 'utf8'}))
  const runs = [run(), run(), run()].sort((a, b) => a.milliseconds - b.milliseconds)
  return runs[1] as Opened
}

async function writeLowdb(file: string, customers: number): Promise<void> {
  const stream = createWriteStream(file)
  for (let at = 0; at < customers; at += 1) {
    const head = at === 0 ? '{"customers":[' : ','
    if (!stream.write(head + JSON.stringify(customer(at).doc))) {
      await once(stream, 'drain')
    }
  }
  stream.end(']}')
  await finished(stream)
}

const bytesIn = (folder: string): number =>
  readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)

/** How long a state takes to open by the number of customers in it, each with a credential. */
export async function opening(customers: number): Promise<Opening> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const dir = join(folder, 'state')
  try {
    const store = await openStore({dir, facets, writer: 'server'})
    const loadedPerSecond = await fill(store, 0, customers)
    await store.close()
    const file = join(folder, 'db.json')
    if (customers <= lowdbLimit) await writeLowdb(file, customers)
    return {
      customers,
      loadedPerSecond,
      bytesEach: bytesIn(dir) / customers,
      ours: opened('ours', dir),
      ...(customers <= lowdbLimit ? {lowdb: opened('lowdb', file)} : {}),
    }
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}
