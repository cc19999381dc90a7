import {Readable, Writable} from 'node:stream'
import {expect} from 'chai'
import {ProgressReporter} from '../../../src/cli/bulk/progress-reporter.js'
import type {TransferEvent} from '../../../src/transfer/run/events.js'

const counts = {read: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0}
const started: TransferEvent = {type: 'started', job: 'j', rows: 1000, counts}

async function narrated({terminal = false, quiet = false} = {}) {
  let text = ''
  let now = 0
  const stderr = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString()
      done()
    },
  })
  const io = {
    stdin: Object.assign(Readable.from([]), {isTTY: terminal}),
    stdout: stderr,
    stderr: Object.assign(stderr, {isTTY: terminal, columns: 60}),
    env: {},
    clock: () => now,
  }
  const reporter = new ProgressReporter(io as never, quiet)
  const finished = (read: number): TransferEvent => ({
    type: 'finished-row',
    place: {} as never,
    outcome: {outcome: 'created'},
    counts: {...counts, read, created: read},
  })
  const at = (milliseconds: number, task: () => void): string => {
    now = milliseconds
    text = ''
    task()
    return text
  }
  return {reporter, at, finished}
}

describe('cli · what a bulk run tells', () => {
  it('is a line every five seconds where there is no terminal, even while nothing happens', async () => {
    const {reporter, at, finished} = await narrated()
    expect(at(0, () => reporter.take(started))).to.equal('')
    expect(at(4999, () => reporter.take(finished(500)))).to.equal('')
    expect(at(5000, () => reporter.take(finished(501)))).to.match(
      /^501 of 1,000 rows, 100 rows\/s, 0 failed, .*left\n$/,
    )
    expect(at(9999, () => reporter.tick())).to.equal('')
    expect(at(10_000, () => reporter.tick())).to.match(/^501 of 1,000 rows, 50 rows\/s/)
    reporter.end()
    expect(at(60_000, () => reporter.tick())).to.equal('')
  })

  it('is a bar on a terminal, which makes way for notes', async () => {
    const {reporter, at, finished} = await narrated({terminal: true})
    reporter.take(started)
    const bar = at(1000, () => reporter.take(finished(500)))
    expect(bar).to.match(/^\r\u001B\[2K\[############ {12}\] 500 of 1,000 rows, 500 r/)
    expect(bar.length).to.be.at.most(59 + '\r\u001B[2K'.length)
    expect(at(1050, () => reporter.take({type: 'masked', rows: 2}))).to.match(/^\r\u001B\[2K2 masked passwords/)
    expect(at(2000, () => reporter.end())).to.equal('')
  })

  it('does not claim that files changed when a run was repeated without --resume', async () => {
    const {reporter, at} = await narrated()
    const note = at(0, () => reporter.take({type: 'replaced', job: 'j'}))
    expect(note).to.match(/^takes the place of the unfinished job j: without --resume, or with changed files or map, /)
  })

  it('is nothing if it is to be quiet', async () => {
    const {reporter, at, finished} = await narrated({quiet: true})
    expect(at(0, () => reporter.take(started)) + at(9000, () => reporter.take(finished(5)))).to.equal('')
    expect(at(20_000, () => reporter.tick())).to.equal('')
  })
})
