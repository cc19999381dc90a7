import {appendFileSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {expect} from 'chai'
import {type ImportOptions, importCustomers} from '../../../src/transfer/import.js'
import {planToFile} from '../../../src/transfer/plan.js'
import {openPlan} from '../../../src/transfer/run/applied-plan.js'
import {RunStopped} from '../../../src/transfer/run/run-stopped.js'
import {callsOf} from '../../../src/transfer/send/customer-calls.js'
import type {Planned} from '../../../src/transfer/write/plan-row.js'
import {quickRuntime} from '../desk.js'
import {counts, importing} from '../importing.js'
import {failureOf} from '../scratch.js'

const {files, desk, imported, customer} = importing()
const options = {passwordMode: 'column', runtime: quickRuntime()} as const
const whose = {projectKey: 'shop', target: 'test'}
let made = 0

const head = 'key,email,firstName,password\n'
const row = (key: string, firstName: string): string => `${key},${key}@x.de,${firstName},geheim-${key}\n`

/** A plan of a file, and how it is applied. */
async function planOf(text: string) {
  made += 1
  const name = `plan-${made}`
  const sources = await files.source('a.csv', head + text)
  const out = files.path(`${name}.jsonl`)
  await planToFile(desk().client, sources, {...options, out, jobsDir: files.path('jobs'), target: 'test'})
  const run = {...options, jobsDir: files.path(name), target: 'test'}
  const apply = async (more: Partial<ImportOptions> = {}, client = desk().client) =>
    importCustomers(client, sources, {...run, applies: await openPlan(out, whose), ...more})
  return {out, apply, path: sources[0]?.path ?? ''}
}

const lines = (path: string) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('transfer · plans in files', () => {
  it('hold each row with its actions and version for their owner alone, and no password', async () => {
    await imported(head + row('pf-1', 'Ann'))
    const {out, apply} = await planOf(row('pf-1', 'Anna') + row('pf-2', 'Ben'))
    expect(statSync(out).mode & 0o777).to.equal(0o600)
    expect(readFileSync(out, 'utf8')).not.to.include('geheim')
    expect(lines(out).map((line) => line['do'])).to.deep.equal([undefined, 'update', 'create', undefined])
    expect(lines(out)[1]).to.deep.include({version: 1, actions: [{action: 'setFirstName', firstName: 'Anna'}]})
    expect(counts(await apply())).to.deep.equal({read: 2, created: 1, updated: 1})
    expect((await customer('pf-2'))?.authenticationMode).to.equal('Password')
  })

  it('hold the rows that are left out as well: invalid ones, and those that the map does not take', async () => {
    const mapping = {where: {deleted: '0'}, columns: {Gone: 'custom.fields.x'}, optionalColumns: true}
    const text = 'key,email,firstName,password,deleted\npl-1,pl-1@x.de,Ann,pw,0\npl-2,nobody ,Ben,pw,0\n,,,,1\n'
    const sources = await files.source('left-out.csv', text)
    const out = files.path('left-out.jsonl')
    const run = {...options, mapping, skipInvalid: true, target: 'test'} as const
    await planToFile(desk().client, sources, {...run, out, jobsDir: files.path('jobs')})
    expect(
      lines(out)
        .map((line) => [line['do'], line['line']])
        .slice(1, -1),
    ).to.deep.equal([
      ['create', 2],
      ['invalid', 3],
      ['skip', 4],
    ])
    expect(lines(out)[2]?.['reason']).to.include("'nobody '")
    const applies = await openPlan(out, whose)
    const result = await importCustomers(desk().client, sources, {...run, applies, jobsDir: files.path('left-out')})
    expect(counts(result)).to.deep.equal({read: 3, created: 1, failed: 1, skipped: 1})
  })

  it('are refused row by row where somebody changed, created or left out something meanwhile', async () => {
    await imported(head + ['m-1', 'm-2', 'm-3'].map((key) => row(key, 'A')).join(''))
    const {out, apply} = await planOf(['m-1', 'm-2', 'm-3', 'm-4', 'm-5'].map((key) => row(key, 'B')).join(''))
    await imported(`key,email,lastName,password\nm-1,m-1@x.de,Other,x\n${'m-4,m-4@x.de,Other,x'}\n`)
    const kept = readFileSync(out, 'utf8')
      .split('\n')
      .filter((line) => !line.includes('m-3'))
    writeFileSync(out, kept.join('\n'))
    const failed: string[] = []
    const result = await apply({
      onEvent: (event) => {
        if (event.type === 'finished-row' && event.outcome.outcome === 'failed') failed.push(event.outcome.message)
      },
    })
    expect(counts(result)).to.deep.equal({read: 5, created: 1, updated: 1, skipped: 1, failed: 2})
    expect(failed.sort()).to.deep.equal([
      'Changed since the plan: the customer exists now.',
      'Changed since the plan: version 1 then, 2 now.',
    ])
    expect(await customer('m-1')).to.include({firstName: 'A', lastName: 'Other'})
    expect((await customer('m-3'))?.firstName).to.equal('A')
  })

  it('never overwrite who was quicker between the last look and the write', async () => {
    await imported(head + row('q-1', 'A'))
    const {apply} = await planOf(row('q-1', 'B') + row('q-2', 'B'))
    let quicker: Promise<unknown> | undefined
    const {client} = desk()
    const racing: typeof client.call = async (operation, params, given) => {
      if (operation.id === 'updateCustomerById' && !quicker) {
        const before = await customer('q-1')
        quicker = before && callsOf(client).update(before, [{action: 'setFirstName', firstName: 'C'}])
        await quicker
      }
      return client.call(operation, params, given)
    }
    expect(counts(await apply({}, {...client, call: racing}))).to.deep.equal({read: 2, created: 1, failed: 1})
    expect((await customer('q-1'))?.firstName).to.equal('C')
  })

  it('go on after an interruption, with nothing done twice', async () => {
    const all = Array.from({length: 600}, (_, at) => row(`g-${at}`, 'A')).join('')
    const {apply} = await planOf(all)
    const controller = new AbortController()
    let finished = 0
    const onEvent = ({type}: {type: string}): void => {
      if (type === 'finished-row') finished += 1
      if (finished === 250) controller.abort()
    }
    expect(await failureOf(apply({onEvent, signal: controller.signal}))).to.be.instanceOf(RunStopped)
    expect(await apply({resume: true})).to.include({read: 600, created: 600, failed: 0})
  })

  it('wait for earlier rows where later ones are planned sooner', async () => {
    const {out} = await planOf(row('w-1', 'A') + row('w-2', 'A'))
    const plan = await openPlan(out, whose)
    const create = (number: number) => ({kind: 'create', row: {number}}) as unknown as Planned
    let first: (plans: readonly Planned[]) => void = () => undefined
    const both = Promise.all([
      plan.decided(
        new Promise((resolve) => {
          first = resolve
        }),
        () => false,
      ),
      plan.decided(Promise.resolve([create(2)]), () => false),
    ])
    await new Promise((resolve) => setImmediate(resolve))
    first([create(1)])
    expect((await both).flat().map(({kind}) => kind)).to.deep.equal(['create', 'create'])
    await plan.close()
  })

  it('are refused when their file changed, they were cut or edited, or are for another target', async () => {
    const {out, apply, path} = await planOf(row('r-1', 'A'))
    const whole = readFileSync(out, 'utf8')
    expect((await failureOf(openPlan(out, {...whose, projectKey: 'else'}))).message).to.include('a plan for shop')
    expect((await failureOf(openPlan(out, {...whose, target: 'else'}))).message).to.include('at test')
    writeFileSync(out, whole.slice(0, whole.lastIndexOf('{"end"')))
    expect((await failureOf(apply())).message).to.include('its end is missing')
    writeFileSync(out, whole)
    appendFileSync(path, row('r-2', 'B'))
    expect((await failureOf(apply())).message).to.include('changed')
    expect(await customer('r-1')).to.equal(undefined)
    await imported(head + row('e-1', 'A'))
    const edited = await planOf(row('e-1', 'B'))
    writeFileSync(edited.out, readFileSync(edited.out, 'utf8').replace('"firstName":"B"', '"firstName":"Evil"'))
    expect(counts(await edited.apply())).to.deep.equal({read: 1, failed: 1})
    expect((await customer('e-1'))?.firstName).to.equal('A')
  })
})
