import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {lettersIn, patternOf} from '../../../src/domain/search/unparsed.js'
import {MemoryLines} from '../../../src/store/lowdb/directory/data-file.js'
import {Documents, Entry, noHead} from '../../../src/store/lowdb/directory/documents.js'
import {Texts} from '../../../src/store/lowdb/directory/texts.js'
import {lineOf} from '../../../src/store/lowdb/line/line.js'
import {openStore} from '../../../src/store/open.js'
import type {OpenedStore, StoreOptions} from '../../../src/store/opened-store.js'
import type {SearchTexts} from '../../../src/store/searchable.js'
import {texts} from '../contract/search.js'
import {facets, put, searchTexts} from '../contract.js'
import {newDirectory, removeDirectories} from '../directory.js'

describe('store · search texts', () => {
  let dir: string
  let store: OpenedStore
  let derived: string[]

  /** The same texts, and a note of each document that they are derived from. */
  const watched: SearchTexts = {
    people: {
      version: 1,
      textOf: (document) => {
        derived.push(document.id)
        return searchTexts['people']?.textOf(document) ?? ''
      },
      unparsed: {lettersIn, patternOf},
    },
  }
  const open = (writer: StoreOptions['writer']) => openStore({dir, facets, searchTexts: watched, writer})
  const found = async (word: string): Promise<string[]> => {
    derived = []
    return (await store.search('shop', 'people', texts(word))).results.map(({id}) => id)
  }

  beforeEach(async () => {
    dir = newDirectory()
    derived = []
    store = await open('server')
    await store.commit('shop', [put('a', 1, {name: 'quillfeather'}), put('b', 1, {name: 'oxbow'})])
    await store.compact()
  })
  afterEach(() => store.close())
  after(removeDirectories)

  it('are kept by a server from the first search on, and made again for what changes', async () => {
    expect(await found('quill')).to.deep.equal(['a'])
    expect(derived).to.deep.equal(['a', 'b'])
    expect(await found('oxb')).to.deep.equal(['b'])
    expect(derived).to.deep.equal([])
    await store.commit('shop', [put('a', 2, {name: 'oxlip'}), put('c', 1, {name: 'oxeye'})])
    await store.commit('shop', [{kind: 'people', expect: 1, remove: 'b'}])
    expect((await found('ox')).sort()).to.deep.equal(['a', 'c'])
    expect(derived.sort()).to.deep.equal(['a', 'c'])
    await store.commit('shop', [{kind: 'people', expect: 2, remove: 'a'}])
    await store.commit('shop', [put('a', 1, {name: 'quill again'})])
    expect(await found('quill')).to.deep.equal(['a'])
  })

  it('are made by each search of a command, but for the first only of documents whose JSON may match', async () => {
    await store.commit('shop', [put('c', 1, {name: 'Élan'}), put('d', 1, {name: 'oxslip'}), put('e', 1, {name: 'ox"'})])
    await store.close()
    store = await open('one-shot')
    for (const [word, count, ids] of [
      ['quill', 1, ['a', 'e']],
      ['oxb', 1, ['a', 'b', 'e']],
      // The texts of this test keep accents.
      ['elan', 0, ['a', 'c', 'e']],
    ] as const) {
      expect(await found(word)).to.have.length(count)
      expect(derived).to.deep.equal(ids)
    }
  })

  it('are kept only if there is room for all of them, which those of others give back', () => {
    const lines = new MemoryLines(new Documents(0, 400))
    const entryOf = (id: string): Entry => {
      const line = lineOf({kind: 'people', id, uniqueKeys: []}, JSON.stringify({id, version: 1, name: id.repeat(40)}))
      return new Entry(id, 1, noHead, {file: lines, at: lines.add(line), size: line.length, crc: 0})
    }
    const collection = (ids: string) => {
      const entries = new Map([...ids].map((id) => [id, entryOf(id)]))
      return {get: (id: string) => entries.get(id), inFileOrder: () => entries.values()}
    }
    const [few, many] = [new Texts(), new Texts()]
    const {people} = watched as {people: NonNullable<SearchTexts[string]>}
    const all = (kept: Texts, ids: string) =>
      [...kept.all(collection(ids), people, () => true)].map((found) => found?.id)
    for (let round = 0; round < 3; round += 1) {
      expect(all(many, 'abc')).to.deep.equal(['a', 'b', 'c'])
      expect(all(few, 'de')).to.deep.equal(['d', 'e'])
    }
    expect(derived.filter((id) => id === 'd')).to.have.length(1)
    expect(lines.documents.textRoom).to.be.within(0, 100)
  })

  it('leave nothing of a removed document on the disk once the state is compacted', async () => {
    await found('quill')
    await store.commit('shop', [{kind: 'people', expect: 1, remove: 'a'}])
    expect(await found('quill')).to.deep.equal([])
    await store.compact()
    expect(await found('oxb')).to.deep.equal(['b'])
    await store.close()
    store = await open('server')
    const traces = readdirSync(join(dir, 'shop')).filter((name) =>
      readFileSync(join(dir, 'shop', name)).includes('quillfeather'),
    )
    expect(traces).to.deep.equal([])
  })
})
