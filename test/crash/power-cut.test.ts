import {expect} from 'chai'
import {ApiError} from '../../src/domain/errors.js'
import {seededRandom} from '../../src/server/http/faults.js'
import {openDirectory} from '../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../src/store/lowdb/low-store.js'
import type {Change, Document} from '../../src/store/store.js'
import {rounds} from '../rounds.js'
import {type Call, type Fault, SimDisk} from './sim-disk.js'

const seeds = rounds(40, 1_000)

class PowerCut extends Error {}

/** What may be true of a document after a crash: what was acknowledged last, or what was asked for since. */
interface Known {
  acknowledged: number
  readonly possible: Set<number>
}

/** A store, and whether it has given up writing. */
interface Machine {
  readonly store: LowStore
  stopped: boolean
}

async function open(disk: SimDisk, compactBytes: number): Promise<Machine> {
  const options = {dir: '/data', facets: {}, writer: 'server', files: disk.files, compactBytes} as const
  const onFatal = (): void => {
    machine.stopped = true
  }
  const backing = await openDirectory({...options, liveness: () => 'dead', onFatal})
  const machine: Machine = {store: new LowStore(backing, {}), stopped: false}
  return machine
}

/** Commits at random until the power goes or the steps are done. */
async function work(machine: Machine, known: Map<string, Known>, next: () => number, longest: number): Promise<void> {
  const lanes = Array.from({length: 3}, async (_, lane) => {
    for (let step = 0; step < 20; step += 1) {
      const id = `${lane}-${Math.floor(next() * 4)}`
      const before = known.get(id) ?? {acknowledged: 0, possible: new Set([0])}
      known.set(id, before)
      const version = before.acknowledged
      // After a commit in doubt only the disk knows the version; leave such a document alone.
      if (before.possible.size > 1) continue
      const removes = version > 0 && next() < 0.2
      const doc = {id, version: version + 1, text: 'x'.repeat(Math.floor(next() * longest))}
      const change: Change = removes
        ? {kind: 'things', expect: version, remove: id}
        : {kind: 'things', expect: version, doc, uniqueKeys: [{key: `name:${id}`}]}
      const after = removes ? 0 : version + 1
      before.possible.add(after)
      try {
        await machine.store.commit('shop', [change])
        before.acknowledged = after
        before.possible.clear()
        before.possible.add(after)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.cause instanceof PowerCut) throw error.cause
        expect(error.statusCode).to.equal(503)
        // A refused write must not come back; only when the store gave up nobody knows.
        if (machine.stopped) return
        before.possible.delete(after)
      }
    }
  })
  const results = await Promise.allSettled(lanes)
  for (const result of results) {
    if (result.status === 'rejected' && !(result.reason instanceof PowerCut)) throw result.reason
  }
}

async function verify(store: LowStore, known: Map<string, Known>): Promise<void> {
  for (const [id, {possible}] of known) {
    const document = await store.get<Document>('shop', 'things', id)
    const version = document?.version ?? 0
    expect([...possible], `versions of ${id}`).to.include(version)
    expect((await store.find('shop', 'things', `name:${id}`))?.version ?? 0, `holder for ${id}`).to.equal(version)
    known.set(id, {acknowledged: version, possible: new Set([version])})
  }
  const count = (await store.query('shop', 'things', {limit: 0, offset: 0, count: {cap: 1000}})).total
  expect(count, 'count').to.equal([...known.values()].filter(({acknowledged}) => acknowledged > 0).length)
}

/** Kinds beside the one that is looked at. */
async function withMoreKinds(disk: SimDisk): Promise<void> {
  const {store} = await open(disk, 1 << 20)
  const kinds = ['bags', 'groups', 'types', 'zones']
  await store.commit(
    'shop',
    kinds.map((kind) => ({kind, expect: 0, doc: {id: 'x', version: 1}})),
  )
  await store.close()
}

async function life(seed: number, faults: (next: () => number) => Fault): Promise<void> {
  const next = seededRandom(seed)
  const disk = new SimDisk()
  if (seed % 2 === 0) await withMoreKinds(disk)
  // Long documents make journals that have blanks behind their commits.
  const longest = seed % 3 === 0 ? 10_000 : 300
  const known = new Map<string, Known>()
  for (let cycle = 0; cycle < 4; cycle += 1) {
    const cutAfter = Math.floor(next() * 120)
    let calls = 0
    disk.fault = (_: Call) => {
      calls += 1
      if (calls > cutAfter) throw new PowerCut()
      return faults(next)
    }
    try {
      const machine = await open(disk, [1, 700, 1 << 20][Math.floor(next() * 3)] ?? 1)
      await work(machine, known, next, longest)
      await machine.store.close()
    } catch (error) {
      if (!(error instanceof PowerCut) && faults === noFaults) throw error
    }
    disk.cut(next)
    disk.fault = () => undefined
    const {store} = await open(disk, 1 << 20)
    await verify(store, known)
    await store.close()
  }
}

const noFaults = (): Fault => undefined

async function lives(faults: (next: () => number) => Fault): Promise<void> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    try {
      await life(seed, faults)
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, {cause: error})
    }
  }
}

describe('store · power cuts on a simulated disk', () => {
  it('loses no acknowledged commit and keeps every commit whole', () => lives(noFaults))

  it('can be opened again whichever call of the first commit the power goes at, and whatever of it stays', async () => {
    const commit = async (disk: SimDisk): Promise<void> => {
      const {store} = await open(disk, 1 << 20)
      const doc = {id: 'a', version: 1}
      await store.commit('shop', [{kind: 'things', expect: 0, doc, uniqueKeys: [{key: 'name:a'}]}])
    }
    for (const draws of [[0.1], [0.9], [0.1, 0.9], [0.9, 0.1]]) {
      let isDone = false
      for (let cutAt = 1; !isDone; cutAt += 1) {
        const disk = new SimDisk()
        let [calls, drawn] = [0, 0]
        disk.fault = () => {
          calls += 1
          if (calls >= cutAt) throw new PowerCut()
          return undefined
        }
        isDone = await commit(disk).then(
          () => true,
          () => false,
        )
        disk.cut(() => draws[drawn++ % draws.length] as number)
        disk.fault = () => undefined
        const {store} = await open(disk, 1 << 20)
        await verify(store, new Map([['a', {acknowledged: 0, possible: new Set(isDone ? [1] : [0, 1])}]]))
        await store.close()
      }
    }
  })

  it('stays right when calls fail as well', () =>
    lives((next) => {
      const draw = next()
      if (draw < 0.02) return 'EIO'
      if (draw < 0.06) return 'ENOSPC'
      return draw < 0.12 ? 'short' : undefined
    }))
})
