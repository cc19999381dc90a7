import {appendFileSync, writeFileSync} from 'node:fs'
import {expect} from 'chai'
import {thisProcess} from '../../../src/files/process-identity.js'
import {importCustomers} from '../../../src/transfer/import.js'
import {openSources} from '../../../src/transfer/input/source.js'
import {journalPath, readJob} from '../../../src/transfer/jobs/jobs.js'
import type {TransferEvent} from '../../../src/transfer/run/events.js'
import type {RunStopped} from '../../../src/transfer/run/run-stopped.js'
import {undoJob} from '../../../src/transfer/undo.js'
import {quickRuntime, shop} from '../desk.js'
import {failureOf, scratch} from '../scratch.js'

describe('transfer · an unfinished job of files that were corrected', () => {
  const files = scratch()
  const desk = shop()
  const jobsDir = files.path('jobs')
  const fields = ['externalId', 'firstName']
  const written = (name: string, more = ''): string => {
    const rows = Array.from({length: 300}, (_, at) => `${name}-${at},${name}-${at}@x.de,ExternalAuth,${at}${more}\n`)
    const path = files.path(`${name}.csv`)
    writeFileSync(path, `key,email,authenticationMode,nr\n${rows.join('')}`)
    return path
  }
  let seed = 0

  async function run(
    path: string,
    field: string,
    {at = Number.POSITIVE_INFINITY, target = 'test', resume = false} = {},
  ) {
    seed += 1
    const controller = new AbortController()
    const events: TransferEvent[] = []
    let finished = 0
    const onEvent = (event: TransferEvent): void => {
      events.push(event)
      if (event.type === 'finished-row') finished += 1
      if (finished === at) controller.abort()
    }
    const running = importCustomers(desk().client, (await openSources([path])).list, {
      ...{jobsDir, target, resume, onEvent, mapping: {columns: {nr: field}}},
      ...{runtime: quickRuntime(seed), signal: controller.signal},
    })
    return {running, replaced: () => events.flatMap((one) => (one.type === 'replaced' ? [one.job] : []))}
  }

  const stopped = async (path: string, field: string): Promise<string> => {
    const {job} = await failureOf<RunStopped>((await run(path, field, {at: 100})).running)
    // Its process is gone.
    appendFileSync(journalPath(jobsDir, job), `${JSON.stringify({run: {...thisProcess(), pid: 2 ** 22 + 1}})}\n`)
    expect((await readJob(jobsDir, job))?.state).to.equal('unfinished')
    return job
  }

  it('is closed by the job that takes its place: of another map, or of other rows', async () => {
    const [first = '', second = ''] = fields
    const path = written('map')
    const old = await stopped(path, first)
    const {running, replaced} = await run(path, second)
    const {job} = await running
    expect(replaced()).to.deep.equal([old])
    expect(await readJob(jobsDir, old)).to.deep.include({state: 'closed', endedAt: '2026-11-20T10:00:00.000Z'})
    expect((await readJob(jobsDir, job))?.state).to.equal('finished')
    // What nobody finished is not told as finished either.
    const again = await run(path, first, {resume: true})
    expect((await again.running).job).not.to.equal(old)

    const rows = await stopped(written('rows'), first)
    const corrected = await run(written('rows', '0'), first)
    await corrected.running
    expect(corrected.replaced()).to.deep.equal([rows])
  })

  it('stays where nothing took its place: of another file, at another target', async () => {
    const [first = '', second = ''] = fields
    const path = written('stays')
    const old = await stopped(path, first)
    const elsewhere = await run(path, second, {target: 'another'})
    await elsewhere.running
    const other = await run(written('other'), second)
    await other.running
    expect([...elsewhere.replaced(), ...other.replaced()]).to.deep.equal([])
    expect((await readJob(jobsDir, old))?.state).to.equal('unfinished')
    expect((await (await run(path, first, {resume: true})).running).job).to.equal(old)
  })

  it('can be taken back', async () => {
    const path = written('back')
    const old = await stopped(path, 'externalId')
    await (await run(path, 'firstName')).running
    const job = await readJob(jobsDir, old)
    if (!job) throw new Error('the job is gone')
    const {deleted, restored, failed} = await undoJob(desk().client, job, {jobsDir, runtime: quickRuntime(99)})
    expect(deleted + restored + failed).to.equal(job.counts.created)
  })
})
