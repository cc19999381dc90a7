import type {ChildProcess} from 'node:child_process'
import {EventEmitter} from 'node:events'
import {expect} from 'chai'
import {secrets} from '../../../src/secrets/secrets.js'
import {Faults, type FaultTarget} from '../../../src/server/http/faults.js'
import type {RequestView} from '../../../src/server/requests/request-view.js'
import {TestClock} from '../../../src/server/stubs/test-clock.js'
import {EntryCodes} from '../../../src/server/window/entry.js'
import {
  lastNumber,
  type PrimaryCalls,
  requestNumbers,
  steadyMicroseconds,
  type WorkerCalls,
  type WorkerSlot,
} from '../../../src/server/workers/calls.js'
import {Channel} from '../../../src/server/workers/channel.js'
import {WorkerPool} from '../../../src/server/workers/pool.js'

/** Both ends of a channel, in one process. Messages are copied, and arrive in a later turn, in order. */
class End extends EventEmitter {
  connected = true
  other: End | undefined
  readonly pid: number

  constructor(pid: number) {
    super()
    this.pid = pid
  }

  send(message: object, sent: (error: Error | null) => void): boolean {
    const copy: unknown = JSON.parse(JSON.stringify(message))
    setImmediate(() => this.other?.emit('message', copy))
    sent(null)
    return true
  }
}

const common: Omit<WorkerSlot, 'slot'> = {
  workers: 2,
  port: 1,
  localPort: 2,
  adminDigest: 'digest',
  startedAt: 0,
  countsFrom: 0,
  pseudonym: 'frontdesk-1',
}

/** A worker in a slot, and what it was told. */
async function joined(pool: WorkerPool, slot: number, calls: Partial<WorkerCalls> = {}) {
  const [there, here] = [new End(1000 + slot), new End(1)]
  there.other = here
  here.other = there
  pool.channelTo(there as unknown as ChildProcess, slot, {listens: () => undefined, doesNotStart: () => undefined})
  const told: [string, unknown][] = []
  const note = (name: string) => (argument: unknown) => void told.push([name, argument])
  const channel = new Channel<PrimaryCalls>(here as never, {
    clock: note('clock'),
    hasFaults: note('hasFaults'),
    failed: note('failed'),
    ...calls,
  })
  const given = await channel.call('slot')
  return {channel, told, given, end: () => there.emit('exit')}
}

const poolOf = (faults = new Faults()): WorkerPool =>
  new WorkerPool(common, faults, new TestClock(() => 1_000), new EntryCodes(secrets))

describe('server · workers · what they share', () => {
  it('gives each its slot, after the clock and the faults as they are', async () => {
    const pool = poolOf()
    await pool.processes.clock({do: 'freeze', at: '2026-01-01T00:00:00Z'})
    await pool.processes.faults({seed: 1, rules: [{probability: 1, status: 503}]})
    const {given, told} = await joined(pool, 1)
    expect(given).to.deep.equal({...common, slot: 1})
    const frozenAt = Date.parse('2026-01-01T00:00:00Z')
    expect(told).to.deep.equal([
      ['clock', {offsetMs: frozenAt - 1_000, frozenAt}],
      ['hasFaults', true],
    ])
  })

  it('has told every worker of another time, or of faults, before it answers one', async () => {
    const pool = poolOf()
    const workers = [await joined(pool, 0), await joined(pool, 1)]
    const state = await workers[0]?.channel.call('clock', {do: 'advance', milliseconds: 60_000})
    expect(state?.mode).to.equal('moved')
    for (const {told} of workers) expect(told.at(-1)).to.deep.equal(['clock', {offsetMs: 60_000}])
    await workers[1]?.channel.call('faults', {seed: 1, rules: [{probability: 1, status: 503}]})
    for (const {told} of workers) expect(told.at(-1)).to.deep.equal(['hasFaults', true])
  })

  it('draws faults for all: one that strikes twice strikes twice', async () => {
    const pool = poolOf()
    const workers = [await joined(pool, 0), await joined(pool, 1)]
    await pool.processes.faults({seed: 1, rules: [{probability: 1, status: 503, times: 2}]})
    const operation = {id: 'getCustomer', path: '/{projectKey}/customers/{id}'} as unknown as FaultTarget
    const drawn: unknown[] = []
    for (const {channel} of [...workers, ...workers]) drawn.push((await channel.call('drawFault', operation))?.status)
    expect(drawn).to.deep.equal([503, 503, undefined, undefined])
    expect((await pool.processes.faults()).drawn).to.deep.equal([2])
  })

  it('tells the others of a wrong secret, and not the one that counted it', async () => {
    const pool = poolOf()
    const [one, two] = [await joined(pool, 0), await joined(pool, 1)]
    const failure = {counter: 'wrongSecrets', key: 'a digest', at: 5} as const
    one.channel.tell('failed', failure)
    await one.channel.call('clock')
    await new Promise((resolve) => setImmediate(resolve))
    expect(two.told.at(-1)).to.deep.equal(['failed', failure])
    expect(one.told.map(([name]) => name)).not.to.include('failed')
  })

  it('merges requests in the order of their ends, none that another worker may still get before it', async () => {
    const pool = poolOf()
    const asked: number[] = []
    const answering = (...numbers: number[]): Partial<WorkerCalls> => ({
      requests: ({until}) => {
        asked.push(until)
        return numbers.map((number) => ({number}) as RequestView)
      },
    })
    const one = await joined(pool, 0, answering(1, 7, 9))
    await joined(pool, 1, answering(2, 8))
    const found = await one.channel.call('requests', {limit: 4})
    expect(found.map(({number}) => number)).to.deep.equal([2, 7, 8, 9])
    expect(new Set(asked).size).to.equal(1)
    expect(asked[0]).to.be.at.most(lastNumber(steadyMicroseconds(), common))
  })

  it('numbers requests so that what is asked for up to a moment is complete', () => {
    let now = 50
    const one = requestNumbers({...common, slot: 0, countsFrom: 10}, () => now)
    const two = requestNumbers({...common, slot: 1, countsFrom: 10}, () => now)
    const before = [one(), two(), one()]
    expect(new Set(before).size).to.equal(3)
    now = 52
    const until = lastNumber(now, {...common, countsFrom: 10})
    const after = [one(), two()]
    expect(Math.max(...before)).to.be.at.most(until)
    expect(Math.min(...after)).to.be.above(until)
  })

  it('adds up what all have counted, and leaves out who has ended', async () => {
    const pool = poolOf()
    const uses = (count: number): Partial<WorkerCalls> => ({deprecatedUses: () => ({'a-scope': count})})
    const one = await joined(pool, 0, uses(2))
    const two = await joined(pool, 1, uses(3))
    expect(await one.channel.call('status')).to.deep.equal({
      pid: process.pid,
      workers: [1000, 1001],
      deprecatedUses: {'a-scope': 5},
    })
    two.end()
    expect((await one.channel.call('status')).workers).to.deep.equal([1000])
  })
})
