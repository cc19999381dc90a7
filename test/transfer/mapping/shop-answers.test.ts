import {expect} from 'chai'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {mapperOf} from '../../../src/transfer/mapping/mapper.js'
import {type PresetName, presetNames} from '../../../src/transfer/presets/preset-names.js'
import {presetMapping, presetNamed} from '../../../src/transfer/presets/presets.js'
import {shop} from '../desk.js'
import {scratch} from '../scratch.js'
import {importedTwice, places} from './imported-twice.js'

const twice = importedTwice(shop(), scratch())

describe('transfer · presets of what programs answer and export', () => {
  const read = async (name: PresetName, file: string) =>
    (await twice(`fixtures/shops/${file}`, presetMapping(presetNamed(name)), {read: 2, created: 2})).customer
  const roles = ({addresses, defaultShippingAddressId, defaultBillingAddressId}: Customer) =>
    [defaultShippingAddressId, defaultBillingAddressId].map((role) => addresses.findIndex(({id}) => id === role))

  it("take the lines of Shopify's bulk operation: ids at the end of a URI, addresses below their customer", async () => {
    const customer = await read('shopify-bulk', 'shopify-bulk.jsonl')
    const ingeborg = customer('ingeborg.falk@example.com')
    expect(ingeborg).to.include({key: 'shopify-6453011226791', locale: 'de', isEmailVerified: true})
    expect(ingeborg.addresses.map(({firstName, city, country}) => [firstName, city, country])).to.deep.equal([
      ['Ingeborg', 'Kiel', 'DE'],
      ['Marit', 'Bergen', 'NO'],
    ])
    expect(customer('solo.bulk@example.org')).to.include({externalId: '7'}).and.not.have.property('lastName')
  })

  it('take the customers of Medusa, Saleor and BigCommerce: roles of addresses, phones of customers, codes of countries', async () => {
    const rike = (await read('medusa', 'medusa.json'))('rike.hansen@example.com')
    expect(rike).to.include({key: 'medusa-cus_01JB', companyName: 'Hansen Tee'})
    expect(roles(rike)).to.deep.equal([1, 0])
    expect(rike.addresses.map(({phone, country}) => [phone, country])).to.deep.equal([
      ['+4940555013', 'DE'],
      ['+431555014', 'AT'],
    ])
    const pauline = (await read('saleor', 'saleor.json'))('pauline.roy@example.com')
    expect(pauline).to.include({key: 'saleor-VXNlcjox', locale: 'fr', isEmailVerified: true})
    expect([roles(pauline), places(pauline)]).to.deep.equal([
      [0, 0],
      [
        [undefined, 'H2X 1Y4', 'MONTRÉAL', 'CA'],
        [undefined, '69002', 'LYON', 'FR'],
      ],
    ])
    const tess = (await read('bigcommerce-api', 'bigcommerce-api.json'))('tess.moor@example.com')
    expect(tess).to.include({key: 'bigcommerce-11', companyName: 'Moor Ltd'})
    expect(places(tess)).to.deep.equal([
      ['21', '01001', 'Austin', 'US'],
      ['22', 'T12', 'Cork', 'IE'],
    ])
    expect(tess.addresses.map(({phone}) => phone)).to.deep.equal(['5550117', '5550116'])
  })

  it('take the customers of Ecwid: the billing person beside a list that bears the name of a role, names in one text', async () => {
    const customer = await read('ecwid', 'ecwid.json')
    const gina = customer('gina.vale@example.com')
    expect(gina).to.include({firstName: 'Gina', lastName: 'Maria Vale', companyName: 'Vale Soaps'})
    expect(gina.addresses.map(({firstName, lastName, city}) => `${firstName} ${lastName}, ${city}`)).to.deep.equal([
      'Gina Maria Vale, Bath',
      'Gina Vale, Bristol',
      'Leo Vale, Lille',
    ])
    expect(gina.shippingAddressIds).to.deep.equal([])
    expect(places(customer('hal.ecwid@example.org'))).to.deep.equal([[undefined, 'LS1', 'Leeds', 'GB']])
  })

  it('take contacts of HubSpot, and accounts of Auth0 and Keycloak', async () => {
    const vera = (await read('hubspot', 'hubspot.csv'))('vera.strand@example.com')
    expect(vera).to.include({key: 'hubspot-1001', companyName: 'Strand AS'})
    expect([roles(vera), places(vera)]).to.deep.equal([[0, 0], [[undefined, '0150', 'Oslo', 'NO']]])
    const auth0 = await read('auth0', 'auth0.jsonl')
    const xenia = {key: 'auth0-auth0-5f7c8ec7c33c6c004bbafe82', firstName: 'Xenia', locale: 'de', isEmailVerified: true}
    expect(auth0('xenia.auth0@example.com')).to.include(xenia)
    expect(auth0('yan.auth0@example.org')).to.include({key: 'auth0-google-oauth2-7', isEmailVerified: false})
    const keycloak = await read('keycloak', 'keycloak.json')
    expect(keycloak('zoe.keycloak@example.com')).to.include({locale: 'en', isEmailVerified: true})
    expect(keycloak('abel.keycloak@example.org')).to.include({firstName: 'Abel'}).and.not.have.property('locale')
  })

  for (const name of presetNames) {
    it(`have maps in order, with all that may be added: ${name}`, async () => {
      const {groups, stores} = presetNamed(name)
      const all = {customType: 'shop', groups: groups !== undefined, stores: stores !== undefined}
      const {join, ...mapping} = presetMapping(presetNamed(name), all)
      await mapperOf(mapping)
    })
  }
})
