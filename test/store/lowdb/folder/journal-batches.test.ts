import {setImmediate as nextTurn} from 'node:timers/promises'
import {expect} from 'chai'
import {removeDirectories} from '../../directory.js'
import {commit, Subject} from './journal-subject.js'

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
    await journal.close()
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
    await journal.close()
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
    await journal.close()
  })
})
