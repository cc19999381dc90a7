import {expect} from 'chai'
import type {InputError} from '../../../src/transfer/files/input-error.js'
import {templateFor} from '../../../src/transfer/template.js'
import {checker} from '../checker.js'
import {failureOf, scratch} from '../scratch.js'

const {check} = checker()
const files = scratch()

const node = {id: 'aa', email: 'a@x.de', firstName: 'Ada', addresses: [{city: 'Bonn', country: {code: 'DE'}}]}
const page = (...nodes: readonly object[]) => ({data: {customers: {edges: nodes.map((one) => ({node: one}))}}})
const mapping = {rows: 'data.customers.edges', columns: {'node.id': 'key', 'node.email': 'email'}}

describe('transfer · rows within a document', () => {
  it('come from pages behind each other, and from pages in a list', async () => {
    const other = {...node, id: 'bb', email: 'b@x.de'}
    const pages = [page(node), page(), page(other)]
    for (const text of [pages.map((one) => JSON.stringify(one)).join('\n'), JSON.stringify(pages)]) {
      const {rows} = await check(text, {name: 'a.json', mapping})
      expect(rows.map(({draft}) => draft.key)).to.deep.equal(['aa', 'bb'])
    }
    const cut = JSON.stringify(pages).slice(0, -1)
    expect((await failureOf(check(cut, {name: 'a.json', mapping}))).message).to.include('before its array is closed')
  })

  it('are where a list is that the message names', async () => {
    const {rows} = await check(JSON.stringify(page(node)), {name: 'a.json'})
    expect(rows[0]?.issues[0]?.fix).to.include('data.customers.edges')
    const plain = await check(JSON.stringify([{firstName: 'Ada', orders: [{id: 1}]}]), {name: 'a.json'})
    expect(plain.rows[0]?.issues[0]).to.not.have.property('fix')
    const wrong = check(JSON.stringify(page(node)), {
      name: 'a.json',
      mapping: {...mapping, rows: 'data.customer.edges'},
    })
    expect((await failureOf<InputError>(wrong)).remedy).to.equal('Its lists are data.customers.edges.')
    const none = check('{"data":{"text":"[{"}}', {name: 'a.json', mapping})
    expect((await failureOf<InputError>(none)).remedy).to.equal('It has no list of objects.')
    const large = JSON.stringify(page({...node, note: 'x'.repeat(1 << 20)}))
    const beyond = await failureOf<InputError>(check(large, {name: 'a.json'}))
    expect([beyond.message, beyond.remedy].join()).to.match(/more than 1048576 bytes.*data\.customers\.edges/s)
  })

  it('are those of a template, which finds plain members within objects', async () => {
    const {map, left} = await templateFor(await files.source('a.json', JSON.stringify(page(node))))
    expect(left).to.deep.equal([])
    expect(map).to.deep.include({
      rows: 'data.customers.edges',
      columns: {
        'node.id': 'key',
        'node.email': 'email',
        'node.firstName': 'firstName',
        'node.addresses.*.city': 'addresses.*.city',
        'node.addresses.*.country.code': 'addresses.*.country',
      },
    })
    const api = {meta: {links: [{rel: 'self'}]}, data: [{attributes: {email: 'a@x.de'}}], included: [{id: 1}]}
    const {map: ofApi} = await templateFor(await files.source('c.json', JSON.stringify(api)))
    expect(ofApi).to.deep.include({rows: 'data', columns: {'attributes.email': 'email'}})
    const pool = [{Username: 'u', Attributes: [{Name: 'email', Value: 'a@x.de'}]}]
    const {map: ofPool} = await templateFor(await files.source('d.json', JSON.stringify({Users: pool})))
    expect(ofPool).to.deep.include({
      names: {Attributes: 'Name'},
      columns: {Username: 'key', 'Attributes.email': 'email'},
    })
    const hint = (await check(JSON.stringify(pool), {name: 'd.json'})).rows[0]?.issues[0]?.fix
    expect(hint).to.include('"names" in a map file: {"Attributes":"Name"}')
    const ids = await templateFor(
      await files.source('b.json', '[{"id": 7, "email": "a@x.de"}, {"id": 12, "email": "b@x.de"}]'),
    )
    expect(ids.map.transforms).to.deep.equal({key: 'prefix:shop-'})
    const table = await templateFor(await files.source('a.csv', 'email,Street,City,Street,City,Tax,Tax\n'))
    expect(table.map.columns).to.deep.equal({
      ...{email: 'email', Street: 'addresses.0.streetName', City: 'addresses.0.city'},
      ...{'Street (2)': 'addresses.1.streetName', 'City (2)': 'addresses.1.city'},
    })
  })
})

describe('transfer · members of a document that are objects where a draft has values', () => {
  const columns = {
    'email.value': 'email',
    'shippingAddresses.*.town': 'addresses.+.city',
    'shippingAddresses.*.land': 'addresses.+.country',
  }
  const shipping = {id: 9, town: 'Bonn', land: 'DE'}

  it('are none of the draft where the map takes them apart', async () => {
    const documents = [[shipping], [], null].map((shippingAddresses, at) => ({
      ...{key: `a${at}`, email: {value: `${at}@x.de`, verified: true}, shippingAddresses},
    }))
    const {rows, notes} = await check(JSON.stringify(documents), {name: 'a.json', mapping: {columns}})
    expect(rows.map(({issues}) => issues)).to.deep.equal([[], [], []])
    expect(rows.map(({draft}) => draft)).to.deep.equal([
      {key: 'a0', email: '0@x.de', addresses: [{city: 'Bonn', country: 'DE'}]},
      {key: 'a1', email: '1@x.de'},
      {key: 'a2', email: '2@x.de'},
    ])
    expect([...(notes.ignored.get([...notes.ignored.keys()][0] ?? '') ?? [])]).to.deep.equal([
      'email.verified',
      'shippingAddresses.*.id',
    ])
  })

  it('are issues of their rows where it does not', async () => {
    const {rows} = await check(JSON.stringify([{key: 'aa', email: 'a@x.de', shippingAddresses: [shipping]}]), {
      name: 'a.json',
    })
    expect(rows[0]?.issues.map(({column}) => column)).to.deep.equal(['shippingAddresses.0'])
  })
})
