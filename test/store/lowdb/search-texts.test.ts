import {closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Scans} from '../../../src/store/adapter/scans.js'
import {blockingFiles, type Files} from '../../../src/store/lowdb/file/files.js'
import {openDirectory} from '../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../src/store/lowdb/low-store.js'
import {columnOf, readInSlices, type TextMaker} from '../../../src/store/lowdb/table/text-column.js'
import {openStore} from '../../../src/store/open.js'
import type {OpenedStore} from '../../../src/store/opened-store.js'
import type {SearchTexts} from '../../../src/store/searchable.js'
import {texts} from '../contract/search.js'
import {facets, put, searchTexts} from '../contract.js'
import {newDirectory, removeDirectories} from '../directory.js'

describe('store · search texts of a segment', () => {
  let dir: string
  let store: OpenedStore
  let derived: string[]

  /** The same texts, and a note of each document that they are derived from. */
  const watched = (version = 1): SearchTexts => ({
    people: {
      version,
      textOf: (document) => {
        derived.push(document.id)
        return searchTexts['people']?.textOf(document) ?? ''
      },
    },
  })
  const open = (version?: number) => openStore({dir, facets, searchTexts: watched(version), writer: 'server'})
  const found = async (word: string): Promise<string[]> => {
    return (await store.search('shop', 'people', texts(word))).results.map(({id}) => id)
  }
  const textFiles = () => readdirSync(join(dir, 'shop')).filter((name) => name.includes('.texts.'))
  const reopen = async (version?: number) => {
    await store.close()
    derived = []
    store = await open(version)
  }

  beforeEach(async () => {
    dir = newDirectory()
    derived = []
    store = await open()
    await store.commit('shop', [put('a', 1, {name: 'quillfeather'}), put('b', 1, {name: 'oxbow'})])
    await store.compact()
  })
  afterEach(() => store.close())
  after(removeDirectories)

  it('are made by the first search, and read from their file by the next process', async () => {
    expect(textFiles()).to.deep.equal([])
    expect(await found('quill')).to.deep.equal(['a'])
    expect(derived.sort()).to.deep.equal(['a', 'b'])
    await reopen()
    expect(textFiles()).to.have.length(1)
    expect(await found('oxb')).to.deep.equal(['b'])
    expect(derived).to.deep.equal([])
  })

  it('are not made on once the store is closed', async () => {
    const ids = Array.from({length: 3000}, (_, at) => `n${at}`)
    await store.commit(
      'shop',
      ids.map((id) => put(id, 1, {name: 'wren'})),
    )
    await found('wren')
    await store.compact()
    derived = []
    await store.close()
    const made = derived.length
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(derived.length).to.equal(made)
  })

  it('are made again if their file is damaged, cut, gone or of another version', async () => {
    await found('quill')
    await store.close()
    const path = join(dir, 'shop', textFiles()[0] ?? '')
    const whole = readFileSync(path)
    const broken = Buffer.from(whole)
    broken.write('x', broken.length - 3)
    const spoilings = [
      () => writeFileSync(path, broken),
      () => writeFileSync(path, whole.subarray(0, 40)),
      () => rmSync(path),
    ]
    for (const spoil of spoilings) {
      spoil()
      derived = []
      store = await open()
      expect(await found('oxb'), String(spoil)).to.deep.equal(['b'])
      expect(derived, String(spoil)).to.have.length(2)
      await store.close()
      expect(readFileSync(path).length, 'is written again').to.equal(whole.length)
    }
    store = await open(2)
    derived = []
    expect(await found('oxb')).to.deep.equal(['b'])
    expect(derived).to.have.length(2)
  })

  it('are made once for all who ask meanwhile', async () => {
    expect(await Promise.all(['quill', 'oxbow', 'zzz'].map(found))).to.deep.equal([['a'], ['b'], []])
    expect(derived).to.have.length(2)
  })

  it('are made in time of their own, however long that is: the search that waits for them does not work', async () => {
    await store.close()
    let now = 0
    const makeTexts: TextMaker = (...asked) => {
      now += 20_000
      return columnOf(blockingFiles, ...asked)
    }
    const backing = await openDirectory({dir, facets, writer: 'server', makeTexts})
    const slow = new LowStore(backing, facets, new Scans({clock: () => now}), watched())
    expect((await slow.search('shop', 'people', texts('quill'))).results.map(({id}) => id)).to.deep.equal(['a'])
    await slow.close()
    store = await open()
  })

  it('are read in pieces, between which others work', async () => {
    const path = join(newDirectory(), 'column')
    const content = Buffer.alloc((3 << 20) + 5, 'quillfeather')
    writeFileSync(path, content)
    const fd = openSync(path, 'r')
    const lengths: number[] = []
    const read: Files['read'] = (file, buffer, at, length, position) => {
      lengths.push(length)
      return blockingFiles.read(file, buffer, at, length, position)
    }
    expect((await readInSlices({read}, fd, content.length)).equals(content)).to.equal(true)
    expect(lengths).to.deep.equal([1 << 20, 1 << 20, 1 << 20, 5])
    expect((await readInSlices({read}, fd, content.length + 9)).equals(content), 'a file that was cut').to.equal(true)
    closeSync(fd)
  })

  it('leave nothing of a removed document on the disk once the state is compacted', async () => {
    await found('quill')
    await store.commit('shop', [{kind: 'people', expect: 1, remove: 'a'}])
    expect(await found('quill')).to.deep.equal([])
    await store.compact()
    expect(await found('oxb')).to.deep.equal(['b'])
    await reopen()
    const traces = readdirSync(join(dir, 'shop')).filter((name) =>
      readFileSync(join(dir, 'shop', name)).includes('quillfeather'),
    )
    expect(traces).to.deep.equal([])
    expect(textFiles()).to.have.length(1)
  })
})
