import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {startCluster} from '../store/postgres/cluster.js'
import {markdownTable, median} from './report.js'
import {benchDraft} from './seeding.js'
import {type Call, Connection} from './server-connection.js'

/** Rates and latencies of the built command with several numbers of workers, on one PostgreSQL. */

const connections = 16
const customers = 1_000
const rounds = 5
const windowMs = 800
const password = 'a password of the bench'

interface Started {
  readonly workers: number
  readonly child: ChildProcess
  readonly connections: readonly Connection[]
  readonly basic: string
}

interface Row {
  readonly name: string
  readonly call: () => Call
}

async function started(folder: string, storeUrl: string, workers: number): Promise<Started> {
  const data = join(folder, `workers-${workers}`)
  const run = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
  const words = ['server', 'start', '--json', '--project-key', 'bench', '--data', data, '--workers', String(workers)]
  const env = {...process.env, FRONTDESK_STORE_URL: storeUrl}
  const child = spawn(process.execPath, [run, ...words], {env, stdio: ['ignore', 'pipe', 'inherit']})
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const {apiUrl} = JSON.parse(line.toString()) as {apiUrl: string}
  const {clientId, clientSecret} = JSON.parse(readFileSync(join(data, 'bench.client.json'), 'utf8'))
  return {
    workers,
    child,
    connections: await Promise.all(Array.from({length: connections}, () => Connection.open(apiUrl))),
    basic: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
  }
}

async function ask(connection: Connection, call: Call): Promise<string> {
  const {status, text} = await connection.send(call)
  if (status >= 400) throw new Error(`${call.method} ${call.path}: ${status} ${text}`)
  return text
}

/** The times of as many requests as fit into the window, in milliseconds. */
async function window({connections: all}: Started, call: () => Call): Promise<{rate: number; times: number[]}> {
  const begun = performance.now()
  const times: number[] = []
  const one = async (connection: Connection): Promise<void> => {
    for (let at = performance.now(); at - begun < windowMs; ) {
      await ask(connection, call())
      const now = performance.now()
      times.push(now - at)
      at = now
    }
  }
  await Promise.all(all.map(one))
  return {rate: (times.length / (performance.now() - begun)) * 1000, times}
}

/** What all servers of the database are asked; the first one fills it. */
async function rowsOf([first]: readonly Started[]): Promise<Row[]> {
  if (!first) throw new Error('no server')
  const form = {authorization: first.basic, 'content-type': 'application/x-www-form-urlencoded'}
  const tokenCall: Call = {method: 'POST', path: '/oauth/token', body: 'grant_type=client_credentials', headers: form}
  const [connection] = first.connections as [Connection]
  const {access_token: token} = JSON.parse(await ask(connection, tokenCall)) as {access_token: string}
  const headers = {authorization: `Bearer ${token}`}
  const post = (path: string, body: object): Call => ({method: 'POST', path, body: JSON.stringify(body), headers})
  const drafts = Array.from({length: customers}, (_, at) => post('/bench/customers', benchDraft(at)))
  const fill = async (one: Connection): Promise<void> => {
    for (let next = drafts.pop(); next; next = drafts.pop()) await ask(one, next)
  }
  await Promise.all(first.connections.map(fill))
  await ask(connection, post('/bench/customers', {email: 'signs-in@example.com', password, firstName: 'Ada'}))
  let turn = 0
  const next = (): number => {
    turn += 1
    return turn % customers
  }
  const versions = new Map<number, number>()
  const update = (): Call => {
    const at = next()
    const version = versions.get(at) ?? 1
    versions.set(at, version + 1)
    const actions = [{action: 'setFirstName', firstName: `Name ${turn}`}]
    return post(`/bench/customers/key=bench-${at}`, {version, actions})
  }
  return [
    {name: 'GET by key', call: () => ({method: 'GET', path: `/bench/customers/key=bench-${next()}`, headers})},
    {name: 'GET page of 20', call: () => ({method: 'GET', path: '/bench/customers?limit=20', headers})},
    {name: 'update, one action', call: update},
    {name: 'sign-in', call: () => post('/bench/login', {email: 'signs-in@example.com', password})},
  ]
}

const quantile = (times: readonly number[], part: number): string =>
  ([...times].sort((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN).toFixed(1)

/** One table: a line for each request and number of workers, their windows turn by turn. */
export async function workersTable(folder: string, counts: readonly number[]): Promise<string> {
  const cluster = await startCluster({settings: ['fsync=on']})
  if (!cluster) return 'PostgreSQL is not installed here: not measured.'
  const servers: Started[] = []
  try {
    const storeUrl = await cluster.database('bench')
    for (const workers of counts) servers.push(await started(folder, storeUrl, workers))
    const lines: string[][] = []
    for (const {name, call} of await rowsOf(servers)) {
      const windows = servers.map((server) => ({server, rates: [] as number[], times: [] as number[]}))
      for (const {server} of windows) await window(server, call)
      for (let round = 0; round < rounds; round += 1) {
        for (const {server, rates, times} of windows) {
          const measured = await window(server, call)
          rates.push(measured.rate)
          times.push(...measured.times)
        }
      }
      for (const {server, rates, times} of windows) {
        const line = [
          median(rates).toFixed(0),
          Math.max(...rates).toFixed(0),
          quantile(times, 0.5),
          quantile(times, 0.99),
        ]
        lines.push([name, String(server.workers), ...line])
        console.error(lines.at(-1)?.join('  '))
      }
    }
    const table = markdownTable(['', 'workers', 'per second', 'most', 'p50 ms', 'p99 ms'], lines)
    return `PostgreSQL, ${connections} connections at once, generator and database on the same cores\n\n${table}`
  } finally {
    for (const {child, connections: opened} of servers) {
      for (const connection of opened) connection.close()
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    await cluster.stop()
  }
}
