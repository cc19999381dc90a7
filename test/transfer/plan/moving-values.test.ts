import {dirname} from 'node:path'
import {expect} from 'chai'
import fc from 'fast-check'
import {readJob} from '../../../src/transfer/jobs/jobs.js'
import {planImport} from '../../../src/transfer/plan.js'
import {undoJob} from '../../../src/transfer/undo.js'
import {quickRuntime} from '../desk.js'
import {counts, importing} from '../importing.js'

const {files, desk, imported, customer} = importing()

const external = {passwordMode: 'external-auth'} as const
const table = (columns: string, rows: readonly (readonly string[])[]): string =>
  `${columns}\n${rows.map((row) => `${row.join(',')}\n`).join('')}`

/** The counts of the plan of a table and of its run. */
async function planAndRun(text: string, options: {readonly match?: 'key' | 'email'} = {}) {
  const runtime = quickRuntime()
  const {create, update, unchanged, conflict} = await planImport(desk().client, await files.source('a.csv', text), {
    ...{runtime, ...external, ...options},
  })
  const run = await imported(text, {...external, ...options})
  const {created, updated, unchanged: same, failed} = run
  expect({create: created, update: updated, unchanged: same, conflict: failed}, 'run').to.deep.equal({
    ...{create, update, unchanged, conflict},
  })
  return run
}

describe('transfer · values that move from one customer to another', () => {
  it('move in an order that works, whichever order the rows have', async () => {
    const emails = ['mv-1@x.de', 'mv-2@x.de', 'mv-3@x.de', 'mv-4@x.de']
    await imported(
      table(
        'key,email',
        emails.slice(0, 3).map((email, at) => [`mv-${at + 1}`, email]),
      ),
      external,
    )
    const moved = [0, 1, 2].map((at) => [`mv-${at + 1}`, emails[at + 1] ?? ''])
    expect(counts(await planAndRun(table('key,email', moved)))).to.deep.equal({read: 3, updated: 3})
    const back = [...[0, 1, 2].map((at) => [`mv-${at + 1}`, emails[at] ?? '']), ['mv-new', 'mv-4@x.de']]
    const run = await planAndRun(table('key,email', back.toReversed()))
    expect(counts(run)).to.deep.equal({read: 4, created: 1, updated: 3})
    expect((await customer('mv-new'))?.email).to.equal('mv-4@x.de')
    const keys = [0, 1, 2].map((at) => [`mv-${at + 2}`, emails[at] ?? ''])
    expect(counts(await planAndRun(table('key,email', keys), {match: 'email'}))).to.deep.equal({read: 3, updated: 3})
  })

  it('are taken back in such an order, too', async () => {
    await imported(
      table('key,email', [
        ['ub-1', 'ub-1@x.de'],
        ['ub-2', 'ub-2@x.de'],
      ]),
      external,
    )
    const {journal, job} = await planAndRun(
      table('key,email', [
        ['ub-1', 'ub-2@x.de'],
        ['ub-2', 'ub-3@x.de'],
      ]),
    )
    const jobsDir = dirname(journal)
    const found = await readJob(jobsDir, job)
    if (!found) throw new Error('no such job')
    const undone = await undoJob(desk().client, found, {jobsDir, runtime: quickRuntime()})
    expect(counts(undone)).to.include({restored: 2})
  })

  it('are conflicts of the plan where rows wait for each other, or for a customer without a row', async () => {
    const all = ['cy-1', 'cy-2', 'cy-3', 'cy-4'].map((key) => [key, `${key}@x.de`])
    await imported(table('key,email', all), external)
    const rows = [
      ['cy-1', 'CY-2@x.de'],
      ['cy-2', 'cy-1@x.de'],
      ['cy-3', 'cy-4@x.de'],
      ['cy-new', 'cy-3@x.de'],
    ]
    expect(counts(await planAndRun(table('key,email', rows)))).to.deep.equal({read: 4, failed: 4})
    expect(counts(await planAndRun(table('key,email', rows.slice(2))))).to.deep.equal({read: 2, failed: 2})
  })

  it('are what the plan says for any exchange of emails', async () => {
    const keys = ['aa', 'bb', 'cc', 'dd', 'ee', 'ff']
    const exchange = fc
      .shuffledSubarray(keys, {minLength: 1})
      .chain((from) =>
        fc.tuple(
          fc.constant(from),
          fc.shuffledSubarray([...keys, 'g', 'h'], {minLength: from.length, maxLength: from.length}),
        ),
      )
    let round = 0
    await fc.assert(
      fc.asyncProperty(exchange, async ([from, to]) => {
        round += 1
        const email = (name: string) => `${name}-${round}@ex.de`
        await imported(
          table(
            'key,email',
            keys.map((key) => [`${key}-${round}`, email(key)]),
          ),
          external,
        )
        await planAndRun(
          table(
            'key,email',
            from.map((key, at) => [`${key}-${round}`, email(to[at] ?? '')]),
          ),
        )
      }),
      {numRuns: 12},
    )
  })
})
