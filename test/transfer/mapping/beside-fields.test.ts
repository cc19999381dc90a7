import {expect} from 'chai'
import {checker} from '../checker.js'

const {check, draft} = checker()

describe('transfer · mapping · what a row says beside its fields', () => {
  it('counts accounts that are switched off, unless the map takes the column', async () => {
    const unusual = async (content: string, given: Parameters<typeof check>[1] = {}) =>
      (await check(content, given)).notes.unusual.all.map(({kind, column, rows}) => [kind, column, rows])
    const table = 'key,email,Is Active,status\naa,a@x.de,0,inactive\nbb,b@x.de,1,x\ncc,c@x.de,no,\n'
    expect(await unusual(table)).to.deep.equal([
      ['disabled', 'Is Active', 2],
      ['disabled', 'status', 1],
    ])
    const mapping = {
      columns: {'Is Active': 'custom.fields.active'},
      constants: {'custom.type.key': 't'},
      where: {status: 'x'},
    }
    expect(await unusual(table, {mapping})).to.deep.equal([])
    const json =
      '[{"key":"aa","email":"a@x.de","blocked":true},{"key":"bb","email":"b@x.de","blocked":false,"mfa":{"enabled":false}}]'
    for (const leftOut of [undefined, {blocked: 'of the accounts alone'}]) {
      expect(await unusual(json, {name: 'a.json', mapping: leftOut ? {leftOut} : {}})).to.deep.equal([
        ['disabled', 'blocked', 1],
      ])
    }
  })

  it('takes a day without a year for no date, and a phone alone for no address', async () => {
    const text =
      'key,email,dateOfBirth,addresses.0.phone,defaultShippingAddress\naa,a@x.de,02/29,0123,\nbb,b@x.de,--05-07,,\n'
    for (const transforms of [undefined, {dateOfBirth: 'date:mm/dd/yyyy'}]) {
      const constants = {defaultShippingAddress: 0}
      const table = text.replace(',defaultShippingAddress', '').replaceAll(',\n', '\n')
      const {rows, notes} = await check(table, {mapping: {constants, ...(transforms ? {transforms} : {})}})
      expect(rows.map(({draft, issues}) => [draft, issues])).to.deep.equal([
        [{key: 'aa', email: 'a@x.de'}, []],
        [{key: 'bb', email: 'b@x.de'}, []],
      ])
      expect(notes.unusual.all.map(({kind, lines}) => [kind, ...lines])).to.deep.equal([['yearless', 2, 3]])
      expect(notes.unplaced.all.map(({column, lines}) => [column, ...lines])).to.deep.equal([['addresses.0.phone', 2]])
    }
    const given = {mapping: {constants: {'addresses.0.country': 'DE'}}}
    expect(await draft('key,email,addresses.0.phone\naa,a@x.de,1\n', given)).to.deep.include({
      addresses: [{phone: '1', country: 'DE'}],
    })
  })
})
