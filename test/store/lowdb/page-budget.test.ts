import {expect} from 'chai'
import {checksumOf} from '../../../src/store/lowdb/file/checksum.js'
import {PageBudget, Pages, pageBytes} from '../../../src/store/lowdb/table/pages.js'

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
    return bytes.subarray(position, position + length)
  }
  const kept = new Pages(read, 'an index', bytes.length, sums, {budget})
  const look = (at: number): number => kept.uint32(at * pageBytes)
  return {bytes, kept, look, reads: () => reads}
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

  it('are all forgotten beyond the budget, and read again when they are asked for', () => {
    const {look, reads} = content(50, new PageBudget(20 * pageBytes))
    for (const at of numbers(20)) expect(look(at)).to.equal(at + 1)
    expect(reads(), 'each once').to.equal(20)
    look(20)
    expect(look(20)).to.equal(21)
    expect(reads(), 'one more').to.equal(21)
    look(5)
    expect(reads(), 'an early one is gone').to.equal(22)
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

  it('are never those that another one reads', () => {
    const budget = new PageBudget(20 * pageBytes)
    const [one, other] = [content(30, budget), content(30, budget)]
    for (let turn = 0; turn < 400; turn += 1) {
      expect(one.look((turn * 7) % 11)).to.equal(((turn * 7) % 11) + 1)
      expect(other.look((turn * 13) % 30)).to.equal(((turn * 13) % 30) + 1)
    }
    const busy = content(200, budget)
    for (const at of numbers(200)) {
      expect(busy.look(at)).to.equal(at + 1)
      expect(busy.look(199), 'a page that is asked for again and again').to.equal(200)
    }
  })

  it('are verified whenever they are read', () => {
    const {bytes, look} = content(50, new PageBudget(20 * pageBytes))
    for (const at of numbers(50)) look(at)
    bytes.writeUInt8(7, 5 * pageBytes + 100)
    expect(() => look(5)).to.throw('The index an index is damaged.')
    expect(look(6)).to.equal(7)
  })
})
