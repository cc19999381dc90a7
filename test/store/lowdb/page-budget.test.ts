import {expect} from 'chai'
import {checksumOf} from '../../../src/store/lowdb/format/record.js'
import {PageBudget} from '../../../src/store/lowdb/segments/page-budget.js'
import {IndexDamaged, Pages, pageBytes} from '../../../src/store/lowdb/segments/pages.js'

/** Content whose pages begin with their numbers, and how many of its pages were read. */
function content(pages: number, budget?: PageBudget) {
  const bytes = Buffer.alloc(pages * pageBytes)
  const sums = Buffer.alloc(pages * 4)
  for (let at = 0; at < pages; at += 1) {
    bytes.writeUInt32LE(at + 1, at * pageBytes)
    sums.writeUInt32LE(checksumOf(bytes.subarray(at * pageBytes, (at + 1) * pageBytes)), at * 4)
  }
  let reads = 0
  const read = (position: number, length: number): Buffer => {
    reads += 1
    return Buffer.from(bytes.subarray(position, position + length))
  }
  const kept = new Pages(read, 'an index', bytes.length, sums, budget)
  const look = (at: number): number => kept.uint32(at * pageBytes)
  return {bytes, look, reads: () => reads}
}

const numbers = (count: number): number[] => Array.from({length: count}, (_, at) => at)

describe('lowdb · pages of indexes', () => {
  it('keep what was read, without a budget and within one', () => {
    for (const budget of [undefined, new PageBudget(40 * pageBytes)]) {
      const {look, reads} = content(20, budget)
      for (const at of [...numbers(20), ...numbers(20)]) expect(look(at)).to.equal(at + 1)
      expect(reads()).to.equal(20)
    }
  })

  it('are forgotten beyond the budget, the least asked for first', () => {
    const {look, reads} = content(50, new PageBudget(20 * pageBytes))
    for (const at of numbers(50)) {
      expect(look(at)).to.equal(at + 1)
      expect(look(0), 'a page that is asked for again and again').to.equal(1)
    }
    expect(reads(), 'each once').to.equal(50)
    look(0)
    look(49)
    expect(reads(), 'the last ones and the busy one are there').to.equal(50)
    look(5)
    expect(reads(), 'an early one is gone').to.equal(51)
  })

  it('share the budget of their folder, also with an index that nobody asks any more', () => {
    const budget = new PageBudget(20 * pageBytes)
    const idle = content(10, budget)
    const busy = content(50, budget)
    for (const at of numbers(10)) idle.look(at)
    for (const at of numbers(50)) busy.look(at)
    for (const at of numbers(10)) expect(idle.look(at)).to.equal(at + 1)
    expect(idle.reads(), 'each read again').to.equal(20)
  })

  it('are verified whenever they are read', () => {
    const {bytes, look} = content(50, new PageBudget(20 * pageBytes))
    for (const at of numbers(50)) look(at)
    bytes.writeUInt8(7, 5 * pageBytes + 100)
    expect(() => look(5)).to.throw(IndexDamaged)
    expect(look(6)).to.equal(7)
  })
})
