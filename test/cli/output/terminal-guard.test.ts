import {PassThrough} from 'node:stream'
import {expect} from 'chai'
import {guarded} from '../../../src/cli/process/terminal.js'

describe('cli · the terminal guard', () => {
  const written = (text: string, isTTY: boolean, isPlain = false): string => {
    const stream = Object.assign(new PassThrough(), {isTTY})
    guarded(stream, isPlain).write(text)
    return String(stream.read())
  }

  it('lets bold, dim, underlined and plain colours pass, and nothing else that begins with an escape', () => {
    for (const code of ['', '0', '1', '2', '4', '22', '31', '39', '90']) {
      expect(written(`\u001b[${code}mtext\u001b[0m`, true)).to.equal(`\u001b[${code}mtext\u001b[0m`)
    }
    for (const code of ['5m', '7m', '8m', '38;5;1m', '2J', '1A', '6n', '?25l', '31']) {
      const shown = written(`\u001b[${code}text`, true)
      expect(shown, code).to.not.include('\u001b')
      expect(shown, code).to.include('text')
    }
  })

  it('writes the marks of this program in ASCII where a terminal shows nothing else', () => {
    expect(written('version 1 → 2 · Größe', true, true)).to.equal('version 1 -> 2 - Größe')
    expect(written('version 1 → 2 ·', true)).to.equal('version 1 → 2 ·')
    expect(written('version 1 → 2 ·', false, true)).to.equal('version 1 → 2 ·')
  })

  it('changes nothing on the way to a file or pipe', () => {
    const text = '\u001b[2Jtext\u202e\r\n'
    expect(written(text, false)).to.equal(text)
  })
})
