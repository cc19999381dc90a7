import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {eraseState} from '../../src/store/erase.js'
import {openStore} from '../../src/store/open.js'
import {facets, put} from './contract.js'
import {documentFile, newDirectory, rejection, removeDirectories} from './directory.js'

describe('store · erasing', () => {
  after(removeDirectories)

  async function state(): Promise<string> {
    const dir = newDirectory()
    const store = await openStore({dir, facets, writer: 'server'})
    for (const project of ['shop', 'outlet', '_']) await store.commit(project, [put('ada', 1)])
    await store.close()
    return dir
  }

  it('takes every project, also one whose files are damaged, and nothing else', async () => {
    const dir = await state()
    writeFileSync(documentFile(dir), 'nonsense')
    mkdirSync(join(dir, 'notes'))
    writeFileSync(join(dir, 'notes', 'read.me'), 'mine')
    expect(await eraseState(dir)).to.deep.equal(['outlet', 'shop'])
    expect(['shop', 'outlet', '_', 'notes'].filter((name) => existsSync(join(dir, name)))).to.deep.equal(['notes'])
    expect(await eraseState(dir)).to.deep.equal([])
    expect(await eraseState(join(dir, 'nowhere'))).to.deep.equal([])
  })

  it('is refused while a process holds the state', async () => {
    const dir = await state()
    const store = await openStore({dir, facets, writer: 'server'})
    try {
      expect(await rejection(eraseState(dir))).to.include({code: 'StateLocked'})
      expect(await store.get('shop', 'people', 'ada')).to.include({id: 'ada'})
    } finally {
      await store.close()
    }
  })
})
