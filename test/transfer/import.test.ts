import {statSync} from 'node:fs'
import {expect} from 'chai'
import {InputError} from '../../src/transfer/files/input-error.js'
import {importCustomers} from '../../src/transfer/import.js'
import {planImport} from '../../src/transfer/plan.js'
import type {PlanRow} from '../../src/transfer/run/applied-plan.js'
import {InvalidRows} from '../../src/transfer/run/validation.js'
import {systemRuntime} from '../../src/transfer/send/runtime.js'
import {quickRuntime} from './desk.js'
import {counts, importing} from './importing.js'
import {failureOf} from './scratch.js'

const {files, desk, imported, customer} = importing()

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
    const text = 'key,email,password\nbad-1,b1@x.de,pw\nbad-2, nobody,pw\nbad-3,b1@x.de,pw\n'
    const error = await failureOf<InvalidRows>(imported(text))
    expect(error).to.be.instanceOf(InvalidRows)
    expect(error.issues.map(({line, column}) => [line, column])).to.deep.equal([
      [3, 'email'],
      [4, 'email'],
    ])
    expect(await customer('bad-1')).to.equal(undefined)
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
    expect(await customer('m-1')).to.include({email: 'Match@X.de', firstName: 'Ada'})
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
    const planned: PlanRow[] = []
    const {issues, ...numbers} = await planImport(desk().client, sources, {
      skipInvalid: true,
      runtime: quickRuntime(),
      onEvent: (event) => {
        if (event.type === 'planned') planned.push(event.row)
      },
    })
    expect(numbers).to.deep.equal({read: 4, create: 1, update: 1, unchanged: 0, skipped: 0, conflict: 1, invalid: 1})
    expect(planned.map((row) => row.do)).to.deep.equal(['refuse', 'update', 'create', 'invalid'])
    expect(planned[1]).to.deep.include({file: sources[0]?.name, line: 3, identity: 'key=dry-2', version: 1})
    expect(planned[1]).to.deep.include({actions: [{action: 'setTitle', title: 'Dr'}]})
    expect(planned[0]).to.have.property('reason').that.includes("'7'")
    expect(JSON.stringify(planned)).to.not.include('pw')
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

  it('takes unusual emails and countries, and says so once a file', async () => {
    const rows = ['guest', 'a@b@c', 'fine@x.de'].map((email, at) => `odd-${at},${email},${at === 0 ? 'DE' : 'UK'}`)
    const text = ['key,email,addresses.0.country', ...rows].join('\n')
    const {events, created} = await imported(text, {name: 'odd.csv', passwordMode: 'external-auth'})
    expect(created).to.equal(3)
    const told = events.filter((event) => event.type === 'unusual')
    expect(told.map(({kind, rows: count, value, lines}) => [kind, count, value, lines])).to.deep.equal([
      ['email', 2, 'guest', [2, 3]],
      ['country', 2, 'UK', [3, 4]],
    ])
  })

  it('names the numbers that a spreadsheet has shortened, before the first write', async () => {
    const short = ['6.45301E+12', '49170123', '4,91701E+11', '1E5', '1.5E+10', '2.5E+10', '3.5E+10', '4.5E+10']
    const rows = short.map((number, at) => `short-${at},s${at}@x.de,${number}`)
    const text = ['key;email;addresses.0.phone;addresses.0.country', ...rows.map((row) => `${row},DE`)]
    const {events} = await imported(text.join('\n').replaceAll(',', ';').replace('4;91701', '4,91701'), {
      name: 'short.csv',
      passwordMode: 'external-auth',
    })
    const told = events.filter((event) => event.type === 'unusual')
    expect(told.map(({kind, rows: count, value, lines}) => [kind, count, value, lines])).to.deep.equal([
      ['shortened', 6, '6.45301E+12', [2, 4, 6, 7, 8]],
    ])
    expect(events.findIndex(({type}) => type === 'unusual')).to.be.below(
      events.findIndex(({type}) => type === 'started'),
    )
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
