import {expect} from 'chai'
import {foreignToken} from '../../src/oauth/introspection.js'

const now = Date.parse('2026-11-26T12:00:00Z')
const seconds = now / 1000

describe('oauth · introspection of foreign tokens', () => {
  it('takes a token that is active now, with whichever times it has', () => {
    for (const times of [
      {},
      {exp: seconds + 1},
      {nbf: seconds},
      {iat: seconds + 60},
      {exp: seconds + 1, nbf: 0, iat: 0},
    ]) {
      expect(foreignToken({active: true, scope: 'a', ...times}, now), JSON.stringify(times)).to.include({scope: 'a'})
    }
  })

  it('takes no token before or after its time, nor with a time that is no number', () => {
    for (const times of [
      ...[{exp: seconds}, {nbf: seconds + 1}, {iat: seconds + 61}],
      ...[{exp: 'soon'}, {nbf: null}, {iat: Number.NaN}, {exp: seconds + 1, nbf: '0'}],
    ]) {
      expect(foreignToken({active: true, scope: 'a', ...times}, now), JSON.stringify(times)).to.equal(undefined)
    }
    for (const active of [false, 'true', 1, undefined])
      expect(foreignToken({active, scope: 'a'}, now)).to.equal(undefined)
  })

  it('reads times beyond the year 5138 as milliseconds', () => {
    expect(foreignToken({active: true, exp: 1e11}, now)).to.include({expiresAt: 1e14})
    expect(foreignToken({active: true, exp: now + 1}, now)).to.include({expiresAt: now + 1})
    expect(foreignToken({active: true, exp: 1e11 + 1}, now)).to.equal(undefined)
  })
})
