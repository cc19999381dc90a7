import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {availableParallelism} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {groups} from './mutations/groups.js'
import type {Mutation} from './mutations/mutation.js'
import {sample} from './mutations/sample.js'
import {copyOfTree, root, testFilesIn, testsOf} from './mutations/tree.js'

/**
 * `npm run mutations [-- --bail] [-- WORD…]`: breaks one defence at a time, in a copy, and runs the tests against
 * it that should notice. A word picks mutations by meaning or file; `--bail` stops at the first test that notices. Ends with 1 if
 * a mutation survives, or if its text is no longer there.
 *
 * `npm run mutations -- --sample 40 --seed 7 [WORD…]` changes random places instead, as many on each floor.
 */

const timeLimitMs = 300_000
/** Of all tests that any mutation names, run once without one. */
const soundLimitMs = 6 * timeLimitMs
const workers = Math.min(availableParallelism(), 4)

const {values: options, positionals: words} = parseArgs({
  allowPositionals: true,
  options: {bail: {type: 'boolean', default: false}, sample: {type: 'string'}, seed: {type: 'string', default: '1'}},
})

interface Job extends Mutation {
  readonly tests: readonly string[]
  readonly folders: readonly string[]
}

interface Outcome {
  readonly failed: number
  readonly first: string
  readonly survived: boolean
}

const usualFolders = ['test/security', 'test/oauth', 'test/api']

const nearest = (tests: readonly string[]): string[] => tests.map((name) => `test/${name}.test.ts`)

/** All tests that the jobs may run. */
const testsFor = (jobs: readonly Job[]): string[] => [
  ...new Set(jobs.flatMap(({tests, folders}) => [...nearest(tests), ...testFilesIn(folders)])),
]

async function outcomeOf(folder: string, {file, find, replace, tests, folders}: Job): Promise<Outcome> {
  const path = join(folder, file)
  const source = readFileSync(path, 'utf8')
  const found = source.split(find).length - 1
  if (found !== 1) return {failed: 0, first: `its text stands ${found} times in ${file}`, survived: true}
  const near = nearest(tests)
  const far = testFilesIn(folders).filter((name) => !near.includes(name))
  writeFileSync(
    path,
    source.replace(find, () => replace),
  )
  try {
    for (const files of [near, far]) {
      const report = await testsOf(folder, files, {bail: options.bail, timeout: timeLimitMs})
      if (!report) return {failed: 0, first: 'the tests neither ended nor loaded', survived: true}
      const [first] = report.failures
      if (first) return {failed: report.stats.failures, first: first.fullTitle, survived: false}
    }
    return {failed: 0, first: 'SURVIVED', survived: true}
  } finally {
    writeFileSync(path, source)
  }
}

/** Each worker has a copy of its own. Throws if the tests fail without any mutation. */
async function run(jobs: readonly Job[]): Promise<number> {
  const waiting = [...jobs]
  let survivors = 0
  const work = async (folder: string): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const {failed, first, survived} = await outcomeOf(folder, next)
      if (survived) survivors += 1
      console.log(`${survived ? '✘' : '✔'} ${next.meaning.padEnd(58)} ${String(failed).padStart(4)}  ${first}`)
    }
  }
  const folders = Array.from({length: Math.min(workers, jobs.length)}, copyOfTree)
  try {
    const sound = await testsOf(folders[0] ?? root, testsFor(jobs), {bail: false, timeout: soundLimitMs})
    if (sound?.stats.failures !== 0) {
      throw new Error(`without a mutation: ${sound?.failures.map(({fullTitle}) => fullTitle).join(', ') ?? 'no end'}`)
    }
    console.log(`${sound.stats.tests} tests pass without a mutation; ${jobs.length} mutations follow`)
    await Promise.all(folders.map(work))
  } finally {
    for (const folder of folders) rmSync(folder, {recursive: true, force: true})
  }
  return survivors
}

const all = groups.flatMap(({tests, mutations, folders = usualFolders}) =>
  mutations.map((mutation): Job => ({...mutation, tests, folders})),
)
const isChosen = ({meaning, file}: Job) =>
  words.length === 0 || words.some((word) => `${file} ${meaning}`.includes(word))
if (options.sample !== undefined) {
  await sample({count: Number(options.sample), seed: Number(options.seed), words})
} else {
  const chosen = all.filter(isChosen)
  if (chosen.length === 0) throw new Error('no mutation has one of these words in its meaning or file')
  const survivors = await run(chosen)
  console.log(`${chosen.length - survivors} of ${chosen.length} mutations were noticed`)
  process.exitCode = survivors === 0 ? 0 : 1
}
