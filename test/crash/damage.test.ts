import {appendFileSync, readdirSync, readFileSync, rmSync, truncateSync, unlinkSync, writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {expect} from 'chai'
import type {StateError} from '../../src/domain/errors.js'
import {diagnose} from '../../src/store/lowdb/care/doctor.js'
import {numberOf} from '../../src/store/lowdb/folder/chain.js'
import {closed} from '../../src/store/lowdb/line/line.js'
import {openStore} from '../../src/store/open.js'
import {put} from '../store/contract.js'
import {copyFolder} from '../store/copied-folder.js'
import {documentFile, loseFiles, newDirectory, rejection, removeDirectories} from '../store/directory.js'

const facets = {}
const names = ['a', 'b', 'c', 'd', 'e', 'f']

/** What a writer that dies now leaves. */
function asCut(dir: string): string {
  const cut = join(newDirectory(), 'cut')
  copyFolder(dir, cut)
  rmSync(join(cut, 'LOCK'))
  return cut
}

/** Six commits, as a power cut leaves them and as closing leaves them; compacted first if asked for. */
async function states(compacted: boolean): Promise<{cut: string; closed: string}> {
  const closed = newDirectory()
  const store = await openStore({dir: closed, facets, writer: 'server'})
  for (const name of names) await store.commit('shop', [put(name, 1, {text: 'x'.repeat(40)}, [`k:${name}`])])
  if (compacted) {
    await store.compact()
    await store.commit('shop', [put('z', 1)])
  }
  const cut = asCut(closed)
  await store.close()
  return {cut, closed}
}

/** The ids that a state holds, or the error that it is refused with. */
async function content(dir: string): Promise<string[] | StateError> {
  const store = await openStore({dir, facets, writer: 'one-shot'})
  try {
    return (await store.query('shop', 'people', {limit: 100, offset: 0})).results.map(({id}) => id)
  } catch (error) {
    return error as StateError
  } finally {
    await store.close()
  }
}

function expectRefused(result: string[] | StateError): void {
  expect(result).to.include({code: 'StateCorrupt'})
  expect((result as StateError).remedy).to.include('frontdesk server doctor')
}

/** The file of the last holder. */
const journal = (dir: string): string => documentFile(dir)

describe('store · damaged files', () => {
  after(removeDirectories)

  it('reopens to a prefix when the journal is cut at any byte of its last lines', async () => {
    const {cut} = await states(false)
    const whole = readFileSync(journal(cut))
    const lines = whole.toString().split('\n')
    const start = whole.length - Buffer.byteLength(lines.slice(-5).join('\n'))
    for (let length = whole.length; length >= start; length -= 1) {
      writeFileSync(journal(cut), whole.subarray(0, length))
      // A commit is the line of its document and the one that closes it; the first tells of files.
      const present = ((whole.subarray(0, length).toString().split('\n').length - 1) >> 1) - 1
      expect(await content(cut), `cut at ${length}`).to.deep.equal(names.slice(0, present))
    }
  })

  it('goes on after the cut, and keeps what comes then', async () => {
    const {cut} = await states(false)
    truncateSync(journal(cut), readFileSync(journal(cut)).length - 10)
    const store = await openStore({dir: cut, facets, writer: 'one-shot'})
    await store.commit('shop', [put('g', 1), put('f', 1)])
    await store.close()
    expect(await content(cut)).to.deep.equal([...names, 'g'])
  })

  it('shows no commit that was lost, whatever is written over the one before it', async () => {
    const {cut} = await states(false)
    const store = await openStore({dir: cut, facets, writer: 'server'})
    await Promise.all(['x', 'y'].map((name) => store.commit('shop', [put(name, 1)])))
    const torn = asCut(cut)
    await store.close()
    // As a power cut may leave them: of two lines on their way the first is torn, the second whole.
    const bytes = readFileSync(journal(torn))
    bytes[bytes.indexOf('"id":"x"')] = 0
    writeFileSync(journal(torn), bytes)
    const again = await openStore({dir: torn, facets, writer: 'server'})
    await again.commit('shop', [put('x', 1)])
    const later = asCut(torn)
    await again.close()
    expect(await content(later)).to.deep.equal([...names, 'x'])
  })

  it('takes garbage behind the last line for a write that never finished', async () => {
    const {cut} = await states(false)
    appendFileSync(journal(cut), Buffer.alloc(5000, 'z'))
    expect(await content(cut)).to.deep.equal(names)
    appendFileSync(journal(cut), '\n{"commit":"+00000000"}\n')
    expect(await content(cut)).to.deep.equal(names)
  })

  it('S-52 refuses a damaged line that was acknowledged, whichever byte it is', async () => {
    const {cut} = await states(false)
    const whole = readFileSync(journal(cut))
    const second = whole.indexOf('{"kind"')
    const end = whole.indexOf('\n', second)
    for (let at = second; at <= end; at += 7) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      writeFileSync(journal(cut), damaged)
      expectRefused(await content(cut))
    }
  })

  it('refuses a closed journal that was cut or damaged later, even at its end', async () => {
    const {closed} = await states(false)
    const whole = readFileSync(journal(closed))
    truncateSync(journal(closed), whole.length - 1)
    expectRefused(await content(closed))
    const damaged = Buffer.from(whole)
    damaged[whole.length - 30] = 0
    writeFileSync(journal(closed), damaged)
    expectRefused(await content(closed))
    writeFileSync(journal(closed), '')
    expectRefused(await content(closed))
    writeFileSync(journal(closed), whole)
    expect(await content(closed)).to.deep.equal(names)
  })

  it('refuses a file that is damaged at its beginning, and a project without one', async () => {
    const {closed: dir} = await states(false)
    const path = documentFile(dir)
    const whole = readFileSync(path)
    for (const bytes of [whole.subarray(0, 40), Buffer.alloc(0), Buffer.from('{}\n'), whole.subarray(10)]) {
      writeFileSync(path, bytes)
      expectRefused(await content(dir))
    }
    loseFiles(dir)
    expectRefused(await content(dir))
    expectRefused((await rejection(commitTo(dir))) as StateError)
  })

  it('misses the newest file of a holder that was killed', async () => {
    const {closed: dir} = await states(false)
    const store = await openStore({dir, facets, writer: 'one-shot'})
    await store.commit('shop', [put('new', 1)])
    const killed = asCut(dir)
    await store.close()
    expect(await content(killed)).to.include('new')
    unlinkSync(documentFile(killed))
    expectRefused(await content(killed))
  })

  it('refuses what a newer release wrote, and the folder of a former one', async () => {
    const {closed: dir} = await states(false)
    const path = documentFile(dir)
    writeFileSync(path, closed(Buffer.from('{"format":99,"follows":[]}\n'), 0).bytes)
    expect(await content(dir)).to.include({code: 'StateVersion', path})
    loseFiles(dir)
    writeFileSync(join(dir, 'shop', 'MANIFEST.3.json'), '{}')
    const refused = await content(dir)
    expect(refused).to.include({code: 'StateVersion'})
    expect((refused as StateError).remedy).to.include('9fa0e815')
  })

  it('answers 503 for a document whose line is damaged where a hint spares reading it, and others still', async () => {
    const {closed: dir} = await hinted()
    const path = documentFile(dir)
    const whole = readFileSync(path)
    whole[whole.indexOf('"id":"c"') + 40] = 7
    writeFileSync(path, whole)
    const store = await openStore({dir, facets, writer: 'one-shot'})
    expect((await store.get('shop', 'people', 'a'))?.id).to.equal('a')
    expectRefused((await rejection(store.get('shop', 'people', 'c'))) as StateError)
    await store.close()
    expect((await diagnose(dir, facets)).findings.map(({severity}) => severity)).to.deep.equal(['damage'])
  })

  it('answers in spite of a damaged hint, whichever byte it is, and makes it again', async () => {
    const {closed: dir, hint} = await hinted()
    const whole = readFileSync(hint)
    for (let at = 0; at < whole.length; at += 5) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] ?? 0) ^ 0x10
      writeFileSync(hint, damaged)
      const store = await openStore({dir, facets, writer: 'reader'})
      for (const name of names) {
        expect((await store.get('shop', 'people', name))?.id, `byte ${at}`).to.equal(name)
        expect((await store.find('shop', 'people', `k:${name}`))?.id, `byte ${at}`).to.equal(name)
      }
      const all: string[] = []
      for await (const {doc} of store.documents('shop')) all.push(doc.id)
      expect(all, `byte ${at}`).to.deep.equal([...names, 'z'])
      await store.close()
    }
    expect((await diagnose(dir, facets)).findings).to.deep.equal([])
  })

  it('takes no hint of other files', async () => {
    const {closed: dir, hint} = await hinted()
    const whole = readFileSync(hint)
    const store = await openStore({dir, facets, writer: 'server'})
    await store.commit('shop', [{kind: 'people', expect: 1, remove: 'a'}])
    await store.compact()
    await store.close()
    for (const path of [hint, hint.replace(/\d+\.hint/, `${numberOf(basename(documentFile(dir)))}.hint`)]) {
      writeFileSync(path, whole, {mode: 0o600})
      expect(await content(dir)).to.deep.equal([...names.slice(1), 'z'])
    }
  })
})

/** A state with a hint, and a commit behind it. */
async function hinted(): Promise<{closed: string; hint: string}> {
  const {closed: dir} = await states(true)
  const name = readdirSync(join(dir, 'shop')).find((file) => file.endsWith('.hint')) ?? ''
  return {closed: dir, hint: join(dir, 'shop', name)}
}

/** A commit that changes nothing for long. */
async function commitTo(dir: string): Promise<void> {
  const store = await openStore({dir, facets, writer: 'one-shot'})
  try {
    await store.commit('shop', [put('tmp', 1)])
    await store.commit('shop', [{kind: 'people', expect: 1, remove: 'tmp'}])
  } finally {
    await store.close()
  }
}
