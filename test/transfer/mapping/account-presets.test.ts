import {expect} from 'chai'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {checkRows} from '../../../src/transfer/check/checked-rows.js'
import {openSources} from '../../../src/transfer/input/source.js'
import type {PresetName} from '../../../src/transfer/presets/preset-names.js'
import {presetMapping, presetNamed} from '../../../src/transfer/presets/presets.js'
import type {TransferEvent} from '../../../src/transfer/run/events.js'
import {templateFor} from '../../../src/transfer/template.js'
import {checker} from '../checker.js'
import {shop} from '../desk.js'
import {inOne, scratch} from '../scratch.js'
import {importedTwice, places} from './imported-twice.js'

const desk = shop()
const files = scratch()
const twice = importedTwice(desk, files)

describe('transfer · presets of accounts, payments and lists', () => {
  const read = (name: PresetName, file: string, rows: number) =>
    twice(`fixtures/shops/${file}`, presetMapping(presetNamed(name)), {read: rows, created: rows})
  const noted = (events: readonly TransferEvent[], kind: string) =>
    events.flatMap((event) => (event.type === 'unusual' && event.kind === kind ? [[event.column, ...event.lines]] : []))
  const leftOut = (events: readonly TransferEvent[]) =>
    events.flatMap((event) => (event.type === 'ignored' ? event.columns : []))
  const name = ({firstName, lastName}: Customer) => [firstName, lastName]

  it('take the customers of Stripe: a name in one cell, an address, a phone alone that makes none', async () => {
    const {customer, events} = await read('stripe', 'stripe.csv', 3)
    const nadia = customer('nadia.stripe@example.com')
    expect(nadia).to.include({key: 'stripe-cus_Nadia0001', vatId: 'NL999999999B01'})
    expect(name(nadia)).to.deep.equal(['Nadia', 'van der Meer'])
    expect(nadia.addresses[0]).to.include({additionalStreetInfo: '2 hoog', phone: '+31205550121', state: 'NH'})
    expect(customer('osei.stripe@example.org').addresses).to.deep.equal([])
    const pia = customer('pia.stripe@example.net')
    expect([name(pia), places(pia)]).to.deep.equal([['Pía', undefined], [[undefined, '01067', 'Málaga', 'ES']]])
    expect(events.find(({type}) => type === 'unplaced')).to.include({column: 'Phone'})
    expect(noted(events, 'disabled')).to.deep.equal([])
  })

  it('take the accounts of Firebase, in JSON and in its table without a header: no hash, and who is switched off', async () => {
    for (const [file, rows, sora, disabled] of [
      ['firebase.json', 2, 'sora.firebase@example.com', 15],
      ['firebase.csv', 3, 'sora.csv@example.com', 2],
    ] as const) {
      const {customer, events} = await read('firebase', file, rows)
      expect(customer(sora), file).to.include({isEmailVerified: true}).and.not.have.property('passwordHash')
      expect(name(customer(sora)), file).to.deep.equal(['Søra', 'Lindqvist Berg'])
      expect(noted(events, 'disabled').slice(0, 1), file).to.deep.equal([['disabled', disabled]])
      expect(leftOut(events), file).to.include.members(['passwordHash', 'salt', 'phoneNumber'])
    }
    expect((await desk().customers()).map(({key}) => key)).to.include.members([
      'firebase-tenant-7-mit',
      'firebase-uid3',
    ])
  })

  it('take the users of Cognito, from a table and from its API: addresses in JSON, days without a year', async () => {
    const table = await read('cognito', 'cognito.csv', 3)
    const xaver = table.customer('xaver.cognito@example.com')
    expect(xaver).to.include({key: 'cognito-xaver', dateOfBirth: '1988-02-29', isEmailVerified: true})
    expect([name(xaver), places(xaver)]).to.deep.equal([['Xaver', 'Ødegård'], [[undefined, '0181', 'Oslo', 'NO']]])
    expect(table.customer('yrsa.cognito@example.org').addresses).to.deep.equal([])
    expect(noted(table.events, 'yearless').slice(0, 1)).to.deep.equal([['birthdate', 3]])
    expect(table.events.flatMap((event) => (event.type === 'unplaced' ? event.column : []))).not.to.include(
      'given_name',
    )
    const list = await read('cognito', 'cognito-users.json', 2)
    expect(places(list.customer('ada.cognito@example.com'))).to.deep.equal([[undefined, undefined, 'Ankara', 'TR']])
    expect(list.customer('ada.cognito@example.com')).to.include({isEmailVerified: true, lastName: 'Öz'})
    expect(noted(list.events, 'disabled').slice(0, 1)).to.deep.equal([['Enabled', 19]])
  })

  it('take the audience of Mailchimp: an address in one cell with or without a second line, no day without a year', async () => {
    const {customer, events} = await read('mailchimp', 'mailchimp.csv', 3)
    const [celia, dov] = ['celia.mail@example.com', 'dov.mail@example.org'].map(customer)
    expect(celia?.addresses[0]).to.include({streetName: '123 Main St', state: 'GA', country: 'US'})
    expect(celia?.addresses[0]).not.to.have.property('additionalStreetInfo')
    expect(celia).not.to.have.property('dateOfBirth')
    expect(dov?.addresses[0]).to.include({additionalStreetInfo: 'Flat 2', city: 'Leeds', postalCode: '01067'})
    expect(dov?.addresses[0]).not.to.have.property('state')
    expect(leftOut(events)).to.include('Birthday')
    expect(noted(events, 'disabled')).to.deep.equal([])
  })

  it('take the users of WordPress: NULL is nothing, a status of 0 is that of everybody', async () => {
    const {customer, events} = await read('wordpress', 'wordpress.csv', 3)
    expect(customer('gwen.wp@example.com')).to.include({key: 'wordpress-1', lastName: 'Ní Bhriain'})
    expect(customer('iris.wp@example.net')).to.include({firstName: 'Íris'}).and.not.have.property('lastName')
    expect(leftOut(events)).to.include.members(['user_pass', 'user_activation_key'])
    expect(noted(events, 'disabled')).to.deep.equal([])
  })

  it('refuse who has no email, a city without a country, an address that cannot be taken apart', async () => {
    const refusals = async (name: PresetName) => {
      const {list} = await openSources([`fixtures/shops/${name}.refused.csv`])
      const mapping = presetMapping(presetNamed(name))
      const given = {match: 'email', mode: 'upsert', seed: 7, today: '2026-11-28', isOurs: async () => true} as const
      const rows = await inOne((await checkRows({sources: list, mapping, ...given})).pieces)
      return rows.map(({issues}) => issues.map(({message}) => message).join())
    }
    expect(await refusals('stripe')).to.deep.equal(['There is no email.', 'There is no addresses.0.country.'])
    expect(await refusals('firebase')).to.deep.equal(['There is no email.'])
    expect((await refusals('mailchimp'))[0]).to.include("'Storgatan 1, Stockholm' is not a country")
  })

  it('know a table without a header by what its first row holds, and an export of WooCommerce beside WordPress', async () => {
    const found = async (file: string) =>
      (await templateFor((await openSources([`fixtures/shops/${file}`])).list)).preset
    for (const [file, preset] of [
      ['firebase.csv', 'firebase'],
      ['firebase.refused.csv', 'firebase'],
      ['cognito-users.json', 'cognito'],
      ['woocommerce.csv', 'woocommerce'],
    ] as const)
      expect(await found(file), file).to.equal(preset)
  })
})

describe('transfer · tables without a header', () => {
  const {check} = checker()
  const mapping = {header: ['no', 'mail'], columns: {no: 'key', mail: 'email'}}
  const keys = async (text: string, given: object = {mapping}) =>
    (await check(text, given)).rows.map(({draft, issues}) => draft.key ?? issues[0]?.code)

  it('have the names of the map, and may end with blank cells', async () => {
    expect(await keys('aa,a@x.de,\nbb,b@x.de,,\ncc,c@x.de,more\n')).to.deep.equal(['aa', 'bb', 'ColumnCount'])
  })

  it('are read as they are where the first row has these names, such as a report', async () => {
    expect(await keys('_line,mail,no\n7,a@x.de,aa\n')).to.deep.equal(['aa'])
  })

  it('have one header however often it comes again', async () => {
    expect(await keys('key,email\naa,a@x.de\nkey,email\nbb,b@x.de\n', {})).to.deep.equal(['aa', 'bb'])
  })
})
