import {expect} from 'chai'
import {openDirectory} from '../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../src/store/lowdb/low-store.js'
import {type MergeJob, merge} from '../../../src/store/lowdb/merge/merge.js'
import {SimDisk} from '../../crash/sim-disk.js'
import {put} from '../contract.js'
import {rejection} from '../directory.js'

const text = 'x'.repeat(1000)
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate)
}

describe('store · writers that are faster than compaction', () => {
  /** A store whose merges wait until the gate is opened. */
  async function gated(disk: SimDisk, more: {patience?: () => Promise<void>; onWarning?: (text: string) => void} = {}) {
    let open = (): void => undefined
    let isWaiting = false
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const options = {
      dir: '/data',
      facets: {},
      writer: 'server',
      files: disk.files,
      compactBytes: 4000,
      ...more,
      merge: async (job: MergeJob) => {
        isWaiting = true
        await gate
        return merge(disk.files, job, {})
      },
    } as const
    const store = new LowStore(await openDirectory({...options, liveness: () => 'dead'}), {})
    return {store, open: () => open(), isWaiting: () => isWaiting}
  }

  it('wait for it before their lines are written, and lose nothing', async () => {
    const disk = new SimDisk()
    const {store, open, isWaiting} = await gated(disk)
    // The first commit loads what writes.
    await store.commit('shop', [put('p09', 1, {text})])
    const ended: string[] = []
    const commits: Promise<unknown>[] = []
    for (let at = 10; at < 40; at += 1) {
      commits.push(store.commit('shop', [put(`p${at}`, 1, {text})]).then(() => ended.push(`p${at}`)))
      await turns(20)
    }
    expect(isWaiting()).to.equal(true)
    // About four until it is due, and as many meanwhile.
    expect(ended.length).to.be.within(6, 12)
    open()
    await Promise.all(commits)
    disk.cut(() => 0)
    const reopened = new LowStore(
      await openDirectory({dir: '/data', facets: {}, writer: 'server', files: disk.files, liveness: () => 'dead'}),
      {},
    )
    const {results} = await reopened.query('shop', 'people', {limit: 100, offset: 0})
    expect(results.map(({id}) => id)).to.deep.equal(
      Array.from({length: 31}, (_, at) => `p${`${at + 9}`.padStart(2, '0')}`),
    )
  })

  it('do not wait for one that has only begun: their lines are in the next journal', async () => {
    const disk = new SimDisk()
    const {store, open, isWaiting} = await gated(disk)
    const ended: string[] = []
    const commits: Promise<unknown>[] = []
    // Each right after the one before, so that one comes when the journal is long enough and not yet followed by another.
    const write = async (at: number): Promise<void> => {
      await store.commit('shop', [put(`p${at}`, 1, {text})])
      ended.push(`p${at}`)
      if (at < 15) await write(at + 1)
    }
    commits.push(write(10))
    await turns(400)
    expect(isWaiting()).to.equal(true)
    expect(ended).to.deep.equal(['p10', 'p11', 'p12', 'p13', 'p14', 'p15'])
    open()
    await Promise.all(commits)
    await store.close()
  })

  it('are refused once one does not end, with one warning, and served again when it has', async () => {
    const disk = new SimDisk()
    let lose = (): void => undefined
    const patience = () => new Promise<void>((resolve) => (lose = resolve))
    const warnings: string[] = []
    const {store, open} = await gated(disk, {patience, onWarning: (text) => warnings.push(text)})
    const ended: string[] = []
    const commits: Promise<unknown>[] = []
    const write = (id: string) => {
      const wrote = store.commit('shop', [put(id, 1, {text})])
      commits.push(wrote.then(() => ended.push(id)).catch(() => {}))
      return wrote
    }
    for (let at = 10; at < 40; at += 1) {
      write(`p${at}`).catch(() => {})
      await turns(20)
    }
    const acknowledged = ended.length
    expect(acknowledged).to.be.below(13)
    lose()
    await Promise.all(commits)
    expect(ended.length, 'those that waited').to.equal(acknowledged)
    expect(await rejection(write('late'))).to.include({code: 'OverCapacity', statusCode: 503})
    expect(warnings.map((line) => line.includes('shop does not end'))).to.deep.equal([true])
    open()
    await turns(200)
    await write('after')
    const {results} = await store.query('shop', 'people', {limit: 100, offset: 0})
    expect(results.map(({id}) => id)).to.deep.equal([...ended].sort())
    await store.close()
  })
})
