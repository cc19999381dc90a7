import {mkdirSync, writeFileSync} from 'node:fs'
import {expect} from 'chai'
import {thisProcess} from '../../../src/files/process-identity.js'
import {pruneJobs} from '../../../src/transfer/jobs/forget.js'
import {jobNames, journalPath, nextJobName, readJob, readJobSummary, sameJob} from '../../../src/transfer/jobs/jobs.js'
import type {JournalLine} from '../../../src/transfer/jobs/journal-lines.js'
import {noCounts} from '../../../src/transfer/jobs/journal-lines.js'
import {isOpen, type JobState, jobStates} from '../../../src/transfer/jobs/states.js'
import {jobToResume} from '../../../src/transfer/run/open-job.js'
import {undoJob} from '../../../src/transfer/undo.js'
import {failureOf, scratch} from '../scratch.js'

const dead = {...thisProcess(), pid: 2 ** 22 + 1}
const end = {end: noCounts, report: null, at: '2026-11-20T10:00:00.000Z'}
/** The lines behind the header that bring a job into each state. */
const lines: Readonly<Record<JobState, readonly JournalLine[]>> = {
  running: [{run: thisProcess()}],
  unfinished: [{run: dead}],
  finished: [{run: dead}, end],
  closed: [{run: dead}, {closed: {by: 'another', at: '2026-11-20T10:00:00.000Z'}}],
  undone: [{run: dead}, end, {run: dead}, {undone: {by: 'another'}}],
}

describe('transfer · states of jobs', () => {
  const files = scratch()
  const job = '20261120-100000000-abcdef'
  const header = {
    format: 1,
    startedAt: '2026-11-20T10:00:00.000Z',
    projectKey: 'p',
    target: 't',
    files: [],
    options: {},
  }
  const written = (state: JobState, name = job): string => {
    const dir = files.path(`jobs-${state}`)
    mkdirSync(dir, {recursive: true})
    const all = [{...header, job: name, fingerprint: 'same'}, ...lines[state]]
    writeFileSync(journalPath(dir, name), `${all.map((line) => JSON.stringify(line)).join('\n')}\n`)
    return dir
  }

  for (const state of Object.keys(jobStates) as JobState[]) {
    it(`says of ${state} what becomes of it`, async () => {
      const dir = written(state)
      const row = jobStates[state]
      expect((await readJob(dir, job))?.state).to.equal(state)
      expect((await readJobSummary(dir, job))?.state).to.equal(state)
      const resumed = await jobToResume(dir, {fingerprint: 'same', rows: '', files: []})
      expect(resumed?.state, 'resume').to.equal(row.resume === 'begins anew' ? undefined : state)
      const stored = await readJob(dir, job)
      if (!stored) throw new Error('no job')
      if (row.undo !== 'takes it back') {
        const refusal = await failureOf(undoJob({} as never, stored, {jobsDir: dir}))
        expect(refusal.message).to.match(
          row.undo === 'refuses' ? /is still at work/ : /was taken back by the job another/,
        )
      }
    })
  }

  it('take an open job before a later one that ended, and count by their order, not by the clock', async () => {
    const dir = written('unfinished')
    const clock = Date.parse('2020-01-01T00:00:00.000Z')
    const next = nextJobName(dir, clock, Buffer.from('abc'))
    expect(next).to.equal('20261120-100000001-616263')
    const ended = [{...header, job: next, fingerprint: 'same'}, ...lines.finished]
    writeFileSync(journalPath(dir, next), ended.map((line) => `${JSON.stringify(line)}\n`).join(''))
    expect(await jobNames(dir)).to.deep.equal([next, job])
    expect((await sameJob(dir, 'same'))?.header.job).to.equal(job)
    expect(isOpen('unfinished')).to.equal(true)
  })

  it('are not guessed from a journal of another format', async () => {
    const dir = files.path('newer')
    mkdirSync(dir)
    writeFileSync(journalPath(dir, job), `${JSON.stringify({...header, format: 2, job, fingerprint: 'same'})}\n`)
    for (const read of [() => readJob(dir, job), () => sameJob(dir, 'same')])
      expect((await failureOf(read())).message).to.match(/of another release/)
  })

  it('lose no file while a process works on them, however old they seem', async () => {
    const dir = written('finished')
    const atWork = nextJobName(dir, Date.parse(header.startedAt), Buffer.from('abc'))
    const all = [{...header, job: atWork, fingerprint: 'x'}, {run: thisProcess()}]
    writeFileSync(journalPath(dir, atWork), all.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await pruneJobs(dir, Date.now() + 86_400_000)
    expect(await jobNames(dir)).to.deep.equal([atWork])
  })
})
