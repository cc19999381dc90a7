import {expect} from 'chai'
import {blockingFiles, type Files} from '../../../src/store/lowdb/file/files.js'
import {openDirectory} from '../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../src/store/lowdb/low-store.js'
import {openStore} from '../../../src/store/open.js'
import {times} from '../contract/subject.js'
import {facets, put} from '../contract.js'
import {newDirectory, removeDirectories} from '../directory.js'

/** Two files of documents that lie between each other. */
async function twoFiles(): Promise<string> {
  const dir = newDirectory()
  for (const letter of ['a', 'b']) {
    const store = await openStore({dir, facets, writer: 'one-shot'})
    await store.commit(
      'shop',
      times(30, (at) => put(`${String(at).padStart(3, '0')}${letter}`, 1, {text: 'x'.repeat(8_000)})),
    )
    await store.close()
  }
  return dir
}

describe('lowdb · what is read again', () => {
  after(removeDirectories)

  it('comes from memory, be it a page of several files or a document', async () => {
    let reads = 0
    const files: Files = {
      ...blockingFiles,
      read(...asked) {
        reads += 1
        return blockingFiles.read(...asked)
      },
    }
    const store = new LowStore(await openDirectory({dir: await twoFiles(), facets, writer: 'reader', files}), facets)
    const page = () => store.query('shop', 'people', {limit: 20, offset: 0})
    const first = await page()
    expect(first.results.slice(0, 3).map(({id}) => id)).to.deep.equal(['000a', '000b', '001a'])
    await page()
    await page()
    const before = reads
    expect(before).to.be.above(0)
    expect(await page()).to.deep.equal(first)
    expect((await store.get('shop', 'people', '005b'))?.id).to.equal('005b')
    expect(reads).to.equal(before)
    await store.close()
  })
})
