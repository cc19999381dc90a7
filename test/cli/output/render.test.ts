import {expect} from 'chai'
import {parse} from 'csv-parse/sync'
import {cellText, flatten, project, valueAt} from '../../../src/cli/render/fields.js'
import {documentText, pageText} from '../../../src/cli/render/render.js'
import {fitted} from '../../../src/cli/render/table.js'
import {column, type Style} from '../../../src/cli/render/view.js'
import {rulerFor} from '../../../src/cli/render/width.js'
import {guard} from '../../../src/transfer/input/excel-guard.js'

const plain: Style = {terminal: false, columns: 80, colour: false, header: true}
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

  it('closes the box at the same column in every script, with and without a header', async () => {
    const names = ['Ada', '山田', 'น้ำฝน', 'क्षितिज', 'ﾃﾞｽﾄ', '👨‍👩‍👧', 'e\u0301']
    const results = names.map((name, index) => ({id: `${index}`, name}))
    for (const header of [true, false]) {
      const text = await pageText({results}, 'table', view, {...plain, terminal: true, columns: 40, header})
      const lines = text.trimEnd().split('\n')
      const {widthOf} = await rulerFor([text])
      expect(new Set(lines.map((line) => widthOf(line))).size, text).to.equal(1)
      expect(lines).to.have.length(header ? 11 : 9)
      expect(lines[0]?.replace(/─+/g, '─')).to.equal('┌─┬─┐')
    }
  })

  it('fits a table into a narrow terminal', async () => {
    const text = await pageText({results: [{id: '1'.repeat(36), name: 'x'.repeat(90)}]}, 'table', view, {
      ...plain,
      terminal: true,
      columns: 60,
    })
    const {widthOf} = await rulerFor([text])
    expect(Math.max(...text.split('\n').map((line) => widthOf(line)))).to.be.at.most(60)
    expect(text).to.include('…').and.include('│')
  })

  it('shrinks the widest columns first', () => {
    expect(fitted([10, 50, 5], 40)).to.deep.equal([10, 25, 5])
    expect(fitted([3, 3], 40)).to.deep.equal([3, 3])
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
    for (const cell of ['Ada', "O'Brien", '1-2', '']) expect(guard(cell, true)).to.equal(cell)
    const results = [{id: '=cmd()'}]
    expect(await pageText({results}, 'csv', view, plain)).to.include('\n=cmd()')
    expect(await pageText({results}, 'csv', view, {...plain, excelSafe: true})).to.include("\n'=cmd()")
  })

  it('prints ids, YAML and cards', async () => {
    expect(await pageText(page, 'ids', view, plain)).to.equal('1\n')
    expect(await documentText({a: {b: 1}}, 'yaml', view, plain)).to.equal('a:\n  b: 1\n')
    expect(await documentText(ada, 'card', {columns: []}, plain)).to.include('addresses.0.city  London')
  })

  it('makes raw forms safe for a terminal, and leaves them alone in a pipe', async () => {
    const results = [{id: '\u001b[2J'}]
    const terminal = {...plain, terminal: true}
    for (const form of ['table', 'card', 'json', 'jsonl', 'csv', 'yaml', 'ids'] as const) {
      expect(await pageText({results}, form, view, terminal), form).to.not.include('\u001b[2J')
    }
    expect(await pageText({results}, 'csv', view, plain)).to.include('\u001b[2J')
  })
})
