import {expect} from 'chai'
import {digestWith, textOf} from '../../../src/domain/customers/written.js'

describe('customers · digests of what a run wrote', () => {
  it('are six characters that other texts and other customers do not share', () => {
    const texts = Array.from({length: 2_000}, (_, at) => `member ${at}`)
    const digests = ['a', 'b'].flatMap((salt) => texts.map(digestWith(salt)))
    for (const digest of digests) expect(digest).to.match(/^[\w-]{6}$/)
    expect(new Set(digests).size).to.equal(digests.length)
    expect(texts.map(digestWith('a'))).to.deep.equal(digests.slice(0, texts.length))
  })

  it('are of moments and times as a service shows them, and of other texts as they are', () => {
    expect(textOf('2026-01-02T03:04:05+01:00')).to.equal('2026-01-02T02:04:05.000Z')
    expect(textOf('03:04:05.5')).to.equal('03:04:05.500')
    for (const text of ['2026-01-02', '12345', 'Ada 03:04:05', ' 03:04:05', '']) expect(textOf(text)).to.equal(text)
  })
})
