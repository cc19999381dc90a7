import {expect} from 'chai'
import {InputError} from '../../../src/transfer/files/input-error.js'
import type {Mapping} from '../../../src/transfer/mapping/mapping.js'
import {templateFor} from '../../../src/transfer/template.js'
import {checker} from '../checker.js'
import {failureOf, scratch} from '../scratch.js'

const {check, draft, json} = checker()
const files = scratch()

describe('transfer · mapping · forms of other systems', () => {
  it('counts empty parts of a cell, also from its end', async () => {
    const columns = {
      A: ['addresses.0.streetName', 'addresses.0.additionalStreetInfo', 'addresses.0.city', 'addresses.0.country'],
    }
    const transforms = {
      'addresses.0.streetName': 'part:1:;',
      'addresses.0.additionalStreetInfo': 'part:2:;',
      'addresses.0.city': 'part:-2:;',
      'addresses.0.country': 'part:-1:;',
    }
    expect(await draft('key,email,A\naa,a@x.de,Str;;Bonn;DE\n', {mapping: {columns, transforms}})).to.deep.include({
      addresses: [{streetName: 'Str', city: 'Bonn', country: 'DE'}],
    })
    const rest = {columns: {A: 'firstName'}, transforms: {firstName: 'part:2-:;'}}
    expect(await draft('key,email,A\naa,a@x.de,a;;b;c\n', {mapping: rest})).to.include({firstName: 'b c'})
  })

  it('leaves out the texts that stand for no value, in tables and documents', async () => {
    const mapping: Mapping = {absent: ['NULL', '\\N']}
    const expected = {key: 'aa', email: 'a@x.de', lastName: 'Null'}
    expect(await draft('key,email,firstName,lastName\naa,a@x.de,NULL,Null\n', {mapping})).to.deep.equal(expected)
    const row = {...expected, firstName: '\\N', addresses: [{country: 'DE', city: 'NULL'}]}
    const {draft: read} = await json(row, {mapping})
    expect(read).to.deep.equal({...expected, addresses: [{country: 'DE'}]})
  })

  it('reads lists of names and values as objects, also of one element and of several members', async () => {
    const mapping: Mapping = {
      names: {Attributes: 'Name', 'meta.*.list': 'k'},
      columns: {
        Username: 'key',
        'Attributes.email': 'email',
        'Attributes.custom:tier': 'title',
        'meta.0.list.a': 'firstName',
      },
    }
    const row = {
      Username: 'ada-1',
      Attributes: [
        {Name: 'custom:tier', Value: 'gold'},
        {Name: 'email', Value: 'a@x.de'},
      ],
      meta: [{list: {k: 'a', v: 'Ada'}}],
    }
    expect((await json(row, {mapping})).draft).to.deep.equal({
      key: 'ada-1',
      email: 'a@x.de',
      title: 'gold',
      firstName: 'Ada',
    })
  })

  it('takes the entities of HTML for their characters', async () => {
    const mapping: Mapping = {transforms: {firstName: 'html'}}
    const text =
      'key,email,firstName\naa,a@x.de,M&uuml;ller &amp; S&#246;hne &#xdf; &Ccaron;&alpha; &unknown; &toString; &#0;\n'
    expect(await draft(text, {mapping})).to.include({firstName: 'Müller & Söhne ß Čα &unknown; &toString; &#0;'})
  })

  it('takes addresses of several other lists, each found by its own key', async () => {
    const rule = {
      column: 'id',
      columns: {'attributes.city': 'addresses.*.city', 'attributes.country': 'addresses.*.country'},
    }
    const document = {
      data: [{key: 'aa', email: 'a@x.de', billing: {id: '1'}, shipping: {id: '2'}}],
      included: [
        {type: 'address', id: '1', attributes: {city: 'Bonn', country: 'DE'}},
        {type: 'address', id: '2', attributes: {city: 'Ulm', country: 'DE'}},
        {type: 'group', id: '2'},
      ],
    }
    const [source] = await files.source('api.json', JSON.stringify(document))
    const more = {where: {type: 'address'}, rows: 'included', file: source?.path ?? ''}
    const mapping: Mapping = {
      rows: 'data',
      join: [
        {...rule, ...more, to: 'billing.id'},
        {...rule, ...more, to: 'shipping.id'},
      ],
    }
    const joined = source ? [source, source] : []
    expect(await draft(JSON.stringify(document), {name: 'a.json', mapping, joined})).to.deep.include({
      addresses: [
        {city: 'Bonn', country: 'DE'},
        {city: 'Ulm', country: 'DE'},
      ],
    })
  })

  it('reads the requests of the Import API: values with their types, roles by the key of an address', async () => {
    const resource = {
      ...{key: 'aa', email: 'a@x.de', stores: [{typeId: 'store', key: 'de'}]},
      addresses: [
        {key: 'home', country: 'DE'},
        {key: 'work', country: 'AT'},
      ],
      ...{defaultBillingAddress: 'work', shippingAddresses: ['home', 'work'], defaultShippingAddress: 0},
      custom: {
        type: {typeId: 'type', key: 'shop'},
        fields: {tier: {type: 'String', value: '5'}, price: {type: 'Money', centAmount: 1}},
      },
    }
    const read = await draft(JSON.stringify({type: 'customer', resources: [resource]}), {name: 'a.json'})
    expect(read).to.deep.include({
      ...{defaultBillingAddress: 1, shippingAddresses: [0, 1], defaultShippingAddress: 0},
      custom: {type: {typeId: 'type', key: 'shop'}, fields: {tier: '5', price: {type: 'Money', centAmount: 1}}},
    })
    const {issues} = await json({...resource, defaultBillingAddress: 'none'})
    expect(issues.map(({message}) => message)).to.deep.equal(["There is no address with the key 'none' in the row."])
  })

  it('gives the second of two columns of a name a name of its own', async () => {
    const columns = {Street: 'addresses.0.streetName', 'Street (2)': 'addresses.1.streetName'}
    const constants = {'addresses.*.country': 'DE'}
    const text = 'key,email,Street,Street\naa,a@x.de,Mill,Lane\n'
    expect(await draft(text, {mapping: {columns, constants}})).to.deep.include({
      addresses: [
        {streetName: 'Mill', country: 'DE'},
        {streetName: 'Lane', country: 'DE'},
      ],
    })
  })

  it('refuses LDIF, vCards and dumps of SQL by name, with a way', async () => {
    for (const [text, words] of [
      ['# users\nversion: 1\n\ndn: uid=ada,dc=x\nmail: a@x.de\n', 'LDIF'],
      ['BEGIN:VCARD\nVERSION:3.0\n', 'vCards'],
      ['-- MySQL dump 10\n/*!40101 SET NAMES utf8 */;\nDROP TABLE IF EXISTS a;\nCREATE TABLE a (b int);\n', 'SQL'],
      ["INSERT INTO `users` VALUES (1,'a@x.de');\n", 'SQL'],
    ] as const) {
      const error = await failureOf<InputError>(check(text))
      expect(error, words).to.be.instanceOf(InputError)
      expect(error.message).to.include(words)
      expect(error.remedy).to.include('CSV')
    }
    expect(await draft('key,email\naa,a@x.de\n')).to.include({key: 'aa'})
  })
})

describe('transfer · mapping · unusual values', () => {
  it('are told by their column as the file has them, also behind a transform that keeps them', async () => {
    const text =
      'Id,email,firstName,Town,Born,password\n' +
      '6.45e+12,a@x.de,n/a,JÃ¼lich,2999-01-01,n/a\nbb,test@test.test,Müller,B&uuml;hl,1990-01-01,-\ncc,c@x.de,Ana,Ulm,,x\n'
    const mapping: Mapping = {
      columns: {Id: 'key', Town: 'addresses.0.city', Born: 'dateOfBirth'},
      transforms: {key: ['prefix:kd-', 'slug-key'], 'addresses.0.city': 'html'},
      constants: {'addresses.0.country': 'DE'},
    }
    const {notes} = await check(text, {mapping})
    expect(notes.unusual.all.map(({kind, column, value, lines}) => [kind, column, value, ...lines])).to.deep.equal([
      ['shortened', 'Id', '6.45e+12', 2],
      ['placeholder', 'firstName', 'n/a', 2],
      ['damaged', 'Town', 'JÃ¼lich', 2],
      ['birth', undefined, '2999-01-01', 2],
      ['placeholder', 'email', 'test@test.test', 3],
    ])
    const {notes: other} = await check('Id,email,Fallback,Book\naa,a@x.de,n/a,City: Ulm; Zip: 4.2E+11\n', {
      mapping: {
        columns: {Id: 'key'},
        fallbacks: {firstName: 'Fallback'},
        records: {Book: {target: 'addresses', separator: '|', members: {City: 'city', Zip: 'postalCode'}}},
      },
    })
    expect(other.unusual.all.map(({kind, column}) => [kind, column])).to.deep.equal([
      ['shortened', 'Book'],
      ['placeholder', 'Fallback'],
    ])
    const {notes: of} = await check('[{"key":"aa","email":"a@x.de","title":"6,4E+11"}]', {name: 'a.json'})
    expect(of.unusual.all.map(({column}) => column)).to.deep.equal(['title'])
  })
})

describe('transfer · mapping · addresses.+ within one member', () => {
  const customer = {
    key: 'aa',
    email: 'a@x.de',
    c: {phone: '1', billing: {city: 'Bonn', country: 'DE'}, shipping: {postalCode: '1010', country: 'AT'}},
  }
  const columns = {'c.billing.city': 'addresses.+.city', 'c.shipping.postalCode': 'addresses.+.postalCode'}
  const constants = {'addresses.*.country': 'DE'}

  it('keeps two objects apart that fill different members', async () => {
    const expected = {
      addresses: [
        {city: 'Bonn', country: 'DE'},
        {postalCode: '1010', country: 'DE'},
      ],
    }
    expect((await json(customer, {mapping: {columns, constants}})).draft).to.deep.include(expected)
    const table = 'key,email,c.billing.city,c.shipping.postalCode\naa,a@x.de,Bonn,1010\n'
    expect(await draft(table, {mapping: {columns, constants}})).to.deep.include(expected)
    const list = {'l.*.b.city': 'addresses.+.city', 'l.*.s.postalCode': 'addresses.+.postalCode'}
    const rows = {key: 'aa', email: 'a@x.de', l: [{b: {city: 'Bonn'}, s: {postalCode: '1010'}}]}
    expect((await json(rows, {mapping: {columns: list, constants}})).draft).to.deep.include(expected)
  })

  it('takes an object within another for one address, and asks where it holds two', async () => {
    const one = {'c.phone': 'addresses.+.phone', 'c.billing.city': 'addresses.+.city'}
    expect((await json(customer, {mapping: {columns: one, constants}})).draft).to.deep.include({
      addresses: [{phone: '1', city: 'Bonn', country: 'DE'}],
    })
    const error = await failureOf<InputError>(json(customer, {mapping: {columns: {...one, ...columns}}}))
    expect(error.message).to.include("'c' holds 'c.billing' and 'c.shipping'")
  })

  it('is what a template prints for objects of addresses, with the words that they use', async () => {
    const place = {first_name: 'A', address_1: 'Mill', zipcode: '5', city: 'Bonn'}
    const row = {
      email: 'a@x.de',
      billing_address: {...place, country_code: 'DE'},
      shipping: {city: 'Ulm', phone: '1'},
      addresses: [{...place, country: {code: 'DE'}}],
    }
    const {map, left} = await templateFor(await files.source('a.json', JSON.stringify([row])))
    expect(map.columns).to.deep.equal({
      email: 'email',
      'billing_address.first_name': 'addresses.+.firstName',
      'billing_address.address_1': 'addresses.+.streetName',
      'billing_address.zipcode': 'addresses.+.postalCode',
      'billing_address.city': 'addresses.+.city',
      'billing_address.country_code': 'addresses.+.country',
      'addresses.*.first_name': 'addresses.*.firstName',
      'addresses.*.address_1': 'addresses.*.streetName',
      'addresses.*.zipcode': 'addresses.*.postalCode',
      'addresses.*.city': 'addresses.*.city',
      'addresses.*.country.code': 'addresses.*.country',
    })
    expect(left).to.include.members(['shipping.city', 'shipping.phone'])
  })
})
