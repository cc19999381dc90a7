import {readFileSync} from 'node:fs'
import {resolve} from 'node:path'
import {expect} from 'chai'
import type {InputError} from '../../../src/transfer/files/input-error.js'
import {type Mapping, mappingOf} from '../../../src/transfer/mapping/mapping.js'
import {planImport} from '../../../src/transfer/plan.js'
import type {PresetName} from '../../../src/transfer/presets/preset-names.js'
import {presetMapping, presetNamed} from '../../../src/transfer/presets/presets.js'
import type {TransferEvent} from '../../../src/transfer/run/events.js'
import {shop} from '../desk.js'
import {failureOf, scratch} from '../scratch.js'
import {importedTwice, places} from './imported-twice.js'

const files = scratch()
const desk = shop()
const withAddresses = (name: PresetName, file: string): Mapping => {
  const {join, ...mapping} = presetMapping(presetNamed(name))
  return join ? {...mapping, join: join.map((rule) => ({...rule, file: resolve(file)}))} : mapping
}

const twice = importedTwice(desk, files)

describe('transfer · presets of tables and APIs', () => {
  it('take the tables of PrestaShop: no guests, no zero dates, addresses by id_customer, their countries by number', async () => {
    const mapping = withAddresses('prestashop', 'fixtures/shops/prestashop-addresses.csv')
    const {customer} = await twice('fixtures/shops/prestashop.csv', mapping, {read: 4, created: 2, skipped: 2})
    const elodie = customer('elodie.marchand@example.com')
    expect(elodie).to.include({key: 'prestashop-1', dateOfBirth: '1988-02-29', companyName: 'Maison Lavande'})
    expect(places(elodie)).to.deep.equal([
      ['5', '75002', 'Paris', 'FR'],
      ['7', '1011', 'Budapest', 'HU'],
    ])
    expect(elodie.addresses[0]).to.include({streetName: '16, Rue du Lac', mobile: '0607080910'})
    const bruno = customer('bruno.ferrand@example.org')
    expect(bruno).to.include({key: 'prestashop-2', firstName: 'Bruno'}).and.not.have.property('dateOfBirth')
    expect(places(bruno)).to.deep.equal([['9', '01067', 'Dresden', 'DE']])
  })

  it('take the tables of OpenCart: the default address, phones of customers, bcrypt hashes as what they are', async () => {
    const mapping = withAddresses('opencart', 'fixtures/shops/opencart-addresses.csv')
    const {customer} = await twice('fixtures/shops/opencart.csv', mapping, {read: 3, created: 3})
    const lotte = customer('lotte.brandt@example.org')
    expect(places(lotte)).to.deep.equal([
      ['2', '10115', 'Berlin', 'DE'],
      ['3', '1010', 'Wien', 'AT'],
    ])
    expect(lotte.defaultShippingAddressId).to.equal(lotte.addresses[0]?.id)
    expect(lotte.addresses[1]).to.include({phone: '+4930123456', fax: '+4930123457'})
    expect(customer('ines.solo@example.org').addresses).to.deep.equal([])
    expect(presetMapping(presetNamed('opencart')).columns).to.include({password: 'passwordHash'})
  })

  it('take the collection of Sylius in its wrapper, and the table of addresses', async () => {
    const mapping = withAddresses('sylius', 'fixtures/shops/sylius-addresses.csv')
    const {customer} = await twice('fixtures/shops/sylius.json', mapping, {read: 2, created: 2})
    const oskar = customer('oskar.winter@example.com')
    expect(oskar).to.include({key: 'sylius-11', dateOfBirth: '1990-05-07', isEmailVerified: true})
    expect(places(oskar)).to.deep.equal([
      ['21', '00-013', 'Warszawa', 'PL'],
      ['22', '10115', 'Berlin', 'DE'],
    ])
    expect(oskar.addresses.map(({phone}) => phone)).to.deep.equal(['+48221234567', '+49301234'])
    expect(customer('maja.lis@example.org')).to.not.have.property('lastName')
  })

  it('take the customers of the REST API of WooCommerce: numeric ids, empty addresses', async () => {
    const mapping = presetMapping(presetNamed('woocommerce-rest'))
    const {customer} = await twice('fixtures/shops/woocommerce-rest.json', mapping, {read: 2, created: 2})
    const joan = customer('joan.doyle@example.com')
    expect(joan).to.include({key: 'woo-25', externalId: '25'})
    expect(joan.addresses.map(({id: _, ...address}) => address)[1]).to.deep.equal({
      ...{streetName: '1 Pier', additionalStreetInfo: 'Hall 2', postalCode: '94111', city: 'San Francisco'},
      ...{country: 'US', state: 'CA', firstName: 'Joan', lastName: 'Doyle'},
    })
    expect(customer('nils@example.org')).to.include({key: 'woo-26'}).and.have.property('addresses').that.is.empty
  })
})

describe('transfer · workbooks as programs save them', () => {
  const mapping = mappingOf(readFileSync('fixtures/workbooks/kunden.map.json', 'utf8'), 'kunden.map.json')

  for (const program of ['libreoffice', 'gnumeric']) {
    it(`bring ids, phones, postal codes, days and booleans of ${program} whole`, async () => {
      const own = {
        ...mapping,
        transforms: {
          ...mapping.transforms,
          key: ['replace:/^libre-//', `prefix:${program}-`],
          email: `prefix:${program}.`,
          customerNumber: `prefix:${program}-`,
        },
      }
      const {customer} = await twice(`fixtures/workbooks/kunden-${program}.xlsx`, own, {read: 5, created: 5}, 3)
      const of = (name: string) => customer(`${program}.${name}@example.com`)
      const shown = ['ada', 'bea', 'cy', 'dora', 'eve']
        .map(of)
        .map(({externalId, customerNumber, dateOfBirth, isEmailVerified, addresses}) => [
          ...[externalId, customerNumber?.replace(`${program}-`, ''), dateOfBirth, isEmailVerified],
          ...[addresses[0]?.phone?.replace('-', ''), addresses[0]?.postalCode, addresses[0]?.country],
        ])
      expect(shown).to.deep.equal([
        ['6453011226790', '10000001', '1990-05-07', true, '491701234567', '01067', 'DE'],
        ['6453999226791', '10000002', '1984-02-29', false, '4917099', '53111', 'DE'],
        ['1234567', '10000003', '1990-05-07', true, '30', '8001', 'CH'],
        ['77', '10000004', '1990-05-08', false, '5551234', '01067', 'DE'],
        ['6453011226791', '10000005', '1970-01-01', true, '+49 30 1', '01067', 'AT'],
      ])
    })
  }
})

describe('transfer · a second file', () => {
  const rule = {column: 'customer', to: 'key', columns: {town: 'addresses.*.city', land: 'addresses.*.country'}}
  const run = async (
    content: string | Buffer,
    join: object = rule,
    first = 'key,email\nj-1,j1@example.com\nj-2,j2@example.com\n',
  ) => {
    const events: TransferEvent[] = []
    const sources = await files.source('first.csv', first)
    const file = files.write('second.csv', content)
    const mapping = {join: [{...rule, ...join, file}], transforms: {'addresses.*.country': 'country'}} as Mapping
    const options = {
      mapping,
      passwordMode: 'external-auth',
      onEvent: (event: TransferEvent) => events.push(event),
    } as const
    const plan = await planImport(desk().client, sources, {...options, skipInvalid: true})
    return {plan, events}
  }

  it('counts the rows that belong to nobody, and names the lines of what is wrong in it', async () => {
    const {plan, events} = await run(
      'customer,town,land\nj-1,Bonn,Germany\nj-9,Rome,IT\nj-2,Ulm,Atlantis\nj-9,Bari,IT\n',
    )
    expect(plan).to.include({create: 1, invalid: 1})
    expect(plan.issues[0]?.message).to.match(/^On line 4 of .*second\.csv: 'Atlantis' is not a country/)
    expect(events.find(({type}) => type === 'joined')).to.deep.include({
      ...{rows: 4, joined: 2, customers: 2, customersJoined: 2, shared: 0, withoutValue: 0},
      lines: [3, 5],
    })
  })

  it('takes no blank or placeholder for a value, names what customers share, and joins emails without case', async () => {
    const missing = ['NULL', '\\N', ' ', '0', 'n/a', '-', '']
    const first = missing.map((value, at) => `m-${at},m${at}@example.com,${value}\n`).join('')
    const addresses = missing.map((value) => `${value},Rome,IT\n`).join('')
    const {plan, events} = await run(
      `customer,town,land\n${addresses}s,Ulm,DE\n`,
      {to: 'place'},
      `key,email,place\n${first}s-1,s1@example.com,s\ns-2,s2@example.com,s\n`,
    )
    expect(plan).to.include({create: 9})
    expect(events.find(({type}) => type === 'joined')).to.include({
      joined: 1,
      customers: 2,
      customersJoined: 2,
      shared: 1,
    })
    const drafts: {key?: string; addresses?: readonly object[]}[] = events.flatMap((event) =>
      event.type === 'planned' && event.row.do === 'create' ? [event.row.draft] : [],
    )
    expect(drafts.filter(({addresses: places = []}) => (places ?? []).length > 0).map(({key}) => key)).to.deep.equal([
      's-1',
      's-2',
    ])
    const byEmail = await run('customer,town,land\n J1@Example.com ,Bonn,DE\n', {to: 'email'})
    expect(byEmail.events.find(({type}) => type === 'joined')).to.include({joined: 1, customersJoined: 1})
  })

  it('is read in its encoding and noted like the first, by its own lines', async () => {
    const content = Buffer.from('customer,town,land\nj-1,K\u00f6ln,DE\nj-2,NULL,DE\nj-2,4.2E+11,DE\n', 'latin1')
    const {plan, events} = await run(content, {encoding: 'iso-8859-1'})
    expect(plan).to.include({create: 2})
    expect(events.find(({type}) => type === 'read-as')).to.include({encoding: 'iso-8859-1'})
    expect(JSON.stringify(events.filter(({type}) => type === 'planned'))).to.include('K\u00f6ln')
    const noted = events.flatMap((event) =>
      event.type === 'unusual' ? [[event.kind, event.column, ...event.lines]] : [],
    )
    expect(noted).to.deep.equal([
      ['placeholder', 'town', 3],
      ['shortened', 'town', 4],
    ])
  })

  it('refuses a file of which no row belongs to a customer', async () => {
    const failure = await failureOf<InputError>(run('customer,town,land\nx,Bonn,DE\n'))
    expect(failure.message).to.include('No row of')
    expect(failure.remedy).to.include("'x'").and.include("'j-1'")
  })

  it('refuses columns that are not there, and targets that are no members of an address', async () => {
    for (const [content, join, words] of [
      ['town,land\nBonn,DE\n', {}, "no column 'customer'"],
      ['customer,town\n1,Bonn\n', {}, "no column 'land'"],
      ['customer,town,land\n1,Bonn,DE\n', {to: 'nobody'}, "no column 'nobody'"],
      ['customer,town,land\n1,Bonn,DE\n', {columns: {town: 'firstName'}}, 'no member of an address'],
      ['customer,town,land\n1,Bonn\n2,"x\n', {}, 'never closed'],
    ] as const) {
      expect((await failureOf(run(content, join))).message, words).to.include(words)
    }
  })
})
