import {expect} from 'chai'
import {checkRows} from '../../../src/transfer/check/checked-rows.js'
import {checker} from '../checker.js'
import {collected, scratch} from '../scratch.js'

const {check} = checker()
const files = scratch()

describe('transfer · rows of a document of one line', () => {
  it('are told by number and key where the document is one line, and get their own passwords back from it', async () => {
    const people = ['aa', 'bb'].map((key) => ({key, email: `${key}@x.de`, password: `pw-${key}`, dateOfBirth: 'zz'}))
    const text = JSON.stringify([...people, {...people[0], dateOfBirth: null}, 7])
    const {rows} = await check(text, {name: 'a.json'})
    expect(rows.map(({place}) => [place.line, place.customer])).to.deep.equal([
      [1, 'row 1 (key aa)'],
      [2, 'row 2 (key bb)'],
      [3, 'row 3 (key aa)'],
      [4, 'row 4'],
    ])
    const xml =
      '<?xml version="1.0"?>\n<all><one><key>aa</key></one><one><key>bb</key><email>b@x.de</email></one></all>\n'
    const elements = await check(xml, {name: 'a.xml', mapping: {rows: 'one', columns: {key: 'key'}}})
    expect(elements.rows.map(({place}) => place.customer)).to.deep.equal(['row 1 (key aa)', 'row 2 (key bb)'])
    const pretty = await check(JSON.stringify(people, null, 1), {name: 'b.json'})
    expect(pretty.rows.map(({place}) => [place.line, place.customer])).to.deep.equal([
      [2, undefined],
      [8, undefined],
    ])
    const [again] = (
      await check(JSON.stringify([0, 1].map(() => ({...people[0], dateOfBirth: null}))), {name: 'a.json'})
    ).rows.slice(1)
    expect(again?.issues[0]?.message).to.equal("The key 'aa' is already used by row 1.")
    const originals = await files.source('c.json', text)
    const sources = await files.source('failed.csv', 'key,email,_line\naa,aa@x.de,1\nbb,bb@x.de,2\n')
    const retried = await checkRows({
      ...{sources, originals, mapping: {}, today: '2026-11-24', isOurs: async () => true},
      ...({match: 'key', mode: 'upsert', seed: 7} as const),
    })
    expect((await collected(retried.rows)).map(({draft}) => draft.password)).to.deep.equal(['pw-aa', 'pw-bb'])
  })
})
