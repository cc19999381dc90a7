import {PassThrough} from 'node:stream'
import {expect} from 'chai'
import {Closed, confirmed, type Keyboard, typedAtOnce, WentBack} from '../../../src/cli/input/keys.js'
import {ctrlC, enter, esc} from '../desk/telephone.js'

describe('cli · input · keys', () => {
  /** A keyboard that types an answer each time a text is shown. */
  const typing = (...script: readonly (readonly [seen: string, keys: string])[]): Keyboard & {shown: () => string} => {
    const stdin = new PassThrough()
    const stderr = new PassThrough()
    const left = [...script]
    let text = ''
    stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const [next] = left
      if (!next || !text.includes(next[0])) return
      left.shift()
      setImmediate(() => (next[1] === '' ? stdin.end() : stdin.write(next[1])))
    })
    return {stdin, stderr, shown: () => text}
  }

  it('takes keys that come at once for one text, and one key for itself', async () => {
    expect(await typedAtOnce(typing(['?', 'petra']), '?')).to.equal('petra')
    expect(await typedAtOnce(typing(['?', `petra${enter}`]), '?')).to.equal('petra')
    expect(await typedAtOnce(typing(['?', `${enter}p`]), '?')).to.equal('p')
  })

  it('confirms with an Enter that answers the question, not with one that came before it could be read', async () => {
    const keyboard = typing(['Sure?', enter], ['n or esc', esc])
    expect(await confirmed(keyboard, 'Sure?')).to.equal(false)
    expect(await confirmed(typing(['n or esc', enter]), 'Sure?')).to.equal(true)
  })

  it('hands back text that was typed instead of an answer', async () => {
    expect(await confirmed(typing(['Sure?', 'etra']), 'Sure?')).to.equal('etra')
    expect(await confirmed(typing(['Sure?', 'y']), 'Sure?')).to.equal('y')
    expect(await confirmed(typing(['n or esc', 'yv']), 'Sure?')).to.equal('yv')
  })

  it('takes a y for yes and an n for no, once the question could be read', async () => {
    expect(await confirmed(typing(['n or esc', 'y']), 'Sure?')).to.equal(true)
    expect(await confirmed(typing(['n or esc', 'N']), 'Sure?')).to.equal(false)
  })

  it('goes back with Ctrl-C, and ends with the input', async () => {
    for (const [keys, kind] of [
      [ctrlC, WentBack],
      ['', Closed],
    ] as const) {
      const error = await confirmed(typing(['Sure?', keys]), 'Sure?').catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(kind)
    }
  })
})
