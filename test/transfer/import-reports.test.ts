import {statSync} from 'node:fs'
import {expect} from 'chai'
import {importCustomers} from '../../src/transfer/import.js'
import {quickRuntime} from './desk.js'
import {counts, importing} from './importing.js'

const {files, desk, imported, customer} = importing()

describe('transfer · import', () => {
  it('leaves invalid rows out if asked, reports them, and reads the report back', async () => {
    const text =
      'Id,email,password,shoeSize\nskip-1,s1@x.de,sesame1,A\nskip-2,no\u200bbody,sesame2,"B, ""C"""\nskip-3,s1@x.de,sesame3,=D\n'
    const mapping = {columns: {Id: 'key'}}
    const result = await imported(text, {mapping, skipInvalid: true})
    expect(counts(result)).to.deep.equal({read: 3, created: 1, failed: 2})
    const report = files.read(result.report ?? '')
    expect(report.split('\r\n')[0]).to.equal('Id,email,password,shoeSize,_line,_outcome,_code,_message,_correlationId')
    expect(report).to.include('skip-2,no\u200bbody,,"B, ""C""",3,failed,InvalidField')
    expect(report + files.read(result.journal)).not.to.include('sesame')
    expect(statSync(result.report ?? '').mode & 0o777).to.equal(0o600)
    expect(statSync(result.journal).mode & 0o777).to.equal(0o600)

    const repaired = report.replace('no\u200bbody', 's2@x.de').replace('s1@x.de', 's3@x.de')
    const again = await imported(repaired, {mapping, passwordMode: 'external-auth'})
    expect(counts(again)).to.deep.equal({read: 2, created: 2})
    const ignored = again.events.find((event) => event.type === 'ignored')
    expect(ignored?.type === 'ignored' && ignored.columns).to.deep.equal(['shoeSize'])
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

  it('have a column for what every failed row of a document lacks', async () => {
    const xml = '<all><one><id>lack-1</id></one><one><id>lack-2</id><mail>l2@x.de</mail></one></all>'
    const columns = {id: 'key', mail: 'email', secret: 'password', 'places.*.city': 'addresses.*.city'}
    const mapping = {rows: 'one', columns, optionalColumns: true}
    const options = {mapping, skipInvalid: true, passwordMode: 'external-auth'} as const
    const {report} = await imported(xml, {...options, name: 'a.xml'})
    const text = files.read(report ?? '')
    expect(text.split('\r\n')[0]).to.equal('id,mail,_line,_outcome,_code,_message,_correlationId')
    expect((await imported('[{"key":"lack-3"}]', {skipInvalid: true, name: 'b.json'})).report).to.satisfy(
      (path: string) => files.read(path).startsWith('key,email,_line'),
    )
    const repaired = text.replace('lack-1,', 'lack-1,l1@x.de')
    const again = await imported(repaired, {mapping: {columns, optionalColumns: true}, passwordMode: 'external-auth'})
    expect(counts(again)).to.deep.equal({read: 1, created: 1})
  })

  it('have the columns of the lines below a customer, who can be imported again with them', async () => {
    const text =
      '{"id":"bulk-1","first":"Ada"}\n{"id":"place-1","city":"Bonn","country":"DE","__parentId":"bulk-1"}\n{"id":"bulk-2","mail":"b2@x.de"}\n'
    const columns = {
      ...{id: ['key', 'externalId'], mail: 'email', first: 'firstName'},
      ...{city: 'addresses.0.city', country: 'addresses.0.country'},
    }
    const mapping = {columns, continuation: 'mail', leftOut: {__parentId: 'the customer above'}}
    const options = {mapping, passwordMode: 'external-auth'} as const
    const {report} = await imported(text, {...options, skipInvalid: true, name: 'a.jsonl'})
    const repaired = files.read(report ?? '').replace(/^(bulk-1,Ada,.*?),,(\d)/m, '$1,b1@x.de,$2')
    expect(repaired).to.include('b1@x.de')
    expect(counts(await imported(repaired, options))).to.deep.equal({read: 1, created: 1})
    expect((await customer('bulk-1'))?.addresses.map(({city}) => city)).to.deep.equal(['Bonn'])
  })

  it('names the file of each failed row of several, and finds its password there', async () => {
    const [first] = await files.source('a.csv', 'key,email,password,firstName\nmany-1,no\u200bbody,sesame1,A\n')
    const [second] = await files.source(
      'b.csv',
      'key,email,password,title\nmany-2,many2@x.de,sesame2,B\nmany-3,ba\u200bd,sesame3,C\n',
    )
    if (!first || !second) throw new Error('no sources')
    const options = {jobsDir: files.path('jobs-many'), target: 'test', skipInvalid: true}
    const originals = [first, second]
    const result = await importCustomers(desk().client, originals, {...options, runtime: quickRuntime(11)})
    expect(counts(result)).to.deep.equal({read: 3, created: 1, failed: 2})
    const report = files.read(result.report ?? '')
    expect(report.split('\r\n')[0]).to.match(/^key,email,password,firstName,title,_line,.*,_file$/)
    const repaired = report.replace('no\u200bbody', 'many1@x.de').replace(',ba\u200bd,', ',many3@x.de,')
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
})
