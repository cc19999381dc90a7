import {readdirSync, readFileSync, statSync, unlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {diagnose} from '../../../src/store/lowdb/care/doctor.js'
import {repair} from '../../../src/store/lowdb/care/repair.js'
import {type BlockingFiles, blockingFiles, writeNew} from '../../../src/store/lowdb/file/files.js'
import {openDirectory} from '../../../src/store/lowdb/folder/directory.js'
import {openStore} from '../../../src/store/open.js'
import {put} from '../contract.js'
import {loseManifests, newDirectory, rejection, removeDirectories} from '../directory.js'

const facets = {}
const now = new Date('2026-11-20T12:00:00Z')
const count = 300

/** Three megabytes of documents in one segment, and a few commits in a journal behind it. */
async function state(): Promise<string> {
  const dir = newDirectory()
  const store = await openStore({dir, facets, writer: 'server'})
  const text = 'x'.repeat(10_000)
  const ids = Array.from({length: count}, (_, at) => `p${String(at).padStart(3, '0')}`)
  await store.commit(
    'shop',
    ids.map((id) => put(id, 1, {text})),
  )
  await store.compact()
  await store.commit('shop', [put('p000', 2)])
  await store.commit('shop', [{kind: 'people', expect: 1, remove: 'p001'}])
  await store.commit('shop', [put('z', 1)])
  await store.close()
  return dir
}

/** A disk without a free byte: what is removed from it can be written again, and no more. */
function fullDisk(): BlockingFiles {
  let free = 0
  return {
    ...blockingFiles,
    write(fd, buffer, offset, length, position) {
      if (length > free) throw Object.assign(new Error('ENOSPC: no space left on device, write'), {code: 'ENOSPC'})
      free -= length
      return blockingFiles.write(fd, buffer, offset, length, position)
    },
    unlink(path) {
      const stat = statSync(path, {throwIfNoEntry: false})
      if (stat?.nlink === 1) free += stat.size
      return blockingFiles.unlink(path)
    },
  }
}

const fileOf = (dir: string, pattern: RegExp): string =>
  join(dir, 'shop', readdirSync(join(dir, 'shop')).find((name) => pattern.test(name)) ?? '')

function flip(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

async function total(dir: string): Promise<{total: number; ids: string[]}> {
  const store = await openStore({dir, facets, writer: 'one-shot'})
  try {
    const page = await store.query('shop', 'people', {limit: 500, offset: 0, count: {cap: 1000}})
    return {total: page.total ?? -1, ids: page.results.map(({id, version}) => `${id}.${version}`)}
  } finally {
    await store.close()
  }
}

describe('store · a server on a full disk', () => {
  after(removeDirectories)

  it('starts with the room of the reserve, and keeps what is left of it', async () => {
    const dir = await state()
    const reserve = join(dir, 'BALLAST')
    expect(statSync(reserve).size).to.equal(1 << 20)
    const files = fullDisk()
    const backing = await openDirectory({dir, facets, writer: 'server', files, liveness: () => 'dead'})
    // As a start does: the token of the administration, the list of projects, files of clients.
    await writeNew(files, join(dir, 'admin.token'), 'x'.repeat(8_000))
    await backing.publish('http://localhost:8080')
    expect(statSync(reserve).size).to.be.within((1 << 20) - (64 << 10), 1 << 20)
    await backing.close()
  })
})

describe('store · repair on a full disk', () => {
  after(removeDirectories)

  const damages: [name: string, damage: (dir: string) => void, left: {documents: number; first: string}][] = [
    ['no manifest at all', loseManifests, {documents: count, first: 'p000.2'}],
    ['a damaged commit', (dir) => flip(fileOf(dir, /jsonl$/), 30), {documents: count, first: 'p000.1'}],
    ['a missing journal', (dir) => unlinkSync(fileOf(dir, /jsonl$/)), {documents: count, first: 'p000.1'}],
    [
      'a missing list of projects',
      (dir) => unlinkSync(join(dir, 'PROJECTS.json')),
      {documents: count, first: 'p000.2'},
    ],
  ]
  for (const [name, damage, {documents, first}] of damages) {
    it(`repairs ${name} with the room of the reserve, since sound segments stay as they are`, async () => {
      const dir = await state()
      const segment = fileOf(dir, /ndjson$/)
      const before = statSync(segment)
      damage(dir)
      await repair(dir, facets, now, fullDisk())
      expect(statSync(segment).ino).to.equal(before.ino)
      expect((await diagnose(dir, facets)).findings.filter(({severity}) => severity === 'damage')).to.deep.equal([])
      const left = await total(dir)
      expect(left.total).to.equal(left.ids.length).and.equal(documents)
      expect(left.ids[0]).to.equal(first)
    })
  }

  it('leaves everything as it was when a damaged segment cannot be written again', async () => {
    const dir = await state()
    flip(fileOf(dir, /ndjson$/), 50_000)
    const before = readdirSync(join(dir, 'shop'))
    expect(await rejection(repair(dir, facets, now, fullDisk()))).to.include({code: 'ENOSPC'})
    expect(readdirSync(join(dir, 'shop'))).to.deep.equal(before)
  })

  it('counts rightly after a segment below others has lost documents', async () => {
    const dir = await state()
    flip(fileOf(dir, /ndjson$/), 50)
    const [repaired] = await repair(dir, facets, now)
    const left = await total(dir)
    // The first line is gone; a later commit had replaced it.
    expect(left.total).to.equal(left.ids.length).and.equal(count).and.equal(repaired?.documents)
  })
})
