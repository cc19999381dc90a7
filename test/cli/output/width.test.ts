import {expect} from 'chai'
import stringWidth from 'string-width'
import {rulerFor} from '../../../src/cli/output/width.js'

describe('cli · width of texts', () => {
  it('is that of the tables of Unicode for every character, whether they are loaded or not', async () => {
    const wrong: string[] = []
    // Every one of the alphabets that are taken for simple, and a sample of the others.
    for (let code = 0x20; code < 0xfffe; code += code < 0x20d0 ? 1 : 61) {
      const character = String.fromCharCode(code)
      const isPart = (code >= 0xd800 && code <= 0xdfff) || code === 0x7f
      if (isPart || (await rulerFor([character])).widthOf(character) === stringWidth(character)) continue
      wrong.push(code.toString(16))
    }
    expect(wrong).to.deep.equal([])
  })

  it('needs no tables for the names of Europe, whose characters stand alone', async () => {
    const names = ['Hauptstraße 5', 'Zoë Śliwińska', 'Ελένη', 'Юлия', 'O’Brien – “Łódź” … €']
    const simple = await rulerFor(['ascii'])
    expect(await rulerFor(names)).to.equal(simple)
    const segmenter = new Intl.Segmenter(undefined, {granularity: 'grapheme'})
    const all = Array.from({length: 0x20d0}, (_, code) => String.fromCharCode(code))
    const text = (
      await Promise.all(all.map(async (one) => ((await rulerFor([one])) === simple ? one + one : '')))
    ).join('')
    expect(text.length).to.be.above(3_000)
    expect([...segmenter.segment(text)]).to.have.lengthOf(text.length)
    expect(stringWidth(text)).to.equal(text.length)
  })
})
