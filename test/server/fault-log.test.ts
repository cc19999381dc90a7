import {expect} from 'chai'
import {ApiError} from '../../src/domain/errors.js'
import {faultLog} from '../../src/server/http/fault-log.js'

describe('server · log of faults', () => {
  const unable = (why: string): ApiError => {
    const cause = new Error('no connection', {cause: Object.assign(new Error(why), {code: '53300'})})
    return ApiError.of('OverCapacity', {message: 'Not now.', retryAfterSeconds: 1}, {cause})
  }

  it('names the causes in one line, and the same ones once a second', () => {
    const lines: string[] = []
    let now = 0
    const log = faultLog(
      (line) => lines.push(line),
      () => now,
    )
    for (let at = 0; at < 200; at += 1) log(unable('too many\nconnections'), `r${at}`)
    log(unable('out of memory'), 'other')
    now = 1_500
    log(unable('too many\nconnections'), 'later')
    expect(lines).to.deep.equal([
      'r0 503 Not now.: no connection: too many connections (53300)',
      'other 503 Not now.: no connection: out of memory (53300)',
      'later 503 Not now.: no connection: too many connections (53300) (and 199 times before)',
    ])
  })

  it('shows where a fault of ours happened, and what caused it', () => {
    const lines: string[] = []
    const log = faultLog((line) => lines.push(line))
    log(new Error('broken', {cause: new Error('disk')}), 'r1')
    expect(lines[0])
      .to.match(/^r1 Error: broken\n.*fault-log\.test/s)
      .and.match(/\nCause: disk$/)
  })
})
