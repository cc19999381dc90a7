import {expect} from 'chai'
import {Causes} from '../../src/transfer/check/causes.js'
import {importCustomers} from '../../src/transfer/import.js'
import type {TransferEvent} from '../../src/transfer/run/events.js'
import {InvalidRows} from '../../src/transfer/run/validation.js'
import {quickRuntime} from './desk.js'
import {importing} from './importing.js'
import {failureOf} from './scratch.js'

const {files, desk, imported} = importing()

const unknown = (name: string) => ({
  code: 'InvalidField',
  column: 'Land',
  message: `'${name}' is not a country that the list of names knows; add an alias.`,
  alias: {target: 'addresses.0.country', name},
})

describe('transfer · causes of failures', () => {
  it('are one for each value of a column, the most frequent first, with the first lines', () => {
    const causes = new Causes()
    for (let line = 2; line < 12; line += 1)
      causes.add(unknown(line < 9 ? 'Korea' : "Cote d'Ivory"), {file: 'a.csv', line})
    const {causes: list, moreCauses, aliases} = causes.members
    expect(
      list?.map(({rows, column, message, first}) => [rows, column, message.slice(0, 8), first[0]?.line]),
    ).to.deep.equal([
      [7, 'Land', "'Korea' ", 2],
      [3, 'Land', "'Cote d'", 9],
    ])
    expect(list?.[0]?.first.map(({line}) => line)).to.deep.equal([2, 3, 4, 5, 6])
    expect(moreCauses).to.equal(undefined)
    expect(aliases).to.deep.equal({'addresses.0.country': {Korea: null, "Cote d'Ivory": null}})
  })

  it('are one for many values that hardly repeat, which shows an example', () => {
    const causes = new Causes()
    for (let line = 2; line < 10_002; line += 1) {
      causes.add(
        {code: 'DuplicateField', message: `The key 'it's-${line}' is on line ${line - 1} too.`},
        {file: 'a.csv', line},
      )
    }
    expect(causes.members.causes).to.deep.equal([
      {
        code: 'DuplicateField',
        message: "The key '…' is on line … too.",
        example: "The key 'it's-2' is on line 1 too.",
        rows: 10_000,
        first: [2, 3, 4, 5, 6].map((line) => ({file: 'a.csv', line})),
      },
    ])
  })

  it('stay bounded whatever the rows say, and count every row', () => {
    const causes = new Causes()
    const word = (at: number): string => at.toString().replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
    for (let at = 0; at < 3000; at += 1)
      causes.add({code: 'General', message: `It is ${word(at)}.`}, {file: 'a.csv', line: at + 2})
    for (let at = 0; at < 5000; at += 1) causes.add(unknown(`${at % 2500}`), {file: 'a.csv', line: at})
    const {causes: list = [], moreCauses = 0, aliases} = causes.members
    expect(list).to.have.length(100)
    expect(list[0]).to.include({rows: 7500, code: 'Other'})
    expect(moreCauses).to.be.within(300, 500)
    expect(Object.keys(aliases?.['addresses.0.country'] ?? {})).to.have.length(1000)
  })

  it('come with the refusal of files that are not valid, for the rows beyond the listed ones too', async () => {
    const rows = Array.from({length: 12_000}, (_, at) => `c-${at},c-${at}@x.de,Narnia\n`).join('')
    const mapping = {transforms: {'addresses.0.country': 'country'}}
    const text = `key,email,addresses.0.country\n${rows}`
    const refused = await failureOf<InvalidRows>(imported(text, {mapping, passwordMode: 'external-auth'}))
    expect(refused).to.be.instanceOf(InvalidRows)
    expect(refused.issues).to.have.length(10_000)
    expect(refused.causes.causes?.map(({rows: count, kind}) => [count, kind])).to.deep.equal([[12_000, 'invalid']])
    expect(refused.causes.aliases).to.deep.equal({'addresses.0.country': {Narnia: null}})
  })

  it('are told at the end of a run and again by its journal, without passwords', async () => {
    const row = (at: number, group: string): string => `f-${at},f-${at}@x.de,geheim-${at},${group}\n`
    const text = `key,email,password,customerGroup.key\n${[0, 1, 2].map((at) => row(at, 'nope')).join('')}${row(3, '')}`
    const {events, counts, sources, options} = await failing(text)
    expect(counts).to.include({created: 1, failed: 3})
    const told = events.findLast((event) => event.type === 'causes')?.causes.causes
    expect(told?.map(({code, rows, first}) => [code, rows, first.map(({line}) => line)])).to.deep.equal([
      ['ReferencedResourceNotFound', 3, [2, 3, 4]],
    ])
    expect(JSON.stringify(told)).to.include("'nope'").and.not.include('geheim')
    const again: TransferEvent[] = []
    await importCustomers(desk().client, sources, {...options, resume: true, onEvent: (event) => again.push(event)})
    expect(again.findLast((event) => event.type === 'causes')?.causes.causes).to.deep.equal(told)
    expect(again.find((event) => event.type === 'already-finished')).to.include({at: '2026-11-20T10:00:00.000Z'})
  })

  async function failing(text: string) {
    const sources = await files.source('a.csv', text)
    const events: TransferEvent[] = []
    const options = {jobsDir: files.path('jobs-failing'), target: 'test', runtime: quickRuntime()}
    const counts = await importCustomers(desk().client, sources, {...options, onEvent: (event) => events.push(event)})
    return {events, counts, sources, options}
  }
})
