import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {cleanEnvironment} from '../e2e/binary.js'

const rounds = 15

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** Start-up beside bare node: medians of interleaved runs of the built binary. */
export async function bench(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const env = {...cleanEnvironment(home), FRONTDESK_DATA_DIR: join(home, 'state')}
  const run = (words: readonly string[]): number => {
    const started = performance.now()
    const {status, stderr} = spawnSync(process.execPath, words, {env, encoding: 'utf8'})
    if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`)
    return performance.now() - started
  }
  try {
    const {startServer} = await import('../../src/index.js')
    const {seedMany} = await import('./seeding.js')
    const server = await startServer({dataDir: join(home, 'state'), projectKey: 'local'})
    await seedMany(server, 1000)
    await server.stop()
    const cases: Record<string, readonly string[]> = {
      'node -e 0': ['-e', '0'],
      '--version': ['bin/run.js', '--version'],
      '--help': ['bin/run.js', '--help'],
      'deprecations list': ['bin/run.js', 'deprecations', 'list'],
      'customers get, embedded, 1,000 customers': ['bin/run.js', 'customers', 'get', 'key=bench-500'],
    }
    const times = new Map(Object.keys(cases).map((name) => [name, [] as number[]]))
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, words] of Object.entries(cases)) times.get(name)?.push(run(words))
    }
    const bare = median(times.get('node -e 0') ?? [])
    for (const [name, measured] of times) {
      console.log(
        `${name.padEnd(42)} ${median(measured).toFixed(0).padStart(5)} ms  ${(median(measured) / bare).toFixed(2)}×`,
      )
    }
  } finally {
    rmSync(home, {recursive: true, force: true})
  }
}
