import {expect} from 'chai'
import {parse} from 'csv-parse/sync'
import {cellText, flatten, project, valueAt} from '../../../src/cli/output/fields.js'
import {documentText, pageText} from '../../../src/cli/output/render.js'
import {column, forms, formTraits, kept, moment, type Style, whole} from '../../../src/cli/output/view.js'
import {rulerFor} from '../../../src/cli/output/width.js'
import {guard, unguard} from '../../../src/transfer/files/csv-line.js'

const plain: Style = {terminal: false, columns: 80, colour: false, header: true, now: 0}
const view = {columns: [column('id'), column('name')]}
const ada = {id: '1', name: 'Ada', addresses: [{city: 'London'}], stores: [{typeId: 'store', key: 'berlin'}]}
const page = {limit: 20, offset: 0, count: 1, results: [ada]}

describe('cli · fields', () => {
  it('reads dotted paths, and only own members', () => {
    expect(valueAt(ada, 'addresses.0.city')).to.equal('London')
    expect(valueAt(ada, 'constructor')).to.equal(undefined)
    expect(valueAt(ada, 'name.length')).to.equal(undefined)
  })

  it('lists the leaves by path', () => {
    expect([...flatten({a: {b: 1, c: []}, d: null})]).to.deep.equal([
      ['a.b', 1],
      ['a.c', []],
      ['d', null],
    ])
  })

  it('shows references by key or id, and lists in one cell', () => {
    expect(cellText(ada.stores)).to.equal('berlin')
    expect(cellText(['a', 'b'])).to.equal('a, b')
    expect(cellText(true)).to.equal('true')
    expect(cellText(null)).to.equal('')
  })

  it('reduces a document to paths, whatever they are called', () => {
    expect(project(ada, ['name', 'addresses.0.city'])).to.deep.equal({name: 'Ada', addresses: {0: {city: 'London'}}})
    const odd = project(JSON.parse('{"__proto__":{"x":1}}'), ['__proto__.x'])
    expect(JSON.stringify(odd)).to.equal('{"__proto__":{"x":1}}')
    expect(({} as {x?: number}).x).to.equal(undefined)
  })
})

describe('cli · forms', () => {
  it('prints a plain table without a terminal: no box, no cut', async () => {
    const long = 'x'.repeat(200)
    const text = await pageText({results: [{id: '1', name: long}]}, 'table', view, plain)
    expect(text).to.equal(`id  name\n1   ${long}\n`)
    expect(await pageText({results: [{id: '1', name: 'A'}]}, 'table', view, {...plain, header: false})).to.equal(
      '1  A\n',
    )
  })

  it('aligns columns in every script, with and without a header', async () => {
    const names = ['Ada', '山田', 'น้ำฝน', 'क्षितिज', 'ﾃﾞｽﾄ', '👨‍👩‍👧', 'e\u0301']
    const results = names.map((name, index) => ({name, id: `${index}`}))
    const named = {columns: [column('name'), column('id')]}
    for (const header of [true, false]) {
      const text = await pageText({results}, 'table', named, {...plain, terminal: true, columns: 40, header})
      const lines = text.trimEnd().split('\n')
      const {widthOf} = await rulerFor([text])
      const starts = lines.filter((line) => /\d$/.test(line)).map((line) => widthOf(line.slice(0, -1)))
      expect(new Set(starts).size, text).to.equal(1)
      expect(lines).to.have.length(header ? 9 : 7)
      if (header) expect(lines[1]).to.match(/^─+$/)
    }
  })

  it('leaves out the last columns that need not be kept, and says which', async () => {
    const hidden: string[] = []
    const wide = {columns: [whole('id'), kept('name'), column('note'), column('more')]}
    const document = {id: '1'.repeat(36), name: 'x'.repeat(90), note: 'n'.repeat(20), more: 'm'.repeat(20)}
    const style = {
      ...plain,
      terminal: true,
      columns: 80,
      onHidden: (headers: readonly string[]) => hidden.push(...headers),
    }
    const text = await pageText({results: [document]}, 'table', wide, style)
    expect(hidden).to.deep.equal(['more'])
    expect(text).to.include('1'.repeat(36)).and.include('…').and.include('note')
    expect(text.split('\n').every((line) => line.length <= 80)).to.equal(true)
  })

  it('shows an id where a key is missing, once the ids are left out', async () => {
    const keyed = {columns: [column('key', 'key', {keep: 'whole', fallbackColumn: 'id'}), kept('name'), column('id')]}
    const results = [
      {key: 'ada', name: 'A'.repeat(30), id: 'id-of-ada'},
      {name: 'B', id: 'id-of-bob'},
    ]
    const text = await pageText({results}, 'table', keyed, {...plain, terminal: true, columns: 40})
    expect(text)
      .to.match(/^key or id {2}name/)
      .and.include('id-of-bob')
      .and.not.include('id-of-ada')
    expect(await pageText({results}, 'table', keyed, plain)).to.match(/^key {2}name/)
  })

  it('shows rows as records where even the kept columns have no room', async () => {
    const wide = {columns: [whole('email'), kept('name'), whole('key')]}
    const document = {email: `${'e'.repeat(40)}@example.com`, name: 'Ada', key: 'k'.repeat(30)}
    const text = await pageText({results: [document]}, 'table', wide, {...plain, terminal: true, columns: 60})
    expect(text).to.equal(`${document.email}\n  name  Ada\n  key   ${document.key}\n`)
  })

  it('draws nothing but ASCII where a terminal shows no more', async () => {
    const results = [{id: '1'.repeat(36), name: 'x'.repeat(90)}]
    const style = {...plain, terminal: true, columns: 60, plain: true}
    const text = await pageText({results}, 'table', view, style)
    expect(text)
      .to.match(/^[\x20-\x7e\n]*$/)
      .and.include('...')
    expect(text.split('\n')).to.have.length(3)
  })

  it('shows moments relative to now on a terminal, exact elsewhere', async () => {
    const timed = {columns: [moment('at')]}
    const now = Date.parse('2026-11-22T12:00:00.000Z')
    const moments = ['2026-11-22T13:05:00.000Z', '2026-11-22T11:59:50.000Z', '2026-01-12T12:00:00.000Z', '***']
    const results = moments.map((at) => ({at}))
    const style = {...plain, now, header: false}
    expect(await pageText({results}, 'table', timed, style)).to.equal(moments.map((at) => `${at}\n`).join(''))
    expect(await pageText({results}, 'table', timed, {...style, terminal: true})).to.equal(
      'in 1 h 5 min\nnow\n12 Jan\n***\n',
    )
    expect(await documentText(results[0], 'card', {...timed, card: timed.columns}, {...style, header: true})).to.equal(
      'at  2026-11-22T13:05:00.000Z (in 1 h 5 min)\n',
    )
  })

  it('prints JSON documents whole, and JSON Lines one by one', async () => {
    expect(JSON.parse(await pageText(page, 'json', view, plain))).to.deep.equal(page)
    expect(await pageText(page, 'jsonl', view, plain)).to.equal(`${JSON.stringify(ada)}\n`)
    expect(JSON.parse(await documentText(ada, 'json', view, plain))).to.deep.equal(ada)
  })

  it('prints chosen fields in every form', async () => {
    const style = {...plain, fields: ['name', 'addresses.0.city']}
    expect(await pageText(page, 'table', view, style)).to.equal('name  addresses.0.city\nAda   London\n')
    expect(await pageText(page, 'csv', view, style)).to.equal('name,addresses.0.city\r\nAda,London\r\n')
    expect(JSON.parse(await pageText(page, 'json', view, style))).to.deep.include({limit: 20})
  })

  it('writes CSV that reads back, whatever the cells hold', async () => {
    const odd = {id: 'a,b', name: 'say "hi"\nthere', flag: true}
    const text = await pageText({results: [odd, {id: '2'}]}, 'csv', view, plain)
    expect(parse(text, {columns: true})).to.deep.equal([
      {id: 'a,b', name: 'say "hi"\nthere', flag: 'true'},
      {id: '2', name: '', flag: ''},
    ])
  })

  it('quotes a line break of any kind in a CSV cell', async () => {
    const texts = ['a\nb', 'c\rd', 'e\r\nf', 'g,h', 'i"j', ' k', 'l']
    const text = await pageText({results: texts.map((id) => ({id}))}, 'csv', view, {...plain, header: false})
    expect(parse(text, {record_delimiter: '\r\n'})).to.deep.equal(texts.map((id) => [id]))
    expect(text).to.include('"a\nb"\r\n').and.include('\r\nl\r\n')
  })

  it('writes no line where there is nothing to name, and the chosen columns where there is nothing to show', async () => {
    expect(await pageText({results: []}, 'csv', view, plain)).to.equal('')
    expect(await pageText({results: []}, 'csv', view, {...plain, fields: ['id', 'email']})).to.equal('id,email\r\n')
  })

  it('guards cells against spreadsheets only when asked', async () => {
    for (const cell of ['=1+1', '+49 30', '-1', '@x', '\tx', ' =1', '＝1', "'=1"])
      expect(guard(cell, true)).to.equal(`'${cell}`)
    for (const lead of [
      '\n',
      '\r\n',
      '\u00a0',
      '\u200b',
      '\u2060',
      '\ufeff',
      ' \ufeff\t',
      '\u3000',
      ';',
      ',',
      '\u202e',
      '\u0000',
    ])
      for (const cell of ['=1', '+1', '-1', '@x', '＝1'].map((one) => `${lead}${one}`)) {
        expect(guard(cell, true), JSON.stringify(cell)).to.equal(`'${cell}`)
        expect(guard(`'${cell}`, false), 'what looks guarded gets one more').to.equal(`''${cell}`)
        expect(unguard(guard(cell, true))).to.equal(cell)
      }
    for (const cell of ['Ada', "O'Brien", '1-2', '', 'a;=1']) expect(guard(cell, true)).to.equal(cell)
    const results = [{id: '=cmd()'}]
    expect(await pageText({results}, 'csv', view, plain)).to.include('\n=cmd()')
    expect(await pageText({results}, 'csv', view, {...plain, excelSafe: true})).to.include("\n'=cmd()")
  })

  it('prints ids, YAML and cards', async () => {
    expect(await pageText(page, 'ids', view, plain)).to.equal('1\n')
    expect(await documentText({a: {b: 1}}, 'yaml', view, plain)).to.equal('a:\n  b: 1\n')
    expect(await documentText(ada, 'card', {columns: []}, plain)).to.include('addresses.0.city  London')
  })

  for (const form of forms) {
    it(`has the traits that the table of forms says: ${form}`, async () => {
      const {hasHeader = false, hasCells = false, hasWrapper = false} = formTraits[form]
      const results = [{id: '=1', name: 'Ada'}]
      const shown = (style: Partial<Style> = {}) => pageText({offset: 4711, results}, form, view, {...plain, ...style})
      expect((await shown({header: false})) !== (await shown()), 'header').to.equal(hasHeader)
      expect((await shown({excelSafe: true})) !== (await shown()), 'cells').to.equal(hasCells)
      expect((await shown()).includes('4711'), 'wrapper').to.equal(hasWrapper)
    })
  }

  it('makes raw forms safe for a terminal, and leaves them alone in a pipe', async () => {
    const results = [{id: '\u001b[2J'}]
    const terminal = {...plain, terminal: true}
    for (const form of forms) {
      expect(await pageText({results}, form, view, terminal), form).to.not.include('\u001b[2J')
    }
    expect(await pageText({results}, 'csv', view, plain)).to.include('\u001b[2J')
  })
})
