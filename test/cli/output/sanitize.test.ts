import {expect} from 'chai'
import fc from 'fast-check'
import {rulerFor} from '../../../src/cli/output/width.js'
import {jsonText, manyLines, oneLine} from '../../../src/cli/process/sanitize.js'

const anyText = fc.string({unit: 'binary', maxLength: 60})
// What may move a cursor, hide or reorder text.
const dangerous = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

describe('cli · sanitizer', () => {
  it('shows escape sequences, controls and bidirectional overrides escaped', () => {
    expect(oneLine('\u001b]0;owned\u0007')).to.equal('\\x1b]0;owned\\x07')
    expect(oneLine('\u001b[2J')).to.equal('\\x1b[2J')
    expect(oneLine('a\u202eb\u2066c')).to.equal('a\\u202eb\\u2066c')
    expect(oneLine('x\r\ny\tz')).to.equal('x\\r\\ny\\tz')
    expect(oneLine('\u009b31m')).to.equal('\\x9b31m')
    expect(oneLine('a\u200bb')).to.equal('a\\u200bb')
  })

  it('keeps line feeds only where several lines are expected', () => {
    expect(manyLines('a\nb\u001b[31m')).to.equal('a\nb\\x1b[31m')
  })

  it('leaves letters of every script and emoji alone', () => {
    for (const text of ['Zoë', 'Łódź', '山田 太郎', 'Ελλάδα', '👍🏽', 'naïve café'])
      expect(oneLine(text)).to.equal(text)
  })

  it('leaves nothing dangerous in any text', () => {
    fc.assert(fc.property(anyText, (text) => !dangerous.test(oneLine(text))))
  })

  it('escapes in JSON what JSON.stringify leaves raw, and reads back the same', () => {
    expect(jsonText('\u007f\u009b\u202e')).to.equal('"\\u007f\\u009b\\u202e"')
    fc.assert(
      fc.property(anyText, (text) => {
        const json = jsonText({text})
        expect(dangerous.test(json)).to.equal(false)
        expect(JSON.parse(json)).to.deep.equal({text})
      }),
    )
  })
})

describe('cli · width', () => {
  it('counts what a terminal shows: wide characters twice, marks not at all', async () => {
    for (const [text, width] of [
      ['abc', 3],
      ['山田', 4],
      ['e\u0301', 1],
      ['👍', 2],
      ['👨‍👩‍👧', 2],
      ['ตี๋', 1],
      ['ﾃﾞｽﾄ', 4],
    ] as const) {
      expect((await rulerFor([text])).widthOf(text), text).to.equal(width)
    }
  })

  it('cuts to the width, never inside a character', async () => {
    expect((await rulerFor(['abcdef'])).cut('abcdef', 4)).to.equal('abc…')
    const {cut, widthOf} = await rulerFor(['山'])
    expect(cut('山田太郎', 4)).to.equal('山…')
    expect(cut('👨‍👩‍👧👍', 3)).to.equal('👨‍👩‍👧…')
    fc.assert(
      fc.property(anyText, fc.integer({min: 1, max: 20}), (text, width) => {
        const safe = oneLine(text)
        return widthOf(cut(safe, width)) <= Math.max(width, 1)
      }),
    )
  })

  it('fills up to the width', async () => {
    expect((await rulerFor(['山'])).padded('山', 4)).to.equal('山  ')
  })
})
