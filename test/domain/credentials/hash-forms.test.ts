import {expect} from 'chai'
import fc from 'fast-check'
import {hashForms, readHash, workOfHash} from '../../../src/domain/credentials/hash-forms.js'
import {foreignHashes} from '../../fixtures/foreign-hashes.js'

const refusal = (text: string): string => {
  const read = readHash(text)
  return 'refused' in read ? read.refused : `accepted as ${read.form.name}`
}

const [salt, digest] = ['c29tZXNhbHQ', 'A'.repeat(43)]
const argon2 = (parameters: string, ...parts: readonly string[]) =>
  `$argon2id$v=19$${parameters}$${parts[0] ?? salt}$${parts[1] ?? digest}`
const scrypt = (parameters: string) => `$scrypt$${parameters}$${salt}$${digest}`
const phpass = (rounds: string) => `$P$${rounds}${'a'.repeat(8)}${'b'.repeat(22)}`
const sha256 = 'a'.repeat(64)

describe('credentials · forms of password hashes', () => {
  it('have an example each, which is of this form and of no other', () => {
    expect(Object.keys(foreignHashes)).to.have.members(hashForms.map(({name}) => name))
    for (const [name, hashes] of Object.entries(foreignHashes)) {
      for (const hash of hashes) {
        const read = readHash(hash)
        expect('form' in read && read.form.name, hash).to.equal(name)
        const matching = hashForms.filter(({pattern}) => pattern.test(hash))
        expect(matching.map((form) => form.name)).to.deep.equal([name])
      }
    }
  })

  it('say what a comparison costs', () => {
    expect(workOfHash(argon2('m=65536,t=4,p=1'))).to.deep.equal({cost: 0, argon2: 262_144, scrypt: 0, digests: 0})
    expect(workOfHash(scrypt('ln=15,r=8,p=2'))).to.include({scrypt: 524_288})
    expect(workOfHash(phpass('B'))).to.include({digests: 8192})
    expect(workOfHash(`$wp$2y$12$${'a'.repeat(53)}`)).to.include({cost: 12})
    expect(workOfHash(`${sha256}:salt:1:2`)).to.include({argon2: 131_072})
    expect(workOfHash('no hash')).to.include({cost: 0, argon2: 0, scrypt: 0, digests: 0})
  })

  for (const [what, hash] of [
    ['bcrypt below its least cost', `$2b$03$${'a'.repeat(53)}`],
    ['bcrypt above the bound', `$wp$2y$15$${'a'.repeat(53)}`],
    ['Argon2 of much memory', argon2('m=262144,t=1,p=1')],
    ['Argon2 of many passes', argon2('m=65536,t=9,p=1')],
    ['Argon2 of many lanes', argon2('m=65536,t=1,p=17')],
    ['Argon2 of numbers that overflow', argon2('m=999999999,t=999999999,p=999999999')],
    ['Magento of much memory', `${sha256}:salt:3_32_2_268435456`],
    ['Magento of Argon2 again and again', `${sha256}:salt:2:2:2:2:2`],
    ['scrypt of much memory', scrypt('ln=20,r=8,p=1')],
    ['scrypt of a large block', scrypt('ln=4,r=999999999,p=1')],
    ['scrypt of a cost beyond numbers', scrypt('ln=99,r=8,p=1')],
    ['scrypt again and again', scrypt('ln=16,r=8,p=3')],
    ['scrypt of many lanes', scrypt('ln=4,r=1,p=17')],
    ['phpass of many rounds', phpass('G')],
    ['Shopware of many rounds', `131072:salt:${sha256}`],
  ] as const) {
    it(`refuse ${what}`, () => expect(refusal(hash)).to.match(/^It is a hash of the form \S+, but .+\.$/))
  }

  for (const [what, hash] of [
    ['a short digest of Argon2', argon2('m=8,t=1,p=1', salt, 'A'.repeat(20))],
    ['a short salt of Argon2', argon2('m=8,t=1,p=1', 'AAAAAAA')],
    ['Argon2 without a pass', argon2('m=8,t=0,p=1')],
    ['Argon2 of too little memory', argon2('m=15,t=1,p=2')],
    ['scrypt without lanes', scrypt('ln=4,r=8,p=0')],
    ['an MD5 digest that says SHA-256', `${'a'.repeat(32)}:salt:1`],
    ['a digest of another length than it says', `sha256:${'a'.repeat(32)}`],
  ] as const) {
    it(`refuse ${what}`, () => expect(refusal(hash)).to.match(/^It (is a hash of the form|must be a password hash)/))
  }

  it('ask for the prefix of a digest without salt, and quote no hash', () => {
    for (const bare of ['a'.repeat(32), 'B'.repeat(64), 'c'.repeat(128)]) {
      expect(refusal(bare)).to.include('written md5:…').and.not.include(bare)
    }
    for (const text of ['', 'secret', '$1$salt$hash', '$argon2d$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAA', 'x'.repeat(600)]) {
      expect(refusal(text)).to.match(/^It must be a password hash of one of the forms bcrypt, wordpress/)
    }
  })

  it('read any text, and quote none', () => {
    const parts = fc.constantFrom(
      '$',
      ':',
      'argon2id',
      'v=19',
      'm=65536,t=4,p=1',
      'a'.repeat(64),
      '2',
      '3_32_2_1',
      '$P$B',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({maxLength: 60, minLength: 12}),
          fc.array(parts).map((all) => all.join('')),
        ),
        (text) => {
          const read = readHash(text)
          if ('refused' in read) expect(text.length > 11 && read.refused.includes(text)).to.equal(false)
        },
      ),
    )
  })
})
