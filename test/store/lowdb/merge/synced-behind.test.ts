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
  const blocking = {sync: () => expect.fail('waited'), close: (fd: number) => void closed.push(fd)} as unknown
  const pooled = {sync: async (fd: number) => taken[fd - 1]}
  const done = syncedBehind(blocking as BlockingFiles, pooled, ({sync, close}) => {
    for (const fd of [1, 2]) sync(fd)
    for (const fd of [1, 2, 3]) close(fd)
    return 'merged'
  })
  return {closed, done}
}

describe('store · the files of a merge that the disk takes meanwhile', () => {
  it('are open until it has, and others are closed at once', async () => {
    const {promise, resolve} = delayed()
    const {closed, done} = syncing([Promise.resolve(), promise])
    await turn()
    expect(closed).to.deep.equal([3])
    resolve()
    expect(await done).to.equal('merged')
    expect(closed).to.deep.equal([3, 1, 2])
  })

  it('are not taken if one of them is not, and stay open while the disk has another', async () => {
    const {promise, resolve} = delayed()
    const {closed, done} = syncing([Promise.reject(new Error('EIO')), promise])
    const failure = done.then(
      () => 'none',
      (error: Error) => error.message,
    )
    await turn()
    expect(closed).to.deep.equal([3])
    resolve()
    expect(await failure).to.equal('EIO')
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
