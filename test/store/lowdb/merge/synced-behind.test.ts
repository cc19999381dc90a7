import {expect} from 'chai'
import type {BlockingFiles} from '../../../../src/store/lowdb/file/files.js'
import {syncedBehind} from '../../../../src/store/lowdb/merge/merge.js'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function delayed(): {readonly promise: Promise<void>; readonly resolve: () => void} {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return {promise, resolve: () => resolve()}
}

/** Writes the files 1 and 2, and reads 3; the disk takes what `taken` says. */
function syncing(taken: readonly Promise<void>[]) {
  const closed: number[] = []
  const asked: number[] = []
  const blocking = {sync: () => expect.fail('waited'), close: (fd: number) => void closed.push(fd)} as unknown
  const pooled = {
    sync: async (fd: number) => {
      asked.push(fd)
      await taken[fd - 1]
    },
  }
  const done = syncedBehind(blocking as BlockingFiles, pooled, ({sync, close}) => {
    for (const fd of [1, 2]) sync(fd)
    for (const fd of [1, 2, 3]) close(fd)
    return 'merged'
  })
  return {closed, asked, done}
}

describe('store · the files of a merge that the disk takes meanwhile', () => {
  it('are open until it has, one after the other, and others are closed at once', async () => {
    const {promise, resolve} = delayed()
    const {closed, asked, done} = syncing([promise, Promise.resolve()])
    await turn()
    expect(closed).to.deep.equal([3])
    expect(asked, 'threads that commits want').to.deep.equal([1])
    resolve()
    expect(await done).to.equal('merged')
    expect(asked).to.deep.equal([1, 2])
    expect(closed).to.deep.equal([3, 1, 2])
  })

  it('are not taken if one of them is not', async () => {
    const {closed, done} = syncing([Promise.resolve(), Promise.reject(new Error('EIO'))])
    expect(await done.catch((error: Error) => error.message)).to.equal('EIO')
    expect(closed).to.deep.equal([3, 1, 2])
  })

  it('are closed if the merge fails', async () => {
    const closed: number[] = []
    const blocking = {close: (fd: number) => void closed.push(fd)} as unknown as BlockingFiles
    const failing = syncedBehind(blocking, {sync: async () => expect.fail('synced')}, ({sync}) => {
      sync(1)
      throw new Error('ENOSPC')
    })
    expect(await failing.catch((error: Error) => error.message)).to.equal('ENOSPC')
    expect(closed).to.deep.equal([1])
  })
})
