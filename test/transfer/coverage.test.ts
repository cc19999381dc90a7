import {readFileSync} from 'node:fs'
import {dirname} from 'node:path'
import {expect} from 'chai'
import {placeOfRun} from '../../src/client/place.js'
import {type Coverage, FilledFields, mostDistinct, mostFields} from '../../src/transfer/check/coverage.js'
import {forgetRows} from '../../src/transfer/jobs/forget.js'
import {readJob} from '../../src/transfer/jobs/jobs.js'
import type {JobHeader} from '../../src/transfer/jobs/journal-lines.js'
import {tracesIn} from '../../src/transfer/jobs/traces.js'
import {importing} from './importing.js'

const {imported} = importing()

async function coverageOf({journal, job}: {readonly journal: string; readonly job: string}): Promise<Coverage> {
  const stored = await readJob(journal.slice(0, journal.lastIndexOf('/')), job)
  if (!stored?.coverage) throw new Error('The journal has no coverage.')
  return stored.coverage
}

const plain = {columnOf: (path: string) => path, isSecret: () => false}

describe('transfer · coverage', () => {
  const mapping = {
    columns: {
      Mail: 'email',
      Name: 'firstName',
      Fax: 'addresses.0.fax',
      'Land *': 'addresses.*.country',
      Pin: 'password',
    },
    leftOut: {Old: 'of the shop alone'},
    where: {Live: 'yes'},
  }
  const rows = [
    'Mail,Name,Fax,Land 1,Land 2,Pin,Old,Live,Junk',
    'a@example.com,Ada,,DE,AT,quiet-harbour-71,1,yes,1',
    'b@example.com,Ada,,DE,,quiet-harbour-72,1,yes,2',
    'c@example.com,,,,,quiet-harbour-73,1,yes,3',
    'd@example.com,Dora,,FR,,quiet-harbour-74,1,no,4',
  ]

  it('counts the rows and values of each field, and names what nothing fills and what nothing takes', async () => {
    const run = await imported(`${rows.join('\n')}\n`, {mapping, match: 'email'})
    const coverage = await coverageOf(run)
    expect(coverage.rows, 'a row that the map leaves out does not count').to.equal(3)
    const field = (name: string) => coverage.fields.find((one) => one.field === name)
    expect(field('email')).to.deep.include({rows: 3, distinct: 3})
    expect(field('firstName')).to.deep.equal({field: 'firstName', rows: 2, distinct: 1, samples: ['Ada']})
    const country = {field: 'addresses.*.country', rows: 2, distinct: 2, samples: ['DE', 'AT']}
    expect(field('addresses.*.country')).to.deep.equal(country)
    expect(field('addresses.*.fax')).to.deep.equal({field: 'addresses.*.fax', rows: 0, samples: []})
    expect(field('password')).to.deep.equal({field: 'password', rows: 3, samples: []})
    expect(coverage.ignored).to.deep.equal(['Junk'])
    expect(readFileSync(run.journal, 'utf8')).not.to.include('quiet-harbour')
  })

  it('loses its samples with an erasure, and no count', async () => {
    const run = await imported(`${rows.join('\n')}\n`, {mapping, match: 'email', name: 'b.csv'})
    const before = await coverageOf(run)
    const header = JSON.parse(readFileSync(run.journal, 'utf8').split('\n')[0] ?? '') as JobHeader
    const jobs = {dir: dirname(run.journal), place: placeOfRun(header)}
    await forgetRows(await tracesIn(jobs, [{id: 'nobody'}]), ['nobody'])
    const after = await coverageOf(run)
    expect(after.fields).to.deep.equal(before.fields.map((field) => ({...field, samples: []})))
    expect(readFileSync(run.journal, 'utf8')).not.to.include('Ada')
  })

  it('is bounded, whatever the rows hold', () => {
    const filled = new FilledFields()
    for (let row = 0; row < 3000; row += 1) {
      const fields = row < 300 ? {[`f${row}`]: 'x'.repeat(1000)} : {}
      filled.add({key: `k${row}`, custom: {fields}}, plain)
    }
    const {fields, moreFields} = filled.coverage()
    expect(fields).to.have.lengthOf(mostFields)
    expect(moreFields).to.equal(301 - mostFields)
    expect(fields[0]).to.deep.equal({
      ...{field: 'key', rows: 3000, distinct: mostDistinct, more: true},
      samples: ['k0', 'k1', 'k2'],
    })
    expect(fields[1]?.samples[0]).to.have.lengthOf(60)
  })

  it('takes no sample of a column that is named as a secret', () => {
    const filled = new FilledFields()
    filled.add({custom: {fields: {note: 'x1'}}}, {...plain, isSecret: (column) => column === 'custom.fields.note'})
    expect(filled.coverage().fields).to.deep.equal([{field: 'custom.fields.note', rows: 1, samples: []}])
  })
})
