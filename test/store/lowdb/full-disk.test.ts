import {readFileSync, statSync, unlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {diagnose, repair} from '../../../src/store/lowdb/care/doctor.js'
import {type BlockingFiles, blockingFiles, writeNew} from '../../../src/store/lowdb/file/files.js'
import {openDirectory} from '../../../src/store/lowdb/folder/directory.js'
import {openStore} from '../../../src/store/open.js'
import {put} from '../contract.js'
import {documentFile, documentFiles, newDirectory, removeDirectories} from '../directory.js'

const facets = {}
const now = new Date('2026-11-20T12:00:00Z')
const count = 300

/** Three megabytes of documents in one file, and a few commits of another holder. */
async function state(): Promise<string> {
  const dir = newDirectory()
  let store = await openStore({dir, facets, writer: 'server'})
  const text = 'x'.repeat(10_000)
  const ids = Array.from({length: count}, (_, at) => `p${String(at).padStart(3, '0')}`)
  await store.commit(
    'shop',
    ids.map((id) => put(id, 1, {text})),
  )
  await store.compact()
  await store.close()
  store = await openStore({dir, facets, writer: 'server'})
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
    ['a damaged commit', (dir) => flip(documentFile(dir), 130), {documents: count, first: 'p000.1'}],
    ['a missing file', (dir) => unlinkSync(documentFile(dir)), {documents: count, first: 'p000.1'}],
    [
      'a missing list of projects',
      (dir) => unlinkSync(join(dir, 'PROJECTS.json')),
      {documents: count, first: 'p000.2'},
    ],
  ]
  for (const [name, damage, {documents, first: shown}] of damages) {
    it(`repairs ${name} with the room of the reserve, since sound files stay as they are`, async () => {
      const dir = await state()
      const first = documentFiles(dir).at(-1) as string
      const before = statSync(first)
      damage(dir)
      await repair(dir, now, fullDisk())
      expect(statSync(first).ino).to.equal(before.ino)
      expect((await diagnose(dir, facets)).findings.filter(({severity}) => severity === 'damage')).to.deep.equal([])
      const left = await total(dir)
      expect(left.total).to.equal(left.ids.length).and.equal(documents)
      expect(left.ids[0]).to.equal(shown)
    })
  }

  it('counts rightly after a file before others has lost documents', async () => {
    const dir = await state()
    flip(documentFiles(dir).at(-1) as string, 130)
    const [repaired] = await repair(dir, now)
    const left = await total(dir)
    // The first document is gone; a later commit had replaced it.
    expect(left.total).to.equal(left.ids.length).and.equal(count).and.equal(repaired?.documents)
  })
})
