import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {openStore} from '../../src/store/open.js'
import {facets, storeContract} from './contract.js'

const directories: string[] = []

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'frontdesk-store-'))
  directories.push(path)
  return path
}

after(() => {
  for (const path of directories) rmSync(path, {recursive: true})
})

storeContract('lowdb in memory', () => openStore({dir: ':memory:', facets, writer: 'server'}))

for (const writer of ['server', 'one-shot'] as const) {
  let dir = ''
  const open = () => openStore({dir, facets, writer})
  storeContract(
    `lowdb in files, ${writer}`,
    () => {
      dir = directory()
      return open()
    },
    async (store) => {
      await store.close()
      return open()
    },
  )
}
