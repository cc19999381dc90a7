import {expect} from 'chai'
import {passwordsOf} from '../../src/secrets/passwords.js'
import {secrets} from '../../src/secrets/secrets.js'

describe('secrets', () => {
  it('takes no cost of a password hash outside 4 to 14', () => {
    const workers = {run: async () => ({id: 1})}
    for (const cost of [3, 15, 4.5, Number.NaN])
      expect(() => passwordsOf(cost, workers), `${cost}`).to.throw(RangeError)
    for (const cost of [4, 14]) expect(() => passwordsOf(cost, workers), `${cost}`).to.not.throw()
  })

  it('takes passwords of 1024 bytes as they are written, though their normal form is shorter', () => {
    const {check} = passwordsOf(4, {run: async () => ({id: 1})})
    expect(() => check('e\u0301'.repeat(341), 'password')).to.not.throw()
    expect(() => check('e\u0301'.repeat(342), 'password')).to.throw('1024 bytes')
  })

  it('hands bcrypt what it reads whole, and a digest of what it would cut', async () => {
    const texts: string[] = []
    const run = async ({text}: {text: string}) => {
      texts.push(text)
      return {id: 1}
    }
    for (const password of ['x'.repeat(72), 'x'.repeat(73), 'a\0b'])
      await passwordsOf(4, {run}).hash('p', password, 'password')
    expect(texts[0]).to.equal('x'.repeat(72))
    for (const text of texts.slice(1)) expect(text).to.match(/^[\w+/]{64}$/)
  })

  it('gives every random text once, of the length that is asked for', () => {
    const texts = Array.from({length: 3_000}, (_, at) => secrets.token(8 + (at % 25)))
    expect(new Set(texts)).to.have.lengthOf(texts.length)
    for (const [at, text] of texts.entries()) expect(Buffer.from(text, 'base64url')).to.have.lengthOf(8 + (at % 25))
    expect(texts.filter((text) => text.startsWith('-'))).to.deep.equal([])
    const beginnings = new Set(texts.map((text) => text.slice(0, 8)))
    expect(beginnings).to.have.lengthOf(texts.length)
  })
})
