import {expect} from 'chai'
import {InputError} from '../../../src/transfer/files/input-error.js'
import type {Mapping} from '../../../src/transfer/mapping/mapping.js'
import {transformOf} from '../../../src/transfer/mapping/transforms.js'
import {checker} from '../checker.js'
import {failureOf} from '../scratch.js'

const {check, one, draft, json} = checker()

const transformed = async (name: string, text: string) => (await transformOf(name))(text)
const messages = async (text: string, mapping: Mapping) =>
  (await one(text, {mapping})).issues.map(({message}) => message)

describe('transfer · mapping · transforms', () => {
  it('puts texts before, takes them away, replaces by pattern, and cuts parts out', async () => {
    for (const [name, text, value] of [
      ['prefix:shopify-', '5', 'shopify-5'],
      ["replace:/^'//", "'SW1Y 4JH", 'SW1Y 4JH'],
      ["replace:/^'//", "O'Brien", "O'Brien"],
      ['replace:/ +/-/', 'a  b c', 'a-b-c'],
      ['replace:/^(\\w+), (\\w+)$/$2 $1/', 'King, Ada', 'Ada King'],
      ['replace:|^HERR$|Mr|i', 'Herr', 'Mr'],
      ['part:1:\\n', 'Main 1\nFlat 2\nFloor 3', 'Main 1'],
      ['part:2-:\\n', 'Main 1\nFlat 2\nFloor 3', 'Flat 2 Floor 3'],
      ['part:2:,', 'alone', undefined],
      ['split:,', ' a, ,b ', ['a', 'b']],
      ['part:1:  ', '1 Main St  Atlanta  GA  30303  US', '1 Main St'],
      ['part:-1:  ', '1 Main St  Atlanta  GA  30303  US', 'US'],
      ['part:1--5:  ', '1 Main St  Flat 2  Atlanta  GA  30303  US', '1 Main St Flat 2'],
      ['part:2-3:,', 'a,b,c,d', 'b c'],
      ['name:first', 'Dr. Ada King', 'Dr. Ada'],
      ['name:last', 'ada@example.com', undefined],
      ['json:a.locality', '{"a": {"locality": "Bonn", "n": 12345678901234567890}}', 'Bonn'],
      ['json:a.n', '{"a": {"n": 12345678901234567890}}', '12345678901234567890'],
      ['json:tags', '{"tags": ["x", 2]}', ['x', '2']],
      ['json:none.of', '{"a": null}', undefined],
    ] as const) {
      expect(await transformed(name, text), `${name} of ${text}`).to.deep.equal({value})
    }
  })

  it('reads dates with times as dates or as moments, in any of several forms', async () => {
    for (const [name, text, value] of [
      ['date:yyyy-mm-dd|yyyy-mm-dd hh:mi:ss', '1990-02-03 00:00:00', '1990-02-03'],
      ['date:yyyy-mm-dd|yyyy-mm-dd hh:mi:ss', '1990-02-03', '1990-02-03'],
      ['datetime:yyyy-mm-dd hh:mi:ss', '2024-02-03 04:05:06', '2024-02-03T04:05:06.000Z'],
      ['datetime:yyyy-mm-ddThh:mi:ss.ffzz', '2024-02-03T23:05:06.5+02:00', '2024-02-03T21:05:06.500Z'],
      ['datetime:m/d/yyyy h:mi am', '2/3/2024 12:05 AM', '2024-02-03T00:05:00.000Z'],
      ['datetime:ms', '1700000000123', '2023-11-14T22:13:20.123Z'],
      ['date:s|dd.mm.yyyy', '1700000000', '2023-11-14'],
      ['datetime:dd.mm.yyyy', '03.02.2024', '2024-02-03T00:00:00.000Z'],
    ] as const) {
      expect(await transformed(name, text), `${name} of ${text}`).to.deep.equal({value})
    }
    for (const [name, text] of [
      ['date:yyyy-mm-dd hh:mi:ss', '1990-02-03'],
      ['date:yyyy-mm-dd hh:mi', '1990-02-03 25:00'],
      ['datetime:d.m.yyyy', '31.2.2024'],
      ['datetime:yyyy-mm-dd h:mi am', '2024-01-01 13:00 pm'],
    ] as const) {
      expect(await transformed(name, text), `${name} of ${text}`).to.have.property('problem')
    }
  })

  it('says what is wrong with a transform', async () => {
    for (const [name, words] of [
      ['upper', 'no transform'],
      ['prefix', 'needs a value after its name'],
      ['prefix:', 'needs a value after its name'],
      ['constructor', 'no transform'],
      ['part:x', 'which part'],
      ['name:middle', 'no part of a name'],
      ['replace:abc', 'not of the form'],
      ['replace:/a/b', 'not of the form'],
      ['replace:/(a/b/', 'cannot be used'],
      ['date:yyyy-mm', 'not a form of dates'],
      ['date:yyyy-mm-dd mi', 'not a form of dates'],
    ] as const) {
      const error = await failureOf(transformOf(name))
      expect(error, name).to.be.instanceOf(InputError)
      expect(error.message, name).to.include(words)
    }
    expect(await failureOf(check('key,email\na1,a@x.de\n', {mapping: {transforms: {key: ['trim', 'join:-']}}})))
      .to.be.instanceOf(InputError)
      .with.property('message')
      .that.includes('come before')
  })

  it('replaces only in values of some length', async () => {
    expect((await transformOf('replace:/a/x/'))('a'.repeat(20_000))).to.have.property('problem')
  })

  it('joins columns, takes the first that has a value, and splits one into a list', async () => {
    const mapping: Mapping = {
      columns: {
        First: 'firstName',
        Middle: 'firstName',
        Mobile: 'addresses.0.phone',
        Phone: 'addresses.0.phone',
        Land: 'addresses.0.country',
        Tags: 'custom.fields.tags',
        Year: 'custom.fields.year',
        Shops: 'stores.*.key',
      },
      transforms: {
        firstName: 'join: ',
        'addresses.0.phone': ['first', "replace:/^'//"],
        'custom.fields.tags': 'split:,',
        'stores.*.key': ['split:;', 'lower'],
      },
      constants: {'custom.type.key': 'shop'},
    }
    const header = 'key,email,First,Middle,Mobile,Phone,Land,Tags,Year,Shops\n'
    const full = (await draft(`${header}k1,a@x.de,Ada,May,,'030,DE,"5, vip",2024,DE;AT\n`, {mapping})) as object
    expect(full).to.deep.include({
      firstName: 'Ada May',
      addresses: [{phone: '030', country: 'DE'}],
      custom: {type: {key: 'shop'}, fields: {tags: ['5', 'vip'], year: 2024}},
      stores: [{key: 'de'}, {key: 'at'}],
    })
    const error = await failureOf(check(header, {mapping: {...mapping, transforms: {}}}))
    expect(error.message).to.include("both 'First' and 'Middle'")
  })

  it('counts a value that transforms leave empty as an empty cell, and gives a default for it', async () => {
    const mapping: Mapping = {
      columns: {Born: 'dateOfBirth', Group: 'customerGroup.key'},
      transforms: {dateOfBirth: ['replace:/^0000-00-00$//', 'date:yyyy-mm-dd'], 'customerGroup.key': 'default:general'},
    }
    expect(await draft('key,email,Born,Group\nk1,a@x.de,0000-00-00,\n', {mapping})).to.deep.equal({
      key: 'k1',
      email: 'a@x.de',
      customerGroup: {key: 'general'},
    })
    const secret = await failureOf(check('key,email\nk1,a@x.de\n', {mapping: {transforms: {password: 'default:x'}}}))
    expect(secret.message).to.include('same for every row')
  })
})

describe('transfer · mapping · addresses', () => {
  const mapping: Mapping = {
    columns: {Town: 'addresses.0.city', 'Ship town': 'addresses.1.city', 'Ship land': 'addresses.1.country'},
    constants: {'addresses.0.country': 'DE', defaultBillingAddress: 0, defaultShippingAddress: 1},
    fallbacks: {'addresses.*.firstName': 'firstName', 'addresses.0.phone': 'Phone'},
  }
  const header = 'key,email,firstName,Town,Ship town,Ship land,Phone\n'

  it('gives constants, roles and fallbacks only to addresses that a column fills', async () => {
    expect(await draft(`${header}k1,a@x.de,Ada,Bonn,Wien,AT,1\n`, {mapping})).to.deep.include({
      addresses: [
        {city: 'Bonn', country: 'DE', firstName: 'Ada', phone: '1'},
        {city: 'Wien', country: 'AT', firstName: 'Ada'},
      ],
      defaultBillingAddress: 0,
      defaultShippingAddress: 1,
    })
    expect(await draft(`${header}k1,a@x.de,Ada,,Wien,AT,\n`, {mapping})).to.deep.include({
      addresses: [{city: 'Wien', country: 'AT', firstName: 'Ada'}],
      defaultShippingAddress: 0,
    })
    const none = await check(`${header}k1,a@x.de,Ada,,,,030 1\n`, {mapping})
    expect(none.rows[0]?.draft).to.deep.equal({key: 'k1', email: 'a@x.de', firstName: 'Ada'})
    expect(none.notes.unplaced.all).to.have.lengthOf(1)
    expect(none.notes.unplaced.all[0]).to.deep.include({column: 'Phone', rows: 1, lines: [2]})
  })

  it('does the same in JSON rows', async () => {
    const row = {key: 'k1', email: 'a@x.de', addresses: [{country: 'AT'}]}
    const constants = {'addresses.*.city': 'Wien', 'addresses.1.city': 'Linz', defaultShippingAddress: 1}
    const {draft: made, issues} = await json(row, {
      mapping: {constants, transforms: {'addresses.*.country': 'country'}},
    })
    expect(issues).to.deep.equal([])
    expect(made).to.deep.equal({...row, addresses: [{country: 'AT', city: 'Wien'}]})
  })

  it('refuses constants for an address that no column fills, once for the file', async () => {
    const error = await failureOf(
      check('key,email\nk1,a@x.de\n', {mapping: {constants: {'addresses.0.country': 'DE'}}}),
    )
    expect(error.message).to.include('address 0, which no column fills')
    const role = await failureOf(
      check('key,email,Town\nk1,a@x.de,B\n', {
        mapping: {columns: {Town: 'addresses.0.city'}, constants: {defaultShippingAddress: 1}},
      }),
    )
    expect(role.message).to.include('address 1, which no column fills')
  })

  it('keeps the error for a role that a column gives to an address that is not there', async () => {
    expect(await messages('key,email,addresses.0.country,defaultShippingAddress\nk1,a@x.de,DE,1\n', {})).to.deep.equal([
      'defaultShippingAddress names the address 1, but the row has 1.',
    ])
  })

  it('reads numbered columns, and lets an address claim its role', async () => {
    const numbered: Mapping = {
      columns: {
        'City - *': 'addresses.*.city',
        'Land - *': 'addresses.*.country',
        Home: 'addresses.1.isDefaultShipping',
      },
    }
    const text = 'key,email,City - 1,Land - 1,City - 2,Land - 2,Home\nk1,a@x.de,Bonn,DE,Wien,AT,1\n'
    expect(await draft(text, {mapping: numbered})).to.deep.include({
      addresses: [
        {city: 'Bonn', country: 'DE'},
        {city: 'Wien', country: 'AT'},
      ],
      defaultShippingAddress: 0,
    })
    const two = {
      addresses: [
        {country: 'DE', isDefaultBilling: true},
        {country: 'AT', isDefaultBilling: true},
      ],
    }
    expect((await json({key: 'k1', email: 'a@x.de', ...two})).issues[0]?.message).to.equal(
      'Two addresses of the row are its defaultBillingAddress.',
    )
  })
})
