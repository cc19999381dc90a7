import {expect} from 'chai'
import fc from 'fast-check'
import {canonicalEmail} from '../../../src/domain/customers/identity.js'

const forms = ['NFC', 'NFD'] as const

describe('customers · emails as they are compared', () => {
  it('are the same in every spelling that Unicode calls canonically equivalent, blanks and case aside', () => {
    const same = (a: string, b: string): boolean => canonicalEmail(a) === canonicalEmail(b)
    expect(same('jos\u00e9@example.com', ' JOSE\u0301@Example.com')).to.equal(true)
    expect(same('kim@example.com', '\u212aim@example.com')).to.equal(true)
    expect(same('\u00e5sa@example.com', '\u212bsa@example.com')).to.equal(true)
  })

  it('differ where only a compatibility form would be the same', () => {
    for (const [plain, other] of [
      ['s', '\u017f'],
      ['fi', '\ufb01'],
      ['a', '\uff41'],
      ['1', '\u00b9'],
      ['jose', 'jos\u00e9'],
      ['a', '\u0430'],
    ] as const) {
      expect(canonicalEmail(`${plain}@example.com`), other).not.to.equal(canonicalEmail(`${other}@example.com`))
    }
  })

  it('have one form, whatever the text', () => {
    const texts = fc.string({unit: 'binary'}).map((text) => text.toWellFormed?.() ?? text)
    fc.assert(
      fc.property(texts, (text) => {
        const canonical = canonicalEmail(text)
        expect(canonicalEmail(canonical)).to.equal(canonical)
        for (const form of forms) expect(canonicalEmail(text.normalize(form))).to.equal(canonical)
      }),
    )
  })
})
