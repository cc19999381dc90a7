import {expect} from 'chai'
import fc from 'fast-check'
import {isoDay, isoTime} from '../../src/domain/iso-time.js'

/** Most of them of the same few seconds and days, where a text may be kept. */
const time = fc.oneof(
  fc.integer({min: 1_790_000_000_000, max: 1_790_000_003_000}),
  fc.integer({min: -200_000_000, max: 200_000_000}),
  fc.integer({min: -8_640_000_000_000_000, max: 8_640_000_000_000_000}),
  fc.double({min: -1e12, max: 1e13, noNaN: true}),
)

describe('ISO times', () => {
  it('are those of a Date, whatever was asked before', () => {
    const days = (at: number) => new Date(at).toISOString().slice(0, 10)
    fc.assert(
      fc.property(fc.array(time, {maxLength: 10}), (times) => {
        for (const at of times) {
          expect(isoTime(at)).to.equal(new Date(at).toISOString())
          expect(isoDay(at)).to.equal(days(at))
        }
      }),
    )
    for (const of of [isoTime, isoDay]) expect(() => of(Number.NaN)).to.throw(RangeError)
  })
})
