import {statSync} from 'node:fs'
import {expect} from 'chai'
import {InputError} from '../../src/transfer/input/input-error.js'
import {planImport} from '../../src/transfer/run/dry-run.js'
import type {TransferEvent} from '../../src/transfer/run/events.js'
import {type ImportOptions, importCustomers} from '../../src/transfer/run/import.js'
import {systemRuntime} from '../../src/transfer/run/runtime.js'
import {InvalidRows} from '../../src/transfer/run/validation.js'
import {quickRuntime, shop} from './desk.js'
import {failureOf, scratch} from './scratch.js'

const files = scratch()
const desk = shop()
let count = 0

async function imported(content: string, options: Partial<ImportOptions> & {name?: string} = {}) {
  const {name = 'a.csv', ...rest} = options
  count += 1
  const sources = await files.source(name, content)
  const events: TransferEvent[] = []
  const jobsDir = files.path(`jobs-${count}`)
  const result = await importCustomers(desk().client, sources, {
    jobsDir,
    target: 'test',
    runtime: quickRuntime(),
    onEvent: (event) => events.push(event),
    ...rest,
  })
  const {job, report, ...counts} = result
  expect(counts.read).to.equal(
    counts.created + counts.updated + counts.unchanged + counts.skipped + counts.failed,
    'counts add up',
  )
  return {...result, events, journal: `${jobsDir}/${job}.jsonl`}
}

const counts = (result: object): Record<string, number> =>
  Object.fromEntries(Object.entries(result).filter(([, value]) => typeof value === 'number' && value > 0)) as never

const customer = async (key: string) => (await desk().customers()).find((found) => found.key === key)

describe('transfer · import', () => {
  it('creates, leaves alone what is there, and sends one action for one changed cell', async () => {
    const text =
      'key,email,password,addresses.0.country,addresses.0.city\none-1,one1@x.de,pw,DE,Bonn\none-2,one2@x.de,pw,FR,\n'
    expect(counts(await imported(text))).to.deep.equal({read: 2, created: 2})
    const before = await customer('one-1')
    expect(counts(await imported(text))).to.deep.equal({read: 2, unchanged: 2})
    expect((await customer('one-1'))?.version).to.equal(before?.version)
    expect(counts(await imported(text.replace('Bonn', 'Ulm')))).to.deep.equal({read: 2, updated: 1, unchanged: 1})
    const after = await customer('one-1')
    expect(after?.version).to.equal((before?.version ?? 0) + 1)
    expect(after?.addresses[0]?.city).to.equal('Ulm')
    expect(after?.addresses[0]?.id).to.equal(before?.addresses[0]?.id)
  })

  it('writes nothing unless the whole file is valid, and names every line', async () => {
    const text = 'key,email,password\nbad-1,b1@x.de,pw\nbad-2,nobody,pw\nbad-3,b1@x.de,pw\n'
    const error = await failureOf<InvalidRows>(imported(text))
    expect(error).to.be.instanceOf(InvalidRows)
    expect(error.issues.map(({line, column}) => [line, column])).to.deep.equal([
      [3, 'email'],
      [4, 'email'],
    ])
    expect(await customer('bad-1')).to.equal(undefined)
  })

  it('leaves invalid rows out if asked, reports them, and reads the report back', async () => {
    const text =
      'Id,email,password,nickname\nskip-1,s1@x.de,sesame1,A\nskip-2,nobody,sesame2,"B, ""C"""\nskip-3,s1@x.de,sesame3,=D\n'
    const mapping = {columns: {Id: 'key'}}
    const result = await imported(text, {mapping, skipInvalid: true})
    expect(counts(result)).to.deep.equal({read: 3, created: 1, failed: 2})
    const report = files.read(result.report ?? '')
    expect(report.split('\r\n')[0]).to.equal('Id,email,password,nickname,_line,_outcome,_code,_message,_correlationId')
    expect(report).to.include('skip-2,nobody,,"B, ""C""",3,failed,InvalidField')
    expect(report + files.read(result.journal)).not.to.include('sesame')
    expect(statSync(result.report ?? '').mode & 0o777).to.equal(0o600)
    expect(statSync(result.journal).mode & 0o777).to.equal(0o600)

    const repaired = report.replace('nobody', 's2@x.de').replace('s1@x.de', 's3@x.de')
    const again = await imported(repaired, {mapping, passwordMode: 'external-auth'})
    expect(counts(again)).to.deep.equal({read: 2, created: 2})
    const ignored = again.events.find((event) => event.type === 'ignored')
    expect(ignored?.type === 'ignored' && ignored.columns).to.deep.equal(['nickname'])
  })

  it('reports the rows that the server refuses, with its code and correlation id', async () => {
    const rows = [
      {key: 'ref-1', email: 'r1@x.de', password: 'x', customerGroup: {key: 'nobody'}},
      {key: 'ref-2', email: 'r2@x.de', password: 'x'},
    ]
    const result = await imported(JSON.stringify(rows), {name: 'a.json'})
    expect(counts(result)).to.deep.equal({read: 2, created: 1, failed: 1})
    const [header, row] = files.read(result.report ?? '').split('\r\n')
    expect(header).to.equal('key,email,customerGroup.key,_line,_outcome,_code,_message,_correlationId')
    expect(row).to.match(/^ref-1,r1@x\.de,nobody,1,failed,ReferencedResourceNotFound,.*,[0-9a-f-]{36}$/)
  })

  it('names the file of each failed row of several, and finds its password there', async () => {
    const [first] = await files.source('a.csv', 'key,email,password,firstName\nmany-1,nobody,sesame1,A\n')
    const [second] = await files.source(
      'b.csv',
      'key,email,password,title\nmany-2,many2@x.de,sesame2,B\nmany-3,bad,sesame3,C\n',
    )
    if (!first || !second) throw new Error('no sources')
    const options = {jobsDir: files.path('jobs-many'), target: 'test', skipInvalid: true}
    const originals = [first, second]
    const result = await importCustomers(desk().client, originals, {...options, runtime: quickRuntime(11)})
    expect(counts(result)).to.deep.equal({read: 3, created: 1, failed: 2})
    const report = files.read(result.report ?? '')
    expect(report.split('\r\n')[0]).to.match(/^key,email,password,firstName,title,_line,.*,_file$/)
    const repaired = report.replace('nobody', 'many1@x.de').replace(',bad,', ',many3@x.de,')
    const reports = await files.source('report.csv', repaired)
    const retried = await importCustomers(desk().client, reports, {...options, originals, runtime: quickRuntime(12)})
    expect(counts(retried)).to.deep.equal({read: 2, created: 2})
    expect((await customer('many-3'))?.authenticationMode).to.equal('Password')
  })

  it('remembers in a report what a JSON row takes away', async () => {
    const rows = (text: string) => imported(text, {name: 'a.jsonl'})
    const custom = {type: {key: 'profile'}}
    const there = {key: 'gone-1', email: 'gone-1@x.de', firstName: 'A', title: 'Dr', authenticationMode: 'ExternalAuth'}
    await rows(JSON.stringify({...there, addresses: [{country: 'DE'}]}))
    const wish = {key: 'gone-1', email: 'gone-1@x.de', firstName: null, addresses: [], stores: [], vatId: 'x', custom}
    const failed = await rows(JSON.stringify({...wish, custom: {...custom, fields: {}}}))
    expect(counts(failed)).to.deep.equal({read: 1, failed: 1})
    const report = files.read(failed.report ?? '')
    expect(report)
      .to.match(/_correlationId,_empty\r\n/)
      .and.match(/,firstName addresses stores custom\.fields\r\n$/)
    const corrected = report.replace('profile', '').replace(' stores', '')
    const [header = '', row = ''] = corrected.split('\r\n')
    expect(counts(await imported(`${header.replace('custom.type.key', 'x')}\n${row}\n`))).to.deep.equal({
      read: 1,
      updated: 1,
    })
    const after = await customer('gone-1')
    expect(after)
      .to.include({title: 'Dr', vatId: 'x'})
      .and.deep.include({addresses: []})
      .and.not.have.property('firstName')
  })

  it('takes no mask for a password when it reads a report back', async () => {
    const text = 'key,email,password\nmask-1,mask-1@x.de,****abc=\nmask-2,mask-2@x.de,pw\n'
    const originals = await files.source('original.csv', text)
    const report = 'key,email,password,_line,_outcome\nmask-1,mask-1@x.de,,2,failed\nmask-2,mask-2@x.de,,3,failed\n'
    const result = await imported(report, {originals, skipInvalid: true})
    expect(counts(result)).to.deep.equal({read: 2, created: 1, failed: 1})
    expect(files.read(result.report ?? '')).to.match(/^mask-1,.*RequiredField/m)
  })

  it('needs passwords only for customers that it creates', async () => {
    const text = 'key,email\npw-1,pw1@x.de\n'
    const error = await failureOf<InvalidRows>(imported(text))
    expect(error.issues[0]?.code).to.equal('RequiredField')
    expect(counts(await imported(text, {passwordMode: 'external-auth'}))).to.deep.equal({read: 1, created: 1})
    expect((await customer('pw-1'))?.authenticationMode).to.equal('ExternalAuth')
    expect(counts(await imported(text))).to.deep.equal({read: 1, unchanged: 1})
    const exported = 'key,email,authenticationMode\npw-1,pw1@x.de,Password\n'
    expect(counts(await imported(exported, {passwordMode: 'external-auth'}))).to.deep.equal({read: 1, unchanged: 1})
  })

  it('generates passwords into a file that only the owner can read', async () => {
    const passwordFile = files.path('passwords.csv')
    const text = 'key,email,password\ngen-1,gen1@x.de,\ngen-2,gen2@x.de,own\n'
    const result = await imported(text, {passwordMode: 'generate', passwordFile, hashing: {msPerHash: 50, workers: 2}})
    expect(counts(result)).to.deep.equal({read: 2, created: 2})
    expect(files.read(passwordFile)).to.match(/^key,email,password\r\ngen-1,gen1@x\.de,[\w-]{24}\r\n$/)
    expect(statSync(passwordFile).mode & 0o777).to.equal(0o600)
    const hashing = result.events.find((event) => event.type === 'hashing')
    expect(hashing).to.deep.equal({type: 'hashing', passwords: 2, expectedMs: 50})
    expect(await failureOf(imported(text, {passwordMode: 'generate', passwordFile}))).to.be.instanceOf(InputError)
    expect(await failureOf(imported(text, {passwordMode: 'generate'}))).to.be.instanceOf(InputError)
  })

  it('keeps to its mode', async () => {
    const first = 'key,email,password,firstName\nmode-1,m1@x.de,pw,A\n'
    const second = 'key,email,password,firstName\nmode-1,m1@x.de,pw,B\nmode-2,m2@x.de,pw,C\n'
    await imported(first)
    expect(counts(await imported(second, {mode: 'update'}))).to.deep.equal({read: 2, updated: 1, skipped: 1})
    expect(counts(await imported(second, {mode: 'create'}))).to.deep.equal({read: 2, created: 1, skipped: 1})
  })

  it('matches by email without case, external id and number, and refuses what is ambiguous', async () => {
    await imported(
      'key,email,password,externalId,customerNumber\nm-1,Match@X.de,pw,ext-1,n-1\nm-2,m2b@x.de,pw,ext-2,n-2\n',
    )
    const byEmail = await imported('email,firstName\nmatch@x.de,Ada\n', {match: 'email', mode: 'update'})
    expect(counts(byEmail)).to.deep.equal({read: 1, updated: 1})
    expect((await customer('m-1'))?.email).to.equal('match@x.de')
    const byNumber = await imported('customerNumber,firstName\nn-2,Bea\n', {match: 'customerNumber', mode: 'update'})
    expect(counts(byNumber)).to.deep.equal({read: 1, updated: 1})
    await imported('key,email,password,externalId\nm-3,m3@x.de,pw,ext-1\n')
    const byId = await imported('externalId,firstName\next-1,X\next-2,Y\n', {match: 'externalId', mode: 'update'})
    expect(counts(byId)).to.deep.equal({read: 2, updated: 1, failed: 1})
    expect(files.read(byId.report ?? '')).to.include('Ambiguous')
  })

  it('plans without sending a write', async () => {
    await imported('key,email,password,customerNumber\ndry-1,d1@x.de,pw,7\ndry-2,d2@x.de,pw,\n')
    const before = await desk().customers()
    const rows =
      'key,email,password,customerNumber,title\ndry-1,d1@x.de,pw,8,\ndry-2,d2@x.de,pw,,Dr\ndry-3,d3@x.de,pw,,\nbroken\n'
    const sources = await files.source('a.csv', rows)
    const plan = await planImport(desk().client, sources, {skipInvalid: true, runtime: quickRuntime()})
    const {first, issues, ...numbers} = plan
    expect(numbers).to.deep.equal({read: 4, create: 1, update: 1, unchanged: 0, skipped: 0, conflict: 1, invalid: 1})
    expect(first.update).to.deep.equal([
      {file: sources[0]?.name, line: 3, identity: 'key=dry-2', actions: ['setTitle']},
    ])
    expect(first.conflict[0]?.reason).to.include("'7'")
    expect(issues.map(({line}) => line)).to.deep.equal([5])
    expect(await desk().customers()).to.deep.equal(before)
  })

  it('says which columns it ignores, and that masks count as absent', async () => {
    const row = {key: 'note-1', email: 'n1@x.de', password: '****abc=', shoe: 42}
    const {events} = await imported(JSON.stringify([row]), {name: 'a.json', passwordMode: 'external-auth'})
    expect(events.filter(({type}) => type === 'ignored' || type === 'masked')).to.deep.equal([
      {type: 'ignored', file: events.find((event) => event.type === 'ignored')?.file, columns: ['shoe']},
      {type: 'masked', rows: 1},
    ])
  })

  it('finishes a resumed job that was finished without sending anything', async () => {
    const text = 'key,email,password\nfin-1,f1@x.de,pw\n'
    const sources = await files.source('a.csv', text)
    const options = {jobsDir: files.path('jobs-fin'), target: 'test', runtime: quickRuntime()}
    const first = await importCustomers(desk().client, sources, options)
    const again = await importCustomers(desk().client, sources, {...options, resume: true})
    expect(again).to.deep.equal(first)
    const elsewhere = await importCustomers(desk().client, sources, {...options, target: 'other', resume: true})
    expect(elsewhere.job).not.to.equal(first.job)

    const bad = await files.source('b.csv', 'key,email,password,stores.0.key\nfin-2,f2@x.de,pw,nowhere\n')
    const report = files.path('fin-failed.csv')
    const failed = await importCustomers(desk().client, bad, {...options, report})
    expect(await importCustomers(desk().client, bad, {...options, resume: true})).to.deep.equal(failed)
  })

  it('lets many requests wait for their turn without a warning from the signal that may end them', async () => {
    const warnings: Error[] = []
    const take = (warning: Error): number => warnings.push(warning)
    process.on('warning', take)
    const text = `key,email,authenticationMode\n${Array.from({length: 40}, (_, at) => `turn-${at},turn-${at}@x.de,ExternalAuth\n`).join('')}`
    const {signal} = new AbortController()
    const options = {signal, ratePerSecond: 1000, concurrency: 32, runtime: systemRuntime}
    expect(counts(await imported(text, options))).to.deep.equal({read: 40, created: 40})
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', take)
    expect(warnings).to.deep.equal([])
  })
})
