import {readdirSync, readFileSync, unlinkSync, writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {expect} from 'chai'
import {diagnose, repair} from '../../../src/store/lowdb/care/doctor.js'
import type {Files} from '../../../src/store/lowdb/file/files.js'
import {openDirectory} from '../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../src/store/lowdb/low-store.js'
import {SimDisk} from '../../crash/sim-disk.js'
import {facets, put} from '../contract.js'
import {documentFile, documentFiles, newDirectory, rejection, removeDirectories} from '../directory.js'
import {idsIn, withStore} from '../one-shot.js'

const day = (date: number): Date => new Date(Date.UTC(2026, 10, date))

/** A folder of one joined file with a hint, in which each document has a text. */
async function joined(text: string): Promise<string> {
  const dir = newDirectory()
  await withStore(dir, async (store) => {
    for (const id of ['a', 'b', 'c']) await store.commit('shop', [put(id, 1, {text}, [`k:${text}`.slice(0, 4) + id])])
    await store.compact()
  })
  return dir
}

const hintOf = (dir: string): string => {
  const name = readdirSync(join(dir, 'shop')).find((one) => one.endsWith('.hint')) ?? ''
  return join(dir, 'shop', name)
}

function flip(path: string, text: string): void {
  const bytes = readFileSync(path)
  const at = bytes.indexOf(text)
  expect(at, text).to.be.greaterThan(0)
  bytes[at + text.length - 1] = 33
  writeFileSync(path, bytes)
}

const damage = async (dir: string): Promise<string[]> =>
  (await diagnose(dir, facets)).findings.filter(({severity}) => severity === 'damage').map(({problem}) => problem)

describe('store · what guards the state', () => {
  after(removeDirectories)

  it('takes no hint of a file of the same number and length, from another folder', async () => {
    const [here, there] = [await joined('ours'), await joined('them')]
    expect(basename(hintOf(here))).to.equal(basename(hintOf(there)))
    expect(readFileSync(documentFile(here)).length).to.equal(readFileSync(documentFile(there)).length)
    writeFileSync(hintOf(here), readFileSync(hintOf(there)))
    await withStore(here, async (store) => {
      expect(await store.get('shop', 'people', 'b')).to.include({text: 'ours'})
      expect((await store.find('shop', 'people', 'k:oub'))?.id).to.equal('b')
      expect(await store.find('shop', 'people', 'k:thb')).to.equal(undefined)
      expect((await store.query('shop', 'people', {limit: 9, offset: 0})).results).to.have.length(3)
    })
  })

  it('misses the newest file of documents, and does not go back to those before it', async () => {
    const dir = newDirectory()
    for (const id of ['a', 'b']) await withStore(dir, (store) => store.commit('shop', [put(id, 1)]))
    const [newest = '', oldest] = documentFiles(dir)
    expect(oldest).to.not.equal(undefined)
    unlinkSync(newest)
    expect(await rejection(idsIn(dir))).to.include({code: 'StateCorrupt'})
    expect(await rejection(withStore(dir, (store) => store.commit('shop', [put('c', 1)])))).to.include({
      code: 'StateCorrupt',
    })
    expect((await damage(dir)).join()).to.include(newest)
    const [repaired] = await repair(dir, day(20))
    expect(repaired?.lost).to.deep.equal([{file: basename(newest)}])
    expect(await idsIn(dir)).to.deep.equal(['a1'])
  })

  it('has all copied lines on the disk before the copy takes effect, those that came meanwhile too', async () => {
    // Calls of the copy during which another commit comes: those that came with the last are copied while commits wait.
    for (const calls of [['write'], ['sync'], ['sync', 'sync']] as const) {
      const disk = new SimDisk()
      const left: string[] = []
      const ids = ['a', 'b']
      const add = async (id: string): Promise<void> => {
        await store.commit('shop', [put(id, 1)])
        ids.push(id)
      }
      const meanwhile = async (call: (typeof calls)[number]): Promise<void> => {
        if (left[0] !== call) return
        const [, ...others] = left.splice(0)
        await add(`late${others.length}`)
        left.push(...others)
      }
      const files = {
        ...disk.files,
        write: async (...given: Parameters<typeof disk.files.write>) => {
          await meanwhile('write')
          return disk.files.write(...given)
        },
        sync: async (fd: number) => {
          disk.files.sync(fd)
          await meanwhile('sync')
        },
      }
      const options = {dir: '/data', facets, writer: 'server'} as const
      const open = async (on: Files): Promise<LowStore> =>
        new LowStore(await openDirectory({...options, files: on, liveness: () => 'dead'}), facets)
      const store = await open(files)
      for (const id of ids) await store.commit('shop', [put(id, 1)])
      left.push(...calls)
      await store.compact()
      expect(ids, calls.join()).to.have.length(2 + calls.length)
      // All that no sync has put on the disk is lost.
      disk.cut(() => 0.4)
      const again = await open(disk.files)
      const {results} = await again.query('shop', 'people', {limit: 9, offset: 0})
      expect(
        results.map(({id}) => id),
        calls.join(),
      ).to.deep.equal(ids.sort())
      await again.close()
    }
  })

  it('leaves out what earlier repairs left out, in each later file until a copy has left it behind', async () => {
    const dir = newDirectory()
    await withStore(dir, async (store) => {
      for (const id of ['a', 'b', 'c', 'd']) await store.commit('shop', [put(id, 1)])
    })
    const first = documentFile(dir)
    const lost: unknown[] = []
    for (const [at, id] of ['b', 'c'].entries()) {
      flip(first, `"id":"${id}`)
      lost.push(...(await repair(dir, day(20 + at))).map((one) => one.lost.length))
      await withStore(dir, (store) => store.commit('shop', [put(`after-${id}`, 1)]))
      expect(await damage(dir)).to.deep.equal([])
    }
    expect(lost).to.deep.equal([1, 1])
    const left = ['a1', 'after-b1', 'after-c1', 'd1']
    expect(await idsIn(dir)).to.deep.equal(left)
    await withStore(dir, (store) => store.compact())
    expect(documentFiles(dir)).to.have.length(1)
    expect(await idsIn(dir)).to.deep.equal(left)
    expect(readFileSync(documentFile(dir), 'utf8')).to.not.include('without')
  })
})
