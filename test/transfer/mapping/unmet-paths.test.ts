import {expect} from 'chai'
import {InputError} from '../../../src/transfer/files/input-error.js'
import type {Mapping} from '../../../src/transfer/mapping/mapping.js'
import {checker} from '../checker.js'
import {failureOf} from '../scratch.js'

const {check, draft} = checker()
const people = JSON.stringify([
  {
    node: {id: 'a-1', mail: 'a@x.de', firstName: 'Ada', tags: ['x'], meta: null},
    addresses: [
      {land: 'DE', town: 'Bonn', postalCode: '1', kind: 'home'},
      {land: 'AT', postalCode: '2', kind: 'work'},
    ],
  },
])
const columns = {
  'node.id': 'key',
  'node.mail': 'email',
  'addresses.*.land': 'addresses.*.country',
  'addresses.*.town': 'addresses.*.city',
}
const refused = (text: string, mapping: Mapping, name = 'a.json') => failureOf<InputError>(check(text, {name, mapping}))

describe('transfer · mapping · paths that no row has', () => {
  it('are refused in every section of a map, with what nothing takes', async () => {
    const sections: readonly Mapping[] = [
      {columns: {...columns, 'node.firstNam': 'firstName'}},
      {columns: {...columns, 'node.firstNam': 'firstName', 'node.f': 'firstName'}, transforms: {firstName: 'first'}},
      {columns, fallbacks: {firstName: ['node.firstNam']}},
      {columns, leftOut: {'node.firstNam': 'not used'}},
      {columns, where: {'node.firstNam': ''}},
      {columns, records: {'node.firstNam': {target: 'addresses', members: {City: 'city'}}}},
      {columns, continuation: 'node.firstNam'},
    ]
    for (const mapping of sections) {
      const error = await refused(people, mapping)
      expect(error, JSON.stringify(mapping)).to.be.instanceOf(InputError)
      expect(error.message).to.match(/^No row of .*a\.json has 'node\.firstNam', which the map names\.$/)
      expect(error.remedy).to.include('node.firstName')
    }
    const list = await refused(people, {columns: {...columns, 'addresses.*.zip': 'addresses.*.postalCode'}})
    expect(list.message).to.include("'addresses.*.zip'")
  })

  it('are refused in XML, and in the file of a join', async () => {
    const xml = '<people><person><mail>a@x.de</mail><first-name>Ada</first-name></person></people>'
    const map: Mapping = {rows: 'person', columns: {mail: ['email', 'key'], 'frist-name': 'firstName'}}
    expect((await refused(xml, map, 'a.xml')).message).to.include("'frist-name'")
  })

  it('may be absent where the map says so, but for a filter, in tables too', async () => {
    const optional = {optionalColumns: true}
    const mapping = {...optional, columns: {...columns, 'node.firstNam': 'firstName'}}
    expect((await check(people, {name: 'a.json', mapping})).rows).to.have.length(1)
    expect((await refused(people, {...optional, columns, where: {is_deleted: ['', '0']}})).message).to.include(
      "'is_deleted'",
    )
    const table = 'key,email,deleted\naa,a@x.de,1\n'
    expect((await refused(table, {...optional, where: {is_deleted: ['', '0']}}, 'a.csv')).message).to.include(
      "no column 'is_deleted'",
    )
    expect((await refused(table, {leftOut: {removed: 'not used'}}, 'a.csv')).message).to.include("no column 'removed'")
  })

  it('are not told from those below what is empty in every row, and one row in any file is enough', async () => {
    const empty = JSON.stringify([{key: 'a-1', email: 'a@x.de', billing: null, list: [], name: ''}])
    const mapping = {
      columns: {'billing.city': 'addresses.0.city', 'list.*.city': 'addresses.+.city', 'name.first': 'firstName'},
    }
    expect(await draft(empty, {name: 'a.json', mapping})).to.deep.equal({key: 'a-1', email: 'a@x.de'})
    const two = '{"key":"a-1","email":"a@x.de"}\n{"key":"b-1","email":"b@x.de","first":"Bea"}\n'
    expect((await check(two, {name: 'a.jsonl', mapping: {columns: {first: 'firstName'}}})).rows).to.have.length(2)
    expect((await check('[]', {name: 'a.json', mapping})).rows).to.deep.equal([])
  })
})

describe('transfer · mapping · what is ignored', () => {
  it('is listed by its own path, once, where the map takes something beside it', async () => {
    const {notes} = await check(people, {
      name: 'a.json',
      mapping: {columns: {...columns, 'node.tags.*': 'title'}, transforms: {title: 'first'}},
    })
    expect([...([...notes.ignored.values()][0] ?? [])].sort()).to.deep.equal([
      'addresses.*.kind',
      'node.firstName',
      'node.meta',
    ])
  })

  it('is listed by its name alone where the map takes nothing of it, and not at all where it is empty', async () => {
    const row = {key: 'a-1', email: 'a@x.de', orders: {first: {id: 1}}, state: null}
    const {notes} = await check(JSON.stringify([row, {...row, key: 'b-1', email: 'b@x.de', state: {code: 'BY'}}]), {
      name: 'a.json',
      mapping: {columns: {'state.code': 'title'}},
    })
    expect([...notes.ignored.values()].flatMap((one) => [...one])).to.deep.equal(['orders'])
  })
})
