import {readdirSync, readFileSync, unlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {expect} from 'chai'
import {blockingFiles} from '../../../src/store/lowdb/file/files.js'
import {openDirectory} from '../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../src/store/lowdb/low-store.js'
import {indexInThread} from '../../../src/store/lowdb/merge/in-thread.js'
import type {IndexJob, IndexMaker} from '../../../src/store/lowdb/table/index-remaking.js'
import {indexOf} from '../../../src/store/lowdb/table/index-writer.js'
import {facets, put} from '../contract.js'
import {newDirectory, rejection, removeDirectories} from '../directory.js'
import {withStore} from '../one-shot.js'

const count = 1500
const id = (at: number): string => `p${String(at).padStart(4, '0')}`

/** A segment that is too long for its index to be made at once. */
async function state(): Promise<string> {
  const dir = newDirectory()
  await withStore(dir, async (store) => {
    const text = 'x'.repeat(1000)
    await store.commit(
      'shop',
      Array.from({length: count}, (_, at) => put(id(at), 1, {text}, [`k:${at}`])),
    )
    await store.compact()
  })
  return dir
}

const indexFile = (dir: string): string =>
  join(dir, 'shop', readdirSync(join(dir, 'shop')).find((name) => name.endsWith('.idx')) ?? '')

/** Damages the first and the last page of an index; its head stays sound. */
function damage(path: string): Buffer {
  const sound = readFileSync(path)
  const damaged = Buffer.from(sound)
  for (const at of [100, sound.length - 100]) damaged[at] = (damaged[at] ?? 0) ^ 1
  writeFileSync(path, damaged)
  return sound
}

async function server(dir: string, makeIndex: IndexMaker): Promise<LowStore> {
  return new LowStore(await openDirectory({dir, facets, writer: 'server', makeIndex}), facets)
}

describe('store · a damaged index of a long segment', () => {
  after(removeDirectories)

  it('is made beside the thread that answers, which refuses what it needs it for until then', async () => {
    const dir = await state()
    const sound = damage(indexFile(dir))
    const jobs: IndexJob[] = []
    let make = (): void => undefined
    const store = await server(dir, async (job) => {
      jobs.push(job)
      await new Promise<void>((resolve) => (make = resolve))
      return indexOf(blockingFiles, job)
    })
    for (const at of [0, 7, count - 1]) {
      const error = await rejection(store.get('shop', 'people', id(at)))
      expect(error, id(at)).to.include({code: 'OverCapacity', statusCode: 503})
    }
    expect(jobs.length).to.equal(1)
    make()
    await new Promise(setImmediate)
    for (const at of [0, 7, count - 1]) {
      expect((await store.get('shop', 'people', id(at)))?.id).to.equal(id(at))
      expect((await store.find('shop', 'people', `k:${at}`))?.id).to.equal(id(at))
    }
    await store.commit('shop', [put(id(3), 2)])
    await store.close()
    expect(readFileSync(indexFile(dir)).equals(sound), 'the file is sound again').to.equal(true)
  })

  it('is made before the project is opened where it is missing, in a thread of its own', async () => {
    const dir = await state()
    const path = indexFile(dir)
    const {length} = readFileSync(path)
    unlinkSync(path)
    const thread = pathToFileURL(join(import.meta.dirname, 'merge', 'thread.cjs'))
    let made = 0
    const store = await server(dir, (job) => {
      made += 1
      return indexInThread(job, thread)
    })
    expect((await store.find('shop', 'people', 'k:9'))?.id).to.equal(id(9))
    await store.close()
    expect(made).to.equal(1)
    expect(readFileSync(path).length).to.equal(length)
  })

  it('is made by the process itself when the thread ends', async () => {
    const dir = await state()
    damage(indexFile(dir))
    const store = await server(dir, () => Promise.reject(new Error('the thread ended with 7')))
    expect(await rejection(store.get('shop', 'people', id(0)))).to.include({code: 'OverCapacity'})
    expect((await store.get('shop', 'people', id(0)))?.id).to.equal(id(0))
    await store.close()
  })

  it('names damaged lines once it was tried', async () => {
    const dir = await state()
    const path = indexFile(dir)
    damage(path)
    const segment = path.replace(/idx$/, 'ndjson')
    const lines = readFileSync(segment)
    lines[50_000] = (lines[50_000] ?? 0) ^ 1
    writeFileSync(segment, lines)
    const store = await server(dir, async (job) => indexOf(blockingFiles, job))
    expect(await rejection(store.get('shop', 'people', id(0)))).to.include({code: 'OverCapacity'})
    await new Promise(setImmediate)
    expect(await rejection(store.get('shop', 'people', id(0)))).to.include({code: 'StateCorrupt', path: segment})
    await store.close()
  })
})
