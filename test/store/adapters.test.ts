import {openDirectory} from '../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../src/store/lowdb/low-store.js'
import {openStore} from '../../src/store/open.js'
import type {OpenedStore} from '../../src/store/opened-store.js'
import {facets, searchTexts, storeContract} from './contract.js'
import {newDirectory, removeDirectories} from './directory.js'

after(removeDirectories)

storeContract('lowdb in memory', () => openStore({dir: ':memory:', facets, searchTexts, writer: 'server'}), {
  texts: true,
})

function filesContract(name: string, open: (dir: string) => Promise<OpenedStore>): void {
  let dir = ''
  storeContract(
    `lowdb in files, ${name}`,
    () => {
      dir = newDirectory()
      return open(dir)
    },
    {
      texts: true,
      reopen: async (store) => {
        await store.close()
        return open(dir)
      },
    },
  )
}

filesContract('server', (dir) => openStore({dir, facets, searchTexts, writer: 'server'}))
filesContract('one-shot', (dir) => openStore({dir, facets, searchTexts, writer: 'one-shot'}))
filesContract('compacting after every commit', async (dir) => {
  const options = {dir, facets, searchTexts, writer: 'server', compactBytes: 1} as const
  return new LowStore(await openDirectory(options), facets, searchTexts)
})
