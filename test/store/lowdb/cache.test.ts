import {expect} from 'chai'
import {Cache} from '../../../src/store/lowdb/directory/documents.js'
import {times} from '../contract/subject.js'

/** The keys of those that are there; looking at all of them makes all of them used. */
const present = (cache: Cache<string>, keys: readonly number[]): number[] =>
  keys.filter((key) => cache.get(key) === `value ${key}`)

/** With values of ten bytes. */
function filled(budget: number, count: number): Cache<string> {
  const cache = new Cache<string>(budget)
  for (let key = 0; key < count; key += 1) cache.set(key, `value ${key}`, 10)
  return cache
}

const all = (count: number): number[] => times(count, (key) => key)

describe('store · cache', () => {
  it('keeps within its budget what was used last', () => {
    const kept = present(filled(20_000, 10_000), all(10_000))
    expect(kept.length * 10).to.be.within(10_000, 20_000)
    expect(kept).to.include(9_999).and.to.include(9_000)
  })

  it('keeps what is used, and lets go of the rest', () => {
    const cache = filled(20_000, 20)
    for (let key = 20; key < 5_000; key += 1) {
      cache.set(key, `value ${key}`, 10)
      expect(cache.get(3)).to.equal('value 3')
    }
    expect(present(cache, [3, 4])).to.deep.equal([3])
  })

  it('has the newest value of a key, and counts it once', () => {
    const cache = new Cache<string>(1_000)
    for (let round = 0; round < 1_000; round += 1) cache.set(1, `value ${round}`, 400)
    cache.set(2, 'value 2', 100)
    expect(cache.get(1)).to.equal('value 999')
    expect(cache.get(2)).to.equal('value 2')
  })

  it('keeps nothing that is larger than a generation, and nothing without a budget', () => {
    const cache = new Cache<string>(1_000)
    cache.set(1, 'value 1', 501)
    expect(cache.get(1)).to.equal(undefined)
    expect(present(filled(0, 10), all(10))).to.deep.equal([])
  })
})
