import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {latestJob} from '../../../src/cli/bulk/jobs.js'
import type {ResolvedTarget} from '../../../src/cli/target/target.js'
import type {Client} from '../../../src/client/client.js'
import {seededRandom} from '../../../src/server/http/faults.js'
import {importCustomers} from '../../../src/transfer/import.js'
import {readJob} from '../../../src/transfer/jobs/jobs.js'
import {undoJob} from '../../../src/transfer/undo.js'
import {rounds} from '../../rounds.js'
import {quickRuntime, shop} from '../desk.js'
import {scratch} from '../scratch.js'

/**
 * Chains of imports and undos of one target, each of which may be killed at a request, with clocks that jump and marks that
 * cannot be put back. The model is what the target had when each run began.
 */

const target = 'http://shop.test'
const resolved = {target: {kind: 'remote', apiUrl: target, projectKey: 'shop'}} as ResolvedTarget
const people = 6

class Killed extends Error {}

/** A process that is killed at one of its writes, before it is sent or before its answer comes. */
function killable(client: Client, dir: string, at: number) {
  const copy = `${dir}.killed`
  let [writes, isDead] = [0, false]
  const die = (): never => {
    if (!isDead && existsSync(dir)) cpSync(dir, copy, {recursive: true})
    isDead = true
    throw new Killed('killed')
  }
  const call: Client['call'] = async (operation, ...more) => {
    if (isDead) return die()
    if (operation.method === 'GET') return client.call(operation, ...more)
    writes += 1
    if (writes === at) return die()
    const answer = await client.call(operation, ...more)
    if (writes === at - 0.5 || isDead) return die()
    return answer
  }
  return {
    client: new Proxy(client, {get: (all, name) => (name === 'call' ? call : Reflect.get(all, name))}),
    /** Brings the folder to what it was at the kill; returns whether there was one. */
    restart(): boolean {
      if (isDead) {
        rmSync(dir, {recursive: true, force: true})
        if (existsSync(copy)) cpSync(copy, dir, {recursive: true})
        rmSync(copy, {recursive: true, force: true})
        mkdirSync(dir, {recursive: true})
        for (const name of readdirSync(dir).filter((each) => each.endsWith('.lock'))) rmSync(join(dir, name))
        // The process that wrote them is this one, which goes on.
        for (const name of readdirSync(dir).filter((each) => each.endsWith('.jsonl'))) {
          const text = readFileSync(join(dir, name), 'utf8')
          writeFileSync(join(dir, name), text.replace(/^\{"run":.*\n/gm, ''))
        }
      }
      return isDead
    },
  }
}

describe('transfer · chains of runs and undos', function () {
  this.timeout(3_600_000)
  const files = scratch()
  const desk = shop()

  /** The names of customers by key. */
  const now = async (prefix: string): Promise<ReadonlyMap<string, string | undefined>> =>
    new Map(
      (await desk().customers())
        .filter(({key}) => key?.startsWith(prefix))
        .map(({key = '', firstName}) => [key, firstName] as const),
    )

  async function chain(seed: number): Promise<void> {
    const random = seededRandom(seed)
    const below = (most: number) => Math.floor(random() * most)
    const prefix = `c${seed}-`
    const dir = files.path(`jobs-${seed}`)
    mkdirSync(dir)
    const path = files.path(`rows-${seed}.jsonl`)
    let opened = 0
    const runtime = () => {
      opened += 1
      return {
        ...quickRuntime(seed * 100 + opened),
        now: () => Date.parse('2026-11-20T10:00:00Z') + (below(5) - 2) * 86_400_000,
      }
    }
    /** What the target had before each run. */
    const before = new Map<string, ReadonlyMap<string, string | undefined>>()
    const at = () => (below(2) === 0 ? Number.POSITIVE_INFINITY : 1 + below(2 * people) / 2)

    async function imported(resume: boolean): Promise<boolean> {
      const was = await now(prefix)
      const names = new Set(readdirSync(dir))
      const process = killable(desk().client, dir, at())
      const options = {
        jobsDir: dir,
        target,
        passwordMode: 'external-auth',
        mode: 'upsert',
        resume,
        runtime: runtime(),
      } as const
      await importCustomers(process.client, await files.reopened(path), {...options, concurrency: 2}).catch(
        (error: unknown) => {
          if (!String(error).includes('killed')) throw error
        },
      )
      const isKilled = process.restart()
      for (const name of readdirSync(dir)) {
        const [job] = /^\d{8}-\d{9}-[0-9a-f]{6}(?=\.jsonl$)/.exec(name) ?? []
        if (job && !names.has(name)) before.set(job, was)
      }
      return !isKilled
    }
    for (let run = 0; run < 3; run += 1) {
      const count = 2 + below(people - 1)
      const rows = Array.from({length: count}, (_, row) => ({
        ...{key: `${prefix}${row}`, email: `${prefix}${row}@x.de`},
        firstName: `run ${below(4)}`,
      }))
      writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'))
      let isDone = await imported(false)
      for (let more = below(3); !isDone && more > 0; more -= 1) isDone = await imported(below(2) === 0)
    }
    const ended = new Set<string>()
    for (let step = 0; ; step += 1) {
      expect(step, `seed ${seed}: the chain ends`).to.be.below(60)
      const job = await latestJob(dir, resolved).catch(() => undefined)
      if (job === undefined) break
      expect(ended.has(job), `seed ${seed}: ${job} was taken back`).to.equal(false)
      const run = await readJob(dir, job)
      if (!run) throw new Error(`seed ${seed}: there is no ${job}`)
      const process = killable(desk().client, dir, at())
      let isPutBack = false
      const putBack = async () => {
        if (below(3) === 0) throw new Killed('killed: no mark')
        isPutBack = true
      }
      let undoing: Awaited<ReturnType<typeof undoJob>> | undefined
      try {
        undoing = await undoJob(process.client, run, {jobsDir: dir, runtime: runtime(), concurrency: 2, putBack})
      } catch (error) {
        if (!String(error).includes('killed')) throw error
      }
      if (process.restart() || !undoing) {
        const open = readdirSync(dir).some(
          (name) => name.endsWith('.jsonl') && readFileSync(join(dir, name), 'utf8').includes(`"undoOf":"${job}"`),
        )
        if (open) expect(await latestJob(dir, resolved), `seed ${seed}: a repeat goes on`).to.equal(job)
        continue
      }
      expect(isPutBack, `seed ${seed}: the mark is put back`).to.equal(true)
      const is = await now(prefix)
      const was = before.get(job) ?? new Map()
      const wrong = [...new Set([...is.keys(), ...was.keys()])].filter(
        (key) => is.has(key) !== was.has(key) || is.get(key) !== was.get(key),
      )
      const left = wrong.filter((key) => !was.has(key))
      expect(wrong.length - left.length, `seed ${seed}: after ${job}: ${wrong}; ${JSON.stringify(undoing)}`).to.equal(0)
      expect(left.length, `seed ${seed}: only rows that are told stay`).to.be.at.most(undoing.open)
      expect(undoing.failed, `seed ${seed}: ${JSON.stringify(undoing)}`).to.equal(0)
      // What may have been created stays, and with it the last run, if that can go on.
      if (left.length > 0 || (undoing.open > 0 && run.state === 'unfinished')) return
      ended.add(job)
    }
  }

  it('leave every customer as the model says, also where clocks jump and marks cannot be put back', async () => {
    for (let seed = 1; seed <= rounds(12, 1000); seed += 1) await chain(seed)
  })
})
