import {statSync, truncateSync, unlinkSync} from 'node:fs'
import {expect} from 'chai'
import {blockingFiles, type Files} from '../../../../src/store/lowdb/file/files.js'
import {openDirectory} from '../../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../../src/store/lowdb/low-store.js'
import {openStore} from '../../../../src/store/open.js'
import type {Change} from '../../../../src/store/store.js'
import {equals, everything, times} from '../../contract/subject.js'
import {facets, put} from '../../contract.js'
import {copyFolder} from '../../copied-folder.js'
import {documentFile, newDirectory, removeDirectories} from '../../directory.js'

/** One of a hundred: some change, some lose and get back their name and key, some go, some are new. */
const idOf = (at: number): string => `p${String(at).padStart(3, '0')}`
const first = times(100, (at) => put(idOf(at), 1, {name: `Name ${at}`}, [`key:${at}`]))

const changes: readonly (readonly Change[])[] = times(100, (at) => {
  const id = idOf(at)
  if (at % 4 === 0) return [[put(id, 2, {name: `Other ${at}`}, [`other:${at}`])]]
  if (at % 4 === 1) return [[{kind: 'people', expect: 1, remove: id}]]
  if (at % 4 === 2) return [[put(id, 2, {name: 'Common'})], [put(id, 3, {name: `Name ${at}`}, [`key:${at}`])]]
  return [[put(`q${id}`, 1, {name: 'Common'}, [`new:${at}`])]]
}).flat()

interface Seen {
  readonly all: readonly unknown[]
  readonly byName: readonly unknown[]
  readonly byKey: readonly unknown[]
}

/** What a store that was opened anew finds by ids, values and unique keys. */
async function seen(dir: string): Promise<Seen> {
  const store = await openStore({dir, facets, writer: 'reader'})
  const byName = async (name: string) => {
    const page = {...everything, where: equals('lowercaseName', name, 'lowercaseName')}
    return (await store.query('shop', 'people', page)).results
  }
  const keys = times(100, (at) => [`key:${at}`, `other:${at}`, `new:${at}`]).flat()
  const found = {
    all: (await store.query('shop', 'people', everything)).results,
    byName: await Promise.all([...times(100, (at) => `name ${at}`), 'common', 'other 4'].map(byName)),
    byKey: await Promise.all(keys.map((key) => store.find('shop', 'people', key))),
  }
  await store.close()
  return found
}

describe('lowdb · a hint that is written while commits go on', () => {
  after(removeDirectories)

  it('opens to what was acknowledged, and does not count where the file ends before what it knows', async () => {
    const dir = newDirectory()
    let hint: number | undefined
    let store: LowStore | undefined
    const committed = async (): Promise<void> => {
      for (const change of changes) await store?.commit('shop', change)
    }
    const files: Files = {
      ...blockingFiles,
      open(path, mode) {
        const fd = blockingFiles.open(path, mode)
        if (path.endsWith('.hint.unfinished')) hint = fd
        return fd
      },
      write(...asked) {
        if (asked[0] !== hint) return blockingFiles.write(...asked)
        hint = undefined
        return committed().then(() => blockingFiles.write(...asked))
      },
    }
    store = new LowStore(await openDirectory({dir, facets, writer: 'server', files}), facets)
    await store.commit('shop', first)
    await store.compact()
    // As after a kill: with the hint, and without.
    const [killed, rebuilt, cut, cutAndRebuilt] = [0, 1, 2, 3].map(newDirectory) as [string, string, string, string]
    for (const to of [killed, rebuilt, cut, cutAndRebuilt]) copyFolder(dir, to)
    for (const to of [rebuilt, cutAndRebuilt]) unlinkSync(documentFile(to).replace('.jsonl', '.hint'))
    await store.close()
    const found = await seen(killed)
    expect(found.all).to.have.length(100)
    expect(found).to.deep.equal(await seen(rebuilt))
    for (const to of [cut, cutAndRebuilt]) truncateSync(documentFile(to), statSync(documentFile(to)).size - 10_000)
    const rest = await seen(cut)
    expect(rest.all).to.not.deep.equal(found.all)
    expect(rest).to.deep.equal(await seen(cutAndRebuilt))
  })
})
