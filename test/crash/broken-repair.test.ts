import {copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {expect} from 'chai'
import {diagnose, repair} from '../../src/store/lowdb/care/doctor.js'
import {type BlockingFiles, blockingFiles} from '../../src/store/lowdb/file/files.js'
import {rounds} from '../rounds.js'
import {facets, put} from '../store/contract.js'
import {copyFolder} from '../store/copied-folder.js'
import {documentFile, documentFiles, newDirectory, removeDirectories} from '../store/directory.js'
import {idsIn, withStore} from '../store/one-shot.js'

const day = (date: number): Date => new Date(Date.UTC(2026, 10, date))

class Ended extends Error {}

/** The calls of a process that ends before one of them; those that only look are not counted. */
function endingBefore(call: number): {files: BlockingFiles; hasEnded: () => boolean} {
  let calls = 0
  const looks = new Set(['read', 'stat', 'identity', 'list', 'close'])
  const files = Object.fromEntries(
    Object.entries(blockingFiles).map(([name, own]) => [
      name,
      looks.has(name)
        ? own
        : (...given: unknown[]) => {
            calls += 1
            if (calls >= call) throw new Ended(name)
            return (own as (...all: unknown[]) => unknown)(...given)
          },
    ]),
  ) as unknown as BlockingFiles
  return {files, hasEnded: () => calls >= call}
}

function flip(path: string, at: number, bit = 1): void {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ bit
  writeFileSync(path, bytes)
}

const damage = async (dir: string): Promise<string[]> =>
  (await diagnose(dir, facets)).findings.filter(({severity}) => severity === 'damage').map(({problem}) => problem)

/** A copied file with a hint, one of a holder that has closed it, and one of a holder that was killed. */
async function sound(): Promise<string> {
  const dir = newDirectory()
  await withStore(dir, async (store) => {
    for (const id of ['a', 'b', 'c']) await store.commit('shop', [put(id, 1, {}, [`k:${id}`])])
    await store.compact()
    for (const id of ['d', 'e']) await store.commit('shop', [put(id, 1, {}, [`k:${id}`])])
  })
  await withStore(dir, async (store) => {
    for (const id of ['f', 'g']) await store.commit('shop', [put(id, 1, {}, [`k:${id}`])])
  })
  return withStore(dir, async (store) => {
    for (const id of ['h', 'i', 'j']) await store.commit('shop', [put(id, 1, {}, [`k:${id}`])])
    const killed = join(newDirectory(), 'state')
    copyFolder(dir, killed)
    rmSync(join(killed, 'LOCK'))
    return killed
  })
}

const hintOf = (dir: string): string =>
  join(dir, 'shop', readdirSync(join(dir, 'shop')).find((name) => name.endsWith('.hint')) ?? '')

const all = 'abcdefghij'

function copyOf(dir: string): string {
  const copy = join(newDirectory(), 'state')
  copyFolder(dir, copy)
  return copy
}

const damages: readonly [string, lost: string, (dir: string) => void][] = [
  ['a commit of the copied file', 'b', (dir) => flipId(dir, 'b')],
  ['a commit behind the hint', 'd', (dir) => flipId(dir, 'd')],
  ['the last commit of a closed file', 'g', (dir) => flipId(dir, 'g')],
  ['a commit of the newest file', 'h', (dir) => flipId(dir, 'h')],
  ['the beginning of the newest file', '', (dir) => flip(documentFile(dir), 3)],
  ['two commits', 'bi', (dir) => [...'bi'].forEach((id) => void flipId(dir, id))],
  ['a file in the middle', 'fg', (dir) => rmSync(fileOf(dir, 'f'))],
]

const fileOf = (dir: string, id: string): string =>
  documentFiles(dir).find((one) => readFileSync(one).includes(`"id":"${id}"`)) ?? ''

/** Flips a bit of the line of a document. */
function flipId(dir: string, id: string): void {
  const path = fileOf(dir, id)
  flip(path, readFileSync(path).indexOf(`"id":"${id}"`) + 6)
}

describe('store · a repair that is broken off', () => {
  after(removeDirectories)

  for (const [what, lost, inflict] of damages) {
    it(`of ${what} costs nothing more, wherever it is, and the next one ends it`, async () => {
      const damaged = await sound()
      inflict(damaged)
      expect(await damage(damaged)).to.not.deep.equal([])
      const left = [...all].filter((id) => !lost.includes(id)).map((id) => `${id}1`)
      for (let call = 1, isOver = false; !isOver; call += rounds(5, 1)) {
        const dir = copyOf(damaged)
        const {files, hasEnded} = endingBefore(call)
        await repair(dir, day(20), files).catch((error: unknown) => {
          if (!hasEnded()) throw error
        })
        isOver = !hasEnded()
        rmSync(join(dir, 'LOCK'), {force: true})
        const found = await damage(dir)
        const [repaired] = await repair(dir, day(21))
        // Either it had no effect yet, or all of it.
        expect(repaired !== undefined, `call ${call}`).to.equal(found.length > 0)
        expect(await damage(dir), `call ${call}`).to.deep.equal([])
        // A power cut may bring the hint back that the repair has removed.
        copyFileSync(hintOf(damaged), hintOf(damaged).replace(damaged, dir))
        expect(await idsIn(dir), `call ${call}`).to.deep.equal(left)
        await withStore(dir, async (store) => {
          for (const id of all) {
            const holder = await store.find('shop', 'people', `k:${id}`)
            expect(holder?.id, `call ${call}`).to.equal(lost.includes(id) ? undefined : id)
          }
          await store.compact()
        })
        expect(await idsIn(dir), `call ${call}`).to.deep.equal(left)
      }
    })
  }

  it('costs at most one commit for a bit that flips, wherever it is, and names its place', async () => {
    const state = await sound()
    for (const path of documentFiles(state).map((one) => basename(one))) {
      const {length} = readFileSync(join(state, 'shop', path))
      for (let at = 0; at < length; at += rounds(31, 1)) {
        const dir = copyOf(state)
        flip(join(dir, 'shop', path), at, 1 << (at % 8))
        const label = `${path} at ${at}`
        const repairs = await repair(dir, day(20))
        const left = await idsIn(dir)
        const gone = [...all].filter((id) => !left.includes(`${id}1`))
        expect(gone.length, label).to.be.lessThanOrEqual(1)
        expect(await damage(dir), label).to.deep.equal([])
        // The last commit of a file that nobody has closed looks like one that was never finished.
        if (gone.length > 0 && gone[0] !== 'j') expect(repairs[0]?.lost, label).to.have.length(1)
        const keptIn = repairs[0]?.keptIn
        if (keptIn) expect(existsSync(join(keptIn, path)), label).to.equal(true)
      }
    }
  })

  it('costs a second damage what that damages, and no more', async () => {
    const state = await sound()
    flipId(state, 'b')
    await repair(state, day(20))
    for (const [what, lost, inflict] of damages.filter(([, one]) => !one.includes('b'))) {
      const dir = copyOf(state)
      inflict(dir)
      await repair(dir, day(21))
      const left = [...all].filter((id) => id !== 'b' && !lost.includes(id)).map((id) => `${id}1`)
      expect(await idsIn(dir), what).to.deep.equal(left)
      expect(await damage(dir), what).to.deep.equal([])
    }
  })
})
