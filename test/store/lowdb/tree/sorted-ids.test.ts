import {expect} from 'chai'
import fc from 'fast-check'
import {compareText} from '../../../../src/query/text-order.js'
import {SortedIds} from '../../../../src/store/lowdb/tree/sorted-ids.js'

const id = fc.oneof(fc.integer({min: 0, max: 9999}).map(String), fc.string({unit: 'grapheme'}))
const step = fc.record({id, isRemoved: fc.boolean()})

/** Enough for several chunks. */
const many = {minLength: 1200, maxLength: 2600, size: 'max'} as const

describe('store · sorted ids', () => {
  it('are those of a sorted set, whatever was added and removed, from any id on', () => {
    fc.assert(
      fc.property(fc.array(id, many), fc.array(step, many), id, fc.nat(700), (first, steps, after, limit) => {
        const ids = new SortedIds(new Set(first))
        const expected = new Set(first)
        for (const {id: one, isRemoved} of steps) {
          if (isRemoved) {
            ids.remove(one)
            expected.delete(one)
          } else {
            ids.add(one)
            expected.add(one)
          }
        }
        const sorted = [...expected].sort(compareText)
        expect(ids.slice(undefined, sorted.length + 1)).to.deep.equal(sorted)
        const above = sorted.filter((one) => compareText(one, after) > 0)
        expect(ids.slice(after, limit)).to.deep.equal(above.slice(0, limit))
      }),
      {numRuns: 20},
    )
  })

  it('are none once all are removed, and then others', () => {
    const all = Array.from({length: 1500}, (_, at) => String(at))
    const ids = new SortedIds(all)
    for (const one of all) ids.remove(one)
    expect(ids.slice(undefined, 1)).to.deep.equal([])
    ids.add('b')
    ids.add('a')
    expect(ids.slice(undefined, 3)).to.deep.equal(['a', 'b'])
  })
})
