import {expect} from 'chai'
import fc from 'fast-check'
import {costOf, hashProblem, looksLikeHash, mayBeHash} from '../../../src/domain/credentials/password-hash.js'
import {bareDigests, bcryptHash, otherHashes, plainPasswords} from '../../fixtures/foreign-hashes.js'

const bcrypt = (cost: string): string => `$2b$${cost}$${'a'.repeat(53)}`

describe('credentials · password hashes', () => {
  it('are taken of bcrypt, within its bounds', () => {
    for (const text of [bcryptHash, bcrypt('04'), bcrypt('14')]) expect(hashProblem(text), text).to.equal(undefined)
    expect([costOf(bcryptHash), costOf(bcrypt('12')), costOf('no hash')]).to.deep.equal([4, 12, 0])
    for (const cost of ['00', '03', '15', '31'])
      expect(hashProblem(bcrypt(cost)), cost).to.match(/cost \d+ is not 4 to/)
  })

  it('of any other form are refused with a way, and not quoted', () => {
    for (const text of [
      ...Object.values(otherHashes).flat(),
      ...bareDigests,
      '$2b$10$short',
      '',
      bcrypt('1'),
      'secret',
    ]) {
      const problem = hashProblem(text)
      expect(problem, text).to.match(/bcrypt .*--password-mode reset-links/)
      if (text.length > 6) expect(problem).to.not.include(text)
    }
  })

  for (const [form, hashes] of Object.entries({bcrypt: [bcryptHash], ...otherHashes})) {
    it(`are known by their shape: ${form}`, () => {
      for (const hash of hashes) expect([looksLikeHash(hash), mayBeHash(hash)], hash).to.deep.equal([true, true])
    })
  }

  it('without anything around the digest are suspected in rows alone', () => {
    for (const text of bareDigests) expect([looksLikeHash(text), mayBeHash(text)], text).to.deep.equal([false, true])
  })

  it('are no passwords that people choose', () => {
    for (const text of plainPasswords) expect(mayBeHash(text), text).to.equal(false)
    fc.assert(
      fc.property(fc.string({maxLength: 19}), (text) => !looksLikeHash(text) || /^(?:\{|[0-9a-f]{32})/.test(text)),
    )
  })
})
