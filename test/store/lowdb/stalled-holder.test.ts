import {renameSync, rmSync, unlinkSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {diagnose} from '../../../src/store/lowdb/care/doctor.js'
import {blockingFiles, type Files} from '../../../src/store/lowdb/file/files.js'
import {openDirectory} from '../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../src/store/lowdb/low-store.js'
import {openStore} from '../../../src/store/open.js'
import {facets, put} from '../contract.js'
import {copyFolder} from '../copied-folder.js'
import {documentFile, newDirectory, rejection, removeDirectories} from '../directory.js'

async function idsIn(dir: string): Promise<string[]> {
  const store = await openStore({dir, facets, writer: 'one-shot'})
  try {
    const {results} = await store.query('shop', 'people', {limit: 100, offset: 0})
    return results.map(({id, version}) => `${id}${version}`)
  } finally {
    await store.close()
  }
}

const damage = async (dir: string): Promise<string[]> =>
  (await diagnose(dir, facets)).findings.filter(({severity}) => severity === 'damage').map(({problem}) => problem)

describe('store · a holder that stalls', () => {
  after(removeDirectories)

  /** A holder whose next call of a kind waits until it is let go, which is as good as SIGSTOP between check and call. */
  async function stalling(dir: string, call: 'write' | 'sync' | 'link' | 'syncDirectory' | 'unlink') {
    let stalled = (): void => {}
    let go = (): void => {}
    const reached = new Promise<void>((resolve) => {
      stalled = resolve
    })
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    let armed = false
    const files = {
      ...blockingFiles,
      [call]: async (...parameters: unknown[]) => {
        if (armed) {
          armed = false
          stalled()
          await gate
        }
        return (blockingFiles[call] as (...given: unknown[]) => unknown)(...parameters)
      },
    } as Files
    const store = new LowStore(await openDirectory({dir, facets, writer: 'server', files}), facets)
    const arm = (): void => {
      armed = true
    }
    return {store, arm, reached, go}
  }

  for (const call of ['write', 'link', 'syncDirectory', 'unlink'] as const) {
    it(`loses nothing that either acknowledged when it stalls before ${call} and goes on after another took over`, async () => {
      const dir = newDirectory()
      const {store: first, arm, reached, go} = await stalling(dir, call)
      await first.commit('shop', [put('a', 1, {}, ['k:a'])])
      arm()
      const late = (call === 'write' ? first.commit('shop', [put('late', 1)]) : first.compact()).catch(
        (error: unknown) => error,
      )
      await reached
      rmSync(join(dir, 'LOCK'))
      const second = await openStore({dir, facets, writer: 'server'})
      const acknowledged = ['b', 'c', 'd']
      for (const id of acknowledged) await second.commit('shop', [put(id, 1, {}, [`k:${id}`])])
      go()
      expect(await late, 'what it was told').to.be.an('error')
      await first.close()
      await second.commit('shop', [put('e', 1)])
      // What a successor finds that begins while the second one is still there, and after it has been killed.
      renameSync(join(dir, 'LOCK'), join(dir, 'LOCK-killed'))
      expect(await idsIn(dir)).to.deep.equal(['a1', 'b1', 'c1', 'd1', 'e1'])
      expect(await damage(dir)).to.deep.equal([])
      await second.close().catch(() => {})
      expect(await idsIn(dir)).to.deep.equal(['a1', 'b1', 'c1', 'd1', 'e1'])
    })
  }

  it('acknowledges nothing into a journal that a successor has ended, although its lock is back', async () => {
    const dir = newDirectory()
    const first = await openStore({dir, facets, writer: 'server'})
    await first.commit('shop', [put('a', 1)])
    renameSync(join(dir, 'LOCK'), join(dir, 'kept'))
    const second = await openStore({dir, facets, writer: 'server'})
    await second.commit('shop', [put('b', 1)])
    await second.close()
    renameSync(join(dir, 'kept'), join(dir, 'LOCK'))
    expect(await first.commit('shop', [put('c', 1)]).catch((error: unknown) => error)).to.include({statusCode: 503})
    await first.close()
    expect(await idsIn(dir)).to.deep.equal(['a1', 'b1'])
  })

  it('in mid-copy loses nothing, and a file that is missing afterwards is not passed by', async () => {
    const dir = newDirectory()
    const {store: first, arm, reached, go} = await stalling(dir, 'sync')
    await first.commit('shop', [put('a', 1)])
    arm()
    const compacting = first.compact()
    await reached
    await first.commit('shop', [put('b', 1)])
    const crashed = join(newDirectory(), 'state')
    copyFolder(dir, crashed)
    rmSync(join(crashed, 'LOCK'))
    expect(await idsIn(crashed)).to.deep.equal(['a1', 'b1'])
    unlinkSync(documentFile(crashed))
    expect(await rejection(idsIn(crashed))).to.include({code: 'StateCorrupt'})
    go()
    await compacting
    await first.close()
    expect(await idsIn(dir)).to.deep.equal(['a1', 'b1'])
  })
})
