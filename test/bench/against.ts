import {execFileSync} from 'node:child_process'
import {existsSync, mkdtempSync, rmSync} from 'node:fs'
import {loadavg, tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {circumstances, markdownTable, median, optionOf} from './report.js'
import {warmedUp} from './server.js'
import {Subject} from './server-load.js'
import {rowsOf} from './server-rows.js'

/**
 * CPU of the server for each request, of this build and of another commit's, in turns: `COMMIT`, which is installed and
 * built in a folder of its own, or `built=FOLDER` of a checkout that is. Words: `rounds=N`, `customers=N`, `only=TEXT`. A
 * ratio above 1 is dearer than the other commit. With `gate` a path that became a tenth dearer, and is so when it is
 * measured again, is a failure, unless the message of a commit since then says why: `cost: …`.
 */

const connections = 10
const windowMs = 300
const here = fileURLToPath(new URL('../..', import.meta.url))

/** A checkout of the commit, installed and built. */
function builtAt(folder: string, commit: string): string {
  const run = (command: string, args: readonly string[], cwd: string): void => {
    execFileSync(command, [...args], {cwd, stdio: ['ignore', 'ignore', 'inherit']})
  }
  const checkout = join(folder, 'checkout')
  run('git', ['clone', '--quiet', '--no-checkout', here, checkout], folder)
  run('git', ['checkout', '--quiet', commit], checkout)
  // Builds it too, as `prepare`.
  run('npm', ['ci', '--no-audit', '--no-fund'], checkout)
  return checkout
}

type Pairs = readonly (readonly [now: number, before: number])[]

const ratioOf = (pairs: Pairs): number => median(pairs.map(([now, before]) => now / before))

/** A tenth in the middle, and dearer at all in three of four pairs: what else runs on the machine comes and goes. */
const isDearer = (pairs: Pairs): boolean =>
  ratioOf(pairs) >= 1.1 && pairs.filter(([now, before]) => now > before).length * 4 >= pairs.length * 3

/** Fails for dearer paths that no commit since then gives a reason for. */
function tell(dearer: readonly string[], commit: string): void {
  const log = execFileSync('git', ['log', '--format=%B', `${commit}..HEAD`], {cwd: here, encoding: 'utf8'})
  const reasons = log.split('\n').filter((line) => /^cost: \S/.test(line))
  console.log(`\nA tenth dearer than ${commit}: ${dearer.join('; ')}.`)
  if (reasons.length > 0) console.log(reasons.join('\n'))
  else {
    console.log("Mend it, or say in the commit's message why it is worth that: a line 'cost: …'.")
    process.exitCode = 1
  }
}

export async function bench(words: readonly string[]): Promise<void> {
  const [commit] = words.filter((word) => !word.includes('=') && word !== 'gate')
  const built = optionOf(words, 'built')
  if ((commit === undefined) === (built === undefined)) throw new Error('Name a commit, or built=FOLDER.')
  if (!existsSync(join(here, 'dist/lib/index.mjs'))) throw new Error('Run npm run build first.')
  const numberOf = (name: string, otherwise: number): number => Number(optionOf(words, name) ?? otherwise)
  const [rounds, customers, only] = [numberOf('rounds', 15), numberOf('customers', 1000), optionOf(words, 'only') ?? '']
  const isGate = words.includes('gate')
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-against-'))
  const subjects: Subject[] = []
  const started = async (checkout: string, name: string) => {
    const subject = await Subject.of(connections, join(checkout, 'test/bench/server-process.mjs'), [join(folder, name)])
    subjects.push(subject)
    return {subject, rows: (await rowsOf(subject, customers)).filter((row) => !row.isSlow && row.name.includes(only))}
  }
  try {
    const theirs = await started(built ?? builtAt(folder, commit ?? ''), 'theirs')
    const ours = await started(here, 'ours')
    const note = circumstances(loadavg()[0])
    const cells: string[][] = []
    const dearer: string[] = []
    for (const [at, {name, call}] of ours.rows.entries()) {
      const other = theirs.rows[at]
      if (!other) continue
      await warmedUp(ours.subject, call)
      await warmedUp(theirs.subject, other.call)
      const inTurns = async (times: number): Promise<Pairs> => {
        const pairs: [number, number][] = []
        for (let round = 0; round < times; round += 1) {
          const {cpu: before} = await theirs.subject.window(windowMs, other.call)
          pairs.push([(await ours.subject.window(windowMs, call)).cpu, before])
        }
        return pairs
      }
      let pairs = await inTurns(rounds)
      if (isGate && isDearer(pairs)) pairs = await inTurns(2 * rounds)
      if (isGate && isDearer(pairs)) dearer.push(name)
      const numbers = [1, 0].map((index) => median(pairs.map((pair) => pair[index] ?? Number.NaN)).toFixed(0))
      cells.push([name, ...numbers, ratioOf(pairs).toFixed(2)])
      console.error(cells.at(-1)?.join('  '))
    }
    console.log(`\n${note}\n\n${markdownTable(['', 'before, µs CPU', 'now', 'median of the pairs'], cells)}`)
    if (dearer.length > 0) tell(dearer, commit ?? 'HEAD')
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()))
    rmSync(folder, {recursive: true, force: true})
  }
}
