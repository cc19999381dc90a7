import {expect} from 'chai'
import {telling} from '../../../src/server/local/runtime.js'
import {openStore} from '../../../src/store/open.js'
import type {Put} from '../../../src/store/store.js'
import {newDirectory, removeDirectories} from '../../store/directory.js'

const customers = (count: number): Put[] =>
  Array.from({length: count}, (_, at) => ({kind: 'customer', expect: 0, doc: {id: `${at}`, version: 1}}))

describe('runtime · a folder with many customers', () => {
  after(removeDirectories)

  it('names PostgreSQL once, in one line, above the number of customers for which files are made', async () => {
    const dir = newDirectory()
    const store = await openStore({dir, facets: {}, writer: 'one-shot'})
    for (const [project, count] of Object.entries({few: 3, many: 4, more: 5})) {
      await store.commit(project, [...customers(count), {kind: 'order', expect: 0, doc: {id: 'o', version: 1}}])
    }
    await store.close()
    const notes: string[] = []
    const onRead = telling((note) => notes.push(note), 3)
    const reader = await openStore({dir, facets: {}, writer: 'reader', onRead})
    for (const project of ['few', 'many', 'many', 'more']) await reader.get(project, 'customer', '1')
    await reader.close()
    expect(notes).to.deep.equal(["many has 4 customers: PostgreSQL is the place for so many ('server migrate-store')."])
  })

  it('says so from 200,001 customers on', () => {
    const notes: string[] = []
    for (const size of [200_000, 200_001]) telling((note) => notes.push(note))('shop', () => size)
    expect(notes).to.have.length(1)
    expect(notes[0]).to.match(/^shop has 200001 customers: PostgreSQL/)
  })
})
