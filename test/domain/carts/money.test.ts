import {expect} from 'chai'
import * as fc from 'fast-check'
import {fractionOf, type Money, moneyOf, type Rounding, rounded, timesOf} from '../../../src/domain/carts/money.js'
import {ApiError} from '../../../src/domain/errors.js'

const euro = (centAmount: number): Money => ({
  type: 'centPrecision',
  currencyCode: 'EUR',
  centAmount,
  fractionDigits: 2,
})

describe('carts · money', () => {
  it('reads decimals exactly as JSON writes them', () => {
    expect(fractionOf(0.08875)).to.deep.equal({numerator: 8875n, denominator: 100_000n})
    expect(fractionOf(0.1)).to.deep.equal({numerator: 1n, denominator: 10n})
    expect(fractionOf(0)).to.deep.equal({numerator: 0n, denominator: 1n})
    expect(fractionOf(1e-7)).to.deep.equal({numerator: 1n, denominator: 10_000_000n})
    expect(fractionOf(1.5e21)).to.deep.equal({numerator: 1_500_000_000_000_000_000_000n, denominator: 1n})
    expect(fractionOf(-2.5)).to.deep.equal({numerator: -25n, denominator: 10n})
  })

  const ties: [Rounding, number[]][] = [
    ['HalfEven', [-2, -2, 0, 0, 2, 2]],
    ['HalfUp', [-3, -2, -1, 1, 2, 3]],
    ['HalfDown', [-2, -1, 0, 0, 1, 2]],
  ]
  for (const [mode, expected] of ties) {
    it(`rounds ties ${mode}`, () => {
      const halves = [-5n, -3n, -1n, 1n, 3n, 5n].map((numerator) => rounded({numerator, denominator: 2n}, mode))
      expect(halves.map(Number)).to.deep.equal(expected)
    })
  }

  it('rounds everything but ties to the nearest, whatever the mode', () => {
    const modes = fc.constantFrom<Rounding>('HalfEven', 'HalfUp', 'HalfDown')
    fc.assert(
      fc.property(
        fc.bigInt({min: -(10n ** 20n), max: 10n ** 20n}),
        fc.bigInt({min: 1n, max: 10n ** 9n}),
        modes,
        (n, d, mode) => {
          const distance = (rounded({numerator: n, denominator: d}, mode) * d - n) * 2n
          expect(distance <= d && distance >= -d).to.equal(true)
        },
      ),
    )
  })

  it('keeps the currency and its digits, and drops a precision that no longer holds', () => {
    const precise = {...euro(1), type: 'highPrecision', preciseAmount: 12_345}
    expect(moneyOf(7n, precise)).to.deep.equal(euro(7))
  })

  it('refuses amounts that JSON cannot carry exactly', () => {
    const tooLarge = () => moneyOf(2n ** 53n, euro(0))
    expect(tooLarge).to.throw(ApiError).with.property('code', 'InvalidOperation')
    expect(moneyOf(2n ** 53n - 1n, euro(0)).centAmount).to.equal(Number.MAX_SAFE_INTEGER)
  })

  it('multiplies high precision before it rounds', () => {
    const tenth = {...euro(0), type: 'highPrecision', preciseAmount: 125, fractionDigits: 4}
    expect(timesOf(tenth, 1, euro(0), 'HalfEven')).to.equal(1n)
    expect(timesOf(tenth, 1000, euro(0), 'HalfEven')).to.equal(1250n)
    expect(timesOf(tenth, 2, euro(0), 'HalfEven')).to.equal(2n)
    expect(timesOf(euro(125), 3, euro(0), 'HalfEven')).to.equal(375n)
  })
})
