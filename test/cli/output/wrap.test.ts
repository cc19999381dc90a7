import {expect} from 'chai'
import fc from 'fast-check'
import {wrapped} from '../../../src/cli/output/wrap.js'

const at = (columns: number) => ({isTTY: true, columns})

describe('cli · wrapped notes', () => {
  it('breaks between words only', () => {
    expect(wrapped('one two three', at(9))).to.equal('one two\n  three')
    expect(wrapped('one two three', {columns: 9})).to.equal('one two three')
    expect(wrapped('one two three', at(0)), 'a terminal that does not say its width').to.equal('one two three')
  })

  it('leaves command lines whole, for who copies them', () => {
    const line = 'Look again: frontdesk customers card key=ada --local; or with `frontdesk audit list`.'
    expect(wrapped(line, at(30))).to.equal(
      'Look again:\n  frontdesk customers card key=ada --local;\n  or with\n  `frontdesk audit list`.',
    )
  })

  it('changes nothing but blanks, and exceeds the width for one word only', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[!-_a-z]{1,20}$/)), fc.integer({min: 5, max: 40}), (words, width) => {
        const lines = wrapped(words.join(' '), at(width)).split('\n')
        expect(lines.map((line) => line.trimStart()).join(' ')).to.equal(words.join(' '))
        for (const line of lines.slice(1)) expect(line).to.match(/^ {2}\S/)
        for (const line of lines) expect(line.length <= width || !line.trim().includes(' '), line).to.equal(true)
      }),
    )
  })
})
