import {once} from 'node:events'
import {existsSync, readFileSync, statSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {connect, type RunningServer} from '../../src/index.js'
import {openSources} from '../../src/transfer/input/source.js'
import {importCustomers} from '../../src/transfer/run/import.js'
import {startCluster} from '../store/postgres/cluster.js'
import {Scratch} from './import-scratch.js'
import {benchDraft, talk} from './seeding.js'

const command = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const concurrency = 16
/** Far slower than any machine that is worth measuring. */
const slowestRowsPerSecond = 100
const startUpMs = 60_000

/** Rows a second of a whole import: read twice, looked up, written, journaled. */
async function importRate(scratch: Scratch, {apiUrl, client}: RunningServer, path: string): Promise<number> {
  const {clientId, clientSecret} = client
  const credentials = {kind: 'client', clientId, secret: async () => clientSecret} as const
  const target = {kind: 'remote', projectKey: 'bench', apiUrl, authUrl: apiUrl, credentials} as const
  const connected = await connect(target, {retries: 0})
  const {list} = await openSources([path])
  const started = performance.now()
  const {read, created} = await importCustomers(connected, list, {
    jobsDir: scratch.path('jobs'),
    target: apiUrl,
    concurrency,
  })
  const elapsed = performance.now() - started
  await connected.close()
  if (read !== created) throw new Error(`only ${created} of ${read} rows were created`)
  return (read / elapsed) * 1000
}

/** The highest resident memory that the process had so far, in megabytes. */
function peakOf(pid: number | undefined): number {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

/** Memory and rate of the built command over a file, against a server that does nothing. Progress goes to stderr. */
async function commandRun(scratch: Scratch, {apiUrl}: RunningServer, path: string, rows: number) {
  const data = scratch.path('data')
  const words = ['customers', 'import', path, '--api-url', apiUrl, '--project-key', 'bench', '--data', data, '--json']
  const credentials = {FRONTDESK_CLIENT_ID: 'a', FRONTDESK_CLIENT_SECRET: 'b'}
  const folders = {FRONTDESK_DATA_DIR: data, FRONTDESK_CONFIG_DIR: data, FRONTDESK_CACHE_DIR: data}
  const started = performance.now()
  const child = scratch.child([command, ...words], {...process.env, ...credentials, ...folders})
  let answer = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    answer += chunk.toString()
  })
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid))
  }, 50)
  const bound = setTimeout(() => child.kill('SIGKILL'), startUpMs + (rows / slowestRowsPerSecond) * 1000)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(watch)
  clearTimeout(bound)
  if (code !== 0) throw new Error(`the command ended with ${code ?? 'a signal, being too slow'}: ${answer}`)
  const {created} = JSON.parse(answer) as {created: number}
  if (created !== rows) throw new Error(`only ${created} of ${rows} rows were created`)
  scratch.remove('data')
  return {peak, rate: (rows / (performance.now() - started)) * 1000}
}

const line = (name: string, value: string, note: string): void =>
  console.log(`${name.padEnd(34)} ${value.padStart(14)}  ${note}`)
const perSecond = (rate: number): string => `${rate.toFixed(0)} rows/s`

/** Rows a second against servers of several stores, each beside the bare loop. */
async function rates(scratch: Scratch, idle: RunningServer, count: number): Promise<void> {
  const path = await scratch.rows(count)
  const {send, load, close} = await talk(idle, concurrency)
  // The first thousand pay for what every process pays once.
  await load(Math.min(count, 1000), (at) => send('POST', '/bench/customers', benchDraft(at)))
  const bare = (count / (await load(count, (at) => send('POST', '/bench/customers', benchDraft(at))))) * 1000
  await close()
  line('bare loop of POSTs to nothing', perSecond(bare), '1.00')
  const measure = async (name: string, ...words: readonly string[]): Promise<void> => {
    const {server, stop} = await scratch.server(...words)
    const rate = await importRate(scratch, server, path)
    await stop()
    line(name, perSecond(rate), (rate / bare).toFixed(2))
  }
  await measure('import into nothing', 'nothing')
  await measure('import into memory', ':memory:')
  await measure('import into files (lowdb)', scratch.path('state'))
  scratch.remove('state')
  const cluster = await startCluster({settings: ['fsync=on']})
  try {
    if (cluster) await measure('import into PostgreSQL', scratch.path('pg'), await cluster.database('bench'))
    else line('import into PostgreSQL', 'not run', 'it is not installed here')
  } finally {
    await cluster?.stop()
  }
  for (const name of ['pg', 'jobs', `${count}.jsonl`]) scratch.remove(name)
}

const usage = 'Words: rows for the rates, then numbers of rows for the memory; by default 10000 10000 100000 1000000.'

const countsOf = (words: readonly string[]): readonly number[] => words.map((word) => Number(word.replaceAll('_', '')))

/**
 * Rows a second against several servers beside a bare loop of POSTs to a server that does nothing, and the memory of the
 * built command. Words: rows of the first part, then the numbers of rows of the second.
 */
export async function bench(words: readonly string[]): Promise<void> {
  const counts = countsOf(words)
  if (counts.some((rows) => !Number.isSafeInteger(rows) || rows < 1)) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  const [count = 10_000, ...given] = counts
  const sizes = given.length > 0 ? given : [10_000, 100_000, 1_000_000]
  if (!existsSync(new URL('../../dist/src/index.js', import.meta.url))) throw new Error('Run npm run build first.')
  const scratch = new Scratch()
  try {
    const idle = await scratch.server('nothing')
    await rates(scratch, idle.server, count)
    for (const size of sizes) {
      const path = await scratch.rows(size)
      const megabytes = (statSync(path).size / 1e6).toFixed(0)
      const {peak, rate} = await commandRun(scratch, idle.server, path, size)
      scratch.remove(`${size}.jsonl`)
      const name = `command, ${size.toLocaleString('en')} rows (${megabytes} MB)`
      line(name, `${peak.toFixed(0)} MB`, `peak memory, ${perSecond(rate)}`)
    }
    await idle.stop()
  } finally {
    scratch.clear()
  }
}
