import {expect} from 'chai'
import {Documents, type Place} from '../../../src/store/lowdb/directory/documents.js'
import {lineOf} from '../../../src/store/lowdb/line/line.js'
import {times} from '../contract/subject.js'

const line = lineOf({kind: 'people', id: 'a', uniqueKeys: []}, '{"id":"a","version":1}')

/** Documents with a budget for some of them, and the places that were read from the file. */
function cacheOf(budget: number) {
  const read: number[] = []
  const documents = new Documents(budget * line.length * 3, 0)
  const file = {
    ...{serial: 1, number: 1, documents, lacks: () => false, drop: () => {}},
    line: (at: number) => {
      read.push(at)
      return line
    },
  }
  const place = (at: number): Place => ({file, at, size: line.length, crc: 0})
  /** Those of some places that are kept; looking at all of them makes all of them used. */
  const kept = (places: readonly number[]): number[] =>
    places.filter((at) => {
      const before = read.length
      documents.keep(place(at))
      return read.length === before
    })
  return {documents, place, kept}
}

describe('store · cache', () => {
  it('keeps within its budget what was used last', () => {
    const {documents, place, kept} = cacheOf(2_000)
    for (const at of times(10_000, (one) => one)) documents.keep(place(at))
    expect(kept(times(1_000, (one) => 9_000 + one))).to.have.length(1_000)
    expect(kept(times(8_000, (one) => one))).to.deep.equal([])
  })

  it('keeps what is used, and lets go of the rest', () => {
    const {documents, place, kept} = cacheOf(20)
    documents.keep(place(3))
    documents.keep(place(4))
    for (let at = 20; at < 5_000; at += 1) {
      documents.keep(place(at))
      expect(kept([3]), String(at)).to.deep.equal([3])
    }
    expect(kept([4])).to.deep.equal([])
  })

  it('keeps nothing that is larger than a generation, and nothing without a budget', () => {
    for (const budget of [1.9, 0]) {
      const {documents, place, kept} = cacheOf(budget)
      documents.keep(place(1))
      documents.keep(place(2))
      expect(kept([1, 2]), String(budget)).to.deep.equal([])
    }
  })
})
