import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {loadavg, tmpdir} from 'node:os'
import {join} from 'node:path'
import {cleanEnvironment} from '../e2e/binary.js'
import {type Node, nodes} from '../install/toolchain.js'

const rounds = 15
const bare = 'node -e 0'

const cases: Readonly<Record<string, readonly string[]>> = {
  [bare]: ['-e', '0'],
  '--version': ['bin/run.js', '--version'],
  '--help': ['bin/run.js', '--help'],
  'deprecations list': ['bin/run.js', 'deprecations', 'list'],
  'customers get, embedded, 1,000 customers': ['bin/run.js', 'customers', 'get', 'key=bench-500'],
}

const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b)
const median = (numbers: readonly number[]): number => sorted(numbers)[Math.floor(numbers.length / 2)] ?? 0
const least = (numbers: readonly number[]): number => sorted(numbers)[0] ?? 0

/** Processor time of a run in milliseconds, user and system: other work on the machine counts little. bash measures it. */
function cpuOf(program: string, words: readonly string[], env: NodeJS.ProcessEnv): number {
  const timed = ['-c', 'TIMEFORMAT="cpu %3U %3S"; time "$@" >/dev/null', 'bash', program, ...words]
  const {status, stderr, error} = spawnSync('bash', timed, {env, encoding: 'utf8'})
  if (error) throw error
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`)
  const [, user = '', system = ''] = /cpu ([\d.]+) ([\d.]+)\n$/.exec(stderr) ?? []
  return (Number(user) + Number(system)) * 1000
}

/** One Node's starts, interleaved, after one of each that is not counted: it keeps the compiled code. */
function measure({name, bin}: Node, env: NodeJS.ProcessEnv): void {
  const program = join(bin, 'node')
  const times = new Map(Object.keys(cases).map((title) => [title, [] as number[]]))
  for (const words of Object.values(cases)) cpuOf(program, words, env)
  for (let round = 0; round < rounds; round += 1) {
    for (const [title, words] of Object.entries(cases)) times.get(title)?.push(cpuOf(program, words, env))
  }
  const base = times.get(bare) ?? []
  for (const [title, measured] of times) {
    const [middle, smallest] = [median(measured), least(measured)]
    const ratios = `${(middle / median(base)).toFixed(2)} (of least ${(smallest / least(base)).toFixed(2)})`
    console.log(`| ${name} | ${title} | ${middle.toFixed(0)} ms | ${smallest.toFixed(0)} ms | ${ratios} |`)
  }
}

/** Start-up beside bare node, on every Node that is there: processor time of interleaved runs of the built binary. */
export async function bench(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const env = {...cleanEnvironment(home), FRONTDESK_DATA_DIR: join(home, 'state')}
  try {
    const {startServer} = await import('../../src/index.js')
    const {seedMany} = await import('./seeding.js')
    const server = await startServer({dataDir: join(home, 'state'), projectKey: 'local'})
    await seedMany(server, 1000)
    await server.stop()
    const {there, absent} = nodes()
    if (absent.length > 0) console.log(`Without ${absent.join(', ')}, which could not be fetched.`)
    console.log('| Node | What | Median | Least | Beside bare node |')
    console.log('| --- | --- | --- | --- | --- |')
    for (const node of there) measure(node, env)
    const [load = 0] = loadavg()
    if (load > 2) console.log(`The machine was busy: load ${load.toFixed(1)}.`)
  } finally {
    rmSync(home, {recursive: true, force: true})
  }
}
