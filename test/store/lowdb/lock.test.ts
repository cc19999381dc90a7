import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {StateError} from '../../../src/domain/errors.js'
import {eraseState} from '../../../src/store/erase.js'
import {liveHolder, liveServer} from '../../../src/store/locator.js'
import {releaseLock, repair} from '../../../src/store/lowdb/care/doctor.js'
import {holderIn, thisProcess} from '../../../src/store/lowdb/folder/lock.js'
import {openStore} from '../../../src/store/open.js'
import {put} from '../contract.js'
import {newDirectory, rejection, removeDirectories} from '../directory.js'

const facets = {}
const server = (dir: string) => openStore({dir, facets, writer: 'server'})
const command = (dir: string, lockTimeoutMs = 0) => openStore({dir, facets, writer: 'one-shot', lockTimeoutMs})

describe('store · lock', () => {
  after(removeDirectories)

  it('S-51 is held by a server from opening to closing', async () => {
    const dir = newDirectory()
    const store = await server(dir)
    const error = await rejection(server(dir))
    expect(error).to.include({code: 'StateLocked', path: join(dir, 'LOCK')})
    expect((error as Error).message).to.include('another copy of the library in this process')
    await store.close()
    expect(existsSync(join(dir, 'LOCK'))).to.equal(false)
    await (await server(dir)).close()
  })

  it('is taken by a command at its first commit, and waited for by the next', async () => {
    const dir = newDirectory()
    const first = await command(dir)
    const second = await command(dir, 10_000)
    const third = await command(dir)
    await first.get('shop', 'people', 'ada')
    expect(existsSync(join(dir, 'LOCK'))).to.equal(false)
    await first.commit('shop', [put('ada', 1)])
    expect(await rejection(third.commit('shop', [put('bob', 1)]))).to.include({code: 'StateLocked'})
    const waiting = second.commit('shop', [put('ada', 2)])
    await first.commit('shop', [put('eve', 1)])
    await first.close()
    await waiting
    expect((await second.get('shop', 'people', 'eve'))?.version).to.equal(1)
    await second.close()
    await third.commit('shop', [put('bob', 1)])
    await third.close()
  })

  it('reads again what another command changed before the lock was taken', async () => {
    const dir = newDirectory()
    const [first, second] = [await command(dir), await command(dir)]
    await first.commit('shop', [put('ada', 1)])
    expect((await second.get('shop', 'people', 'ada'))?.version).to.equal(1)
    await first.commit('shop', [put('ada', 2)])
    await first.close()
    const moved = await rejection(second.commit('shop', [put('ada', 2)]))
    expect(moved).to.include({name: 'VersionConflict', expected: 1, current: 2})
    await second.commit('shop', [put('ada', 3)])
    await second.close()
  })

  it('does not write when it was opened for reading', async () => {
    const store = await openStore({dir: newDirectory(), facets, writer: 'reader'})
    expect(await rejection(store.commit('shop', [put('ada', 1)]))).to.be.an('error')
  })

  it('stops a writer whose lock was taken away, before it acknowledges', async () => {
    const dir = newDirectory()
    let fatal = 0
    const store = await openStore({dir, facets, writer: 'server', onFatal: () => fatal++})
    await store.commit('shop', [put('ada', 1)])
    renameSync(join(dir, 'LOCK'), join(dir, 'LOCK-before'))
    const message = `The state cannot be written: Another process has taken over the state in ${dir}.`
    expect(await rejection(store.commit('shop', [put('eve', 1)]))).to.include({statusCode: 503, message})
    expect(await rejection(store.commit('shop', [put('bob', 1)]))).to.include({statusCode: 503})
    expect(fatal).to.equal(1)
    expect(await store.get('shop', 'people', 'eve')).to.equal(undefined)
    copyFileSync(join(dir, 'LOCK-before'), join(dir, 'LOCK'))
    await store.close()
    expect(existsSync(join(dir, 'LOCK')), 'the lock of whoever took it').to.equal(true)
  })

  it('says where the live server listens, and only a live one', async () => {
    const dir = newDirectory()
    expect(await liveServer(dir)).to.equal(undefined)
    const store = await server(dir)
    expect(await liveServer(dir)).to.equal(undefined)
    expect(await liveHolder(dir)).to.deep.equal({
      pid: process.pid,
      purpose: 'server',
      host: hostname(),
      liveness: 'alive',
    })
    await store.publish('http://127.0.0.1:4711')
    expect(await liveServer(dir)).to.deep.equal({pid: process.pid, origin: 'http://127.0.0.1:4711'})
    await store.commit('shop', [put('ada', 1)])
    const text = readFileSync(join(dir, 'LOCK'))
    await store.close()
    expect(await liveServer(dir)).to.equal(undefined)
    const dead = {...holderIn(text), startTime: '1'}
    writeFileSync(join(dir, 'LOCK'), JSON.stringify(dead), {mode: 0o600})
    expect(await liveServer(dir)).to.equal(undefined)
    await (await server(dir)).close()
  })

  it('has no holder in a copy of the folder, which is a state of its own', async () => {
    const [dir, copy] = [newDirectory(), newDirectory()]
    const store = await server(dir)
    await store.publish('http://127.0.0.1:4711')
    await store.commit('shop', [put('ada', 1)])
    cpSync(dir, copy, {recursive: true})
    expect(await liveServer(copy)).to.equal(undefined)
    const other = await server(copy)
    await other.commit('shop', [put('ada', 2)])
    await other.close()
    expect((await store.get('shop', 'people', 'ada'))?.version).to.equal(1)
    await store.close()
  })

  it('refuses a locator that another user could have written', async () => {
    const dir = newDirectory()
    const path = join(dir, 'LOCK')
    writeFileSync(path, JSON.stringify({...thisProcess('n', 'server'), origin: 'http://127.0.0.1:1'}))
    chmodSync(path, 0o644)
    const error = await rejection(liveServer(dir))
    expect(error).to.be.an.instanceOf(StateError)
    expect((error as Error).message).to.include(`${path} can be read by others`)
    chmodSync(path, 0o600)
    expect((await liveServer(dir))?.origin).to.equal('http://127.0.0.1:1')
  })

  /** Locks that nobody here can tell anything about. */
  const untold: [what: string, content: () => string][] = [
    ['of another container', () => JSON.stringify({...thisProcess('foreign', 'server'), pid: 7, namespace: 'pid:[1]'})],
    ['of another machine', () => JSON.stringify({...thisProcess('foreign', 'server'), host: 'other', bootId: 'other'})],
    ['that names nobody', () => 'nonsense'],
    ['without a byte', () => ''],
  ]
  for (const [what, content] of untold) {
    it(`is in use if it is one ${what}, until somebody who knows better takes it over`, async () => {
      const dir = newDirectory()
      const path = join(dir, 'LOCK')
      writeFileSync(path, content(), {mode: 0o600})
      expect(await liveHolder(dir)).to.include({liveness: 'unknown'})
      expect(await liveServer(dir), 'what listens there cannot be reached from here').to.equal(undefined)
      for (const use of [() => server(dir), () => eraseState(dir), () => repair(dir, new Date())]) {
        const error = (await rejection(use())) as StateError
        expect(error).to.include({code: 'StateLocked', path})
        expect(error.remedy).to.include('server doctor --force')
        if (content().includes('pid')) expect(error.message).to.match(/process id \d+ on \S+, in another container/)
      }
      const store = await openStore({dir, facets, writer: 'server', force: true})
      await store.commit('shop', [put('ada', 1)])
      await store.close()
      expect(readdirSync(dir).filter((name) => name.startsWith('LOCK'))).to.deep.equal([])
      writeFileSync(path, content(), {mode: 0o600})
      await releaseLock(dir)
      expect(existsSync(path)).to.equal(false)
      await (await server(dir)).close()
    })
  }

  it('is not taken over by force from a process that lives', async () => {
    const dir = newDirectory()
    const store = await server(dir)
    expect(await rejection(openStore({dir, facets, writer: 'server', force: true}))).to.include({code: 'StateLocked'})
    expect(await rejection(releaseLock(dir))).to.include({code: 'StateLocked'})
    await store.commit('shop', [put('ada', 1)])
    await store.close()
  })

  it('ends with its process and with the boot of its machine', async () => {
    for (const gone of [{startTime: '1'}, {pid: 2 ** 22 + 1}, {bootId: 'before'}]) {
      const dir = newDirectory()
      writeFileSync(join(dir, 'LOCK'), JSON.stringify({...thisProcess('n', 'server'), ...gone}), {mode: 0o600})
      expect(await liveHolder(dir)).to.equal(undefined)
      await (await server(dir)).close()
    }
  })

  it('does not take another file for its lock, whatever number the file system gives that', async () => {
    const dir = newDirectory()
    const first = await server(dir)
    await first.commit('shop', [put('ada', 1)])
    rmSync(join(dir, 'LOCK'))
    const second = await server(dir)
    expect(await rejection(first.commit('shop', [put('eve', 1)]))).to.include({statusCode: 503})
    await second.commit('shop', [put('bob', 1)])
    await first.close()
    await second.close()
    const store = await command(dir)
    expect((await store.query('shop', 'people', {limit: 9, offset: 0})).results.map(({id}) => id)).to.deep.equal([
      'ada',
      'bob',
    ])
    await store.close()
  })

  it('says so once, and answers 503, when the lock is gone before the first commit', async () => {
    const dir = newDirectory()
    let fatal = 0
    const store = await openStore({dir, facets, writer: 'server', onFatal: () => fatal++})
    rmSync(join(dir, 'LOCK'))
    for (const id of ['ada', 'eve']) {
      expect(await rejection(store.commit('shop', [put(id, 1)]))).to.include({statusCode: 503})
    }
    expect(fatal).to.equal(1)
    await store.close()
  })

  it('tells whom it waits for', async () => {
    const dir = newDirectory()
    const first = await command(dir)
    await first.commit('shop', [put('ada', 1)])
    const told: string[] = []
    const second = await openStore({
      dir,
      facets,
      writer: 'one-shot',
      lockTimeoutMs: 10_000,
      onWait: (holder) => {
        told.push(holder)
        void first.close()
      },
    })
    await second.commit('shop', [put('bob', 1)])
    await second.close()
    expect(told).to.deep.equal(['another copy of the library in this process'])
  })
})
