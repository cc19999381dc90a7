import {expect} from 'chai'
import {InputError} from '../../../src/transfer/files/input-error.js'
import type {Mapping} from '../../../src/transfer/mapping/mapping.js'
import {withTexts} from '../../../src/transfer/mapping/mapping.js'
import {templateFor} from '../../../src/transfer/template.js'
import {checker} from '../checker.js'
import {failureOf, scratch} from '../scratch.js'

const {check, draft, json} = checker()
const files = scratch()

const person = {
  key: 'ada-1',
  email: 'a@x.de',
  billing: {street: 'B-Str', city: 'Bonn', country: {code: 'DE'}},
  shipping: [
    {city: 'Paris', country: 'FR'},
    {city: 'Wien', country: 'AT'},
  ],
}
const billing = (place: string) => ({
  'billing.street': `addresses.${place}.streetName`,
  'billing.city': `addresses.${place}.city`,
  'billing.country.code': `addresses.${place}.country`,
})
const shipping = (place: string) => ({
  'shipping.*.city': `addresses.${place}.city`,
  'shipping.*.country': `addresses.${place}.country`,
})
const bonn = {streetName: 'B-Str', city: 'Bonn', country: 'DE'}
const [paris, wien] = person.shipping
const all = [bonn, paris, wien]

describe('transfer · mapping · two sources of one member', () => {
  it('are an issue of the row, which names both and the way', async () => {
    const {issues} = await json(person, {mapping: {columns: {...billing('0'), ...shipping('*')}}})
    expect(issues.map(({message}) => message)).to.deep.equal([
      "'billing.city' and 'shipping.*.city' both fill addresses.0.city.",
      "'billing.country.code' and 'shipping.*.country' both fill addresses.0.country.",
    ])
    expect(issues[0]?.fix).to.include('addresses.+.city')
  })

  it('are no issue where a row has only one of them', async () => {
    const {shipping: _, ...alone} = person
    const text = JSON.stringify([alone, person])
    const mapping = {columns: {...billing('0'), ...shipping('*')}}
    const {rows} = await check(text, {name: 'a.json', mapping})
    expect(rows.map(({issues}) => issues.length)).to.deep.equal([0, 2])
  })

  it('may be a member under its own name, or a text in the place of a list', async () => {
    const own = {key: 'a-1', email: 'a@x.de', mail: 'b@x.de', addresses: 'none', town: 'Bonn', land: 'DE'}
    const columns = {mail: 'email', town: 'addresses.0.city', land: 'addresses.0.country'}
    const messages = (await json(own, {mapping: {columns}})).issues.map(({message}) => message)
    expect(messages).to.deep.equal([
      "'email' and 'mail' both fill email.",
      "'addresses.0.city' and 'town' both fill addresses.0.city.",
    ])
    expect(
      await draft(JSON.stringify([own]), {name: 'a.json', mapping: {columns, leftOut: {email: '', addresses: ''}}}),
    ).to.deep.include({email: 'b@x.de'})
  })
})

describe('transfer · mapping · addresses.+', () => {
  it('gives each source places of its own, behind those of the row', async () => {
    const text = JSON.stringify([person])
    for (const columns of [
      {...billing('0'), ...shipping('+')},
      {...billing('+'), ...shipping('+')},
      {...shipping('+'), ...billing('0')},
    ]) {
      expect(await draft(text, {name: 'a.json', mapping: {columns}})).to.deep.include({addresses: all})
    }
    const columns = {...billing('+'), ...shipping('*')}
    expect(await draft(text, {name: 'a.json', mapping: {columns}})).to.deep.include({addresses: [paris, wien, bonn]})
  })

  it('passes what the map says of every address, roles and combined columns as well', async () => {
    const mapping: Mapping = {
      columns: {
        ...billing('+'),
        'billing.mobile': 'addresses.+.phone',
        'billing.phone': 'addresses.+.phone',
        'shipping.*.land': 'addresses.+.country',
        'shipping.*.main': 'addresses.+.isDefaultShipping',
      },
      transforms: {'addresses.*.country': 'country', 'addresses.*.phone': 'first'},
      constants: {'addresses.*.state': 'none'},
    }
    const {street, city, country} = person.billing
    const row = {
      ...{key: 'a-1', email: 'a@x.de', billing: {street, city, country, phone: '030', mobile: null}},
      shipping: [{land: 'France'}, {land: 'Austria', main: true}],
    }
    expect(await draft(JSON.stringify([row]), {name: 'a.json', mapping})).to.deep.include({
      addresses: [
        {...bonn, phone: '030', state: 'none'},
        {country: 'FR', state: 'none'},
        {country: 'AT', state: 'none'},
      ],
      defaultShippingAddress: 2,
    })
  })

  it('holds for tables too: the row is one source, and numbered columns are another', async () => {
    const columns = {
      ...{Town: 'addresses.+.city', Land: 'addresses.+.country'},
      ...{'City - *': 'addresses.+.city', 'Country - *': 'addresses.+.country'},
    }
    const text = 'key,email,Town,Land,City - 0,Country - 0,City - 2,Country - 2\naa,a@x.de,Bonn,DE,Paris,FR,Wien,AT\n'
    const {streetName: _, ...town} = bonn
    expect(await draft(text, {mapping: {columns}})).to.deep.include({addresses: [town, paris, wien]})
  })

  it('is the way that messages name for two lists, also where they are to be combined', async () => {
    const columns = {'bill.*.city': 'addresses.*.city', 'ship.*.city': 'addresses.*.city'}
    for (const transforms of [{}, {'addresses.*.city': 'first'}]) {
      const refused = await failureOf<InputError>(check('[{}]', {name: 'a.json', mapping: {columns, transforms}}))
      expect(refused).to.be.instanceOf(InputError)
      expect(refused.remedy).to.include('addresses.+.city')
    }
    const same = {'list.*.phone': 'addresses.*.phone', 'list.*.mobile': 'addresses.*.phone'}
    const mapping = {
      columns: same,
      transforms: {'addresses.*.phone': 'first'},
      constants: {'addresses.*.country': 'DE'},
    }
    const row = {key: 'aa', email: 'a@x.de', list: [{phone: '1', mobile: '2'}, {mobile: '3'}]}
    expect(await draft(JSON.stringify([row]), {name: 'a.json', mapping})).to.deep.include({
      addresses: [
        {phone: '1', country: 'DE'},
        {phone: '3', country: 'DE'},
      ],
    })
  })

  it('refuses two columns of one source for one member, and a + where no column is', async () => {
    const twice = {columns: {'Billing City': 'addresses.+.city', 'Shipping City': 'addresses.+.city'}}
    const refused = await failureOf<InputError>(check('Billing City,Shipping City\n', {mapping: twice}))
    expect(refused.remedy).to.include('addresses.0.city')
    for (const section of ['constants', 'aliases', 'transforms', 'fallbacks']) {
      const value = {constants: 'DE', aliases: {}, transforms: 'country', fallbacks: 'Land'}[section]
      const mapping = {[section]: {'addresses.+.country': value}} as Mapping
      expect((await failureOf<InputError>(check('key\n', {mapping}))).remedy, section).to.include('addresses.*.country')
    }
  })

  it('keeps those of a map file when a flag appends another', () => {
    const base = {columns: {'billing.city': 'addresses.+.city', Town: 'addresses.0.city'}}
    expect(withTexts(base, {columns: ['shipping.*.city=addresses.+.city']}).columns).to.deep.equal({
      ...base.columns,
      'shipping.*.city': ['addresses.+.city'],
    })
  })

  it('is what a template says of an address beside a list of them', async () => {
    const row = {
      ...{email: 'a@x.de', phone: '1', city: 'Bonn', country: 'DE'},
      addresses: [{city: 'Paris', country: 'FR', phone: '2'}],
    }
    const {map, left} = await templateFor(await files.source('a.json', JSON.stringify([row])))
    expect(map.columns).to.deep.equal({
      email: 'email',
      phone: 'addresses.+.phone',
      city: 'addresses.+.city',
      country: 'addresses.+.country',
      'addresses.*.city': 'addresses.*.city',
      'addresses.*.country': 'addresses.*.country',
      'addresses.*.phone': 'addresses.*.phone',
    })
    const {country: _, ...more} = row
    const withoutCountry = await templateFor(await files.source('b.json', JSON.stringify([more])))
    expect(withoutCountry.left).to.deep.equal(['phone', 'city'])
    expect(left).to.deep.equal([])
  })
})
