import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {expect} from 'chai'
import {blockingFiles} from '../../../../src/store/lowdb/file/files.js'
import {readManifest} from '../../../../src/store/lowdb/file/manifest.js'
import {openDirectory} from '../../../../src/store/lowdb/folder/directory.js'
import {facetSignature, facetsOf} from '../../../../src/store/lowdb/line/facets.js'
import {LowStore} from '../../../../src/store/lowdb/low-store.js'
import {MergeThread, textsInThread} from '../../../../src/store/lowdb/merge/in-thread.js'
import type {MergeJob} from '../../../../src/store/lowdb/merge/merge.js'
import type {TextMaker} from '../../../../src/store/lowdb/table/text-column.js'
import type {Search} from '../../../../src/store/searchable.js'
import {texts} from '../../contract/search.js'
import {equals} from '../../contract/subject.js'
import {facets, put, searchTexts} from '../../contract.js'
import {newDirectory, rejection, removeDirectories} from '../../directory.js'

const script = (name: string): URL => pathToFileURL(join(import.meta.dirname, name))

/** A server whose merges run in threads of a script. */
async function server(dir: string, thread: string, warnings: string[] = []): Promise<LowStore> {
  const merges = new MergeThread(script(thread))
  const merge = (job: MergeJob) => merges.merge(job)
  const onWarning = (message: string): void => {
    warnings.push(message)
  }
  return new LowStore(await openDirectory({dir, facets, writer: 'server', merge, onWarning}), facets)
}

const ids = async (store: LowStore): Promise<string[]> =>
  (await store.query('shop', 'people', {limit: 100, offset: 0})).results.map(({id, version}) => `${id}${version}`)

describe('store · merges in a thread', () => {
  after(removeDirectories)

  it('merge sealed journals and segments, and what is committed meanwhile stays', async () => {
    const dir = newDirectory()
    const store = await server(dir, 'thread.cjs')
    await store.commit('shop', [put('a', 1), put('b', 1), put('c', 1)])
    await store.compact()
    await store.commit('shop', [put('b', 2), {kind: 'people', expect: 1, remove: 'c'}])
    const merging = store.compact()
    await store.commit('shop', [put('d', 1)])
    await merging
    expect(await ids(store)).to.deep.equal(['a1', 'b2', 'd1'])
    const manifest = await readManifest(blockingFiles, join(dir, 'shop'))
    const [segment, ...others] = manifest?.segments ?? []
    expect(others).to.deep.equal([])
    // The last commit came before the merge or after it.
    expect(segment?.lines).to.equal(segment?.countDelta).and.to.be.within(2, 3)
    await store.close()
    const again = await server(dir, 'thread.cjs')
    expect(await ids(again)).to.deep.equal(['a1', 'b2', 'd1'])
    await again.close()
  })

  it("share a thread, whose code is compiled once; the damage that one meets is no other one's", async () => {
    const dir = newDirectory()
    let started = 0
    const count = () => {
      started += 1
    }
    process.on('worker', count)
    const store = await server(dir, 'thread.cjs')
    for (const [at, project] of ['shop', 'sound'].entries()) await store.commit(project, [put(`a${at}`, 1)])
    await store.compact()
    const file = readdirSync(join(dir, 'shop')).find((name) => name.endsWith('.ndjson')) ?? ''
    writeFileSync(join(dir, 'shop', file), 'x', {flag: 'r+'})
    for (const project of ['shop', 'sound']) await store.commit(project, [put('b', 1)])
    expect(await rejection(store.compact())).to.include({code: 'StateCorrupt'})
    await store.commit('sound', [put('c', 1)])
    const {results} = await store.query('sound', 'people', {limit: 100, offset: 0})
    expect(results.map(({id}) => id)).to.deep.equal(['a1', 'b', 'c'])
    process.off('worker', count)
    expect(started).to.equal(1)
    await store.close().catch(() => {})
  })

  it('end with their thread, and the server goes on: it merges again later', async () => {
    const dir = newDirectory()
    const warnings: string[] = []
    const dying = await server(dir, 'dying-thread.cjs', warnings)
    await dying.commit('shop', [put('a', 1)])
    expect(await rejection(dying.compact())).to.be.an.instanceOf(Error)
    expect(warnings.join()).to.include('the thread of a merge ended with 7')
    expect(readdirSync(join(dir, 'shop')).filter((name) => name.endsWith('.ndjson'))).to.deep.equal([])
    await dying.commit('shop', [put('b', 1)])
    expect(await ids(dying)).to.deep.equal(['a1', 'b1'])
    await dying.close()
    const sound = await server(dir, 'thread.cjs')
    await sound.compact()
    expect(await ids(sound)).to.deep.equal(['a1', 'b1'])
    await sound.close()
  })

  it('give the lines of another release the facets of this one', async () => {
    const dir = newDirectory()
    const former = new LowStore(await openDirectory({dir, facets: {}, writer: 'server'}), {})
    await former.commit('shop', [put('a', 1, {name: 'Ada'})])
    await former.compact()
    await former.commit('shop', [put('b', 1, {name: 'ADA'})])
    await former.close()
    const store = await server(dir, 'thread.cjs')
    await store.compact()
    const where = equals('name', 'ada', 'lowercaseName')
    const {results} = await store.query('shop', 'people', {where, limit: 10, offset: 0})
    expect(results.map(({id}) => id)).to.deep.equal(['a', 'b'])
    const manifest = await readManifest(blockingFiles, join(dir, 'shop'))
    expect(manifest?.segments.map(({facets: signature}) => signature)).to.deep.equal([
      facetSignature(facetsOf(facets, 'people')),
    ])
    await store.close()
  })

  it('have their search texts made in a thread, too; without one that lives, documents are searched', async () => {
    for (const [thread, files] of [
      ['thread.cjs', 1],
      ['dying-thread.cjs', 0],
    ] as const) {
      const dir = newDirectory()
      const makeTexts: TextMaker = (job, _text, signal) => textsInThread(job, signal, script(thread))
      const backing = await openDirectory({dir, facets, writer: 'server', makeTexts})
      const store = new LowStore(backing, facets, undefined, searchTexts)
      await store.commit('shop', [put('a', 1, {name: 'quillfeather'}), put('b', 1, {name: 'oxbow'})])
      await store.compact()
      const relevance: Search['relevance'] = (candidate) => (candidate.text().includes('quill') ? 1 : -1)
      const {results} = await store.search('shop', 'people', texts('quill', {relevance}))
      expect(results.map(({id}) => id)).to.deep.equal(['a'])
      await store.close()
      expect(readdirSync(join(dir, 'shop')).filter((name) => name.includes('.texts.'))).to.have.length(files)
    }
  })

  it('name the damage that they meet as the merges of a command do', async () => {
    const dir = newDirectory()
    const store = await server(dir, 'thread.cjs')
    await store.commit('shop', [put('a', 1)])
    await store.compact()
    const file = readdirSync(join(dir, 'shop')).find((name) => name.endsWith('.ndjson')) ?? ''
    const path = join(dir, 'shop', file)
    writeFileSync(path, 'x', {flag: 'r+'})
    await store.commit('shop', [put('b', 1)])
    expect(await rejection(store.compact())).to.include({code: 'StateCorrupt', path})
    await store.close().catch(() => {})
  })
})
