import {constants} from 'node:buffer'
import {expect} from 'chai'
import {ApiError} from '../../../src/domain/errors.js'
import {openDirectory} from '../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../src/store/lowdb/low-store.js'
import {type Call, type Fault, SimDisk} from '../../crash/sim-disk.js'
import {put} from '../contract.js'
import {rejection} from '../directory.js'

interface Machine {
  readonly disk: SimDisk
  readonly store: LowStore
  readonly fatal: Error[]
}

async function machine(disk = new SimDisk()): Promise<Machine> {
  const fatal: Error[] = []
  const onFatal = (error: Error): void => {
    fatal.push(error)
  }
  const options = {dir: '/data', facets: {}, writer: 'server', files: disk.files, onFatal} as const
  return {disk, fatal, store: new LowStore(await openDirectory({...options, liveness: () => 'dead'}), {})}
}

const failing =
  (call: Call, fault: Fault) =>
  (called: Call): Fault =>
    called === call ? fault : undefined

const ids = async ({store}: Machine): Promise<string[]> =>
  (await store.query('shop', 'people', {limit: 100, offset: 0})).results.map(({id}) => id)

describe('store · write errors', () => {
  for (const fault of ['ENOSPC', 'EIO'] as const) {
    it(`answers 503 while writing fails with ${fault}, and goes on when it works again`, async () => {
      const subject = await machine()
      const {disk, store, fatal} = subject
      await store.commit('shop', [put('a', 1, {}, ['k:a'])])
      disk.fault = failing('write', fault)
      for (const attempt of [1, 2]) {
        const error = await rejection(store.commit('shop', [put('b', 1, {}, ['k:b']), put('a', 2)]))
        expect(error, `attempt ${attempt}`).to.be.an.instanceOf(ApiError)
        expect(error).to.include({statusCode: 503, code: 'OverCapacity', retryAfterSeconds: 5})
      }
      expect(await ids(subject)).to.deep.equal(['a'])
      disk.fault = () => undefined
      await store.commit('shop', [put('b', 1, {}, ['k:b']), put('a', 2)])
      expect(fatal).to.deep.equal([])
      disk.cut(() => 0.9)
      expect(await ids(await machine(disk))).to.deep.equal(['a', 'b'])
    })
  }

  it('fails a commit that cannot be written as a line, and no other', async () => {
    const subject = await machine()
    const {store, disk} = subject
    await store.commit('shop', [put('a', 1)])
    // With its head it would be longer than a text can be.
    const odd = store.commit('shop', [{...put('b', 1), json: 'x'.repeat(constants.MAX_STRING_LENGTH)}])
    const beside = store.commit('shop', [put('c', 1)])
    expect(await rejection(odd)).to.be.an.instanceOf(RangeError)
    await beside
    await store.commit('shop', [put('d', 1)])
    expect(await ids(subject)).to.deep.equal(['a', 'c', 'd'])
    disk.cut(() => 0.9)
    expect(await ids(await machine(disk))).to.deep.equal(['a', 'c', 'd'])
  })

  it('continues a write that fell short', async () => {
    const subject = await machine()
    subject.disk.fault = failing('write', 'short')
    await subject.store.commit('shop', [put('a', 1, {text: 'x'.repeat(100)})])
    subject.disk.cut(() => 0.9)
    expect(await ids(await machine(subject.disk))).to.deep.equal(['a'])
  })

  it('fails only those that share the batch', async () => {
    const {disk, store} = await machine()
    await store.commit('shop', [put('a', 1)])
    let writes = 0
    disk.fault = (call) => (call === 'write' && writes++ === 0 ? 'ENOSPC' : undefined)
    const first = store.commit('shop', [put('b', 1)])
    const second = store.commit('shop', [put('c', 1)])
    expect(await rejection(first)).to.include({statusCode: 503})
    await second.catch(() => {})
    await store.commit('shop', [put('b', 1)])
  })

  it('never writes again after a sync that failed, and says so once', async () => {
    const subject = await machine()
    const {disk, store, fatal} = subject
    await store.commit('shop', [put('a', 1)])
    disk.fault = failing('sync', 'EIO')
    expect(await rejection(store.commit('shop', [put('b', 1)]))).to.include({statusCode: 503})
    const calls: Call[] = []
    disk.fault = (call) => {
      calls.push(call)
      return undefined
    }
    expect(await rejection(store.commit('shop', [put('c', 1)]))).to.include({statusCode: 503})
    expect(calls).to.deep.equal([])
    expect(fatal.map(({message}) => message)).to.deep.equal(['EIO, sync'])
    expect(await ids(subject)).to.deep.equal(['a'])
  })

  for (const call of ['truncate', 'sync'] as const) {
    it(`never writes again when what a failed write left cannot be taken back (${call})`, async () => {
      const subject = await machine()
      const {disk, store, fatal} = subject
      await store.commit('shop', [put('a', 1)])
      disk.fault = (called) => (called === 'write' || called === call ? 'EIO' : undefined)
      expect(await rejection(store.commit('shop', [put('b', 1)]))).to.include({statusCode: 503})
      const calls: Call[] = []
      disk.fault = (called) => {
        calls.push(called)
        return undefined
      }
      expect(await rejection(store.commit('shop', [put('c', 1)]))).to.include({statusCode: 503})
      expect(calls).to.deep.equal([])
      expect(fatal.map(({message}) => message)).to.deep.equal(['EIO, write'])
      disk.cut(() => 0.9)
      expect(await ids(await machine(disk))).to.deep.equal(['a'])
    })
  }

  it('writes nothing once its lock was taken, and acknowledges nothing that it lost meanwhile', async () => {
    for (const during of ['write', 'sync'] as const) {
      const {disk, store, fatal} = await machine()
      await store.commit('shop', [put('a', 1)])
      const takeOver = (): void => {
        void disk.files.unlink('/data/LOCK')
      }
      const calls: Call[] = []
      disk.fault = (call) => {
        if (call === during && calls.at(-1) !== during) takeOver()
        calls.push(call)
        return undefined
      }
      expect(await rejection(store.commit('shop', [put('b', 1)])), during).to.include({statusCode: 503})
      expect(fatal, during).to.have.length(1)
    }
    const {disk, store} = await machine()
    await store.commit('shop', [put('a', 1)])
    await disk.files.unlink('/data/LOCK')
    const calls: Call[] = []
    disk.fault = (call) => {
      calls.push(call)
      return undefined
    }
    expect(await rejection(store.commit('shop', [put('b', 1)]))).to.include({statusCode: 503})
    expect(calls).to.not.include('write')
  })

  it('takes up a project again whose first files could not be made', async () => {
    for (const call of ['open', 'write', 'sync', 'syncDirectory'] as const) {
      const {disk, store} = await machine()
      disk.fault = failing(call, 'ENOSPC')
      expect(await rejection(store.commit('shop', [put('a', 1)])), call).to.include({statusCode: 503})
      disk.fault = () => undefined
      await store.commit('shop', [put('a', 1)])
      disk.cut(() => 0.9)
      expect(await ids(await machine(disk)), call).to.deep.equal(['a'])
    }
  })

  it('removes what a compaction began that fails, wherever it does, and counts it', async () => {
    for (let successes = 0; successes < 12; successes += 1) {
      for (const call of ['write', 'sync', 'open'] as const) {
        const {disk, store} = await machine()
        for (const id of ['a', 'b', 'c']) {
          await store.commit('shop', [put(id, 1), {kind: 'things', expect: 0, doc: {id, version: 1}}])
        }
        let left = successes
        disk.fault = (called) => (called === call && left-- <= 0 ? 'ENOSPC' : undefined)
        const failed = await store.compact().then(
          () => false,
          () => true,
        )
        disk.fault = () => undefined
        if (!failed) continue
        const names = await disk.files.list('/data/shop')
        const label = `${call} ${successes}: ${names.join(' ')}`
        expect(
          names.filter((name) => /unfinished/.test(name)),
          label,
        ).to.deep.equal([])
        expect(names.filter((name) => name.endsWith('.jsonl')).length, label).to.be.lessThanOrEqual(2)
        expect(store.upkeep(), label).to.include({compactionsFailed: 1, project: 'shop'})
        await store.commit('shop', [put('d', 1)])
        await store.compact()
        expect((await ids({disk, store, fatal: []})).length, label).to.equal(4)
      }
    }
  })

  it('keeps the state whole when a compaction fails', async () => {
    for (const call of ['open', 'write', 'sync', 'link', 'syncDirectory', 'unlink'] as const) {
      const {disk, store} = await machine()
      for (const id of ['a', 'b', 'c']) await store.commit('shop', [put(id, 1)])
      disk.fault = failing(call, 'ENOSPC')
      await rejection(store.compact())
      disk.fault = () => undefined
      await store.commit('shop', [put('d', 1)]).catch((error: unknown) => {
        expect(call).to.equal('syncDirectory')
        expect(error).to.include({statusCode: 503})
      })
      disk.cut(() => 0.9)
      const expected = call === 'syncDirectory' ? ['a', 'b', 'c'] : ['a', 'b', 'c', 'd']
      expect(await ids(await machine(disk)), call).to.deep.equal(expected)
    }
  })
})
