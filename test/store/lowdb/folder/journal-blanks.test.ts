import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {diagnose} from '../../../../src/store/lowdb/care/doctor.js'
import {openDirectory} from '../../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../../src/store/lowdb/low-store.js'
import {put} from '../../contract.js'
import {newDirectory, rejection, removeDirectories} from '../../directory.js'
import {commit, noFault, Subject} from './journal-subject.js'

const blanks = 256 << 10

describe('store · blanks of a journal', () => {
  after(removeDirectories)

  it('is lengthened by blanks once it is long, which later commits replace, and which are no part of it', async () => {
    const subject = new Subject()
    const journal = await subject.open()
    await journal.append(commit('short', 1000))
    expect(subject.content.endsWith('\n')).to.equal(true)
    await journal.append(commit('long', 100_000))
    await journal.append(commit('a'))
    const {length} = subject.content
    expect(subject.content.slice(journal.end.bytes)).to.equal(' '.repeat(length - journal.end.bytes))
    expect(length).to.be.above(blanks)
    await journal.append(commit('b'))
    expect(subject.content.length).to.equal(length)
    expect(await subject.ids()).to.deep.equal(['short', 'long', 'a', 'b'])

    await journal.close()
    expect(subject.content.length).to.equal(journal.end.bytes)
    expect(subject.truncates).to.equal(1)
    expect(await subject.ids()).to.deep.equal(['short', 'long', 'a', 'b'])
  })

  it('is closed without a word where its blanks cannot be taken away, and as it is without any', async () => {
    const subject = new Subject()
    const journal = await subject.open()
    await journal.append(commit('long', 100_000))
    await journal.append(commit('a'))
    subject.cannotTruncate = true
    await journal.close()
    expect(subject.content.length).to.be.above(journal.end.bytes)
    expect(await subject.ids()).to.deep.equal(['long', 'a'])

    const short = new Subject()
    const unchanged = await short.open()
    await unchanged.append(commit('a'))
    await unchanged.close()
    expect(short.truncates).to.equal(0)
  })

  it('has blanks of its own behind the commits of its next file', async () => {
    const subject = new Subject()
    const journal = await subject.open()
    await journal.append(commit('long', 100_000))
    await journal.append(commit('a'))
    await journal.rotate(() => {
      subject.path += '.next'
      return subject.newFile()
    })
    await journal.append(commit('long', 70_000))
    expect(subject.content.length).to.equal(journal.end.bytes)
    await journal.append(commit('b'))
    expect(subject.content.length).to.be.above(blanks)
    await journal.close()
  })

  it('has no blanks before large batches, which they would not serve', async () => {
    const subject = new Subject()
    const journal = await subject.open()
    for (const id of ['a', 'b', 'c']) await journal.append(commit(id, 100_000))
    expect(subject.writes).to.have.length(3)
    await journal.close()
  })

  for (const code of ['ENOSPC', 'EFBIG', 'EIO']) {
    it(`takes what there is room for where blanks find none (${code})`, async () => {
      const subject = new Subject()
      const journal = await subject.open()
      await journal.append(commit('long', 100_000))
      subject.fault = (length) => (length === blanks ? code : undefined)
      await journal.append(commit('a'))
      await journal.append(commit('b'))
      expect(subject.content.length).to.equal(journal.end.bytes)
      expect(await subject.ids()).to.deep.equal(['long', 'a', 'b'])
      await journal.close()
    })
  }

  it('gets its blanks again after a write that failed', async () => {
    const subject = new Subject()
    const journal = await subject.open()
    await journal.append(commit('long', 100_000))
    await journal.append(commit('a'))
    subject.fault = () => 'ENOSPC'
    expect(await rejection(journal.append(commit('refused')))).to.include({statusCode: 503})
    expect(subject.content.length).to.equal(journal.end.bytes)
    subject.fault = noFault
    const {bytes} = journal.end
    await journal.append(commit('b'))
    expect(subject.content.length).to.equal(bytes + blanks)
    expect(await subject.ids()).to.deep.equal(['long', 'a', 'b'])
    await journal.close()
  })
})

describe('store · a journal with blanks', () => {
  after(removeDirectories)

  const open = async (dir: string): Promise<LowStore> =>
    new LowStore(await openDirectory({dir, facets: {}, writer: 'server', liveness: () => 'dead'}), {})
  const journalOf = (dir: string): string => readFileSync(join(dir, 'shop/journal.1.jsonl'), 'latin1')

  async function long(dir: string): Promise<LowStore> {
    const store = await open(dir)
    await store.commit('shop', [put('long', 1, {text: 'x'.repeat(100_000)})])
    await store.commit('shop', [put('a', 1)])
    return store
  }

  it('is whole to the doctor and to the next holder, who knows its length', async () => {
    const dir = newDirectory()
    await long(dir)
    expect(journalOf(dir)).to.match(/\n +$/)
    expect((await diagnose(dir)).findings).to.deep.equal([])
    // The first holder is taken for dead.
    const next = await open(dir)
    await next.commit('shop', [put('b', 1)])
    expect((await next.query('shop', 'people', {limit: 9, offset: 0})).results.map(({id}) => id)).to.have.members([
      'long',
      'a',
      'b',
    ])
    await next.close()
    expect((await diagnose(dir)).findings).to.deep.equal([])
  })

  it('ends at its last commit once it is closed', async () => {
    const dir = newDirectory()
    await (await long(dir)).close()
    expect(journalOf(dir).endsWith('}\n')).to.equal(true)
  })
})
