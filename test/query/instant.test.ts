import {expect} from 'chai'
import fc from 'fast-check'
import {instantOf, isDate} from '../../src/query/instant.js'
import {naiveInstant} from './naive.js'

describe('query · instant', () => {
  it('reads what Date writes', () => {
    const min = new Date('0001-01-01T00:00:00.000Z')
    const max = new Date('9999-12-31T23:59:59.999Z')
    fc.assert(
      fc.property(fc.date({min, max, noInvalidDate: true}), (date) => {
        expect(instantOf(date.toISOString())).to.equal(date.getTime())
      }),
      {numRuns: 2000},
    )
  })

  it('knows the length of every month', () => {
    const pad = (value: number, length = 2) => String(value).padStart(length, '0')
    for (let year = 1; year <= 9999; year += year % 100 === 4 ? 92 : 1) {
      for (let month = 1; month <= 12; month += 1) {
        const start = new Date('2000-01-01T00:00:00.000Z').setUTCFullYear(year, month, 0)
        const length = new Date(start).getUTCDate()
        const prefix = `${pad(year, 4)}-${pad(month)}-`
        expect([isDate(prefix + pad(length)), isDate(prefix + pad(length + 1)), isDate(`${prefix}00`)]).to.deep.equal([
          true,
          false,
          false,
        ])
      }
    }
  })

  it('takes zones, missing seconds and long fractions', () => {
    const midnight = Date.parse('2026-01-01T00:00:00.000Z')
    expect(instantOf('2026-01-01T00:00Z')).to.equal(midnight)
    expect(instantOf('2026-01-01T02:30:00+02:30')).to.equal(midnight)
    expect(instantOf('2025-12-31T10:00:00.0-14:00')).to.equal(midnight)
    expect(instantOf('2026-01-01T00:00:00.123999999Z')).to.equal(midnight + 123)
  })

  it('agrees with Date on mutilated texts', () => {
    const base = fc.constantFrom('2026-01-31T08:15:59.123Z', '2024-02-29T23:59+14:59', '1999-12-31T00:00:00.1-00:30')
    const edit = fc.tuple(fc.nat({max: 28}), fc.constantFrom('', '0', '9', ':', '-', '+', 'Z', 'T', '.', ' ', 'z', '٣'))
    fc.assert(
      fc.property(base, fc.array(edit, {maxLength: 3}), (text, edits) => {
        const edited = edits.reduce<string>((here, [at, char]) => here.slice(0, at) + char + here.slice(at + 1), text)
        expect(instantOf(edited), edited).to.equal(naiveInstant(edited))
      }),
      {numRuns: 5000},
    )
  })
})
