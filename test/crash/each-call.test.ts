import {expect} from 'chai'
import {ApiError, StateError} from '../../src/domain/errors.js'
import {hasCode} from '../../src/files/file-errors.js'
import {verifyProject} from '../../src/store/lowdb/care/verify.js'
import type {Files} from '../../src/store/lowdb/file/files.js'
import {openDirectory} from '../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../src/store/lowdb/low-store.js'
import type {Change} from '../../src/store/store.js'
import {rounds} from '../rounds.js'
import {type Call, type Fault, SimDisk} from './sim-disk.js'

/** Every so many calls one is tried. */
const stride = rounds(13, 1)

/** The process has ended: none of its calls does anything any more. */
class Ended extends Error {}

/** What may be true of a document: what was acknowledged last, or what was on its way then. */
type Ledger = Map<string, Set<number>>

async function open(files: Files): Promise<LowStore> {
  const options = {dir: '/data', facets: {}, writer: 'one-shot', compactBytes: 2_000} as const
  return new LowStore(await openDirectory({...options, files, liveness: () => 'dead'}), {})
}

/** What three holders do: documents that are changed by one commit are separated by spaces, removed ones have a minus. */
const holders = [
  ['a', 'b c', 'a', 'compact', '-b', 'd'],
  ['a b', 'p q', '-d e', 'p q'],
  ['compact', 'f', 'p q', '-a', 'compact'],
]
const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'p', 'q', 'z']

/** The disk is full: a commit is refused, or already the lock. */
function assertRefused(error: unknown): void {
  const isRefused = error instanceof ApiError || error instanceof StateError || hasCode(error, 'EIO')
  if (!isRefused || (error as Error).cause instanceof Ended) throw error
}

/** Throws once the process has ended. What the store refuses while it goes on has had no effect. */
async function commit(store: LowStore, words: string, ledger: Ledger): Promise<void> {
  const wanted = words.split(' ').map((word) => {
    const id = word.replace('-', '')
    const possible = ledger.get(id) ?? new Set([0])
    ledger.set(id, possible)
    const [expect = 0] = possible
    return {id, possible, expect, next: word.startsWith('-') ? 0 : expect + 1}
  })
  const effective = wanted.filter(({expect, next}) => expect > 0 || next > 0)
  const changes = effective.map(({id, expect, next}): Change => {
    if (next === 0) return {kind: 'things', expect, remove: id}
    const doc = {id, version: next, text: id.repeat(200)}
    return {kind: 'things', expect, doc, uniqueKeys: [{key: `name:${id}`}]}
  })
  for (const {possible, next} of effective) possible.add(next)
  const settle = (isDone: boolean): void => {
    for (const {possible, expect, next} of effective) possible.delete(isDone ? expect : next)
  }
  try {
    await store.commit('shop', changes)
    settle(true)
  } catch (error) {
    assertRefused(error)
    settle(false)
  }
}

/** A disk with a folder that has its reserve, whose many writes are not what is tried. */
function newDisk(): SimDisk {
  const disk = new SimDisk()
  disk.files.makeDirectory('/data')
  const fd = disk.files.open('/data/BALLAST', 'create')
  disk.files.write(fd, Buffer.alloc(1 << 20), 0, 1 << 20, 0)
  disk.files.sync(fd)
  for (const path of ['/', '/data']) disk.files.syncDirectory(path)
  return disk
}

async function script(files: Files, ledger: Ledger): Promise<void> {
  for (const words of holders) {
    const store = await open(files)
    for (const word of words) {
      if (word !== 'compact') await commit(store, word, ledger)
      else await store.compact().catch(assertRefused)
    }
    await store.close()
  }
}

async function verify(store: LowStore, ledger: Ledger): Promise<void> {
  const found = new Map<string, number>()
  for (const id of ids) {
    const version = (await store.get('shop', 'things', id))?.version ?? 0
    expect([...(ledger.get(id) ?? [0])], `versions of ${id}`).to.include(version)
    expect((await store.find('shop', 'things', `name:${id}`))?.version ?? 0, `holder for ${id}`).to.equal(version)
    ledger.set(id, new Set([version]))
    if (version > 0) found.set(id, version)
  }
  expect(found.get('p'), 'a half of a commit').to.equal(found.get('q'))
  const {results, total} = await store.query('shop', 'things', {limit: 99, offset: 0, count: {cap: 99}})
  expect(results.map(({id}) => id)).to.deep.equal([...found.keys()])
  expect(total).to.equal(found.size)
}

/** Nothing is lost, nothing is damaged, and the next holder goes on. */
async function verifyAll({files}: SimDisk, ledger: Ledger): Promise<void> {
  const {findings} = await verifyProject(files, '/data/shop')
  expect(findings.filter(({severity}) => severity === 'damage')).to.deep.equal([])
  for (const word of ['z', 'compact']) {
    const store = await open(files)
    await verify(store, ledger)
    if (word === 'compact') await store.compact()
    else await commit(store, word, ledger)
    await verify(store, ledger)
    await store.close()
  }
}

/** The calls of a process that ends in one of them: before it does anything, or in the middle of a write. */
function endingAt(disk: SimDisk, call: number, isTorn: boolean): {files: Files; hasEnded: () => boolean} {
  let calls = 0
  let hasEnded = false
  const files: Files = {
    ...disk.files,
    write(...[fd, bytes, offset, length, position]) {
      if (isTorn && !hasEnded && calls + 1 === call) disk.files.write(fd, bytes, offset, length >> 1, position)
      return disk.files.write(fd, bytes, offset, length, position)
    },
  }
  disk.fault = () => {
    if (isTorn && calls + 1 === call && !hasEnded) {
      // Half of the bytes pass, then the whole of them is refused.
      calls += 1
      return undefined
    }
    calls += 1
    hasEnded ||= calls >= call
    if (hasEnded) throw new Ended()
    return undefined
  }
  return {files, hasEnded: () => hasEnded}
}

async function endAtEachCall(isTorn: boolean, after: (disk: SimDisk) => void): Promise<number> {
  for (let call = 1; ; call += stride) {
    const disk = newDisk()
    const ledger: Ledger = new Map()
    const {files, hasEnded} = endingAt(disk, call, isTorn)
    await script(files, ledger).catch((error: unknown) => {
      if (!hasEnded()) throw error
    })
    disk.fault = () => undefined
    after(disk)
    await verifyAll(disk, ledger).catch((error: unknown) => {
      throw new Error(`call ${call}: ${(error as Error).message}`, {cause: error})
    })
    if (!hasEnded()) return call
  }
}

describe('store · whatever call it ends or fails at', () => {
  it('keeps what was acknowledged when it is killed', async () => {
    const calls = await endAtEachCall(false, () => {})
    expect(calls).to.be.greaterThan(100)
    await endAtEachCall(true, () => {})
  })

  for (const [name, draws] of [
    ['nothing', [0.6, 0.4]],
    ['all', [0.4, 0.6]],
    ['names alone', [0.4]],
    ['bytes alone', [0.6]],
  ] as const) {
    it(`keeps what was acknowledged when the power goes and of the rest ${name} stays`, async () => {
      await endAtEachCall(false, (disk) => {
        let drawn = 0
        disk.cut(() => draws[drawn++ % draws.length] as number)
      })
    })
  }

  it('goes on after the disk was full, for one call or for long', async () => {
    const takesRoom: readonly Call[] = ['open', 'write', 'link', 'rename']
    for (const many of [1, 3, 40]) {
      for (let from = 1, isOver = false; !isOver; from += stride) {
        const disk = newDisk()
        const ledger: Ledger = new Map()
        let calls = 0
        disk.fault = (call): Fault => {
          if (!takesRoom.includes(call)) return undefined
          calls += 1
          return calls >= from && calls < from + many ? 'ENOSPC' : undefined
        }
        await script(disk.files, ledger)
        isOver = calls < from
        disk.fault = () => undefined
        await verifyAll(disk, ledger).catch((error: unknown) => {
          throw new Error(`${many} from call ${from}: ${(error as Error).message}`, {cause: error})
        })
      }
    }
  })

  for (const folder of ['/', '/data']) {
    it(`keeps the name of what is new in ${folder}, also where it could not be put on the disk at first`, async () => {
      for (const [failures, draw] of [1, 2, 3].flatMap((one) => [[one, 0.4] as const, [one, 0.6] as const])) {
        const disk = new SimDisk()
        let failed = 0
        const files: Files = {
          ...disk.files,
          syncDirectory: (path) => {
            if (failed === failures || path !== folder) return disk.files.syncDirectory(path)
            failed += 1
            throw Object.assign(new Error('EIO, fsync'), {code: 'EIO'})
          },
        }
        const ledger: Ledger = new Map()
        const store = await open(files)
        const isDone = (): boolean => ledger.get('a')?.has(1) === true
        for (let attempt = 0; attempt <= failures && !isDone(); attempt += 1) await commit(store, 'a', ledger)
        expect([isDone(), failed > 0]).to.deep.equal([true, true])
        disk.cut(() => draw)
        await verifyAll(disk, ledger)
      }
    })
  }
})
