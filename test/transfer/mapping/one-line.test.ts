import {expect} from 'chai'
import {updateCustomerById} from '../../../src/api/customers/updates.js'
import {causeLine, membersText} from '../../../src/cli/bulk/cause-lines.js'
import {importLines} from '../../../src/cli/bulk/summaries.js'
import {checkRows} from '../../../src/transfer/check/checked-rows.js'
import {importCustomers} from '../../../src/transfer/import.js'
import {readJob} from '../../../src/transfer/jobs/jobs.js'
import {planUndo} from '../../../src/transfer/undo.js'
import {checker} from '../checker.js'
import {quickRuntime, shop} from '../desk.js'
import {inOne, scratch} from '../scratch.js'

const {check} = checker()
const files = scratch()
const desk = shop()

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
    expect((await inOne(retried.pieces)).map(({draft}) => draft.password)).to.deep.equal(['pw-aa', 'pw-bb'])
  })
  it('keep their names in the list of what stays, in the journal, and as customers in an undo', async () => {
    const people = ['aa', 'bb', 'cc'].map((key) => ({key, email: `${key}@x.de`, firstName: 'Ada'}))
    const options = {jobsDir: files.path('jobs'), target: 'shop', passwordMode: 'external-auth'} as const
    const run = async (seed: number, rows: readonly object[]) => {
      const sources = await files.source(`${seed}.json`, JSON.stringify(rows))
      return importCustomers(desk().client, sources, {...options, runtime: quickRuntime(seed)})
    }
    const {job} = await run(1, people)
    const [, bea] = await desk().customers()
    const actions = [{action: 'setFirstName', firstName: 'Bea'}]
    const {id = ''} = bea ?? {}
    await desk().client.call(updateCustomerById, {id}, {body: {version: 1, actions}})
    const again = await run(
      2,
      people.map((one) => ({...one, firstName: 'Eva'})),
    )
    expect(importLines(again)).to.include('\n  row 2 (key bb) firstName\n')
    const stored = await readJob(files.path('jobs'), again.job)
    expect(stored?.kept?.first.map(({customer}) => customer)).to.deep.equal(['row 2 (key bb)'])
    const first = await readJob(files.path('jobs'), job)
    if (!first) throw new Error('no such job')
    const {refused} = await planUndo(desk().client, first, {jobsDir: files.path('jobs'), runtime: quickRuntime(3)})
    expect(refused.map(({customer}) => customer)).to.include(`customer ${id} (key bb, email bb@x.de)`)
  })

  it('are rows in what is said of a second file', async () => {
    const rule = {column: 'of', to: 'key', columns: {town: 'addresses.*.city', land: 'addresses.*.country'}}
    const joined = await files.source(
      'second.json',
      JSON.stringify([{of: 'zz'}, {of: 'aa', town: 'Ulm', land: 'Atlantis'}]),
    )
    const mapping = {join: [{...rule, file: 'second.json'}], transforms: {'addresses.*.country': 'country'}}
    const {rows, notes} = await check('key,email\naa,a@x.de\n', {mapping, joined})
    expect(rows[0]?.issues[0]?.message).to.match(/^On row 2 of .*second\.json: 'Atlantis'/)
    expect(notes.joins.map(({lines, by}) => [lines, by])).to.deep.equal([[[1], 'row']])
  })

  it('are named one by one where others are told by their lines', () => {
    const cause = {code: 'X', message: 'No.', rows: 3}
    const place = (line: number) => ({file: 'a', line})
    const by = (line: number) => ({...place(line), by: 'row', customer: `row ${line} (key k${line})`}) as const
    expect(causeLine({...cause, first: [1, 2].map(place)}, 1)).to.equal('3 rows (lines 1, 2, …): No.')
    expect(causeLine({...cause, first: [1, 2].map(by)}, 1)).to.equal('3 rows (row 1 (key k1); row 2 (key k2); …): No.')
    expect(causeLine({...cause, rows: 1, first: [{...place(4), by: 'row'}]}, 2)).to.equal('a, row 4: No.')
    const addresses = [0, 1, 2, 3].map((at) => `addresses.${at}`)
    expect(membersText(['title', ...addresses])).to.equal('title, 4 addresses')
    expect(membersText(addresses.slice(1))).to.equal('addresses.1, addresses.2, addresses.3')
  })
})
