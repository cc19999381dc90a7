import {expect} from 'chai'
import {type Cell, Day} from '../../../src/transfer/input/cell.js'
import {compiledMapping} from '../../../src/transfer/mapping/compiled-mapping.js'
import {targetOf} from '../../../src/transfer/mapping/draft-shape.js'
import type {Mapping} from '../../../src/transfer/mapping/mapping.js'
import {checker} from '../checker.js'

const {check, draft, json} = checker()

/** What a target makes of a cell; `'!'` if it cannot be. */
async function made(cell: Cell, path: string, mapping: Mapping = {}, today = '2026-11-24'): Promise<unknown> {
  const target = targetOf(path)
  if (!target) throw new Error(`${path} is no target`)
  const piped = (await compiledMapping(mapping, today)).pipeOf(target)(cell)
  return 'problem' in piped ? '!' : piped.value
}

const cells = {
  text: 'Ada',
  'digits as text': '01067',
  'text of a date': '7.5.1990',
  'text of a moment': '1990-05-07T18:30:00Z',
  number: 6_453_011_226_790,
  fraction: 12.5,
  'huge number': 1e21,
  'tiny number': 0.000_000_12,
  one: 1,
  yes: true,
  day: new Day('1990-05-07'),
  moment: new Date('1990-05-07T18:30:00Z'),
} as const satisfies Record<string, Cell>

const targets = ['firstName', 'dateOfBirth', 'isEmailVerified', 'defaultShippingAddress', 'custom.fields.x'] as const

/** What each target makes of each cell, in the order of `targets`. */
const table: Readonly<Record<keyof typeof cells, readonly unknown[]>> = {
  text: ['Ada', 'Ada', '!', 'Ada', 'Ada'],
  'digits as text': ['01067', '01067', '!', 1067, '01067'],
  'text of a date': ['7.5.1990', '1990-05-07', '!', '!', '7.5.1990'],
  'text of a moment': ['1990-05-07T18:30:00Z', '1990-05-07', '!', '!', '1990-05-07T18:30:00Z'],
  number: ['6453011226790', '6453011226790', '!', '!', 6_453_011_226_790],
  fraction: ['12.5', '12.5', '!', '!', 12.5],
  'huge number': ['1000000000000000000000', '1000000000000000000000', '!', '!', 1e21],
  'tiny number': ['0.00000012', '0.00000012', '!', '!', 0.000_000_12],
  one: ['1', '1', true, 1, 1],
  yes: ['true', 'true', true, '!', true],
  day: ['1990-05-07', '1990-05-07', '!', '!', '1990-05-07'],
  moment: ['1990-05-07T18:30:00.000Z', '1990-05-07', '!', '!', '1990-05-07T18:30:00.000Z'],
}

describe('transfer · cells', () => {
  for (const [name, expected] of Object.entries(table)) {
    it(`become what each target makes of them: ${name}`, async () => {
      const cell = cells[name as keyof typeof cells]
      expect(await Promise.all(targets.map((target) => made(cell, target)))).to.deep.equal(expected)
    })
  }

  it('pass transforms by their text, and those of dates by their day', async () => {
    const transforms = {
      key: 'prefix:woo-',
      dateOfBirth: 'date:dd.mm.yyyy',
      'custom.fields.x': 'datetime:d.m.yyyy',
    }
    expect(await made(25, 'key', {transforms})).to.equal('woo-25')
    expect(await made(cells.day, 'dateOfBirth', {transforms})).to.equal('1990-05-07')
    expect(await made(cells.moment, 'dateOfBirth', {transforms})).to.equal('1990-05-07')
    expect(await made(cells.day, 'custom.fields.x', {transforms})).to.equal('1990-05-07T00:00:00.000Z')
    expect(await made(cells.moment, 'custom.fields.x', {transforms})).to.equal('1990-05-07T18:30:00.000Z')
  })

  it('are replaced by aliases, by nothing if the alias is empty', async () => {
    const aliases = {dateOfBirth: {'0000-00-00': ''}, isEmailVerified: {5: 'true'}, firstName: {Ada: null}}
    expect(await made('0000-00-00', 'dateOfBirth', {aliases})).to.equal(undefined)
    expect(await made(5, 'isEmailVerified', {aliases})).to.equal(true)
    expect(await made('Ada', 'firstName', {aliases}), 'not filled in yet').to.equal('Ada')
  })

  it('read dates of every common form that has one order', async () => {
    for (const text of [
      ...['1990-5-7', '1990/05/07', '19900507', '7.5.1990', '07. 05. 1990', '1990-05-07 00:00:00', '7.5.1990 13:05'],
      ...['1990-05-07T00:00:00+00:00', '1990-05-07T00:00:00.000Z', '7 May 1990', 'May 7, 1990', 'Monday, May 07, 1990'],
      ...['7. Mai 1990', '7 mai 1990', '7-mei-1990', '7 maggio 1990', '7 maja 1990', '7-May-1990', '7 may. 1990'],
    ]) {
      expect(await made(text, 'dateOfBirth'), text).to.equal('1990-05-07')
    }
    for (const text of ['05/07/1990', '5/7/90', '31.2.1990', '7 Mey 1990', '0000-00-00', '1990']) {
      expect(await made(text, 'dateOfBirth'), text).to.equal(text)
    }
  })

  it('read dates of a form with names and short years, and refuse those that two forms read differently', async () => {
    const by = (form: string, text: string) => made(text, 'dateOfBirth', {transforms: {dateOfBirth: `date:${form}`}})
    expect(await by('d-mmm-yy', '7-May-90')).to.equal('1990-05-07')
    expect(await by('dddd, d. mmmm yyyy', 'Montag, 7. Mai 1990')).to.equal('1990-05-07')
    expect(await by('m/d/yy', '5/7/24')).to.equal('2024-05-07')
    expect(await by('m/d/yy', '5/7/29')).to.equal('1929-05-07')
    const later = {transforms: {dateOfBirth: 'date:m/d/yy'}}
    expect(await made('5/7/29', 'dateOfBirth', later, '2029-05-07')).to.equal('2029-05-07')
    expect(await made('5/7/29', 'dateOfBirth', later, '2029-05-06')).to.equal('1929-05-07')
    expect(await by('m/d/yy', '5/7/30')).to.equal('1930-05-07')
    expect(await by('d/m/yyyy|m/d/yyyy', '31/12/1990')).to.equal('1990-12-31')
    expect(await by('d/m/yyyy|m/d/yyyy', '07/07/1990')).to.equal('1990-07-07')
    expect(await by('d/m/yyyy|m/d/yyyy', '05/07/1990')).to.equal('!')
  })

  it('come from JSON under the names of a draft as well: numbers for texts, and empty texts for nothing', async () => {
    const row = {
      ...{key: 42, email: 'a@x.de', firstName: '', dateOfBirth: '1990-05-07T00:00:00+00:00', isEmailVerified: 'yes'},
      addresses: [
        {country: 'DE', postalCode: 1067, company: ''},
        {country: '', city: ''},
      ],
      custom: {type: {key: 'extras'}, fields: {note: '', points: 5, zip: '01067'}},
    }
    const {draft: read, issues} = await json(row)
    expect(issues).to.deep.equal([])
    expect(read).to.deep.equal({
      ...{key: '42', email: 'a@x.de', dateOfBirth: '1990-05-07', isEmailVerified: true},
      addresses: [{country: 'DE', postalCode: '1067'}],
      custom: {type: {key: 'extras'}, fields: {points: 5, zip: '01067'}},
    })
  })

  it('keep the empty texts of customers that a project gave', async () => {
    const exported = {id: 'c1', version: 3, key: 'k1', email: 'a@x.de', title: '', addresses: []}
    expect((await json(exported)).draft).to.include({title: ''})
    expect(await draft('id,version,key,email,title\nc1,3,k1,a@x.de,""\n')).to.include({title: ''})
  })

  it('pass the map from JSON: numeric ids, empty members, transforms under their own names', async () => {
    const mapping: Mapping = {
      columns: {
        id: ['key', 'externalId'],
        'billing.country': 'addresses.0.country',
        'billing.postcode': 'addresses.0.postalCode',
      },
      transforms: {key: 'prefix:woo-', 'addresses.0.country': 'country', firstName: 'lower'},
      fallbacks: {'addresses.0.phone': 'billing.phone'},
    }
    const rows = [
      {id: 25, email: 'a@x.de', firstName: 'ADA', billing: {country: 'Germany', postcode: 1067, phone: 30}},
      {id: 26, email: 'b@x.de', billing: {country: '', postcode: '', phone: ''}},
    ]
    const {rows: checked} = await check(JSON.stringify(rows), {mapping, name: 'a.json'})
    expect(checked.map(({issues}) => issues)).to.deep.equal([[], []])
    expect(checked.map((row) => row.draft)).to.deep.equal([
      {
        ...{key: 'woo-25', externalId: '25', email: 'a@x.de', firstName: 'ada'},
        addresses: [{country: 'DE', postalCode: '1067', phone: '30'}],
      },
      {key: 'woo-26', externalId: '26', email: 'b@x.de'},
    ])
  })

  it('are read without the guards of a spreadsheet, and noted', async () => {
    const text = 'key,email,lastName,addresses.0.country,addresses.0.postalCode,addresses.0.phone\n'
    const row = `"=""a1""",a@x.de,'t Hooft,DE,"=""02138""",'+49301234\n1067.0,b@x.de,3.0,DE,01067.0,49301234567.0\n`
    const {rows, notes} = await check(text + row)
    expect(rows.map(({draft: {key, lastName, addresses}}) => [key, lastName, addresses?.[0]])).to.deep.equal([
      ['a1', "'t Hooft", {country: 'DE', postalCode: '02138', phone: '+49301234'}],
      ['1067', '3.0', {country: 'DE', postalCode: '01067', phone: '49301234567'}],
    ])
    expect(notes.unusual.all.map(({kind, column, rows: count}) => [kind, column, count])).to.deep.include.members([
      ['guarded', 'key', 2],
      ['guarded', 'addresses.0.postalCode', 2],
    ])
  })
})
