import {expect} from 'chai'
import {checksumOf} from '../../../src/store/lowdb/format/record.js'
import {BufferPool} from '../../../src/store/lowdb/segments/buffer-pool.js'
import {PageBudget, pageBytes} from '../../../src/store/lowdb/segments/page-budget.js'
import {Cells, IndexDamaged, Pages} from '../../../src/store/lowdb/segments/pages.js'

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
  const kept = new Pages(read, 'an index', bytes.length, sums, budget)
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

  it('lie where others lay before, and nobody is given what another one reads', () => {
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
    const [slab, most] = [64, 20]
    expect(Array.from({length: slab - most}, () => budget.pool.take().buffer)).to.satisfy(
      (buffers: ArrayBuffer[]) => new Set(buffers).size === 1,
      'no more than the pages of the budget are in use',
    )
  })

  it('are passed in a buffer of the pass, which may write into it', () => {
    for (const budget of [undefined, new PageBudget(20 * pageBytes)]) {
      const {bytes, kept, look} = content(20, budget)
      const whole = Buffer.from(bytes)
      const cells = new Cells(kept, 0, (20 * pageBytes) / 8)
      let words = 0
      for (let block = cells.block(); block.length > 0; block = cells.block()) {
        words += block.length
        block.fill(0)
      }
      expect(words).to.equal((20 * pageBytes) / 4)
      expect(bytes.equals(whole)).to.equal(true)
      for (const at of numbers(20)) expect(look(at)).to.equal(at + 1)
    }
  })

  it('are verified whenever they are read', () => {
    const {bytes, look} = content(50, new PageBudget(20 * pageBytes))
    for (const at of numbers(50)) look(at)
    bytes.writeUInt8(7, 5 * pageBytes + 100)
    expect(() => look(5)).to.throw(IndexDamaged)
    expect(look(6)).to.equal(7)
  })

  it('wait for their next use in a pool, no more of them than it may keep', () => {
    const pool = new BufferPool(8, {mostFree: 1})
    const [one, other] = [pool.take(), pool.take()]
    for (const buffer of [one, other]) pool.give(buffer)
    expect(pool.take()).to.equal(one)
    expect(pool.take()).to.not.equal(other)
  })
})
