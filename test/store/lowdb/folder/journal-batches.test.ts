import {setImmediate as nextTurn} from 'node:timers/promises'
import {expect} from 'chai'
import {DataFile} from '../../../../src/store/lowdb/directory/data-file.js'
import {Documents, noHead} from '../../../../src/store/lowdb/directory/documents.js'
import {Transaction} from '../../../../src/store/lowdb/directory/state.js'
import {pooledFiles} from '../../../../src/store/lowdb/file/files.js'
import {pathOf} from '../../../../src/store/lowdb/folder/chain.js'
import {Journal} from '../../../../src/store/lowdb/folder/journal.js'
import {lineOf} from '../../../../src/store/lowdb/line/line.js'
import {newDirectory, removeDirectories} from '../../directory.js'

const commit = (id: string): Transaction => {
  const head = {kind: 'things', id, uniqueKeys: []}
  return new Transaction([{...head, version: 1, head: noHead, line: lineOf(head, JSON.stringify({id, version: 1}))}])
}

/** A journal in a new file, whose syncs are counted. */
class Subject {
  syncs = 0

  async open(isCommand = false): Promise<Journal> {
    const fatal = (error: Error): void => expect.fail(error.message)
    const files = {
      ...pooledFiles,
      sync: (fd: number) => {
        this.syncs += 1
        return pooledFiles.sync(fd)
      },
    }
    const path = pathOf(newDirectory(), 1)
    const file = new DataFile(files, {number: 1, path, fd: await files.open(path, 'create')}, new Documents(0, 0))
    const reach = {end: 0, checksum: 0}
    return new Journal({fence: () => {}, fatal, isCommand, files, file, reach, onAppended: () => {}})
  }
}

describe('store · batches of a journal', () => {
  after(removeDirectories)

  it('shares a sync with those whom the last one answered, and lets nobody wait who is alone', async () => {
    const subject = new Subject()
    const journal = await subject.open()
    const lone = journal.append(commit('lone'))
    await nextTurn()
    expect(subject.syncs).to.equal(1)
    await lone
    let isIdle = false
    void journal.idle().then(() => {
      isIdle = true
    })
    await nextTurn()
    await nextTurn()
    expect(isIdle).to.equal(true)
    const ten = Array.from({length: 10}, (_, at) => `ten-${at}`)
    await Promise.all(ten.map((id) => journal.append(commit(id))))
    const before = subject.syncs
    // They are back one after the other, some turns later.
    await Promise.all(
      ten.map(async (id, at) => {
        for (let turn = 0; turn < at % 5; turn += 1) await nextTurn()
        await journal.append(commit(`${id} again`))
      }),
    )
    expect(subject.syncs).to.equal(before + 1)
    // Nine of them stay away: for as many batches they may still come.
    for (let gone = 1; gone <= 9; gone += 1) {
      const waiting = journal.append(commit(`${gone} of ten are gone`))
      await nextTurn()
      expect(subject.syncs).to.equal(before + gone)
      await waiting
    }
    const alone = journal.append(commit('alone'))
    await nextTurn()
    expect(subject.syncs).to.equal(before + 11)
    await alone
    await journal.idle()
    journal.file.retire()
  })

  it('brings those together who came while others were written', async () => {
    const subject = new Subject()
    const journal = await subject.open()
    const first = Array.from({length: 5}, (_, at) => journal.append(commit(`first ${at}`)))
    while (subject.syncs === 0) await nextTurn()
    const waiting = Array.from({length: 5}, (_, at) => journal.append(commit(`waiting ${at}`)))
    await Promise.all(first)
    await nextTurn()
    await nextTurn()
    await Promise.all([...waiting, ...first.map((_, at) => journal.append(commit(`back ${at}`)))])
    expect(subject.syncs).to.equal(2)
    await journal.idle()
    journal.file.retire()
  })

  it('gathers in a command for all of its turns, whose rows come some at a time', async () => {
    const subject = new Subject()
    const journal = await subject.open(true)
    const rows = Array.from({length: 7}, async (_, turn) => {
      for (let left = turn; left > 0; left -= 1) await nextTurn()
      await journal.append(commit(`row ${turn}`))
    })
    await Promise.all(rows)
    expect(subject.syncs).to.equal(1)
    await journal.idle()
    journal.file.retire()
  })
})
