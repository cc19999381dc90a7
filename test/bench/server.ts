import {existsSync, mkdtempSync, rmSync} from 'node:fs'
import {loadavg, tmpdir} from 'node:os'
import {join} from 'node:path'
import {startCluster} from '../store/postgres/cluster.js'
import {benchDraft} from './seeding.js'
import type {Call} from './server-connection.js'
import {Subject, type Window} from './server-load.js'

/**
 * CPU of the server's process for each request, and requests a second, as ratios to a bare `node:http` server that
 * answers the same number of bytes. Words: the stores (files, memory, postgres), then numbers of customers, then
 * `only=TEXT` for the rows whose name holds the text, `rounds=N`, `ms=N`.
 */

const connections = 10

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

interface Row {
  readonly name: string
  readonly call: () => Call
}

const password = 'a password of the bench'

/** Everything that is measured, against a state of so many customers. */
async function rowsOf(subject: Subject, customers: number): Promise<Row[]> {
  const basic = `Basic ${Buffer.from(`${subject.client.clientId}:${subject.client.clientSecret}`).toString('base64')}`
  const form = {authorization: basic, 'content-type': 'application/x-www-form-urlencoded'}
  const tokenCall: Call = {method: 'POST', path: '/oauth/token', body: 'grant_type=client_credentials', headers: form}
  const {access_token: token} = JSON.parse(await subject.ask(tokenCall)) as {access_token: string}
  const headers = {authorization: `Bearer ${token}`}
  const post = (path: string, body: object): Call => ({method: 'POST', path, body: JSON.stringify(body), headers})
  const get = (path: string): Call => ({method: 'GET', path, headers})
  function* drafts(): Generator<Call> {
    for (let at = 0; at < customers; at += 1) yield post('/bench/customers', benchDraft(at))
  }
  await subject.all(drafts())
  await subject.ask(
    post('/bench/customers', {email: 'signs-in@example.com', key: 'signs-in', password, firstName: 'Ada'}),
  )
  const {results} = JSON.parse(await subject.ask(get('/bench/customers?limit=500'))) as {results: {id: string}[]}
  let turn = 0
  const next = (): number => {
    turn += 1
    return (turn * 7919) % customers
  }
  // Each connection would otherwise meet the version of another one.
  const versions = new Map<number, number>()
  const update = (): Call => {
    const at = turn % customers
    turn += 1
    const version = versions.get(at) ?? 1
    versions.set(at, version + 1)
    const actions = [{action: 'setFirstName', firstName: `Name ${turn}`}]
    return post(`/bench/customers/key=bench-${at}`, {version, actions})
  }
  let born = 0
  const run = Date.now().toString(36)
  const create = (more: object): Call => {
    born += 1
    const name = `new-${run}-${born}`
    return post('/bench/customers', {
      ...benchDraft(born),
      email: `${name}@example.com`,
      key: name,
      customerNumber: name,
      ...more,
    })
  }
  const where = (): string => encodeURIComponent(`email="bench-${next()}@example.com"`)
  return [
    {name: 'GET by id', call: () => get(`/bench/customers/${results[next() % results.length]?.id}`)},
    {name: 'GET by key', call: () => get(`/bench/customers/key=bench-${next()}`)},
    {name: 'GET where email=', call: () => get(`/bench/customers?where=${where()}`)},
    {name: 'GET page of 20', call: () => get('/bench/customers?limit=20')},
    {name: 'GET page of 500', call: () => get('/bench/customers?limit=500')},
    {name: 'update, one action', call: update},
    {name: 'create without password', call: () => create({})},
    {name: 'create with password', call: () => create({authenticationMode: 'Password', password})},
    {name: 'token by client credentials', call: () => tokenCall},
    {
      name: 'introspection',
      call: () => ({method: 'POST', path: '/oauth/introspect', body: `token=${token}`, headers: form}),
    },
    {name: 'sign-in', call: () => post('/bench/login', {email: 'signs-in@example.com', password})},
  ]
}

interface Options {
  readonly rounds: number
  readonly ms: number
  readonly only: string
}

/** Windows of the row and of the bare server turn by turn, so that both meet the same noise. */
async function measured(subject: Subject, bare: Subject, {call}: Row, {rounds, ms}: Options) {
  const {length} = Buffer.from(await subject.ask(call()))
  const empty = (): Call => ({method: 'GET', path: `/${length}`})
  await subject.window(ms, call)
  await bare.window(ms / 4, empty)
  const own: Window[] = []
  const others: Window[] = []
  for (let round = 0; round < rounds; round += 1) {
    others.push(await bare.window(ms / 2, empty))
    own.push(await subject.window(ms, call))
  }
  const cpu = own.map((window) => window.cpu)
  const bareCpu = others.map((window) => window.cpu)
  return {
    cpu: median(cpu),
    least: Math.min(...cpu),
    bare: median(bareCpu),
    ratio: median(cpu.map((value, at) => value / (bareCpu[at] ?? Number.NaN))),
    leastRatio: Math.min(...cpu) / Math.min(...bareCpu),
    rate: median(own.map((window) => window.rate)),
  }
}

const cell = (value: number, digits = 0): string => value.toFixed(digits).padStart(8)

async function table(title: string, subject: Subject, bare: Subject, customers: number, options: Options) {
  const rows = (await rowsOf(subject, customers)).filter(({name}) => name.includes(options.only))
  console.log(`\n${title}, ${customers.toLocaleString('en')} customers`)
  console.log(`${''.padEnd(30)}   µs CPU    least     bare  × bare    least       /s`)
  for (const row of rows) {
    const profiles = process.env['BENCH_PROFILE']
    const file = profiles && join(profiles, `${title} ${customers} ${row.name}.cpuprofile`.replaceAll(' ', '-'))
    if (file) await subject.profile(file)
    const {cpu, least, bare: floor, ratio, leastRatio, rate} = await measured(subject, bare, row, options)
    const numbers = [cell(cpu), cell(least), cell(floor), cell(ratio, 1), cell(leastRatio, 1), cell(rate)].join(' ')
    console.log(`${row.name.padEnd(30)} ${numbers}`)
    if (file) await subject.profile(file)
  }
  console.log(`resident memory ${(await subject.memory()).toFixed(0)} MB`)
}

const stores = ['files', 'memory', 'postgres']

export async function bench(words: readonly string[]): Promise<void> {
  const option = (name: string): string | undefined =>
    words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
  const chosen = words.filter((word) => stores.includes(word))
  const counts = words.filter((word) => /^[\d_]+$/.test(word)).map((word) => Number(word.replaceAll('_', '')))
  const options = {rounds: Number(option('rounds') ?? 5), ms: Number(option('ms') ?? 600), only: option('only') ?? ''}
  if (!existsSync(new URL('../../dist/src/index.js', import.meta.url))) throw new Error('Run npm run build first.')
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const bare = await Subject.started(connections, 'bare')
  const measure = async (title: string, customers: number, ...place: readonly string[]): Promise<void> => {
    const subject = await Subject.started(connections, ...place)
    await table(title, subject, bare, customers, options).finally(() => subject.stop())
  }
  const [busy = 0] = loadavg()
  if (busy > 0.5) console.log(`The machine was busy before: load ${busy.toFixed(1)}. Compare ratios only.`)
  try {
    for (const customers of counts.length > 0 ? counts : [1_000, 100_000]) {
      for (const store of chosen.length > 0 ? chosen : stores) {
        const dir = join(folder, `${store}-${customers}`)
        if (store === 'files') await measure('Files', customers, dir)
        else if (store === 'memory') await measure('Memory', customers, ':memory:')
        else {
          const cluster = await startCluster({settings: ['fsync=on']})
          if (!cluster) console.log('\nPostgreSQL is not installed here: not measured.')
          else
            await measure('PostgreSQL', customers, dir, await cluster.database('bench')).finally(() => cluster.stop())
        }
      }
    }
  } finally {
    await bare.stop()
    rmSync(folder, {recursive: true, force: true})
  }
}
