import {expect} from 'chai'
import {durationText, type ProgressState, progressBar, progressLine} from '../../../src/cli/bulk/progress.js'

describe('cli · progress of a bulk run', () => {
  const state: ProgressState = {phase: 'writing', total: 12_000, done: 3000, before: 1000, failed: 2, startedAt: 0}

  it('says how far it is, how fast, and how long it will take', () => {
    expect(progressLine(state, 10_000)).to.equal('3,000 of 12,000 rows, 200 rows/s, 2 failed, 0:45 left')
    expect(progressBar(state, 10_000, 60)).to.equal('[######                  ] 3,000 of 12,000 rows, 200 rows/s,')
    expect(progressLine({...state, done: 12_000}, 10_000)).not.to.include('left')
    const checking = {phase: 'checking', done: 5, before: 0, failed: 0, startedAt: 0} as const
    expect(progressBar(checking, 1, 80)).to.equal('5 rows checked')
  })

  it('says nothing of the time that is left before enough is known', () => {
    const early = {...state, before: 0, done: 20, total: 100_000}
    expect(progressLine(early, 9_999)).to.equal('20 of 100,000 rows, 2 rows/s, 2 failed')
    expect(progressLine(early, 10_000)).to.include('left')
    expect(progressLine({...early, done: 5000}, 2_999)).not.to.include('left')
    expect(progressLine({...early, done: 5000}, 3_000)).to.include('0:57 left')
  })

  it('says how the server holds the run back', () => {
    const pressure = {answers: 12, pausedMs: 9000, pausedUntil: 17_000, limit: 4, most: 16}
    const line = progressLine({...state, pressure}, 10_000)
    expect(line).to.match(
      /0:45 left, throttled 12 times, 4 of 16 requests at once, the server asks for a pause of 0:07$/,
    )
    expect(progressLine({...state, pressure}, 17_000)).to.match(/4 of 16 requests at once$/)
    const reason = '503 The state cannot be written: ENOSPC.'
    expect(progressLine({...state, pressure: {...pressure, reason}}, 17_000)).to.match(
      /throttled 12 times \(last: 503 The state cannot be written: ENOSPC\), 4 of 16/,
    )
  })

  it('writes durations as clocks do', () => {
    expect([0, 7400, 61_000, 3_723_000].map(durationText)).to.deep.equal(['0:00', '0:07', '1:01', '1:02:03'])
  })
})
