import {expect} from 'chai'
import {Cache} from '../../../src/store/lowdb/table/cache.js'
import {times} from '../contract/subject.js'

/** The keys of those that are there; looking at all of them makes all of them used. */
const present = (cache: Cache<string>, keys: readonly number[]): number[] =>
  keys.filter((key) => cache.get(key) === `value ${key}`)

/** With values of ten bytes, each of which was read so many times. */
function filled(budget: number, count: number, reads = 2): Cache<string> {
  const cache = new Cache<string>(budget)
  for (let key = 0; key < count * reads; key += 1) cache.set(key % count, `value ${key % count}`, 10)
  return cache
}

const all = (count: number): number[] => times(count, (key) => key)

describe('store · cache', () => {
  it('keeps within its budget what was read twice', () => {
    const kept = present(filled(20_000, 10_000), all(10_000))
    expect(kept.length * 10).to.be.within(10_000, 20_000)
    expect(kept).to.include(9_999).and.to.include(9_960)
  })

  it('keeps of what was read once the last values alone', () => {
    const kept = present(filled(100_000, 3_000, 1), all(3_000))
    expect(kept).to.have.lengthOf(64).and.to.include(2_999)
  })

  it('forgets that something was read long ago', () => {
    const cache = filled(1_000_000, 100_000, 1)
    for (let key = 0; key < 100; key += 1) cache.set(key, `value ${key}`, 10)
    expect(present(cache, all(100)).length).to.be.at.most(64)
  })

  it('keeps what is used, and lets go of the rest', () => {
    const cache = filled(20_000, 20)
    for (let key = 20; key < 5_000; key += 1) {
      for (let read = 0; read < 2; read += 1) cache.set(key, `value ${key}`, 10)
      expect(cache.get(3)).to.equal('value 3')
    }
    expect(present(cache, [3, 4])).to.deep.equal([3])
  })

  it('has the newest value of a key, and counts it once', () => {
    const cache = new Cache<string>(1_000)
    for (let round = 0; round < 1_000; round += 1) cache.set(1, `value ${round}`, 400)
    for (let round = 0; round < 2; round += 1) cache.set(2, 'value 2', 100)
    expect(cache.get(1)).to.equal('value 999')
    expect(cache.get(2)).to.equal('value 2')
  })

  it('keeps nothing that is larger than a generation, and nothing without a budget', () => {
    const cache = new Cache<string>(1_000)
    for (let round = 0; round < 2; round += 1) cache.set(1, 'value 1', 501)
    expect(cache.get(1)).to.equal(undefined)
    expect(present(filled(0, 10), all(10))).to.deep.equal([])
  })

  it('keeps of what was read once nothing large', () => {
    const cache = new Cache<string>(2_048)
    cache.set(1, 'value 1', 2)
    cache.set(2, 'value 2', 1)
    expect(present(cache, [1, 2])).to.deep.equal([2])
  })
})
