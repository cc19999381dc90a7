import {appendFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import fc from 'fast-check'
import {StateError} from '../../src/domain/errors.js'
import {linux, type ProcessIdentity, thisProcess} from '../../src/files/process-identity.js'
import {createJob, jobNames, journalPath, newJobName, readJob, sameJob} from '../../src/transfer/jobs/jobs.js'
import {Journal, readJournal} from '../../src/transfer/jobs/journal.js'
import type {JobHeader, JournalLine} from '../../src/transfer/jobs/journal-lines.js'
import {collected, failureOf, scratch} from './scratch.js'

const files = scratch()
let count = 0
const folder = (): string => {
  count += 1
  const dir = files.path(`jobs-${count}`)
  mkdirSync(dir)
  return dir
}

const header = (job: string, fingerprint = 'same'): JobHeader => ({
  job,
  format: 1,
  startedAt: '2026-11-20T10:00:00.000Z',
  fingerprint,
  projectKey: 'shop',
  target: 'here',
  files: [],
  options: {},
})
const job = newJobName(Date.parse('2026-11-20T10:00:00.123Z'), Buffer.from('abc'))
const linesOf = async (path: string): Promise<JournalLine[]> =>
  (await collected(readJournal(path))).map(({line}) => line)

describe('transfer · journal', () => {
  it('keeps every line in order, in a file that only its owner can read', async () => {
    const dir = folder()
    const journal = await createJob(dir, header(job))
    for (let row = 1; row <= 500; row += 1) journal.append({row, line: row + 1, outcome: 'created', id: `c${row}`})
    await journal.close()
    const lines = await linesOf(journal.path)
    expect(lines.flatMap((line) => ('row' in line ? [line.row] : []))).to.deep.equal(
      Array.from({length: 500}, (_, at) => at + 1),
    )
    expect(statSync(journal.path).mode & 0o777).to.equal(0o600)
  })

  it('writes lines in blocks, and all of them before a flush ends', async () => {
    const journal = await createJob(folder(), header(job))
    const begun = await linesOf(journal.path)
    const padding = 'x'.repeat(1000)
    for (let row = 1; row <= 10; row += 1) journal.append({row, line: row, outcome: 'created', id: padding})
    expect(await linesOf(journal.path), 'ten lines are no block').to.deep.equal(begun)
    await journal.flush()
    expect(await linesOf(journal.path)).to.have.length(begun.length + 10)
    for (let row = 11; row <= 211; row += 1) journal.append({row, line: row, outcome: 'created', id: padding})
    await journal.flush()
    expect((await linesOf(journal.path)).flatMap((line) => ('row' in line ? [line.row] : []))).to.deep.equal(
      Array.from({length: 211}, (_, at) => at + 1),
    )
    await journal.close()
  })

  it('reads the whole lines of a journal that was cut off at any byte, and goes on behind them', async () => {
    const dir = folder()
    const journal = await createJob(dir, header(job))
    for (let row = 1; row <= 20; row += 1)
      journal.append({row, line: row, outcome: 'failed', code: 'X', message: 'ü€😀'})
    await journal.close()
    const whole = readFileSync(journal.path)
    const all = await linesOf(journal.path)
    await fc.assert(
      fc.asyncProperty(fc.integer({min: whole.indexOf(10) + 1, max: whole.length}), async (bytes) => {
        writeFileSync(journal.path, whole)
        truncateSync(journal.path, bytes)
        const stored = await readJob(dir, job)
        const kept = await linesOf(journal.path)
        expect(kept).to.deep.equal(all.slice(0, kept.length))
        const resumed = await Journal.resume(journal.path, stored?.bytes ?? 0)
        resumed.append({row: 99, line: 99, outcome: 'skipped'})
        await resumed.close()
        expect((await linesOf(journal.path)).slice(0, kept.length)).to.deep.equal(kept)
        expect((await linesOf(journal.path)).at(-1)).to.deep.equal({row: 99, line: 99, outcome: 'skipped'})
      }),
      {numRuns: 60},
    )
  })

  it('counts each row once, and remembers what was meant for those that did not finish', async () => {
    const dir = folder()
    const journal = await createJob(dir, header(job))
    journal.append({plan: {create: [1, 2, 3000], update: [4]}})
    journal.append({row: 1, line: 1, outcome: 'created'})
    journal.append({row: 1, line: 1, outcome: 'failed', code: 'X', message: 'x'})
    journal.append({row: 9, line: 9, outcome: 'unchanged'})
    await journal.close()
    const stored = await readJob(dir, job)
    expect(stored?.counts).to.deep.equal({read: 2, created: 1, updated: 0, unchanged: 1, skipped: 0, failed: 0})
    expect([1, 2, 3000, 4, 5, 100_000].map((row) => stored?.progress.intended(row))).to.deep.equal([
      undefined,
      'create',
      'create',
      'update',
      undefined,
      undefined,
    ])
    expect(stored?.state).to.equal('running')
  })

  it('finds the newest job that does the same, unless another process is at it', async () => {
    const dir = folder()
    const names = [1, 2, 3].map((second) =>
      newJobName(Date.parse(`2026-11-20T10:00:0${second}.000Z`), Buffer.from('abc')),
    )
    for (const [at, name] of names.entries())
      await (await createJob(dir, header(name, at === 2 ? 'other' : 'same'))).close()
    writeFileSync(join(dir, 'notes.jsonl'), '{}\n')
    expect(await jobNames(dir)).to.deep.equal(names.toReversed())
    expect((await sameJob(dir, 'same'))?.header.job).to.equal(names[1])
    expect(await sameJob(dir, 'none')).to.equal(undefined)
    const {ppid} = process
    appendFileSync(journalPath(dir, names[1] ?? ''), `${JSON.stringify({run: identityOf(ppid)})}\n`)
    expect(await failureOf(sameJob(dir, 'same'))).to.be.instanceOf(StateError)
  })
})

/** What `thisProcess` would say in another process. */
const identityOf = (pid: number): ProcessIdentity => ({
  ...thisProcess(),
  startTime: linux.stateOf(pid).startTime,
  pid,
})
