import {expect} from 'chai'
import {digestWith} from '../../../src/domain/customers/written.js'

describe('customers · digests of what a run wrote', () => {
  it('are six characters that other texts and other customers do not share', () => {
    const texts = Array.from({length: 2_000}, (_, at) => `member ${at}`)
    const digests = ['a', 'b'].flatMap((salt) => texts.map(digestWith(salt)))
    for (const digest of digests) expect(digest).to.match(/^[\w-]{6}$/)
    expect(new Set(digests).size).to.equal(digests.length)
    expect(texts.map(digestWith('a'))).to.deep.equal(digests.slice(0, texts.length))
  })
})
