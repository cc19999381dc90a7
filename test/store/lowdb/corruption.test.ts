import {readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join, relative} from 'node:path'
import {expect} from 'chai'
import {StateError} from '../../../src/domain/errors.js'
import {diagnose, repair} from '../../../src/store/lowdb/care/doctor.js'
import {openStore} from '../../../src/store/open.js'
import {equals} from '../contract/subject.js'
import {facets, put} from '../contract.js'
import {copyFolder} from '../copied-folder.js'
import {newDirectory, removeDirectories} from '../directory.js'

const now = new Date('2026-11-20T12:00:00Z')

/** What may happen to the bytes of one file. */
const damages: readonly [string, (bytes: Buffer) => Buffer | undefined][] = [
  ['the first byte flipped', (bytes) => flipped(bytes, 0)],
  ['a middle byte flipped', (bytes) => flipped(bytes, bytes.length >> 1)],
  ['the last byte flipped', (bytes) => flipped(bytes, bytes.length - 1)],
  ['a byte before the last flipped', (bytes) => flipped(bytes, bytes.length - 2)],
  ['half of it', (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ['all but a byte', (bytes) => bytes.subarray(0, -1)],
  ['nothing in it', () => Buffer.alloc(0)],
  ['a block of zeros', (bytes) => Buffer.from(bytes).fill(0, bytes.length >> 2, bytes.length >> 1)],
  ['its content twice', (bytes) => Buffer.concat([bytes, bytes])],
  ['its last line twice', (bytes) => Buffer.concat([bytes, bytes.subarray(lastLine(bytes))])],
  ['its first line missing', (bytes) => bytes.subarray(bytes.indexOf('\n') + 1)],
  ['it removed', () => undefined],
]

/** After which of them a repair is tried, too. */
const repaired = new Set(['a middle byte flipped', 'half of it', 'it removed'])

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

const lastLine = (bytes: Buffer): number => bytes.lastIndexOf('\n', bytes.length - 2) + 1

const name = (bytes: string): string => `n${bytes}`
const person = (id: string, version: number) =>
  put(id, version, {name: name(id), age: version, text: 'x'.repeat(200)}, [`k:${id}`])

/**
 * A joined file with a hint, and one of each of two holders, documents that were changed and removed; projects beside, one
 * of them with several kinds.
 */
async function soundState(): Promise<string> {
  const dir = newDirectory()
  const open = () => openStore({dir, facets, writer: 'one-shot'})
  let store = await open()
  for (const id of ['a', 'b', 'c', 'd', 'e']) await store.commit('shop', [person(id, 1)])
  const kinds = ['people', 'bags', 'groups', 'types', 'zones']
  await store.commit(
    'kinds',
    kinds.map((kind) => ({...person('y', 1), kind})),
  )
  await store.compact()
  await store.commit('other', [person('x', 1)])
  await store.close()
  store = await open()
  await store.commit('shop', [person('a', 2)])
  await store.commit('shop', [{kind: 'people', expect: 1, remove: 'b'}])
  await store.close()
  store = await open()
  await store.commit('shop', [person('f', 1)])
  await store.commit('shop', [person('g', 1)])
  await store.close()
  return dir
}

const right = {shop: ['a2', 'c1', 'd1', 'e1', 'f1', 'g1'], other: ['x1'], kinds: ['y1']}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((entry) => {
    const path = join(folder, entry)
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })
}

/** All that the state answers about its documents, by a scan, by ids, by unique keys and by an index. */
async function answers(dir: string): Promise<Record<string, string[]>> {
  const store = await openStore({dir, facets, writer: 'one-shot'})
  try {
    const found: Record<string, string[]> = {}
    for (const project of Object.keys(right)) {
      const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'x', 'y']
      const shown = (docs: readonly ({id: string; version: number} | undefined)[]): string[] =>
        docs.flatMap((doc) => (doc ? [`${doc.id}${doc.version}`] : []))
      const {results} = await store.query(project, 'people', {limit: 100, offset: 0})
      found[project] = shown(results)
      const byId = await Promise.all(ids.map((id) => store.get(project, 'people', id)))
      const byUniqueKey = await Promise.all(ids.map((id) => store.find(project, 'people', `k:${id}`)))
      const byIndex = await Promise.all(
        ids.map(async (id) => {
          const page = {where: equals('name', name(id)), limit: 2, offset: 0}
          return (await store.query(project, 'people', page)).results[0]
        }),
      )
      for (const other of [byId, byUniqueKey, byIndex]) expect(shown(other)).to.deep.equal(found[project])
    }
    return found
  } finally {
    await store.close()
  }
}

describe('store · whatever happens to one of its files', () => {
  let sound = ''
  before(async () => {
    sound = await soundState()
    // A reserve of room, which is not part of the state.
    rmSync(join(sound, 'BALLAST'))
  })
  after(removeDirectories)

  it('answers rightly without it', async () => {
    expect(await answers(sound)).to.deep.equal(right)
    expect((await diagnose(sound, facets)).findings).to.deep.equal([])
  })

  it('answers rightly or refuses clearly; the doctor sees it, and one repair keeps all that can be read', async () => {
    const paths = filesBelow(sound).map((path) => relative(sound, path))
    expect(paths.length).to.be.greaterThan(8)
    let refusals = 0
    for (const path of paths) {
      for (const [what, damage] of damages) {
        const dir = join(newDirectory(), 'state')
        copyFolder(sound, dir)
        const target = join(dir, path)
        const bytes = readFileSync(target)
        const after = damage(bytes)
        if (after?.equals(bytes)) continue
        if (after) writeFileSync(target, after)
        else rmSync(target)
        const label = `${path}: ${what}`
        const {findings} = await diagnose(dir, facets)
        const answer = await answers(dir).catch((error: unknown) => error)
        if (answer instanceof StateError) {
          refusals += 1
          expect(answer.code, label).to.equal('StateCorrupt')
          expect(answer.remedy, label).to.include('server doctor')
          expect(
            findings.map(({severity}) => severity),
            label,
          ).to.include('damage')
        } else expect(answer, label).to.deep.equal(right)
        if (!repaired.has(what) || !findings.some(({severity}) => severity === 'damage')) continue
        await repair(dir, now)
        expect(
          (await diagnose(dir, facets)).findings.filter(({severity}) => severity === 'damage'),
          label,
        ).to.deep.equal([])
        const left = await answers(dir)
        expect(left['other']?.length ?? 0, label).to.be.lessThanOrEqual(1)
        if (!path.startsWith('shop')) expect(left['shop'], label).to.deep.equal(right.shop)
      }
    }
    expect(refusals).to.be.greaterThan(20)
  })
})
