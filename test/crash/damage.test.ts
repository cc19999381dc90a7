import {appendFileSync, readFileSync, rmSync, truncateSync, unlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import type {StateError} from '../../src/domain/errors.js'
import {diagnose} from '../../src/store/lowdb/care/doctor.js'
import {withChecksum} from '../../src/store/lowdb/file/checksum.js'
import type {Manifest} from '../../src/store/lowdb/file/manifest.js'
import {openStore} from '../../src/store/open.js'
import {put} from '../store/contract.js'
import {copyFolder} from '../store/copied-folder.js'
import {loseManifests, manifestIn, newDirectory, rejection, removeDirectories} from '../store/directory.js'

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

/** The journal of the last holder. */
function journal(dir: string): string {
  const manifest = JSON.parse(readFileSync(manifestIn(dir), 'utf8')) as Manifest
  return join(dir, 'shop', manifest.journals.at(-1)?.file ?? '')
}

describe('store · damaged files', () => {
  after(removeDirectories)

  it('reopens to a prefix when the journal is cut at any byte of its last lines', async () => {
    const {cut} = await states(false)
    const whole = readFileSync(journal(cut))
    const lines = whole.toString().split('\n')
    const start = whole.length - Buffer.byteLength(lines.slice(-5).join('\n'))
    for (let length = whole.length; length >= start; length -= 1) {
      writeFileSync(journal(cut), whole.subarray(0, length))
      // A commit is the line of its document and the one that closes it.
      const present = (whole.subarray(0, length).toString().split('\n').length - 1) >> 1
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
    bytes[20] = 0
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
    appendFileSync(journal(cut), '\n{"r":1,"s":1,"d":99,"n":0}\n')
    expect(await content(cut)).to.deep.equal(names)
  })

  it('S-52 refuses a damaged line that was acknowledged, whichever byte it is', async () => {
    const {cut} = await states(false)
    const whole = readFileSync(journal(cut))
    const second = whole.indexOf('\n') + 1
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

  it('refuses a manifest that is damaged, missing or of a newer release', async () => {
    const {closed} = await states(false)
    const path = manifestIn(closed)
    const whole = readFileSync(path)
    for (const bytes of [whole.subarray(0, 40), Buffer.alloc(0), Buffer.from('{}\n'), Buffer.from('nonsense')]) {
      writeFileSync(path, bytes)
      expectRefused(await content(closed))
    }
    loseManifests(closed)
    expectRefused(await content(closed))
    expectRefused((await rejection(commitTo(closed))) as StateError)
  })

  it('refuses what a newer release wrote', async () => {
    const {closed} = await states(false)
    const path = manifestIn(closed)
    const manifest = JSON.parse(readFileSync(path).toString()) as Record<string, unknown>
    delete manifest['x']
    writeFileSync(path, `${withChecksum(JSON.stringify({...manifest, format: 99}))}\n`)
    expect(await content(closed)).to.include({code: 'StateVersion', path})
  })

  it('refuses runs that are cut, damaged or missing', async () => {
    const {closed} = await states(true)
    const segment = join(closed, 'shop', 'people.2.ndjson')
    const whole = readFileSync(segment)
    const damaged = Buffer.from(whole)
    damaged[whole.indexOf('xxx')] = 7
    writeFileSync(segment, damaged)
    expectRefused(await content(closed))
    truncateSync(segment, 100)
    expectRefused(await content(closed))
    unlinkSync(segment)
    expectRefused(await content(closed))
  })

  it('answers in spite of a damaged index, and makes it again', async () => {
    const {closed} = await states(true)
    const path = join(closed, 'shop', 'people.2.idx')
    const whole = readFileSync(path)
    for (let at = 0; at < whole.length; at += 5) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] ?? 0) ^ 0x10
      writeFileSync(path, damaged)
      const store = await openStore({dir: closed, facets, writer: 'one-shot'})
      for (const name of names) {
        expect((await store.get('shop', 'people', name))?.id, `byte ${at}`).to.equal(name)
        expect((await store.find('shop', 'people', `k:${name}`))?.id, `byte ${at}`).to.equal(name)
      }
      const all: string[] = []
      for await (const {doc} of store.documents('shop')) all.push(doc.id)
      expect(all, `byte ${at}`).to.deep.equal([...names, 'z'])
      expect(await rejection(store.commit('shop', [put('q', 1, {}, ['k:a'])]))).to.include({name: 'UniqueConflict'})
      await store.close()
    }
    await commitTo(closed)
    const {findings} = await diagnose(closed, facets)
    expect(findings).to.deep.equal([])
  })

  it('makes an index again that is missing or of another run', async () => {
    const {closed} = await states(true)
    const path = join(closed, 'shop', 'people.2.idx')
    const whole = readFileSync(path)
    for (const bytes of [undefined, Buffer.alloc(0), Buffer.from(whole).fill(1, 24, 28)]) {
      if (bytes) writeFileSync(path, bytes)
      else unlinkSync(path)
      expect(await content(closed)).to.deep.equal([...names, 'z'])
      await commitTo(closed)
    }
    expect(readFileSync(path).length).to.equal(whole.length)
  })
})

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
