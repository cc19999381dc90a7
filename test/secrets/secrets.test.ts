import {expect} from 'chai'
import {secrets} from '../../src/secrets/secrets.js'

describe('secrets', () => {
  it('gives every random text once, of the length that is asked for', () => {
    const texts = Array.from({length: 3_000}, (_, at) => secrets.token(8 + (at % 25)))
    expect(new Set(texts)).to.have.lengthOf(texts.length)
    for (const [at, text] of texts.entries()) expect(Buffer.from(text, 'base64url')).to.have.lengthOf(8 + (at % 25))
    const beginnings = new Set(texts.map((text) => text.slice(0, 8)))
    expect(beginnings).to.have.lengthOf(texts.length)
  })
})
