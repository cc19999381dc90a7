import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {randomOf} from '../../fuzz/random.js'
import {type Place, placesOf} from './places.js'
import {copyOfTree, root, testFilesIn, testsOf} from './tree.js'

/**
 * Changes random places of the sources, one at a time and as many on each floor, and runs the tests nearest to each. A
 * survivor is a question, not a fault yet: the change may make no difference, or a test further away notices it.
 */

const timeLimitMs = 150_000
const mostTestFiles = 30

/** Test files that fail in a copy without any change, such as those of what is built. */
const unsound = new Set<string>()

interface Change extends Place {
  readonly file: string
}

const verdicts = ['noticed', 'survived', 'did not end'] as const
type Verdict = (typeof verdicts)[number]

const floorOf = (file: string): string => file.split('/')[file.startsWith('src/') ? 1 : 0] ?? file

/** Floors in turns, so that a run that is ended early is a sample of all of them. */
function chosen({count, seed, words}: {count: number; seed: number; words: readonly string[]}): Change[] {
  const floors = new Map<string, Change[]>()
  for (const folder of ['src', 'commands']) {
    for (const name of readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'}).sort()) {
      const file = `${folder}/${name}`
      if (!file.endsWith('.ts') || !(words.length === 0 || words.some((word) => file.includes(word)))) continue
      const places = placesOf(readFileSync(join(root, file), 'utf8')).map((place) => ({...place, file}))
      floors.set(floorOf(file), [...(floors.get(floorOf(file)) ?? []), ...places])
    }
  }
  const random = randomOf(seed, 0)
  const changes: Change[] = []
  while (changes.length < count && [...floors.values()].some((places) => places.length > 0)) {
    for (const places of floors.values()) changes.push(...places.splice(random.below(places.length), 1))
  }
  return changes.slice(0, count)
}

const allTests = testFilesIn(['test'])
const textOf = new Map(allTests.map((test) => [test, readFileSync(join(root, test), 'utf8')]))

/** Tests that import the file, those with its name, then those of its room, or of what is around it where the room has none. */
function testsNear(file: string): string[] {
  const imported = `/${file.replace(/\.ts$/, ".js'")}`
  const direct = allTests.filter((test) => textOf.get(test)?.includes(imported))
  const named = allTests.filter((test) => basename(test) === basename(file).replace(/\.ts$/, '.test.ts'))
  let room = dirname(file)
    .replace(/^src/, 'test')
    .replace(/^commands/, 'test/cli')
  while (room !== 'test' && !allTests.some((test) => test.startsWith(`${room}/`))) room = dirname(room)
  return [
    ...new Set([...direct, ...named, ...allTests.filter((test) => room !== 'test' && test.startsWith(`${room}/`))]),
  ]
}

/** A test notices a change if it fails with it and passes without. */
async function judged(folder: string, {file, start, end, replacement}: Change): Promise<[Verdict, string]> {
  const source = readFileSync(join(root, file), 'utf8')
  const limits = {bail: true, timeout: timeLimitMs}
  let tests = testsNear(file)
    .filter((test) => !unsound.has(test))
    .slice(0, mostTestFiles)
  while (tests.length > 0) {
    writeFileSync(join(folder, file), source.slice(0, start) + replacement + source.slice(end))
    const report = await testsOf(folder, tests, limits)
    writeFileSync(join(folder, file), source)
    if (!report) return ['did not end', '']
    const [first] = report.failures
    if (!first) break
    const failing = first.file.slice(first.file.lastIndexOf('/test/') + 1)
    const sound = await testsOf(folder, [failing], limits)
    if (sound?.stats.failures === 0) return ['noticed', first.fullTitle]
    unsound.add(failing)
    tests = tests.filter((test) => test !== failing)
  }
  return ['survived', `${tests.length} test files`]
}

/** Prints every change with its verdict, then the rate of each floor. */
export async function sample(asked: {count: number; seed: number; words: readonly string[]}): Promise<void> {
  const rates = new Map<string, Record<Verdict, number>>()
  const folder = copyOfTree()
  try {
    for (const change of chosen(asked)) {
      const {file, line, what} = change
      const [verdict, by] = await judged(folder, change)
      const rate = rates.get(floorOf(file)) ?? {noticed: 0, survived: 0, 'did not end': 0}
      rate[verdict] += 1
      rates.set(floorOf(file), rate)
      console.log(`${verdict.padEnd(12)} ${file}:${line}  ${what}  ${by}`)
    }
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
  for (const [floor, rate] of rates) {
    console.log(`${floor.padEnd(12)} ${verdicts.map((verdict) => `${verdict} ${rate[verdict]}`).join(', ')}`)
  }
}
