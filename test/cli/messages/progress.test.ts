import {appendFileSync, mkdtempSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {markAt, Progress} from '../../../src/cli/messages/progress.js'

const start = Date.parse('2026-11-28T12:00:00.000Z')
const messageOf = (at: number, createdAt = start + at) => ({
  id: `a0000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  type: 'CustomerCreated',
  createdAt: new Date(createdAt).toISOString(),
  sequenceNumber: 1,
  resource: {typeId: 'customer', id: `c-${at}`},
})

describe('cli · how far a receiver got', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-mark-'))
  let now = start
  const opened = (name: string, mark = markAt(join(folder, name))) => ({
    path: join(folder, name),
    progress: new Progress(join(folder, name), () => now, mark),
  })
  after(() => rmSync(folder, {recursive: true}))

  it('writes what a message costs, however many are remembered behind one that is stuck', () => {
    const {path, progress} = opened('stuck')
    const stuck = messageOf(0).createdAt
    progress.reach(start + 120_000, stuck)
    for (let at = 1; at <= 50_000; at += 1) progress.add(messageOf(at))
    progress.save(true)
    const {ino, size} = statSync(path)
    for (let second = 1; second <= 60; second += 1) {
      now += 1_000
      progress.reach(now + 120_000, stuck)
      for (let at = 0; at < 10; at += 1) progress.add(messageOf(50_000 + second * 10 + at))
      progress.save(false)
    }
    expect(statSync(path).ino, 'written anew').to.equal(ino)
    expect(statSync(path).size - size).to.be.lessThan(60 * 10 * 60)
    const mark = markAt(path)
    expect(mark?.done).to.have.length(50_600)
    expect(mark?.watermark).to.equal(stuck)
  })

  it('writes the file anew before it is twice what is remembered, and forgets what is behind the watermark', () => {
    const {path, progress} = opened('moving')
    let largest = 0
    for (let second = 1; second <= 400; second += 1) {
      now += 1_000
      progress.reach(now, undefined)
      for (let at = 0; at < 20; at += 1) progress.add(messageOf(second * 20 + at, now))
      progress.save(false)
      largest = Math.max(largest, statSync(path).size)
    }
    expect(largest).to.be.lessThan(400_000)
    const [mark, again] = [markAt(path), opened('moving').progress]
    expect(mark?.watermark).to.equal(new Date(now - 60_000).toISOString())
    expect(again.has(messageOf(400 * 20, now))).to.equal(true)
    expect(again.has(messageOf(401 * 20, now))).to.equal(false)
  })

  it('reads what stands before a line that a kill cut off', () => {
    const {path, progress} = opened('cut')
    progress.reach(now, undefined)
    progress.add(messageOf(1, now))
    progress.save(true)
    progress.add(messageOf(2, now))
    progress.save(true)
    const whole = markAt(path)
    appendFileSync(path, '{"watermark":"2026-')
    expect(markAt(path)).to.deep.equal(whole)
    const {progress: again} = opened('cut')
    again.add(messageOf(3, now))
    again.save(true)
    expect(markAt(path)?.done).to.have.length(3)
  })
})
