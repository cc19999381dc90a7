import {execFileSync} from 'node:child_process'
import {chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, unlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {openStore} from '../../../src/store/open.js'
import {bundledScript} from '../../crash/bundled-script.js'
import {put} from '../contract.js'
import {newDirectory, rejection, removeDirectories} from '../directory.js'

const facets = {}
const script = bundledScript(fileURLToPath(new URL('./private-process.ts', import.meta.url)))
const open = (dir: string, writer: 'server' | 'one-shot' | 'reader' = 'one-shot') => openStore({dir, facets, writer})

/** A state with one document, closed. */
async function closedState(): Promise<string> {
  const dir = newDirectory()
  const store = await open(dir)
  await store.commit('shop', [put('ada', 1)])
  await store.close()
  return dir
}

function modes(path: string): string[] {
  const stat = lstatSync(path)
  const own = `${stat.isDirectory() ? 'd' : '-'}${(stat.mode & 0o777).toString(8)}`
  if (!stat.isDirectory()) return [own]
  return [own, ...readdirSync(path).flatMap((name) => modes(join(path, name)))]
}

describe('store · privacy of files', () => {
  after(removeDirectories)

  for (const umask of [0o000, 0o077]) {
    it(`makes private files under umask ${umask.toString(8)}`, async () => {
      const dir = join(newDirectory(), 'below', 'data')
      // The umask belongs to the process and tests of other files share it, so a child has its own.
      try {
        execFileSync(process.execPath, [script, dir, String(umask)], {stdio: 'pipe'})
      } catch (error) {
        expect((error as {signal: string; stderr: Buffer}).signal, String((error as {stderr: Buffer}).stderr)).to.equal(
          'SIGKILL',
        )
      }
      const found = modes(dir)
      expect(found.length).to.be.greaterThan(6)
      expect([...new Set(found)].sort()).to.deep.equal(['-600', 'd700'])
    })
  }

  it('makes an empty directory private and refuses one with content that others can read', async () => {
    const dir = newDirectory()
    chmodSync(dir, 0o755)
    const store = await open(dir)
    await store.commit('shop', [put('ada', 1)])
    await store.close()
    expect(lstatSync(dir).mode & 0o777).to.equal(0o700)
    chmodSync(dir, 0o750)
    expect(await rejection(open(dir))).to.include({code: 'StatePermissions', remedy: `Run: chmod 700 ${dir}`})
  })

  for (const name of ['documents.1.jsonl']) {
    it(`refuses ${name} if others can read it`, async () => {
      const dir = await closedState()
      const path = join(dir, 'shop', name)
      chmodSync(path, 0o640)
      const store = await open(dir)
      const error = await rejection(store.get('shop', 'people', 'ada'))
      expect(error).to.include({code: 'StatePermissions', path, remedy: `Run: chmod 600 ${path}`})
      await store.close()
    })

    it(`refuses a symbolic link and a fifo in the place of ${name}`, async () => {
      const dir = await closedState()
      const path = join(dir, 'shop', name)
      const target = join(newDirectory(), 'target')
      writeFileSync(target, '', {mode: 0o600})
      for (const replace of [() => symlinkSync(target, path), () => execFileSync('mkfifo', ['-m', '600', path])]) {
        unlinkSync(path)
        replace()
        const store = await open(dir)
        expect(await rejection(store.get('shop', 'people', 'ada'))).to.include({code: 'StateUnusable', path})
        await store.close()
      }
    })
  }

  it('refuses a file in the place of the directory', async () => {
    const path = join(newDirectory(), 'file')
    writeFileSync(path, '')
    expect(await rejection(open(path))).to.include({code: 'StateUnusable', path})
    const below = join(path, 'data')
    const store = await open(below)
    expect(await rejection(store.commit('shop', [put('ada', 1)]))).to.include({code: 'StateUnusable', path: below})
  })

  it('creates nothing by reading', async () => {
    const dir = join(newDirectory(), 'data')
    for (const writer of ['reader', 'one-shot'] as const) {
      const store = await open(dir, writer)
      expect(await store.get('shop', 'people', 'ada')).to.equal(undefined)
      expect(await store.projects()).to.deep.equal([])
      await store.close()
    }
    expect(existsSync(dir)).to.equal(false)
  })

  it('leaves nothing but the state behind', async () => {
    const dir = await closedState()
    expect(readdirSync(dir)).to.deep.equal(['BALLAST', 'PROJECTS.json', 'shop'])
    expect(readdirSync(join(dir, 'shop')).sort()).to.deep.equal(['documents.1.end', 'documents.1.jsonl'])
    mkdirSync(join(dir, 'empty'), {mode: 0o700})
    const store = await open(dir)
    expect(await store.get('empty', 'people', 'ada')).to.equal(undefined)
    expect(await store.projects()).to.deep.equal(['shop'])
    await store.close()
  })
})
