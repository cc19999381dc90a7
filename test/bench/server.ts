import {existsSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {loadavg, tmpdir} from 'node:os'
import {join} from 'node:path'
import {citusCluster, isOnCitus} from '../store/postgres/citus.js'
import {startPostgres} from '../store/postgres/cluster.js'
import {circumstances, has, markdownTable, median, optionOf} from './report.js'
import type {Call} from './server-connection.js'
import {Subject, type Window} from './server-load.js'
import {type Row, rowsOf} from './server-rows.js'

/**
 * CPU of the server's process for each request, and requests a second, as ratios to a bare `node:http` server that
 * answers the same number of bytes. Words: the stores (files, memory, postgres, and
 * citus by project where FRONTDESK_CITUS has ports as in test/store/postgres/citus.ts), numbers of customers, `only=TEXT` for
 * the rows whose name holds the text, `rounds=N`, `ms=N`; `short` for the quicker half. With
 * BENCH_PROFILE=FOLDER, V8's profile of the server for each row goes there.
 */

const connections = 10
const warmMs = 400
/** V8 compiles what a write takes for up to five seconds; then windows stop getting cheaper. */
const warmWindows = {least: 3, most: 14}

interface Options {
  readonly rounds: number
  readonly ms: number
  readonly only: string
}

/** Sends requests until V8 has compiled what they take: until two windows in a row were hardly cheaper than any before. */
export async function warmedUp(subject: Subject, call: () => Call): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  let settled = 0
  for (let turn = 1; turn <= warmWindows.most; turn += 1) {
    const {cpu} = await subject.window(warmMs, call)
    settled = cpu > least * 0.97 ? settled + 1 : 0
    least = Math.min(least, cpu)
    if (settled >= 2 && turn >= warmWindows.least) return
  }
}

/** Windows of the row and of the bare server turn by turn, so that both meet the same noise. */
async function measured(subject: Subject, bare: Subject, {call, isSlow}: Row, {rounds, ms}: Options) {
  const {length} = Buffer.from(await subject.ask(call()))
  const empty = (): Call => ({method: 'GET', path: `/${length}`})
  if (isSlow) await subject.window(warmMs, call)
  else await warmedUp(subject, call)
  await bare.window(warmMs, empty)
  const count = isSlow ? Math.min(rounds, 3) : rounds
  const own: Window[] = []
  const others: Window[] = []
  for (let round = 0; round < count; round += 1) {
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

const head = ['', 'aim', '× bare', 'least', 'µs CPU', 'least', 'bare', 'per second']

async function measuredRows(title: string, subject: Subject, bare: Subject, customers: number, options: Options) {
  const rows = (await rowsOf(subject, customers)).filter(({name}) => name.includes(options.only))
  const cells: string[][] = []
  for (const row of rows) {
    const profiles = process.env['BENCH_PROFILE']
    const file = profiles && join(profiles, `${title} ${customers} ${row.name}.cpuprofile`.replaceAll(' ', '-'))
    if (file) await subject.profile(file)
    const {cpu, least, bare: floor, ratio, leastRatio, rate} = await measured(subject, bare, row, options)
    const numbers = [cpu, least, floor, rate].map((value) => value.toFixed(0))
    cells.push([
      row.name,
      row.aim === undefined ? '' : `≤ ${row.aim}`,
      ratio.toFixed(1),
      leastRatio.toFixed(1),
      ...numbers,
    ])
    console.error(`${title}, ${customers}: ${cells.at(-1)?.join('  ')}`)
    if (file) await subject.profile(file)
  }
  const memory = `resident memory ${(await subject.memory()).toFixed(0)} MB`
  return `${title}, ${customers.toLocaleString('en')} customers; ${memory}\n\n${markdownTable(head, cells)}`
}

const stores = ['files', 'memory', 'postgres', ...(isOnCitus ? ['citus'] : [])]

export async function bench(words: readonly string[]): Promise<void> {
  const isShort = has(words, 'short')
  const chosen = words.filter((word) => stores.includes(word))
  const counts = words.filter((word) => /^[\d_]+$/.test(word)).map((word) => Number(word.replaceAll('_', '')))
  const options = {
    rounds: Number(optionOf(words, 'rounds') ?? (isShort ? 12 : 25)),
    ms: Number(optionOf(words, 'ms') ?? (isShort ? 100 : 200)),
    only: optionOf(words, 'only') ?? '',
  }
  if (!existsSync(new URL('../../dist/lib/index.mjs', import.meta.url))) throw new Error('Run npm run build first.')
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const bare = await Subject.started(connections, 'bare')
  const measure = async (title: string, customers: number, ...place: readonly string[]): Promise<void> => {
    const subject = await Subject.started(connections, ...place)
    tables.push(await measuredRows(title, subject, bare, customers, options).finally(() => subject.stop()))
  }
  const profiles = process.env['BENCH_PROFILE']
  if (profiles) mkdirSync(profiles, {recursive: true})
  const tables: string[] = []
  const note = circumstances(loadavg()[0])
  try {
    for (const customers of counts.length > 0 ? counts : [1_000, 100_000]) {
      // Most of the time goes into filling the large states.
      const isQuick = isShort && customers > 10_000
      for (const store of chosen.length > 0 ? chosen : isQuick ? ['files'] : stores) {
        const dir = join(folder, `${store}-${customers}`)
        if (store === 'files') await measure('Files', customers, dir)
        else if (store === 'memory') await measure('Memory', customers, ':memory:')
        else {
          const cluster = store === 'citus' ? citusCluster() : await startPostgres({settings: ['fsync=on']})
          if (!cluster) tables.push('PostgreSQL is not installed here: not measured.')
          else await measure(store, customers, dir, await cluster.database('bench')).finally(() => cluster.stop())
        }
      }
    }
  } finally {
    await bare.stop()
    rmSync(folder, {recursive: true, force: true})
  }
  console.log(`\n${[note, ...tables].join('\n\n')}`)
}
