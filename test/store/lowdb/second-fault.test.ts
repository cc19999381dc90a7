import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import {basename, join} from 'node:path'
import {expect} from 'chai'
import {copyState} from '../../../src/store/copy-state.js'
import {diagnose, repair} from '../../../src/store/lowdb/care/doctor.js'
import {restoreSnapshot, saveSnapshot} from '../../../src/store/lowdb/care/snapshot.js'
import {openStore} from '../../../src/store/open.js'
import {markerId, markerKind} from '../../../src/store/unfinished-migration.js'
import {facets, put} from '../contract.js'
import {copyFolder} from '../copied-folder.js'
import {documentFile, documentFiles, loseFiles, newDirectory, rejection, removeDirectories} from '../directory.js'
import {idsIn, withStore} from '../one-shot.js'

const now = new Date('2026-11-20T12:00:00Z')

/** Documents in a joined file and in those of two holders; another project beside. */
async function state(): Promise<string> {
  const dir = newDirectory()
  await withStore(dir, async (store) => {
    await store.commit('shop', [put('a', 1, {}, ['k:a']), put('b', 1, {}, ['k:b'])])
    await store.compact()
    await store.commit('shop', [put('a', 2, {}, ['k:a'])])
    await store.commit('other', [put('x', 1)])
  })
  await withStore(dir, (store) => store.commit('shop', [put('c', 1, {}, ['k:c'])]))
  await withStore(dir, (store) => store.commit('shop', [{kind: 'people', expect: 1, remove: 'b'}]))
  return dir
}

const damage = async (dir: string): Promise<string[]> =>
  (await diagnose(dir, facets)).findings.filter(({severity}) => severity === 'damage').map(({problem}) => problem)

describe('store · what must be there', () => {
  after(removeDirectories)

  const losses: [string, (dir: string) => void][] = [
    ['its files', loseFiles],
    ['its folder', (dir) => rmSync(join(dir, 'shop'), {recursive: true})],
    [
      'everything in its folder',
      (dir) => {
        for (const name of readdirSync(join(dir, 'shop'))) rmSync(join(dir, 'shop', name))
      },
    ],
  ]
  for (const [what, lose] of losses) {
    it(`refuses a project that has lost ${what}, whatever is asked, and one repair makes the state usable`, async () => {
      const dir = await state()
      await withStore(dir, (store) => store.commit('_', [{kind: 'project', expect: 0, doc: {id: 'shop', version: 1}}]))
      lose(dir)
      const refused = {code: 'StateCorrupt'}
      expect(await rejection(idsIn(dir))).to.include(refused)
      expect(await rejection(withStore(dir, (store) => store.commit('shop', [put('z', 1)])))).to.include(refused)
      expect(await rejection(withStore(dir, (store) => store.compact()))).to.include(refused)
      expect(await rejection(saveSnapshot(dir, 'now', {facets, now}))).to.include(refused)
      expect(await rejection(copyState({from: {dir}, to: {dir: newDirectory()}, facets}))).to.include(refused)
      expect(await damage(dir)).to.not.deep.equal([])
      expect(await idsIn(dir, 'other')).to.deep.equal(['x1'])
      const [repaired] = await repair(dir, now)
      expect(repaired?.project).to.equal('shop')
      expect(await damage(dir)).to.deep.equal([])
      expect(await idsIn(dir)).to.deep.equal([])
    })
  }

  it('names the list of projects when that is missing or damaged, and makes it again', async () => {
    for (const damaged of [undefined, '', 'nonsense']) {
      const dir = await state()
      const path = join(dir, 'PROJECTS.json')
      if (damaged === undefined) unlinkSync(path)
      else writeFileSync(path, damaged)
      expect((await damage(dir)).join(), String(damaged)).to.include('PROJECTS.json')
      // Without a list nothing is known to be missing; one that cannot be read may name more.
      if (damaged !== undefined) expect(await rejection(idsIn(dir))).to.include({code: 'StateCorrupt', path})
      else expect(await idsIn(dir)).to.deep.equal(['a2', 'c1'])
      await repair(dir, now)
      expect(await damage(dir)).to.deep.equal([])
      expect(await idsIn(dir)).to.deep.equal(['a2', 'c1'])
    }
  })

  it('refuses the target of a migration that was not finished, and lets it be repeated or erased', async () => {
    const dir = await state()
    const target = newDirectory()
    await withStore(target, (store) =>
      store.commit('_', [{kind: markerKind, expect: 0, doc: {id: markerId, version: 1, source: dir} as never}]),
    ).catch(() => {})
    for (const writer of ['server', 'one-shot', 'reader'] as const) {
      const error = await rejection(openStore({dir: target, facets, writer}))
      expect(error, writer).to.include({code: 'StateCorrupt'})
      expect((error as Error).message).to.include('Only a part')
    }
    expect((await damage(target)).join()).to.include(`Only a part of the state of ${dir} `)
    expect(await rejection(saveSnapshot(target, 'half', {facets, now}))).to.include({code: 'StateCorrupt'})
    expect(await rejection(copyState({from: {dir: target}, to: {dir: newDirectory()}, facets}))).to.be.an('error')
    expect((await copyState({from: {dir}, to: {dir: target}, facets})).resumed).to.equal(false)
    expect(await idsIn(target)).to.deep.equal(['a2', 'c1'])
  })
})

describe('store · migration of a damaged state', () => {
  after(removeDirectories)

  it('is refused before the target is touched, also for a line that was dropped whole', async () => {
    const dir = await state()
    const path = oldest(dir)
    const lines = readFileSync(path, 'utf8').split('\n')
    // Every commit is whole: only what the checksums continue from tells.
    writeFileSync(path, [...lines.slice(0, 2), ...lines.slice(4)].join('\n'))
    const target = join(newDirectory(), 'target')
    expect(await rejection(copyState({from: {dir}, to: {dir: target}, facets}))).to.include({
      code: 'StateCorrupt',
      path,
    })
    expect(existsSync(target)).to.equal(false)
  })
})

const oldest = (dir: string): string => documentFiles(dir).at(-1) as string

describe('store · repair', () => {
  after(removeDirectories)

  it('names what is missing, and one is enough', async () => {
    const dir = await state()
    const [, second = ''] = documentFiles(dir)
    unlinkSync(second)
    const [repaired] = await repair(dir, now)
    expect(repaired).to.deep.include({project: 'shop', documents: 1, lost: [{file: basename(second)}]})
    expect(await idsIn(dir)).to.deep.equal(['a2'])
    expect(await damage(dir)).to.deep.equal([])
    expect(await repair(dir, now)).to.deep.equal([])
  })

  it('sets a damaged commit aside by name, keeps every other, and a copy leaves the damage behind', async () => {
    const dir = await state()
    await withStore(dir, async (store) => {
      for (const id of ['d', 'e', 'f']) await store.commit('shop', [put(id, 1, {}, [`k:${id}`])])
    })
    const path = documentFile(dir)
    const at = readFileSync(path).indexOf('{"kind":"people","id":"e"')
    flip(path, at + 5)
    const [repaired] = await repair(dir, now)
    expect(repaired?.lost).to.deep.equal([{file: basename(path), byte: at}])
    expect(readdirSync(repaired?.keptIn ?? '')).to.include(basename(path))
    const left = ['a2', 'c1', 'd1', 'f1']
    expect(await idsIn(dir)).to.deep.equal(left)
    await withStore(dir, (store) => store.commit('shop', [put('g', 1)]))
    expect(await idsIn(dir)).to.deep.equal([...left, 'g1'])
    expect(await damage(dir)).to.deep.equal([])
    await withStore(dir, (store) => store.compact())
    expect(documentFiles(dir)).to.have.length(1)
    expect(await idsIn(dir)).to.deep.equal([...left, 'g1'])
  })

  it('cuts the torn tail of an open file, and takes none of it for a document', async () => {
    const dir = await state()
    const store = await openStore({dir, facets, writer: 'server'})
    await store.commit('shop', [put('d', 1)])
    await store.commit('shop', [put('g', 1)])
    const torn = join(newDirectory(), 'torn')
    copyFolder(dir, torn)
    rmSync(join(torn, 'LOCK'))
    await store.close()
    const path = documentFile(torn)
    const at = readFileSync(path).indexOf('{"kind":"people","id":"d"')
    appendFileSync(path, '{"kind":"people","id":"e","doc":{"id":"e","version":1}}\n{"kind":"peo')
    flip(path, at + 5)
    const [repaired] = await repair(torn, now)
    expect(repaired?.lost).to.deep.equal([{file: basename(path), byte: at}])
    expect(await idsIn(torn)).to.deep.equal(['a2', 'c1', 'g1'])
    expect(await damage(torn)).to.deep.equal([])
  })
})

describe('store · snapshots that last', () => {
  after(removeDirectories)

  it('share no bytes with the state', async () => {
    const dir = await state()
    await saveSnapshot(dir, 'one', {facets, now})
    const saved = join(dir, '.snapshots', 'one', 'shop')
    for (const name of readdirSync(saved)) {
      expect(statSync(join(saved, name)).nlink, name).to.equal(1)
    }
    const live = join(dir, 'shop')
    for (const name of readdirSync(live)) writeFileSync(join(live, name), 'nonsense')
    await restoreSnapshot(dir, 'one', {facets, now})
    expect(await idsIn(dir)).to.deep.equal(['a2', 'c1'])
    expect(await damage(dir)).to.deep.equal([])
  })

  it('are not made of damage', async () => {
    const dir = await state()
    const segment = oldest(dir)
    flip(segment, 20)
    const error = await rejection(saveSnapshot(dir, 'one', {facets, now}))
    expect(error).to.include({code: 'StateCorrupt', path: segment})
    expect(readdirSync(join(dir, '.snapshots'))).to.deep.equal([])
  })

  it('are refused when they are damaged, before anything moves, and the doctor says so', async () => {
    const dir = await state()
    await saveSnapshot(dir, 'one', {facets, now})
    const saved = join(dir, '.snapshots', 'one', 'shop')
    flip(join(saved, readdirSync(saved).find((name) => name.endsWith('.jsonl')) ?? ''), 20)
    expect((await damage(dir)).join()).to.include('.snapshots')
    expect(await rejection(restoreSnapshot(dir, 'one', {facets, now}))).to.include({code: 'StateCorrupt'})
    expect(await idsIn(dir)).to.deep.equal(['a2', 'c1'])
    expect(readdirSync(join(dir, '.snapshots'))).to.deep.equal(['one'])
  })
})

function flip(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}
