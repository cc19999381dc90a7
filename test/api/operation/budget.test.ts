import {expect} from 'chai'
import {Budget} from '../../../src/api/operation/budget.js'
import {ApiError} from '../../../src/domain/errors.js'
import {limits} from '../../../src/work/limits.js'

describe('api · operation · the budget of a request', () => {
  it('S-301 claims what documents and values take before they are an answer', () => {
    const claims: number[] = []
    const claim = (bytes: number) => {
      claims.push(bytes)
      if (bytes > 1_000_000) throw ApiError.of('OverCapacity', {message: 'full'})
    }
    const budget = new Budget({claim, enlarge: () => undefined, isGone: () => false})
    expect([budget.fits(1_000), claims]).to.deep.equal([true, []])
    expect([budget.fits(100_000), claims]).to.deep.equal([true, [101_000]])
    expect(budget.fitsValues(1_000)).to.equal(true)
    expect(claims.at(-1)).to.be.greaterThan(101_000)
    expect(() => budget.fits(1_000_000)).to.throw(ApiError, 'full')
    expect(new Budget().fits(limits.replyBytes + 1)).to.equal(false)
  })
})
