import {expect} from 'chai'
import type {Files} from '../../../src/store/lowdb/file/files.js'
import {openDirectory} from '../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../src/store/lowdb/low-store.js'
import {type MergeJob, merge} from '../../../src/store/lowdb/merge/merge.js'
import {SimDisk} from '../../crash/sim-disk.js'
import {put} from '../contract.js'

const [text, compactBytes] = ['x'.repeat(1000), 4000]

/** The longest journal while each half of 300 kilobytes is written. */
async function longestJournal(writer: 'server' | 'one-shot'): Promise<{first: number; later: number}> {
  const disk = new SimDisk()
  const journals = new Set<number>()
  let [first, longest] = [0, 0]
  const files: Files = {
    ...disk.files,
    open: async (path, mode) => {
      const fd = await disk.files.open(path, mode)
      if (path.includes('journal.')) journals.add(fd)
      else journals.delete(fd)
      return fd
    },
    write: (fd, bytes, offset, length, position) => {
      if (journals.has(fd)) longest = Math.max(longest, position + length)
      return disk.files.write(fd, bytes, offset, length, position)
    },
  }
  const options = {
    dir: '/data',
    facets: {},
    writer,
    files,
    compactBytes,
    merge: (job: MergeJob) => merge(disk.files, job, {}),
  }
  const store = new LowStore(await openDirectory({...options, liveness: () => 'dead'}), {})
  for (let at = 0; at < 300; at += 1) {
    if (at === 150) [first, longest] = [longest, 0]
    await store.commit('shop', [put(`p${at}`, 1, {text})])
  }
  await store.close()
  return {first, later: longest}
}

describe('store · journals of a large state', () => {
  it('grow in a server, for fewer merges, and never in a command, which has the memory of a short one', async () => {
    const [server, command] = [await longestJournal('server'), await longestJournal('one-shot')]
    expect(server.later).to.be.above(3 * compactBytes)
    expect(command.later).to.be.within(compactBytes, 1.5 * compactBytes)
    // Of what is short enough, all is merged once.
    expect(command.first).to.be.within(3 * compactBytes, 3.5 * compactBytes)
  })

  it('are merged once those of several processes together are long enough', async () => {
    const disk = new SimDisk()
    let merges = 0
    const options = {
      ...({dir: '/data', facets: {}, writer: 'one-shot', files: disk.files, compactBytes} as const),
      merge: (job: MergeJob) => {
        merges += 1
        return merge(disk.files, job, {})
      },
    }
    const merged: number[] = []
    for (let at = 0; at < 5; at += 1) {
      const store = new LowStore(await openDirectory({...options, liveness: () => 'dead'}), {})
      await store.commit('shop', [put(`p${at}`, 1, {text})])
      await store.close()
      merged.push(merges)
    }
    expect(merged).to.deep.equal([0, 0, 0, 1, 1])
  })
})
