import {readFileSync} from 'node:fs'
import {expect} from 'chai'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {importCustomers} from '../../../src/transfer/import.js'
import {openSources} from '../../../src/transfer/input/source.js'
import {type PresetName, presetNames} from '../../../src/transfer/presets/preset-names.js'
import {type PresetChoice, presetByColumns, presetMapping, presetNamed} from '../../../src/transfer/presets/presets.js'

import type {InvalidRows} from '../../../src/transfer/run/validation.js'
import {quickRuntime, shop} from '../desk.js'
import {counts} from '../importing.js'
import {failureOf, scratch} from '../scratch.js'

/** The exports of invented shops. Each is imported twice; the second run has nothing to do. */

const files = scratch()
const desk = shop()
let runs = 0

async function imported(name: PresetName, file: string, choice: PresetChoice = {}) {
  runs += 1
  const sources = await openSources([`fixtures/shops/${file}`])
  const options = {mapping: presetMapping(presetNamed(name), choice), passwordMode: 'external-auth'} as const
  const jobsDir = files.path(`jobs-${runs}`)
  return counts(
    await importCustomers(desk().client, sources.list, {...options, jobsDir, target: 'test', runtime: quickRuntime()}),
  )
}

async function bothRuns(name: PresetName, file: string, rows: number, choice?: PresetChoice) {
  expect(await imported(name, file, choice)).to.deep.equal({read: rows, created: rows})
  expect(await imported(name, file, choice)).to.deep.equal({read: rows, unchanged: rows})
  const customers = await desk().customers()
  return (email: string): Customer => {
    const found = customers.find((customer) => customer.email === email)
    if (!found) throw new Error(`${email} was not imported`)
    return found
  }
}

const plain = ({addresses}: Customer) => addresses.map(({id: _, ...address}) => address)
const defaults = ({addresses, defaultShippingAddressId, defaultBillingAddressId}: Customer) =>
  [defaultShippingAddressId, defaultBillingAddressId].map((role) => addresses.findIndex(({id}) => id === role))

const refusals = async (name: PresetName, file: string): Promise<string[]> => {
  const {issues} = await failureOf<InvalidRows>(imported(name, file))
  return issues.map(({line, column, message}) => `${line} ${column}: ${message}`)
}

describe('transfer · presets', () => {
  it('takes the export of Shopify: apostrophes, short ids, customers without an address', async () => {
    const {client} = desk()
    const type: unknown = JSON.parse(readFileSync('fixtures/shops/shopify.type.json', 'utf8'))
    expect((await client.raw('POST', `/${client.projectKey}/types`, {body: type})).status).to.equal(201)
    const customer = await bothRuns('shopify', 'shopify.csv', 4, {customType: 'shopify'})
    const imogen = customer('imogen.fairweather@example.com')
    expect(imogen).to.include({key: 'shopify-6453011226790', externalId: '6453011226790', firstName: 'Imogen'})
    expect(plain(imogen)).to.deep.equal([
      {
        ...{firstName: 'Imogen', lastName: 'Fairweather', company: 'Fairweather & Sons', phone: '+442079460011'},
        ...{streetName: '12 Lantern Row', additionalStreetInfo: 'Flat 3', city: 'London', postalCode: 'SW1Y 4JH'},
        ...{state: 'ENG', country: 'GB'},
      },
    ])
    expect(defaults(imogen)).to.deep.equal([0, 0])
    expect(imogen.custom?.fields).to.deep.equal({
      ...{tags: ['vip', 'newsletter'], note: 'Rings first, then "knocks"'},
      ...{acceptsEmail: true, acceptsSms: false, taxExempt: false},
    })
    expect(customer('nia.orourke@example.org')).to.include({lastName: "O'Rourke"}).and.have.property('addresses').that
      .is.empty
    const sol = customer('sol@example.org')
    expect(sol).to.include({key: 'shopify-5'})
    expect(sol.addresses[0]).to.include({country: 'JP', postalCode: '150-0031', phone: '+81355550123'})
    expect(sol.custom?.fields).to.include({note: '2024'}).and.have.property('tags').that.deep.equals(['2024'])
    expect(await refusals('shopify', 'shopify.refused.csv')).to.deep.equal([
      '2 Email: There is no email.',
      '3 Default Address Country Code: There is no addresses.0.country.',
      "4 Default Address Country Code: 'XK-1' is not a country that the list of names knows; add an alias.",
      "6 Email: The email 'TWIN@example.com' is already used on line 5.",
    ])
  })

  it('takes the export of Magento 2: addresses in lines of their own, two lines of a street', async () => {
    const customer = await bothRuns('magento2', 'magento2.csv', 2)
    const benedikt = customer('benedikt.aumann@example.com')
    expect(benedikt).to.include({
      salutation: 'Dr.',
      middleName: 'Maria',
      dateOfBirth: '1973-12-15',
      vatId: 'DE123456789',
    })
    expect(plain(benedikt).map(({city, country}) => `${city} ${country}`)).to.deep.equal([
      'Hamburg DE',
      'Wien AT',
      'Genève CH',
    ])
    expect(benedikt.addresses[0]).to.include({streetName: 'Speicherstraße 1', additionalStreetInfo: 'Hinterhaus'})
    expect(defaults(benedikt)).to.deep.equal([1, 0])
    expect(customer('clara.novak@example.org')).to.include({dateOfBirth: '1988-02-29'})
    expect(await refusals('magento2', 'magento2.refused.csv')).to.deep.equal([
      '2 email: The line has no email, so it continues the row above it; but there is none that it could continue.',
      "3 dob: '15/12/1973' is not a date of the form yyyy-mm-dd or yyyy-mm-dd hh:mi:ss or m/d/yyyy.",
      '4 _address_default_billing_: Two addresses of the row are its defaultBillingAddress.',
      "7 email: The line has no email, and more than an address ('firstname'): it is a row of its own.",
      "9 email: The email 'both@example.com' is already used on line 8.",
    ])
  })

  it('takes the export of WooCommerce: no shipping address, no billing address, a phone and nothing else', async () => {
    const customer = await bothRuns('woocommerce', 'woocommerce.csv', 4)
    const rosalind = customer('rosalind.thorne@example.com')
    expect(rosalind).to.include({key: 'woo-7', companyName: 'Thorne Press'}).and.not.have.property('locale')
    expect(defaults(rosalind)).to.deep.equal([1, 0])
    expect(rosalind.addresses[0]).to.include({email: 'accounts@example.com', state: 'OR', country: 'US'})
    const gideon = customer('gideon.wells@example.com')
    expect(gideon).to.include({firstName: 'Gideon', lastName: 'Wells'}).and.have.property('addresses').with.lengthOf(1)
    expect(defaults(gideon)).to.deep.equal([-1, 0])
    expect(defaults(customer('oda@example.org'))).to.deep.equal([0, -1])
    expect(customer('pim@example.org').addresses).to.deep.equal([])
    expect(await refusals('woocommerce', 'woocommerce.refused.csv')).to.deep.equal([
      '2 user_email: There is no email.',
      '4 billing_country: There is no addresses.0.country.',
      "5 billing_country: 'Neverland' is not a country that the list of names knows; add an alias.",
    ])
  })

  it('takes the export of Shopware 6: semicolons, dates with times, salutations that say nothing', async () => {
    const customer = await bothRuns('shopware6', 'shopware6.csv', 2)
    const frieda = customer('frieda.kessel@example.com')
    expect(frieda).to.include({
      customerNumber: 'SW10001',
      dateOfBirth: '1981-05-06',
      vatId: 'DE987654321',
      title: 'Dr.',
    })
    expect(frieda).to.include({salutation: 'mrs', key: '0f2d5a7c1b3e4f60817263544a5b6c7d'})
    expect(defaults(frieda)).to.deep.equal([1, 0])
    const noor = customer('noor.visser@example.org')
    expect(noor).to.include({dateOfBirth: '1996-09-09'}).and.not.have.property('salutation')
    expect(noor.addresses).to.have.lengthOf(1)
    const refused = await refusals('shopware6', 'shopware6.refused.csv')
    expect(refused.map((text) => text.split(':', 1)[0])).to.deep.equal([
      '3 email',
      '4 billing_country',
      '5 customer_number',
      '6 birthday',
    ])
  })

  it('takes both exports of BigCommerce: a cell with all addresses, and numbered columns', async () => {
    const customer = await bothRuns('bigcommerce', 'bigcommerce.csv', 2)
    const wilhelmina = customer('wilhelmina.stone@example.com')
    expect(wilhelmina).to.include({key: 'bigcommerce-5', companyName: 'Stone Works'})
    expect(wilhelmina.addresses[0]).to.include({
      streetName: '5 Main St, Flat 2',
      state: 'Oregon',
      country: 'US',
      phone: '5035550134',
    })
    expect(wilhelmina.addresses[1]).to.include({city: 'Toronto', country: 'CA', externalId: '12', phone: '5035550133'})
    const ansel = (await bothRuns('bigcommerce', 'bigcommerce-bulk-edit.csv', 1))('ansel.brook@example.com')
    expect(ansel.addresses.map(({streetName}) => streetName)).to.deep.equal(['1 Mill Lane', '2 Mill Lane'])
    expect(await refusals('bigcommerce', 'bigcommerce.refused.csv')).to.deep.equal([
      "2 Addresses: '5 Main St, Portland' is not of the form 'Address ID: …, Address First Name: …'.",
      '3 Addresses: There is no addresses.0.country.',
      "4 Addresses: 'Utopia' is not a country that the list of names knows; add an alias.",
      "6 Customer ID: The key 'bigcommerce-23' is already used on line 5.",
    ])
  })

  it('takes the XML of Salesforce: one address or several, the one that is preferred, text in CDATA', async () => {
    const customer = await bothRuns('salesforce', 'salesforce.xml', 2)
    const hedda = customer('hedda.quist@example.com')
    expect(hedda).to.include({
      key: 'sfcc-00000101',
      customerNumber: '00000101',
      lastName: 'Quist & Sons',
      dateOfBirth: '1979-11-12',
    })
    expect(defaults(hedda)).to.deep.equal([1, 1])
    expect(hedda.addresses[0]).to.include({streetName: 'Storgatan 1 <B>', country: 'SE', phone: '+4685550155'})
    expect(hedda.addresses[1]).to.include({pOBox: '77', apartment: '4B', externalId: 'Work'})
    expect(customer('ulf@example.org')).to.include({key: 'sfcc-7'}).and.have.property('addresses').with.lengthOf(1)
    expect(await refusals('salesforce', 'salesforce.refused.xml')).to.deep.equal([
      '7 addresses.address.*.country-code: There is no addresses.0.country.',
      '11 addresses.address.*.@preferred: Two addresses of the row are its defaultShippingAddress.',
      '11 addresses.address.*.@preferred: Two addresses of the row are its defaultBillingAddress.',
      "18 profile.birthday: '1990-02-31' is not a date of the form yyyy-mm-dd or yyyy-mm-ddzz or yyyy-mm-ddThh:mi:ss.ffzz.",
    ])
  })

  it('knows each table by its header, and nothing else', () => {
    const columnsOf = (file: string) =>
      (readFileSync(`fixtures/shops/${file}`, 'utf8').split('\n', 1)[0] ?? '').split(/[,;]/)
    const shops = {
      shopify: 'shopify',
      magento2: 'magento2',
      woocommerce: 'woocommerce',
      shopware6: 'shopware6',
    } as const
    for (const [name, file] of Object.entries(shops)) expect(presetByColumns(columnsOf(`${file}.csv`))).to.equal(name)
    expect(presetByColumns(columnsOf('bigcommerce.csv'))).to.equal('bigcommerce')
    expect(presetByColumns(columnsOf('bigcommerce-bulk-edit.csv'))).to.equal('bigcommerce')
    const [foreign = ''] = readFileSync('fixtures/customers/shop-export.csv', 'utf8').split('\n', 1)
    expect(presetByColumns(foreign.split(','))).to.equal(undefined)
    expect(presetByColumns(['email', 'key'])).to.equal(undefined)
  })

  it('has a row of the documents for each, and an example to type', () => {
    const page = readFileSync('docs/migration.md', 'utf8')
    for (const name of presetNames) {
      expect(page, name).to.match(new RegExp(`^\\| \`${name}\` \\|`, 'm'))
      expect(page, name).to.match(new RegExp(`^\\$import .* --preset ${name}(?: |$)`, 'm'))
    }
  })

  it('says of every column that it does not take why, and takes it if that is asked for', () => {
    for (const name of presetNames) {
      const none = presetMapping(presetNamed(name))
      const all = presetMapping(presetNamed(name), {customType: 't', groups: true, stores: true})
      const {custom, groups, stores} = presetNamed(name)
      for (const column of [custom, groups, stores].flatMap((part) => Object.keys(part?.columns ?? {}))) {
        expect(none.leftOut, `${name} ${column}`).to.have.property(column).that.includes('kept ')
        expect(all.columns, `${name} ${column}`).to.have.property(column)
        expect(all.leftOut, `${name} ${column}`).not.to.have.property(column)
      }
      expect(all.constants).to.include({'custom.type.key': 't'})
    }
  })
})
