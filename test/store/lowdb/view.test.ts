import {readdirSync} from 'node:fs'
import {expect} from 'chai'
import type {Files} from '../../../src/store/lowdb/file/files.js'
import {openDirectory} from '../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../src/store/lowdb/low-store.js'
import {openStore} from '../../../src/store/open.js'
import {SimDisk} from '../../crash/sim-disk.js'
import {put} from '../contract.js'
import {newDirectory, removeDirectories} from '../directory.js'

const command = (dir: string) => openStore({dir, facets: {}, writer: 'one-shot', lockTimeoutMs: 0})

describe('store · the view of a reader', () => {
  after(removeDirectories)

  it('tells a reader by the number of its view whether others have written since', async () => {
    const dir = newDirectory()
    const [writer, reader] = [await command(dir), await command(dir)]
    await writer.commit('shop', [put('ada', 1)])
    expect((await reader.get('shop', 'people', 'ada'))?.version).to.equal(1)
    const {view} = reader
    expect(await reader.refresh()).to.equal(view)
    await writer.commit('shop', [put('ada', 2)])
    expect((await reader.get('shop', 'people', 'ada'))?.version, 'as it was read').to.equal(1)
    const views = await Promise.all([reader.refresh(), reader.refresh()])
    expect(views).to.not.include(view)
    expect((await reader.get('shop', 'people', 'ada'))?.version).to.equal(2)
    await writer.close()
    await reader.close()
  })

  it('closes the files of a view that it no longer uses', async function () {
    if (process.platform !== 'linux') this.skip()
    const dir = newDirectory()
    const [writer, reader] = [await command(dir), await command(dir)]
    await writer.commit('shop', [put('ada', 1)])
    await writer.compact()
    const descriptors = () => readdirSync('/proc/self/fd').length
    const before = descriptors()
    for (let version = 2; version < 12; version += 1) {
      await writer.commit('shop', [put('ada', version)])
      await reader.refresh()
      expect((await reader.get('shop', 'people', 'ada'))?.version).to.equal(version)
    }
    expect(descriptors() - before).to.be.at.most(4)
    await writer.close()
    await reader.close()
  })

  it('finds a project that another process makes while it looks', async () => {
    const {files} = new SimDisk()
    const open = async (seen: Files) =>
      new LowStore(
        await openDirectory({dir: '/data', facets: {}, writer: 'one-shot', files: seen, liveness: () => 'dead'}),
        {},
      )
    const writer = await open(files)
    let isMade = false
    const looking: Files = {
      ...files,
      list: async (path) => {
        const before = await files.list(path)
        if (path === '/data/shop' && !isMade) {
          isMade = true
          await writer.commit('shop', [put('ada', 1)])
        }
        return before
      },
    }
    const reader = await open(looking)
    expect((await reader.get('shop', 'people', 'ada'))?.version).to.equal(1)
    expect(isMade).to.equal(true)
    await writer.close()
  })

  it('never takes its own appends for those of another', async () => {
    const dir = newDirectory()
    const store = await command(dir)
    const {view} = store
    await store.commit('shop', [put('ada', 1)])
    const commits = Array.from({length: 20}, (_, at) => [store.commit('shop', [put(`p${at}`, 1)]), store.refresh()])
    await Promise.all(commits.flat())
    expect(await store.refresh()).to.equal(view)
    expect((await store.query('shop', 'people', {limit: 100, offset: 0})).results).to.have.length(21)
    await store.close()
  })
})
