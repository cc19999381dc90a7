import {mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type FileLock, tryLock} from '../../../src/files/file-lock.js'
import {thisProcess} from '../../../src/files/process-identity.js'
import {keptCopies, restoreSnapshot, saveSnapshot} from '../../../src/store/lowdb/care/snapshot.js'
import {facets, put} from '../contract.js'
import {newDirectory, removeDirectories} from '../directory.js'
import {withStore} from '../one-shot.js'

const now = new Date('2026-11-20T12:00:00Z')

describe('store · snapshots that were not finished', () => {
  after(removeDirectories)

  for (const [what, use] of [
    ['save', (dir: string) => saveSnapshot(dir, 'next', {facets, now})],
    ['restore', (dir: string) => restoreSnapshot(dir, 'good', {facets, now})],
  ] as const) {
    it(`go with the next ${what}, unless another process is at it`, async () => {
      const dir = newDirectory()
      await withStore(dir, (store) => store.commit('shop', [put('a', 1)]))
      await saveSnapshot(dir, 'good', {facets, now})
      const below = join(dir, '.snapshots')
      for (const name of ['.killed-one-1', '.killed-one-2', '.others-live-'])
        mkdirSync(join(below, name, 'shop'), {recursive: true})
      // No process has this number.
      const dead = {...thisProcess(), pid: 2 ** 22 + 1, nonce: 'dead'}
      for (const name of ['.killed-one-1.lock', '.killed-early.lock'])
        writeFileSync(join(below, name), JSON.stringify(dead), {mode: 0o600})
      const lock = tryLock(join(below, '.others-live-.lock')) as FileLock
      expect(keptCopies(dir).map((path) => path.slice(below.length + 1))).to.deep.equal([
        ...['.killed-one-1', '.killed-one-2', '.others-live-', 'good'],
      ])
      await use(dir)
      lock.release()
      expect(readdirSync(below).filter((name) => name.startsWith('.'))).to.deep.equal(['.others-live-'])
    })
  }
})
