import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {diagnose, repair} from '../../../src/store/lowdb/care/doctor.js'
import {listSnapshots, restoreSnapshot, saveSnapshot} from '../../../src/store/lowdb/care/snapshot.js'
import {blockingFiles} from '../../../src/store/lowdb/file/files.js'
import {writeRestore} from '../../../src/store/lowdb/folder/state-folder.js'
import {openStore} from '../../../src/store/open.js'
import {facets, put} from '../contract.js'
import {documentFile, documentFiles, newDirectory, rejection, removeDirectories} from '../directory.js'
import {idsIn, withStore} from '../one-shot.js'

const now = new Date('2026-11-20T12:00:00Z')

/** Two documents, one of them changed and one added by a second holder; another project beside. */
async function state(): Promise<string> {
  const dir = newDirectory()
  await withStore(dir, async (store) => {
    await store.commit('shop', [put('a', 1, {name: 'Ada'}, ['k:a'])])
    await store.commit('shop', [put('b', 1, {name: 'Bob'}, ['k:b'])])
  })
  await withStore(dir, async (store) => {
    await store.commit('shop', [put('a', 2, {name: 'Ada'}, ['k:a2'])])
    await store.commit('shop', [put('c', 1, {}, ['k:c'])])
    await store.commit('other', [put('x', 1)])
  })
  return dir
}

const first = (dir: string): string => join(dir, 'shop', 'documents.1.jsonl')

describe('store · doctor', () => {
  after(removeDirectories)

  it('finds nothing in a sound state, changes nothing, and counts', async () => {
    const dir = await state()
    const before = readdirSync(join(dir, 'shop'))
    expect(await diagnose(dir, facets)).to.deep.equal({
      projects: [
        {name: 'other', documents: 1},
        {name: 'shop', documents: 3},
      ],
      findings: [],
    })
    expect(readdirSync(join(dir, 'shop'))).to.deep.equal(before)
    expect(await repair(dir, now)).to.deep.equal([])
    expect(await idsIn(dir)).to.deep.equal(['a2', 'b1', 'c1'])
  })

  const damages: [name: string, damage: (dir: string) => void, left: string[]][] = [
    ['a cut file', (dir) => truncateSync(documentFile(dir), readFileSync(documentFile(dir)).length - 5), ['a2', 'b1']],
    ['a damaged commit', (dir) => overwrite(first(dir), 'Bob', 'Eve'), ['a2', 'c1']],
    ['a missing first file', (dir) => unlinkSync(first(dir)), ['a2', 'c1']],
    [
      'a file damaged at its beginning',
      (dir) => overwrite(documentFile(dir), 'follows', 'swollof'),
      ['a2', 'b1', 'c1'],
    ],
  ]
  for (const [name, damage, left] of damages) {
    it(`reports ${name}, and keeps what can be read when told to repair`, async () => {
      const dir = await state()
      damage(dir)
      const {findings, projects} = await diagnose(dir, facets)
      expect(findings.some(({severity}) => severity === 'damage')).to.equal(true)
      expect(projects.map((project) => project.name)).to.include('other')
      expect(await rejection(idsIn(dir))).to.include({code: 'StateCorrupt'})
      const [repaired] = await repair(dir, now)
      expect(repaired).to.include({project: 'shop', documents: left.length})
      expect(await idsIn(dir)).to.deep.equal(left)
      expect((await diagnose(dir, facets)).findings.filter(({severity}) => severity === 'damage')).to.deep.equal([])
      expect(readdirSync(repaired?.keptIn ?? '')).not.to.deep.equal([])
      await withStore(dir, (store) => store.commit('shop', [put('z', 1, {}, ['k:z'])]))
      expect(await idsIn(dir)).to.deep.equal([...left, 'z1'])
      await withStore(dir, async (store) => {
        expect((await store.find('shop', 'people', 'k:z'))?.id).to.equal('z')
        expect((await store.find('shop', 'people', 'k:a2'))?.id).to.equal(left.includes('a2') ? 'a' : undefined)
      })
    })
  }

  it('tells damage from what an interrupted write left', async () => {
    const dir = await state()
    writeFileSync(join(dir, 'shop', 'documents.99.jsonl'), 'half a line', {mode: 0o600})
    appendFileSync(documentFiles(dir)[1] as string, 'half a line')
    const {findings} = await diagnose(dir, facets)
    expect(findings.map(({severity}) => severity)).to.deep.equal(['note'])
    await withStore(dir, (store) => store.commit('shop', [put('z', 1)]))
    expect(existsSync(join(dir, 'shop', 'documents.99.jsonl'))).to.equal(false)
    expect((await diagnose(dir, facets)).findings).to.deep.equal([])
  })
})

describe('store · snapshots', () => {
  after(removeDirectories)

  it('saves beside a server that writes, lists, and restores what was there', async () => {
    const dir = await state()
    const server = await openStore({dir, facets, writer: 'server'})
    expect(await saveSnapshot(dir, 'monday', {facets, now})).to.deep.equal({
      name: 'monday',
      savedAt: now.toISOString(),
      projects: ['other', 'shop'],
    })
    await server.commit('shop', [put('d', 1), {kind: 'people', expect: 1, remove: 'b'}])
    await server.commit('third', [put('t', 1)])
    await server.compact()
    expect(await rejection(restoreSnapshot(dir, 'monday', {facets, now}))).to.include({code: 'StateLocked'})
    await server.close()
    const kept = await restoreSnapshot(dir, 'monday', {facets, now})
    expect(await idsIn(dir)).to.deep.equal(['a2', 'b1', 'c1'])
    expect(await idsIn(dir, 'third')).to.deep.equal([])
    await withStore(dir, (store) => store.commit('shop', [put('e', 1)]))
    await restoreSnapshot(dir, kept.name, {facets, now})
    expect(await idsIn(dir)).to.deep.equal(['a2', 'c1', 'd1'])
    expect(await idsIn(dir, 'third')).to.deep.equal(['t1'])
    await restoreSnapshot(dir, 'monday', {facets, now: new Date(now.getTime() + 1000)})
    expect(await idsIn(dir)).to.deep.equal(['a2', 'b1', 'c1'])
    expect((await listSnapshots(dir)).map(({name}) => name)).to.include('monday')
  })

  it('holds one state of a project, whatever is written and merged meanwhile', async () => {
    const dir = await state()
    const server = await openStore({dir, facets, writer: 'server'})
    let isSaved = false
    const writing = (async () => {
      for (let at = 0; !isSaved; at += 1) {
        await server.commit('shop', [put(`p${at}`, 1), put(`q${at}`, 1)])
        if (at % 20 === 0) await server.compact()
      }
    })()
    for (const name of ['one', 'two', 'three']) await saveSnapshot(dir, name, {facets, now})
    isSaved = true
    await writing
    await server.close()
    for (const name of ['one', 'two', 'three']) {
      const ids: string[] = []
      await withStore(join(dir, '.snapshots', name), async (store) => {
        for await (const {doc} of store.documents('shop')) ids.push(doc.id)
      })
      const numbers = (letter: string) => ids.filter((id) => id.startsWith(letter)).map((id) => id.slice(1))
      expect(ids).to.include.members(['a', 'b', 'c'])
      expect(numbers('p'), 'halves of commits').to.deep.equal(numbers('q'))
    }
  })

  it('restores in the end, wherever a restore is cut off, and keeps what was there', async () => {
    const {rename} = blockingFiles
    let isCut = true
    for (let at = 1; isCut; at += 1) {
      const dir = await state()
      await saveSnapshot(dir, 'good', {facets, now})
      await withStore(dir, (store) => store.commit('shop', [put('later', 1)]))
      let calls = 0
      blockingFiles.rename = (from, to) => {
        if (from.includes('.restoring') || !to.includes('.restoring')) calls += 1
        if (calls === at) throw new Error('cut off')
        return rename(from, to)
      }
      try {
        isCut = (await ended(restoreSnapshot(dir, 'good', {facets, now}))) instanceof Error
      } finally {
        blockingFiles.rename = rename
      }
      const found = await ended(idsIn(dir))
      if (found instanceof Error) expect(found, `call ${at}`).to.include({code: 'StateCorrupt'})
      else expect(found.includes('later1'), `call ${at}`).to.equal(isCut)
      if (isCut) await restoreSnapshot(dir, 'good', {facets, now: new Date(now.getTime() + 1000)})
      expect(await idsIn(dir), `call ${at}`).to.deep.equal(['a2', 'b1', 'c1'])
      expect(await idsIn(dir, 'other')).to.deep.equal(['x1'])
      const kept = (await listSnapshots(dir)).find(({name}) => name.startsWith('before'))?.name ?? ''
      expect(await idsIn(join(dir, '.snapshots', kept)), `call ${at}`).to.include('later1')
    }
  })

  it('changes nothing once another process has taken over the lock', async () => {
    const dir = await state()
    await saveSnapshot(dir, 'good', {facets, now})
    const {rename} = blockingFiles
    // The marker of the restore is written; then another process takes the lock.
    blockingFiles.rename = (from, to) => {
      void rename(from, to)
      if (to.endsWith('RESTORING.json')) writeFileSync(join(dir, 'LOCK.other'), '{}', {mode: 0o600})
      if (to.endsWith('RESTORING.json')) renameSync(join(dir, 'LOCK.other'), join(dir, 'LOCK'))
    }
    try {
      expect(await rejection(restoreSnapshot(dir, 'good', {facets, now}))).to.include({code: 'StateLocked'})
    } finally {
      blockingFiles.rename = rename
    }
    expect(readdirSync(dir)).to.include.members(['other', 'shop'])
  })

  it('restores over a damaged state', async () => {
    const dir = await state()
    await saveSnapshot(dir, 'good', {facets, now})
    writeFileSync(documentFile(dir), 'nonsense')
    await restoreSnapshot(dir, 'good', {facets, now})
    expect(await idsIn(dir)).to.deep.equal(['a2', 'b1', 'c1'])
    expect((await diagnose(dir, facets)).findings.map(({severity}) => severity)).to.deep.equal(['note'])
  })

  it('refuses a state whose restoring was interrupted, and goes on with it', async () => {
    const dir = await state()
    await saveSnapshot(dir, 'good', {facets, now})
    await writeRestore(blockingFiles, dir, {name: 'good', kept: 'before', phase: 'moving'})
    expect(await rejection(saveSnapshot(dir, 'more', {facets, now}))).to.include({code: 'StateCorrupt'})
    expect((await diagnose(dir, facets)).findings[0]?.problem).to.include('was interrupted')
    const error = (await rejection(idsIn(dir))) as {code: string; remedy: string}
    expect(error.code).to.equal('StateCorrupt')
    expect(error.remedy).to.include('server snapshot restore good')
    await restoreSnapshot(dir, 'good', {facets, now})
    expect(await idsIn(dir)).to.deep.equal(['a2', 'b1', 'c1'])
  })

  it('refuses names that are taken, unknown or no names', async () => {
    const dir = await state()
    await saveSnapshot(dir, 'good', {facets, now})
    expect(await rejection(saveSnapshot(dir, 'good', {facets, now}))).to.include({code: 'StateUnusable'})
    expect(await rejection(restoreSnapshot(dir, 'bad', {facets, now}))).to.include({code: 'StateUnusable'})
    for (const name of ['..', '', '.hidden', 'a/b']) {
      expect(await rejection(saveSnapshot(dir, name, {facets, now})), name).to.include({code: 'StateUnusable'})
    }
  })
})

/** The result of a promise, or the error that it was rejected with. */
const ended = <T>(promise: Promise<T>): Promise<T | Error> => promise.catch((error: Error) => error)

function overwrite(path: string, from: string, to: string): void {
  const content = readFileSync(path)
  content.write(to, content.indexOf(from))
  writeFileSync(path, content)
}
