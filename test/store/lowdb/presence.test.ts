import {existsSync, mkdirSync, readdirSync, renameSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {eraseState} from '../../../src/store/erase.js'
import {liveHolder, liveServer} from '../../../src/store/locator.js'
import {repair} from '../../../src/store/lowdb/care/repair.js'
import {thisProcess} from '../../../src/store/lowdb/folder/holder.js'
import {announcePresence, presenceOf} from '../../../src/store/lowdb/folder/presence.js'
import {openStore} from '../../../src/store/open.js'
import {put} from '../contract.js'
import {newDirectory, rejection, removeDirectories} from '../directory.js'

const facets = {}
const server = (dir: string) => openStore({dir, facets, writer: 'server'})

describe('store · signs of life', () => {
  after(removeDirectories)

  it('finds the socket however long the path of the folder is', async () => {
    const dir = join(newDirectory(), 'x'.repeat(200))
    mkdirSync(dir, {mode: 0o700})
    const presence = await announcePresence(dir, 'n')
    expect(presence?.name).to.equal('LOCK-n.sock')
    expect(await presenceOf(dir, 'LOCK-n.sock')).to.equal('alive')
    presence?.end()
    expect(readdirSync(dir)).to.deep.equal([])
  })

  /** A lock that another container left, or holds. */
  function foreign(dir: string, socket: string): void {
    const holder = {...thisProcess('foreign', 'server', socket), namespace: 'pid:[1]', pid: 7}
    writeFileSync(join(dir, 'LOCK'), JSON.stringify({...holder, origin: 'http://127.0.0.1:1'}), {mode: 0o600})
  }

  it('refuses a state that a living process of another container holds, and takes it over when that has ended', async () => {
    const dir = newDirectory()
    const presence = await announcePresence(dir, 'foreign')
    foreign(dir, 'LOCK-foreign.sock')
    expect(await liveHolder(dir)).to.deep.equal({pid: 7, purpose: 'server', place: 'container'})
    expect(await liveServer(dir), 'what listens there cannot be reached from here').to.equal(undefined)
    for (const use of [() => server(dir), () => eraseState(dir), () => repair(dir, facets, new Date())]) {
      const error = await rejection(use())
      expect(error).to.include({code: 'StateLocked'})
      expect((error as Error).message).to.include('in another container')
    }
    renameSync(join(dir, 'LOCK-foreign.sock'), join(dir, 'LOCK-kept.sock'))
    presence?.end()
    renameSync(join(dir, 'LOCK-kept.sock'), join(dir, 'LOCK-foreign.sock'))
    const store = await server(dir)
    await store.commit('shop', [put('ada', 1)])
    expect(readdirSync(dir), 'what the dead one left').to.not.include('LOCK-foreign.sock')
    await store.close()
  })

  it('takes over from a lock that names nobody, unless somebody answers', async () => {
    for (const text of ['', 'nonsense', '{"pid":1}']) {
      const dir = newDirectory()
      writeFileSync(join(dir, 'LOCK'), text, {mode: 0o600})
      await (await server(dir)).close()
      expect(existsSync(join(dir, 'LOCK')), text).to.equal(false)
    }
    const dir = newDirectory()
    foreign(dir, 'LOCK-foreign.sock')
    const presence = await announcePresence(dir, 'foreign')
    truncateSync(join(dir, 'LOCK'))
    expect(await rejection(server(dir))).to.include({code: 'StateLocked'})
    presence?.end()
    await (await server(dir)).close()
  })
})
