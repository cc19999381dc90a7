import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {cleanEnvironment} from '../e2e/binary.js'
import {type Node, nodes} from '../install/toolchain.js'
import {circumstances, has, markdownTable, median, optionOf} from './report.js'

const bare = 'node -e 0'
const get = 'customers get, 1,000 customers'

const cases: Readonly<Record<string, readonly string[]>> = {
  [bare]: ['-e', '0'],
  '--version': ['bin/run.js', '--version'],
  '--help': ['bin/run.js', '--help'],
  'deprecations list': ['bin/run.js', 'deprecations', 'list'],
  [get]: ['bin/run.js', 'customers', 'get', 'key=bench-500'],
}

const least = (numbers: readonly number[]): number => Math.min(...numbers)

/** Processor time of a run in milliseconds, user and system: other work on the machine counts little. bash measures it. */
export function cpuOf(program: string, words: readonly string[], env: NodeJS.ProcessEnv): number {
  const timed = ['-c', 'TIMEFORMAT="cpu %3U %3S"; time "$@" >/dev/null', 'bash', program, ...words]
  const {status, stderr, error} = spawnSync('bash', timed, {env, encoding: 'utf8'})
  if (error) throw error
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`)
  const [, user = '', system = ''] = /cpu ([\d.]+) ([\d.]+)\n$/.exec(stderr) ?? []
  return (Number(user) + Number(system)) * 1000
}

/** A row for one Node: its starts, interleaved, after one of each that is not counted: it keeps the compiled code. */
function measure({name, bin}: Node, env: NodeJS.ProcessEnv, rounds: number): string[] {
  const program = join(bin, 'node')
  const times = new Map(Object.keys(cases).map((title) => [title, [] as number[]]))
  for (const words of Object.values(cases)) cpuOf(program, words, env)
  for (let round = 0; round < rounds; round += 1) {
    for (const [title, words] of Object.entries(cases)) times.get(title)?.push(cpuOf(program, words, env))
  }
  const base = times.get(bare) ?? []
  const others = [...times].filter(([title]) => title !== bare)
  return [
    name,
    `${median(base).toFixed(0)} ms (${least(base).toFixed(0)})`,
    ...others.map(([, all]) => `${(median(all) / median(base)).toFixed(2)} (${(least(all) / least(base)).toFixed(2)})`),
  ]
}

/** The customer that the last case reads: a start that finds nothing would be quick and would show nothing. */
function checkFound(env: NodeJS.ProcessEnv): void {
  const {status, stdout} = spawnSync(process.execPath, [...(cases[get] ?? []), '--json'], {env, encoding: 'utf8'})
  if (status === 0 && stdout.includes('bench-500@example.com')) return
  throw new Error(`customers get ended with ${status}: ${stdout}`)
}

/**
 * Start-up beside bare node, on every Node that is there: processor time of interleaved runs of the built binary, as
 * ratios of medians and, in brackets, of the least; the aim is decision 54. Words: `rounds=N`, `short`.
 */
export async function bench(words: readonly string[]): Promise<void> {
  const rounds = Number(optionOf(words, 'rounds') ?? (has(words, 'short') ? 10 : 25))
  const home = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const env = {...cleanEnvironment(home), FRONTDESK_DATA_DIR: join(home, 'state')}
  const note = circumstances()
  try {
    const {startServer} = await import('../../src/index.js')
    const {seedMany} = await import('./seeding.js')
    const server = await startServer({dataDir: join(home, 'state'), projectKey: 'local'})
    await seedMany(server, 1000)
    await server.stop()
    checkFound(env)
    const {there, absent} = nodes()
    const rows = there.map((node) => measure(node, env, rounds))
    const head = ['Node', ...Object.keys(cases).map((title) => (title === bare ? 'bare' : title))]
    const missing = absent.length > 0 ? [`Without ${absent.join(', ')}, which could not be fetched.`] : []
    console.log(`\n${[note, ...missing, markdownTable(head, rows)].join('\n\n')}`)
  } finally {
    rmSync(home, {recursive: true, force: true})
  }
}
