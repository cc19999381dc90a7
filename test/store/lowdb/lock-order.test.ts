import {expect} from 'chai'
import {StateError} from '../../../src/domain/errors.js'
import {seededRandom} from '../../../src/server/http/faults.js'
import {type Holder, isUnreadable, Lock} from '../../../src/store/lowdb/folder/lock.js'
import {FakeDisk} from './fake-disk.js'

const holder = (nonce: string): Holder => ({
  pid: 1,
  startTime: nonce,
  bootId: 'b',
  host: 'h',
  namespace: 'n',
  nonce,
  purpose: 'one-shot',
})

/** What may happen next: an actor makes its next call, or dies before it. */
interface Step {
  readonly actor: number
  readonly dies: boolean
}

interface World {
  readonly actors: number
  /** Nonces of processes that ended without removing what they had. */
  readonly dead: readonly string[]
  readonly disk: () => FakeDisk
  readonly deaths: number
  /** Whether a winner gives the lock back at once. */
  readonly releases: boolean
}

interface Outcome {
  readonly winners: number
  readonly deaths: number
  /** How many choices there were at each step. */
  readonly widths: readonly number[]
}

/** Plays one order of events, given by a choice at each step, and fails when two hold the lock at once. */
async function play(world: World, choose: (step: number, width: number) => number): Promise<Outcome> {
  const disk = world.disk()
  const dead = new Set(world.dead)
  const waiting = new Map<number, () => void>()
  const holders = new Set<number>()
  let winners = 0
  let deaths = 0
  const actor = async (number: number): Promise<void> => {
    const gate = (): Promise<void> => new Promise((resolve) => waiting.set(number, resolve))
    const files = disk.files(gate)
    // A file that names nobody and has no socket beside it has a dead maker.
    const liveness = (other: Holder) => (isUnreadable(other) || dead.has(other.nonce) ? 'dead' : 'alive')
    const request = {files, liveness, purpose: 'one-shot', nonce: `actor${number}`, timeoutMs: 0} as const
    const lock = await Lock.acquire('/d', request).catch((error: unknown) => {
      if (error instanceof StateError && error.code === 'StateLocked') return undefined
      throw error
    })
    if (!lock) return
    winners += 1
    holders.add(number)
    expect(holders.size, 'holders at once').to.equal(1)
    if (!world.releases) return
    await gate()
    holders.delete(number)
    await lock.release()
  }
  const ended = Array.from({length: world.actors}, (_, number) => actor(number))
  let broken: Error | undefined
  for (const promise of ended) promise.catch((error: Error) => (broken ??= error))
  const widths: number[] = []
  for (;;) {
    await new Promise(setImmediate)
    if (broken) throw broken
    const steps = [...waiting.keys()].sort().flatMap((number): Step[] => {
      const goes = {actor: number, dies: false}
      return deaths < world.deaths ? [goes, {actor: number, dies: true}] : [goes]
    })
    const step = steps[choose(widths.length, steps.length)]
    if (!step) break
    widths.push(steps.length)
    const go = waiting.get(step.actor)
    waiting.delete(step.actor)
    if (step.dies) {
      deaths += 1
      dead.add(`actor${step.actor}`)
      holders.delete(step.actor)
    } else go?.()
  }
  return {winners, deaths, widths}
}

/** Every order of events, each once; returns how many there were. */
async function playAll(world: World, check: (outcome: Outcome) => void): Promise<number> {
  let path: number[] = []
  for (let count = 1; ; count += 1) {
    const choices = path
    const outcome = await play(world, (step, width) => (width === 0 ? -1 : (choices[step] ?? 0)))
    check(outcome)
    const taken = outcome.widths.map((_, step) => choices[step] ?? 0)
    while (taken.length > 0 && (taken.at(-1) ?? 0) + 1 >= (outcome.widths[taken.length - 1] ?? 0)) taken.pop()
    if (taken.length === 0) return count
    path = [...taken.slice(0, -1), (taken.at(-1) ?? 0) + 1]
  }
}

function diskWith(files: Readonly<Record<string, Holder>>): () => FakeDisk {
  return () => {
    const disk = new FakeDisk()
    let inode = 1000
    for (const [name, content] of Object.entries(files)) {
      disk.names.set(`/d/${name}`, {content: Buffer.from(JSON.stringify(content)), inode: inode++})
    }
    return disk
  }
}

describe('store · lock, in every order of events', () => {
  const dead = ['old']
  const stale = diskWith({LOCK: holder('old')})
  const oneWins = ({winners, deaths}: Outcome): void => {
    if (deaths === 0) expect(winners, 'winners').to.be.at.least(1)
  }

  it('gives a free lock to one of two', async () => {
    const world = {actors: 2, dead: [], disk: diskWith({}), deaths: 0, releases: false}
    expect(await playAll(world, oneWins)).to.be.greaterThan(10)
  })

  it('gives the lock of a dead holder to one of two', async () => {
    const world = {actors: 2, dead, disk: stale, deaths: 0, releases: false}
    expect(await playAll(world, oneWins)).to.be.greaterThan(200)
  })

  for (const [name, world] of [
    ['a free lock', {actors: 3, dead: [], disk: diskWith({}), deaths: 1, releases: true}],
    ['the lock of a dead holder', {actors: 3, dead, disk: stale, deaths: 1, releases: true}],
    [
      'a lock of which the taker died as well',
      {
        actors: 3,
        dead: ['old', 't'],
        disk: diskWith({
          LOCK: holder('old'),
          'LOCK.old': holder('t'),
        }),
        deaths: 1,
        releases: true,
      },
    ],
  ] as const) {
    it(`lets at most one of three hold ${name}, of whom one may die and each gives it back`, async () => {
      for (let seed = 1; seed <= 1500; seed += 1) {
        const next = seededRandom(seed)
        try {
          oneWins(await play(world, (_, width) => Math.floor(next() * width)))
        } catch (error) {
          throw new Error(`seed ${seed}`, {cause: error})
        }
      }
    })
  }
})
