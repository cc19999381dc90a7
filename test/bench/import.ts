import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {connect, type RunningServer} from '../../src/index.js'
import {openSources} from '../../src/transfer/input/source.js'
import {importCustomers} from '../../src/transfer/run/import.js'
import {startCluster} from '../store/postgres-cluster.js'
import {benchDraft, talk} from './seeding.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))

/** A server in a process of its own, as a user's would be. */
async function serverOf(...words: string[]): Promise<{server: RunningServer; child: ChildProcess}> {
  const script = join(here, 'import-server.ts')
  const child = spawn(process.execPath, ['--import=tsx/esm', script, ...words], {stdio: ['ignore', 'pipe', 'inherit']})
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  const server = JSON.parse(line.toString()) as RunningServer
  return {server: {...server, authUrl: server.apiUrl, projectKey: 'bench'}, child}
}

async function rowsFile(count: number): Promise<string> {
  const path = join(folder, `${count}.jsonl`)
  const file = createWriteStream(path)
  for (let at = 0; at < count; at += 1) {
    if (!file.write(`${JSON.stringify(benchDraft(at))}\n`)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'close')
  return path
}

/** Rows a second of a whole import: read twice, looked up, written, journaled. */
async function importRate({apiUrl, client}: RunningServer, path: string, concurrency: number): Promise<number> {
  const {clientId = '', clientSecret = ''} = client ?? {}
  const credentials = {kind: 'client', clientId, secret: async () => clientSecret} as const
  const target = {kind: 'remote', projectKey: 'bench', apiUrl, authUrl: apiUrl, credentials} as const
  const connected = await connect(target, {retries: 0})
  const {list} = await openSources([path])
  const started = performance.now()
  const {read, created} = await importCustomers(connected, list, {
    jobsDir: join(folder, 'jobs'),
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

/** Memory of the built command over so many rows, against a server that does nothing. */
async function commandPeak(server: RunningServer, path: string): Promise<number> {
  const flags = ['--api-url', server.apiUrl, '--project-key', 'bench', '--data', join(folder, 'data'), '-q']
  const child = spawn(process.execPath, [join(here, '../../bin/run.js'), 'customers', 'import', path, ...flags], {
    env: {
      ...process.env,
      FRONTDESK_CLIENT_ID: 'a',
      FRONTDESK_CLIENT_SECRET: 'b',
      FRONTDESK_DATA_DIR: join(folder, 'data'),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid))
  }, 50)
  const [code] = (await once(child, 'exit')) as [number]
  clearInterval(timer)
  if (code !== 0) throw new Error(`the import ended with ${code}`)
  return peak
}

const line = (name: string, value: string, note: string): void =>
  console.log(`${name.padEnd(34)} ${value.padStart(12)}  ${note}`)

/**
 * Rows a second against several servers beside a bare loop of POSTs to a server that does nothing, and the memory of the
 * command. Words: rows of the first part, then the numbers of rows for the second.
 */
export async function bench(words: readonly string[]): Promise<void> {
  const [count = 10_000, ...sizes] = words.map(Number)
  const concurrency = 16
  const cluster = await startCluster({settings: ['fsync=on']})
  const started: ChildProcess[] = []
  const start = async (...given: string[]): Promise<RunningServer> => {
    const {server, child} = await serverOf(...given)
    started.push(child)
    return server
  }
  try {
    const path = await rowsFile(count)
    const idle = await start('nothing')
    const {send, load, close} = await talk(idle, concurrency)
    const bare = (count / (await load(count, (at) => send('POST', '/bench/customers', benchDraft(at))))) * 1000
    await close()
    line('bare loop of POSTs to nothing', `${bare.toFixed(0)} rows/s`, '1.00')
    const targets: [string, string[]][] = [
      ['import into nothing', ['nothing']],
      ['import into memory', [':memory:']],
      ['import into files', [join(folder, 'state')]],
      ...(cluster
        ? [['import into PostgreSQL', [join(folder, 'pg'), await cluster.database('bench')]] as [string, string[]]]
        : []),
    ]
    for (const [name, given] of targets) {
      const rate = await importRate(await start(...given), path, concurrency)
      line(name, `${rate.toFixed(0)} rows/s`, (rate / bare).toFixed(2))
    }
    for (const size of sizes.length > 0 ? sizes : [10_000, 100_000]) {
      line(
        `command, ${size.toLocaleString('en')} rows`,
        `${(await commandPeak(idle, await rowsFile(size))).toFixed(0)} MB`,
        'peak',
      )
    }
  } finally {
    for (const child of started) child.kill()
    await cluster?.stop()
    rmSync(folder, {recursive: true, force: true})
  }
}
