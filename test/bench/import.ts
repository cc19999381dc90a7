import {once} from 'node:events'
import {existsSync, readFileSync} from 'node:fs'
import {loadavg} from 'node:os'
import {fileURLToPath} from 'node:url'
import type {RunningServer} from '../../src/index.js'
import {startCluster} from '../store/postgres/cluster.js'
import {Scratch} from './import-scratch.js'
import {circumstances, has, markdownTable, median, optionOf} from './report.js'
import {benchDraft, talk} from './seeding.js'

/**
 * Rows a second and CPU of an import, as a ratio to a loop of bare POSTs of the same bodies to a server that does nothing:
 * checked alone, into memory, files, and over HTTP into nothing, files and PostgreSQL; the first run and a second one that
 * changes nothing. Then the peak of memory for several sizes. Words: `short`, `rows=N`, `rounds=N`, `sizes=N,M`,
 * `write=FILE`.
 */

const importer = fileURLToPath(new URL('./import-process.mjs', import.meta.url))
const concurrency = 16

interface Run {
  readonly rate: number
  /** Microseconds a row, of the process that imports and of the server. */
  readonly cpu: number
  readonly serverCpu: number
  readonly peakMb: number
}

/** Ticks of a hundredth of a second: the CPU that a process used so far, in microseconds. */
function cpuOf(pid: number | undefined): number {
  const stat = pid === undefined ? '' : readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10_000
}

/** A run of the importer in a process of its own. */
async function run(scratch: Scratch, words: readonly string[], server?: number): Promise<Run> {
  const before = server === undefined ? 0 : cpuOf(server)
  const child = scratch.child([importer, ...words])
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`the import ended with ${code}`)
  const {rows, ms, cpuUs, peakMb} = JSON.parse(text) as {rows: number; ms: number; cpuUs: number; peakMb: number}
  const serverCpu = server === undefined ? 0 : (cpuOf(server) - before) / rows
  return {rate: (rows / ms) * 1000, cpu: cpuUs / rows, serverCpu, peakMb}
}

type Runs = Map<string, {readonly first: Run[]; readonly second: Run[]}>

/** One round of everything, so that all meet the same noise. */
async function round(
  scratch: Scratch,
  path: string,
  count: number,
  runs: Runs,
  url: string | undefined,
): Promise<number> {
  const noted = (name: string) => {
    const known = runs.get(name) ?? {first: [], second: []}
    runs.set(name, known)
    return known
  }
  const idle = await scratch.server('nothing')
  const bare = await bareRate(idle.server, count)
  noted('checked, and no more').first.push(await run(scratch, [path, 'check']))
  noted('into memory').first.push(await run(scratch, [path, ':memory:']))
  const files = noted('into files')
  files.first.push(await run(scratch, [path, scratch.path('state')]))
  files.second.push(await run(scratch, [path, scratch.path('state')]))
  scratch.remove('state')
  const overHttp = async (name: string, {server, stop, pid}: Awaited<ReturnType<Scratch['server']>>, again = true) => {
    const words = [path, server.apiUrl, server.client.clientId, server.client.clientSecret]
    noted(name).first.push(await run(scratch, words, pid))
    if (again) noted(name).second.push(await run(scratch, words, pid))
    await stop()
  }
  await overHttp('over HTTP into nothing, a request each', idle, false)
  await overHttp('over HTTP into files', await scratch.server(scratch.path('served')))
  scratch.remove('served')
  if (url !== undefined) await overHttp('over HTTP into PostgreSQL', await scratch.server(scratch.path('pg'), url))
  scratch.remove('pg')
  return bare
}

async function bareRate(idle: RunningServer, count: number): Promise<number> {
  const {send, load, close} = await talk(idle, concurrency)
  // The first thousand pay for what every process pays once.
  await load(1000, (at) => send('POST', '/bench/customers', benchDraft(at)))
  const ms = await load(count, (at) => send('POST', '/bench/customers', benchDraft(at)))
  await close()
  return (count / ms) * 1000
}

const shown = (numbers: readonly number[]): string =>
  numbers.length === 0 ? '' : Math.round(median(numbers)).toLocaleString('en')
const least = (numbers: readonly number[]): string => Math.round(Math.min(...numbers)).toLocaleString('en')

/** Ratios are of one round each. */
function rowOf([name, {first, second}]: [string, {first: Run[]; second: Run[]}], bare: readonly number[]): string[] {
  const ratios = first.map(({rate}, at) => rate / (bare[at] ?? Number.NaN))
  const cpu = (of: 'cpu' | 'serverCpu') =>
    `${shown(first.map((one) => one[of]))} (${least(first.map((one) => one[of]))})`
  return [
    name,
    shown(first.map(({rate}) => rate)),
    median(ratios).toFixed(2),
    Math.max(...ratios).toFixed(2),
    cpu('cpu'),
    first.some(({serverCpu}) => serverCpu > 0) ? cpu('serverCpu') : '',
    shown(second.map(({rate}) => rate)),
  ]
}

const head = ['Import', 'rows/s', 'of the bare loop', 'at best', 'CPU µs a row', 'of the server', 'second run, rows/s']

/** The peak of memory by the number of rows, into files. */
async function peaks(scratch: Scratch, sizes: readonly number[]): Promise<string> {
  const rows: string[][] = []
  for (const size of sizes) {
    const path = await scratch.rows(size)
    const [first, second] = [
      await run(scratch, [path, scratch.path('peak')]),
      await run(scratch, [path, scratch.path('peak')]),
    ]
    scratch.remove('peak')
    scratch.remove(`${size}.jsonl`)
    const of = ({peakMb, rate}: Run) => [peakMb.toFixed(0), Math.round(rate).toLocaleString('en')]
    rows.push([`${size.toLocaleString('en')} rows`, ...of(first), ...of(second)])
  }
  return markdownTable(['Into files', 'peak MB', 'rows/s', 'second run, peak MB', 'rows/s'], rows)
}

const numberOf = (words: readonly string[], name: string, otherwise: string): number[] =>
  (optionOf(words, name) ?? otherwise).split(',').map((word) => Number(word.replaceAll('_', '')))

export async function bench(words: readonly string[]): Promise<void> {
  const isShort = has(words, 'short')
  const [[count = 0], [rounds = 0], sizes] = [
    numberOf(words, 'rows', isShort ? '8000' : '10000'),
    numberOf(words, 'rounds', '3'),
    numberOf(words, 'sizes', isShort ? '10000,50000' : '20000,100000,1000000'),
  ]
  if (![count, rounds, ...sizes].every((number) => Number.isSafeInteger(number) && number > 0)) {
    console.error('Words: short, rows=N, rounds=N, sizes=N,M, write=FILE.')
    process.exitCode = 2
    return
  }
  if (!existsSync(new URL('../../dist/src/index.js', import.meta.url))) throw new Error('Run npm run build first.')
  const [load] = loadavg()
  const scratch = new Scratch()
  const cluster = await startCluster({settings: ['fsync=on']})
  try {
    const path = await scratch.rows(count)
    const runs: Runs = new Map()
    const bare: number[] = []
    for (let at = 0; at < rounds; at += 1) {
      bare.push(await round(scratch, path, count, runs, await cluster?.database(`bench${at}`)))
      console.log(`round ${at + 1} of ${rounds}`)
    }
    const bareRow = ['bare POSTs to a server that does nothing', shown(bare), '1.00', '1.00', '', '', '']
    const rates = markdownTable(head, [bareRow, ...[...runs].map((entry) => rowOf(entry, bare))])
    const about = `${count.toLocaleString('en')} rows, ${rounds} rounds: medians, the least in brackets. ${circumstances(load)}`
    console.log(`\n${about}\n\n${rates}\n\n${await peaks(scratch, sizes)}`)
  } finally {
    await cluster?.stop()
    scratch.clear()
  }
}
