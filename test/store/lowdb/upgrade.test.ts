import {chmodSync, cpSync, lstatSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {facets} from '../../../src/server/local/facets.js'
import {parsedLine, withChecksum} from '../../../src/store/lowdb/format/record.js'
import {diagnose} from '../../../src/store/lowdb/maintenance/doctor.js'
import {repair} from '../../../src/store/lowdb/maintenance/repair.js'
import {openStore} from '../../../src/store/open.js'
import {REALM} from '../../../src/store/store.js'
import {equals} from '../contract/subject.js'
import {put} from '../contract.js'
import {newDirectory, rejection, removeDirectories} from '../directory.js'

/** A state of format 1, written by the release before: a project of two customers, of whom one was changed since. */
const release = new URL('./release-1/', import.meta.url)
const ada = '4f6f3656-c727-4844-b797-2175b1a8cae5'

function makePrivate(path: string): void {
  const isFolder = lstatSync(path).isDirectory()
  chmodSync(path, isFolder ? 0o700 : 0o600)
  if (isFolder) for (const name of readdirSync(path)) makePrivate(join(path, name))
}

function formerState(): string {
  const dir = newDirectory()
  cpSync(release, dir, {recursive: true})
  // Git keeps no modes of this kind.
  makePrivate(dir)
  return dir
}

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

  it('opens what the release before wrote, and finds nothing wrong with it', async () => {
    const dir = formerState()
    const {findings, projects} = await diagnose(dir, facets)
    expect(findings).to.deep.equal([])
    expect(projects.map(({name}) => name)).to.deep.equal(['_', 'shop'])
    expect(await customers(dir)).to.deep.equal(['ada@example.com 2', 'eve@example.com 1'])
    const store = await open(dir, 'reader')
    expect(
      (await store.get<{id: string; version: number; firstName?: string}>('shop', 'customer', ada))?.firstName,
    ).to.equal('Ada')
    expect((await store.query(REALM, 'project', {limit: 9, offset: 0})).results.map(({id}) => id)).to.deep.equal([
      'shop',
    ])
    await store.close()
  })

  it('goes on with it: what is written then is of the new format, and all is there', async () => {
    for (const writer of ['one-shot', 'server'] as const) {
      const dir = formerState()
      const store = await open(dir, writer)
      const doc = await store.get<{id: string; version: number}>('shop', 'customer', ada)
      await store.commit('shop', [{kind: 'customer', expect: 2, doc: {...doc, id: ada, version: 3}}])
      await store.close()
      expect(await customers(dir)).to.deep.equal(['ada@example.com 3', 'eve@example.com 1'])
      expect((await diagnose(dir, facets)).findings).to.deep.equal([])
      const manifest = JSON.parse(readFileSync(join(dir, 'shop', 'MANIFEST.json'), 'utf8')) as {format: number}
      expect(manifest.format).to.equal(2)
      expect(readdirSync(join(dir, 'shop'))).to.not.include('durable.json')
      expect(JSON.parse(readFileSync(join(dir, 'PROJECTS.json'), 'utf8'))).to.deep.include({projects: ['_', 'shop']})
    }
  })

  it('looks its customers up by their indexed values before and after they are written anew', async () => {
    const dir = formerState()
    const where = equals('email', 'eve@example.com')
    const formats = (): number[] => {
      const indexes = readdirSync(join(dir, 'shop')).filter((name) => /^[a-z]+\.\d+\.idx$/.test(name))
      return [...new Set(indexes.map((name) => readFileSync(join(dir, 'shop', name)).readUInt32LE(4)))]
    }
    for (const compacts of [false, true]) {
      const store = await open(dir)
      expect(formats()).to.deep.equal([1])
      if (compacts) await store.compact()
      if (compacts) expect(formats()).to.deep.equal([2])
      const {results} = await store.query('shop', 'customer', {where, limit: 2, offset: 0})
      expect(results).to.have.length(1)
      await store.close()
    }
  })

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
    const manifest = join(dir, 'shop', 'MANIFEST.json')
    change(manifest, 3)
    const error = await rejection(customers(dir))
    expect(error).to.include({code: 'StateVersion', path: manifest})
    expect((error as Error).message).to.include('format 3')
    expect(await rejection(repair(dir, facets, new Date()))).to.include({code: 'StateVersion'})
    change(manifest, 2)
    expect(await customers(dir)).to.deep.equal([])
    const record = withChecksum('{"r":3,"s":1,"d":0,"o":[],"b":[]}')
    expect(() => parsedLine(Buffer.from(record))).to.throw('format 3')
  })
})
