import {PassThrough} from 'node:stream'
import {expect} from 'chai'
import {lateStdout} from '../../../src/cli/process/stdout.js'

/** A descriptor that takes `room` bytes and then fails, as a full pipe does, and Node's stream for it. */
function descriptor({room = 1_000_000, isPlain = true, atOnce = 1_000_000} = {}) {
  const direct: Buffer[] = []
  let left = room
  let opened: PassThrough | undefined
  const stdout = lateStdout({
    open: () => {
      opened ??= new PassThrough()
      return opened as unknown as NodeJS.WriteStream
    },
    isPlain: () => isPlain,
    write: (bytes) => {
      if (left === 0) throw Object.assign(new Error('EAGAIN'), {code: 'EAGAIN'})
      const taken = Math.min(bytes.length, left, atOnce)
      direct.push(Buffer.from(bytes.subarray(0, taken)))
      left -= taken
      return taken
    },
  })
  return {
    stdout,
    direct: () => Buffer.concat(direct).toString(),
    // From Node 26 on, a read gives one of the pieces that were written.
    streamed: () => {
      let text = ''
      for (let piece = opened?.read(); piece; piece = opened?.read()) text += String(piece)
      return text
    },
    isOpen: () => opened !== undefined,
  }
}

const written = (stdout: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })

describe('cli · stdout', () => {
  it('takes a short answer without a stream, and says that it is no terminal', async () => {
    const {stdout, direct, isOpen} = descriptor()
    expect(stdout.isTTY).to.equal(undefined)
    expect(stdout.columns).to.equal(undefined)
    await written(stdout, 'Adá\n')
    await written(stdout, 'Bob\n')
    expect(direct()).to.equal('Adá\nBob\n')
    expect(stdout.bytesWritten).to.equal(9)
    expect(isOpen()).to.equal(false)
  })

  it('goes on where a descriptor takes a part', async () => {
    const {stdout, direct, isOpen} = descriptor({atOnce: 3})
    await written(stdout, 'abcdefgh')
    expect(direct()).to.equal('abcdefgh')
    expect(isOpen()).to.equal(false)
  })

  it('hands the rest to the stream when the descriptor fails, in order', async () => {
    const {stdout, direct, streamed} = descriptor({room: 5})
    await written(stdout, 'ab€def')
    await written(stdout, 'ghi')
    expect(direct()).to.equal('ab€')
    expect(streamed()).to.equal('defghi')
  })

  it('hands what is long to the stream, and what follows', async () => {
    const {stdout, direct, streamed} = descriptor()
    await written(stdout, 'first\n')
    await written(stdout, 'x'.repeat(5_000))
    await written(stdout, 'last\n')
    expect(direct()).to.equal('first\n')
    expect(streamed()).to.equal(`${'x'.repeat(5_000)}last\n`)
  })

  it('is the stream itself for a terminal, and opens it for anything else that is asked', () => {
    const terminal = descriptor({isPlain: false})
    expect(terminal.isOpen()).to.equal(true)
    const {stdout, isOpen} = descriptor()
    expect(stdout.writableLength).to.equal(0)
    expect(isOpen()).to.equal(true)
  })
})
