import {type ChildProcess, execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {eraseState} from '../../src/store/erase.js'
import {liveHolder} from '../../src/store/locator.js'
import {releaseLock} from '../../src/store/lowdb/care/doctor.js'
import {openStore} from '../../src/store/open.js'
import {newDirectory, rejection, removeDirectories} from '../store/directory.js'
import {bundledScript} from './bundled-script.js'

const script = bundledScript(fileURLToPath(new URL('./holder.ts', import.meta.url)))
const apart = ['--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL']

function canBeApart(): boolean {
  try {
    execFileSync('unshare', [...apart, 'true'], {stdio: 'ignore'})
    return true
  } catch {
    return false
  }
}

/** A process in a pid namespace of its own, as in a container, once it holds the state. */
async function container(dir: string, id: string): Promise<ChildProcess> {
  const child = spawn('unshare', [...apart, process.execPath, script, dir, id], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  expect(String(said[0])).to.equal('holds\n')
  return child
}

describe('store · containers that share a folder', () => {
  after(removeDirectories)

  it('are in use for each other until somebody says that one has ended', async function () {
    if (!canBeApart()) {
      console.warn('    Namespaces cannot be made here: the test of containers is skipped.')
      this.skip()
    }
    const dir = newDirectory()
    const first = await container(dir, 'one')
    const refused = async (): Promise<void> => {
      expect(await liveHolder(dir)).to.include({purpose: 'server', liveness: 'unknown'})
      for (const use of [() => eraseState(dir), () => openStore({dir, facets: {}, writer: 'server'})]) {
        expect(await rejection(use())).to.include({code: 'StateLocked'})
      }
    }
    try {
      await refused()
    } finally {
      first.kill('SIGKILL')
      await once(first, 'close')
    }
    await refused()
    await releaseLock(dir)
    const second = await container(dir, 'two')
    second.kill('SIGKILL')
    await once(second, 'close')
    const store = await openStore({dir, facets: {}, writer: 'server', force: true})
    const {results} = await store.query('shop', 'things', {limit: 9, offset: 0})
    expect(results.map(({id}) => id)).to.deep.equal(['one', 'two'])
    await store.close()
    expect([...(await eraseState(dir))]).to.deep.equal(['shop'])
  })
})
