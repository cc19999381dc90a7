import {closeSync, openSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {compareText} from '../../../../src/query/text-order.js'
import {blockingFiles} from '../../../../src/store/lowdb/file/files.js'
import {indexName, readManifest, type SegmentFile} from '../../../../src/store/lowdb/file/manifest.js'
import {madeIndex} from '../../../../src/store/lowdb/table/index-writer.js'
import {SegmentIndex} from '../../../../src/store/lowdb/table/segment-index.js'
import {openStore} from '../../../../src/store/open.js'
import type {OpenedStore} from '../../../../src/store/opened-store.js'
import {equals} from '../../contract/subject.js'
import {facets, type Person, put} from '../../contract.js'
import {newDirectory, rejection, removeDirectories} from '../../directory.js'

/** Ids in every form in which a line may hold one, and some that are the beginning of others. */
const ids = [
  ...['a', 'a0', 'a"', 'a\\', 'a\n', 'aé', 'é', 'éa', '漢', '\uffff', '\u{1f600}', '\u{1f600}a', '\u2028'],
  ...['\ud800', '\ud801', 'a\udfff', '"', '\\"', '\u0000', '\u007f', '\u0080', 'x'.repeat(300)],
  ...Array.from({length: 60}, (_, at) => `id-${(at * 37) % 60}`),
]
const keyOf = (id: string): string => `k:${id}`
const person = (id: string, version: number) =>
  put(id, version, {name: `N ${version % 3}`, text: `é${id}`}, [keyOf(id)])

const open = (dir: string): Promise<OpenedStore> => openStore({dir, facets, writer: 'one-shot'})

/** Commits, and merges what is due with them. */
async function commit(dir: string, changes: Parameters<OpenedStore['commit']>[1], whole = true): Promise<void> {
  const store = await open(dir)
  try {
    await store.commit('shop', changes)
    if (whole) await store.compact()
  } finally {
    await store.close()
  }
}

async function peopleFile(dir: string): Promise<SegmentFile> {
  const manifest = await readManifest(blockingFiles, join(dir, 'shop'))
  return manifest?.segments.find(({kind}) => kind === 'people') as SegmentFile
}

function indexOf(content: Buffer, segment: SegmentFile): SegmentIndex {
  const index = SegmentIndex.open((at, length) => content.subarray(at, at + length), 'index', segment)
  return index as SegmentIndex
}

function keysIn(index: SegmentIndex): string[] {
  const found: string[] = []
  const next = index.keyBlocks()
  for (let block = next(); block.length > 0; block = next()) {
    for (let at = 0; at < block.length; at += 2) found.push(`${block[at]} ${block[at + 1]}`)
  }
  return found
}

const offsetsIn = (index: SegmentIndex): number[] =>
  Array.from({length: index.layout.slots + 1}, (_, slot) => index.offset(slot))

/** The index that the lines of a segment give. */
async function indexOfLines(dir: string, seed: number): Promise<{index: SegmentIndex; content: Buffer}> {
  const file = await peopleFile(dir)
  const path = join(dir, 'shop', file.file)
  const fd = openSync(path, 'r')
  try {
    const content = madeIndex(blockingFiles, {file, path, fd}, seed)
    return {content, index: indexOf(content, file)}
  } finally {
    closeSync(fd)
  }
}

async function assertHolds(dir: string, model: ReadonlyMap<string, number>): Promise<void> {
  const store = await open(dir)
  try {
    const all = [...model.keys()].sort(compareText)
    const {results} = await store.query<Person>('shop', 'people', {limit: 500, offset: 0})
    expect(results.map(({id, version}) => [id, version])).to.deep.equal(all.map((id) => [id, model.get(id)]))
    for (const id of ids) {
      expect((await store.get('shop', 'people', id))?.id).to.equal(model.has(id) ? id : undefined)
      expect((await store.find('shop', 'people', keyOf(id)))?.id).to.equal(model.has(id) ? id : undefined)
    }
    const named = all.filter((id) => (model.get(id) as number) % 3 === 1)
    const where = equals('name', 'n 1', 'lowercaseName')
    const found = await store.query<Person>('shop', 'people', {where, limit: 500, offset: 0})
    expect(found.results.map(({id}) => id)).to.deep.equal(named)
  } finally {
    await store.close()
  }
}

describe('store · merges of segments', () => {
  after(removeDirectories)

  it('keep the newest line of each id, whatever its characters, and the keys that its lines have', async () => {
    const dir = newDirectory()
    const model = new Map<string, number>()
    let seed: number | undefined
    for (let round = 0; round < 6; round += 1) {
      const due = ids.filter((_, at) => (at + round) % (round + 1) === 0)
      const changes = due.map((id, at) => {
        const version = model.get(id) ?? 0
        if (version > 0 && at % 4 === round % 4) {
          model.delete(id)
          return {kind: 'people', expect: version, remove: id}
        }
        model.set(id, version + 1)
        return person(id, version + 1)
      })
      await commit(dir, changes)
      await assertHolds(dir, model)
      const file = await peopleFile(dir)
      const index = indexOf(readFileSync(join(dir, 'shop', indexName(file.file))), file)
      seed ??= index.seed as number
      expect(index.seed, 'the seed of the state').to.equal(seed)
      const made = (await indexOfLines(dir, seed)).index
      expect(keysIn(index)).to.deep.equal(keysIn(made))
      expect(offsetsIn(index)).to.deep.equal(offsetsIn(made))
    }
  })

  it('keep a removal above older segments, and drop it with the last of them', async () => {
    const dir = newDirectory()
    const store = await open(dir)
    const many = Array.from({length: 400}, (_, at) => person(`p${at}`, 1))
    await store.commit('shop', many)
    await store.compact()
    await store.close()
    // Merged at closing, and small beside the first segment, which stays.
    const filler = Array.from({length: 200}, (_, at) => put(`q${at}`, 1, {text: 'x'.repeat(800)}))
    await commit(dir, [{kind: 'people', expect: 1, remove: 'p7'}, ...filler.slice(0, 20)], false)
    const reopened = await open(dir)
    expect(await reopened.get('shop', 'people', 'p7')).to.equal(undefined)
    await reopened.compact()
    await reopened.close()
    const file = await peopleFile(dir)
    expect(file.lines).to.equal(419)
    expect(readFileSync(join(dir, 'shop', file.file), 'utf8')).to.not.include('"p7"')
  })

  it('make the keys of an index with another seed anew', async () => {
    const dir = newDirectory()
    await commit(
      dir,
      ids.map((id) => person(id, 1)),
    )
    const {content} = await indexOfLines(dir, 4711)
    writeFileSync(join(dir, 'shop', indexName((await peopleFile(dir)).file)), content)
    const model = new Map(ids.map((id) => [id, 1]))
    await assertHolds(dir, model)
    await commit(dir, [person('a', 2), person('new', 1)])
    await assertHolds(dir, model.set('a', 2).set('new', 1))
  })

  it('do not carry damage on: they fail with the place of it, and everything stays as it was', async () => {
    const dir = newDirectory()
    await commit(
      dir,
      ids.map((id) => person(id, 1)),
    )
    const file = await peopleFile(dir)
    const path = join(dir, 'shop', file.file)
    const whole = readFileSync(path)
    const second = whole.indexOf('\n') + 1
    const third = whole.indexOf('\n', second) + 1
    const store = await open(dir)
    await store.commit('shop', [person('z', 1)])
    for (let at = second; at < third; at += 3) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] as number) ^ 1
      writeFileSync(path, damaged)
      const error = await rejection(store.compact())
      expect(error, `byte ${at}`).to.include({code: 'StateCorrupt', path})
      expect((error as Error).message).to.equal(`${path} is damaged at byte ${second}.`)
      writeFileSync(path, whole)
      expect((await peopleFile(dir)).crc32).to.equal(file.crc32)
    }
    await store.compact()
    await store.close()
    await assertHolds(dir, new Map([...ids.map((id) => [id, 1] as const), ['z', 1]]))
  })

  it('do not carry on lines that are whole but were not written there', async () => {
    const dir = newDirectory()
    await commit(dir, [person('a', 1), person('b', 1), person('c', 1)])
    const {file} = await peopleFile(dir)
    const path = join(dir, 'shop', file)
    const lines = readFileSync(path, 'utf8').split('\n')
    const store = await open(dir)
    await store.commit('shop', [put('z', 1)])
    writeFileSync(path, [lines[0], lines[2], lines[1], ''].join('\n'))
    const error = await rejection(store.compact())
    expect(error).to.include({code: 'StateCorrupt', message: `${path} is not what was written.`})
    await store.close()
  })

  it('go on with an index that was damaged: it is made anew from the lines', async () => {
    const dir = newDirectory()
    await commit(
      dir,
      ids.map((id) => person(id, 1)),
    )
    for (const part of [0.1, 0.5, 0.8]) {
      const path = join(dir, 'shop', indexName((await peopleFile(dir)).file))
      const store = await open(dir)
      const damaged = readFileSync(path)
      const at = Math.floor(damaged.length * part)
      damaged[at] = (damaged[at] as number) ^ 1
      writeFileSync(path, damaged)
      await store.commit('shop', [put('z', 1)])
      await store.compact()
      await store.commit('shop', [{kind: 'people', expect: 1, remove: 'z'}])
      await store.close()
      await assertHolds(dir, new Map(ids.map((id) => [id, 1])))
    }
  })
})
