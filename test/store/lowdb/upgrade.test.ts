import {readFileSync, writeFileSync} from 'node:fs'
import {expect} from 'chai'
import {facets} from '../../../src/server/local/facets.js'
import {repair} from '../../../src/store/lowdb/care/repair.js'
import {withChecksum} from '../../../src/store/lowdb/file/checksum.js'
import {Entry} from '../../../src/store/lowdb/line/entry.js'
import {openStore} from '../../../src/store/open.js'
import {put} from '../contract.js'
import {manifestIn, newDirectory, rejection, removeDirectories} from '../directory.js'

const open = (dir: string, writer: 'server' | 'one-shot' | 'reader' = 'one-shot') => openStore({dir, facets, writer})

async function customers(dir: string): Promise<string[]> {
  const store = await open(dir, 'reader')
  try {
    const {results} = await store.query<{id: string; version: number; email: string}>('shop', 'customer', {
      limit: 10,
      offset: 0,
    })
    return results.map(({email, version}) => `${email} ${version}`).sort()
  } finally {
    await store.close()
  }
}

describe('store · state of other releases', () => {
  after(removeDirectories)

  it('refuses what a newer release wrote, with its format, wherever it says so', async () => {
    const dir = newDirectory()
    const store = await open(dir)
    await store.commit('shop', [put('ada', 1)])
    await store.close()
    const change = (path: string, format: number): void => {
      const members = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
      delete members['x']
      writeFileSync(path, `${withChecksum(JSON.stringify({...members, format}))}\n`)
    }
    const manifest = manifestIn(dir)
    change(manifest, 2)
    const error = await rejection(customers(dir))
    expect(error).to.include({code: 'StateVersion', path: manifest})
    expect((error as Error).message).to.include('format 2')
    expect(await rejection(repair(dir, facets, new Date()))).to.include({code: 'StateVersion'})
    change(manifest, 1)
    expect(await customers(dir)).to.deep.equal([])
    for (const record of ['{"r":2,"s":1,"d":0,"n":0}', '{"r":2,"id":"ada","v":1,"doc":{}}']) {
      expect(() => Entry.ofLine(Buffer.from(withChecksum(record)))).to.throw('format 2')
    }
  })
})
