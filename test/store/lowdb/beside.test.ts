import {readdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {diagnose} from '../../../src/store/lowdb/care/doctor.js'
import {verifyProject} from '../../../src/store/lowdb/care/verify.js'
import {blockingFiles, type Files} from '../../../src/store/lowdb/file/files.js'
import {openDirectory} from '../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../src/store/lowdb/low-store.js'
import type {StoreOptions} from '../../../src/store/opened-store.js'
import {facets, put} from '../contract.js'
import {newDirectory, removeDirectories} from '../directory.js'
import {idsIn, withStore} from '../one-shot.js'

type Call = 'open' | 'list' | 'stat' | 'write' | 'unlink' | 'link'

/** The calls of a process, before one of which another process does something. */
function meanwhile(isIt: (call: Call, path: string) => boolean, other: () => Promise<unknown>): Files {
  let isDone = false
  const before =
    (call: Call) =>
    async (...given: unknown[]) => {
      if (!isDone && isIt(call, String(given[0]))) {
        isDone = true
        await other()
      }
      return (blockingFiles[call] as (...all: unknown[]) => unknown)(...given)
    }
  const calls: Call[] = ['open', 'list', 'stat', 'write', 'unlink', 'link']
  return {...blockingFiles, ...Object.fromEntries(calls.map((call) => [call, before(call)]))} as Files
}

const opened = async (dir: string, writer: StoreOptions['writer'], files: Files): Promise<LowStore> =>
  new LowStore(await openDirectory({dir, facets, writer, files}), facets)

const commit = (dir: string, id: string): Promise<void> =>
  withStore(dir, (store) => store.commit('shop', [put(id, 1, {}, [`k:${id}`])]))

/** A folder that is there, with documents in a project. */
async function folder(ids: readonly string[]): Promise<string> {
  const dir = newDirectory()
  await withStore(dir, (store) => store.commit('other', [put('x', 1)]))
  for (const id of ids) await commit(dir, id)
  return dir
}

describe('store · processes beside each other', () => {
  after(removeDirectories)

  it('a reader takes what another process commits and closes meanwhile for no damage', async () => {
    const dir = newDirectory()
    await commit(dir, 'a')
    const other = await opened(dir, 'one-shot', blockingFiles)
    await other.commit('shop', [put('b', 1)])
    const files = meanwhile(
      (call, path) => call === 'open' && path.endsWith('.end'),
      async () => {
        await other.commit('shop', [put('c', 1)])
        await other.close()
      },
    )
    const reader = await opened(dir, 'reader', files)
    expect((await reader.get('shop', 'people', 'a'))?.id).to.equal('a')
    expect((await reader.get('shop', 'people', 'b'))?.id).to.equal('b')
    await reader.close()
  })

  /** A process that looks at each place of another's first commit, and then commits itself. */
  for (const before of [[], ['a']]) {
    it(`a command that has read a state of ${before.length} loses no commit that was being made then`, async () => {
      for (let at = 1, isOver = false; !isOver; at += 1) {
        const dir = await folder(before)
        const late = await opened(dir, 'one-shot', blockingFiles)
        let calls = 0
        const files = meanwhile(
          () => ++calls === at,
          async () => void (await late.get('shop', 'people', 'x')),
        )
        const other = await opened(dir, 'one-shot', files)
        await other.commit('shop', [put('b', 1)])
        isOver = calls < at
        await other.close()
        await late.commit('shop', [put('c', 1)])
        await late.close()
        expect(await idsIn(dir), `call ${at}`).to.deep.equal([...before, 'b', 'c'].map((id) => `${id}1`))
      }
    })

    it(`so does one that looks while another, with ${before.length} behind it, has done a part of it`, async () => {
      for (let at = 1, isOver = false; !isOver; at += 1) {
        const dir = await folder(before)
        let calls = 0
        const files = meanwhile(
          () => ++calls === at,
          () => commit(dir, 'b'),
        )
        const late = await opened(dir, 'one-shot', files)
        await late.get('shop', 'people', 'x')
        isOver = calls < at
        if (!isOver) {
          await late.commit('shop', [put('c', 1)])
          expect(await idsIn(dir), `call ${at}`).to.deep.equal([...before, 'b', 'c'].map((id) => `${id}1`))
        }
        await late.close()
      }
    })
  }

  it('a holder that stalls at any call of its first commit takes away nothing of one that took over', async () => {
    for (let at = 1, isOver = false; !isOver; at += 1) {
      const dir = newDirectory()
      await commit(dir, 'a')
      let calls = 0
      const files = meanwhile(
        () => ++calls === at,
        async () => {
          rmSync(join(dir, 'LOCK'), {force: true})
          for (const id of ['b', 'c']) await commit(dir, id)
        },
      )
      const stalled = await opened(dir, 'one-shot', files)
      const isAcknowledged = await stalled.commit('shop', [put('late', 1)]).then(
        () => true,
        () => false,
      )
      await stalled.close()
      isOver = calls < at
      const expected = ['a1', ...(isOver ? [] : ['b1', 'c1']), ...(isAcknowledged ? ['late1'] : [])]
      expect(await idsIn(dir), `call ${at}`).to.deep.equal(expected)
      expect((await diagnose(dir, facets)).findings, `call ${at}`).to.deep.equal([])
    }
  })

  it('leaves nothing of joined files, also where one could not be removed at first', async () => {
    const dir = newDirectory()
    let refuses = true
    const files: Files = {
      ...blockingFiles,
      unlink: (path) => {
        if (refuses && path.endsWith('.jsonl')) throw Object.assign(new Error('EIO, unlink'), {code: 'EIO'})
        blockingFiles.unlink(path)
      },
    }
    const store = await opened(dir, 'server', files)
    await store.commit('shop', [put('ada', 1)])
    await store.commit('shop', [{kind: 'people', expect: 1, remove: 'ada'}, put('b', 1)])
    await store.compact().catch(() => {})
    refuses = false
    await store.compact()
    expect(readdirSync(join(dir, 'shop')).filter((name) => name.endsWith('.jsonl'))).to.have.length(1)
    await store.close()
  })

  it('the doctor takes nothing that another process does meanwhile for damage', async () => {
    const others: readonly ((server: LowStore) => Promise<unknown>)[] = [
      (server) => server.compact(),
      (server) => server.commit('shop', [put('d', 1)]).then(() => server.close()),
    ]
    for (const other of others) {
      for (let at = 1, isOver = false; !isOver; at += 1) {
        const dir = newDirectory()
        await commit(dir, 'a')
        const server = await opened(dir, 'server', blockingFiles)
        for (const id of ['b', 'c']) await server.commit('shop', [put(id, 1)])
        let calls = 0
        const files = meanwhile(
          () => ++calls === at,
          () => other(server),
        )
        const {findings} = await verifyProject(files, join(dir, 'shop'), facets)
        expect(
          findings.filter(({severity}) => severity === 'damage'),
          `call ${at}`,
        ).to.deep.equal([])
        isOver = calls < at
        await server.close()
      }
    }
  })
})
