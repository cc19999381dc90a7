import {expect} from 'chai'
import type {InputError} from '../../../src/transfer/files/input-error.js'
import {Day} from '../../../src/transfer/input/cell.js'
import {readAs, readAsText} from '../../../src/transfer/input/read-as.js'
import {failureOf, scratch} from '../scratch.js'
import {textRow, type WorkbookXml, workbookOf} from './workbook-file.js'
import {cellsOf, sheet, workbookReader} from './workbook-table.js'

const files = scratch()
const {tableIn, problem} = workbookReader(files)

/** The texts of cells of the only row below a header. */
async function shown(cells: string, more: Partial<WorkbookXml> = {}): Promise<unknown> {
  const header = textRow(1, ...'abcdefghijklmnop')
  const {rows} = await tableIn(workbookOf({sheets: [sheet('One', header, `<row r="2">${cells}</row>`)], ...more}))
  return (cellsOf(rows[0]) as unknown[]).filter((_, at) => cells.split(/<c[ >]/).length - 1 > at)
}

describe('transfer · workbooks', () => {
  it('are read like tables, with the row numbers of the sheet, also under another name and with gaps', async () => {
    const rows = [
      textRow(2, ' ', ''),
      textRow(3, 'key', 'email', 'note', ' '),
      textRow(4),
      textRow(6, 'aa', 'a@x.de'),
      '<row r="7"><c r="C7" t="inlineStr"><is><t>last</t></is></c></row>',
      textRow(9, 'cc', '', '', '', 'more'),
    ]
    const table = await tableIn(workbookOf({sheets: [sheet('One', ...rows)]}))
    expect(table.columns).to.deep.equal(['key', 'email', 'note', ' '])
    expect(table.rows.map(({number, place}) => [number, place.line])).to.deep.equal([
      [1, 6],
      [2, 7],
      [3, 9],
    ])
    expect(table.rows.map(cellsOf)).to.deep.equal([
      ['aa', 'a@x.de', undefined, undefined],
      [undefined, undefined, 'last', undefined],
      'broken',
    ])
    const [source] = await files.source('a.csv', workbookOf({sheets: [sheet('One', ...rows)]}))
    expect(source).to.include({format: 'xlsx', sheet: 'One'})
  })

  it('have numbers, days and moments whatever their formats show, and padded ids and times of day as they show them', async () => {
    const day = (iso: string) => new Day(iso)
    const cases: readonly (readonly [format: string | number, raw: string, value: unknown])[] = [
      ['00000', '1067', '01067'],
      ['000-0000', '5551234', '555-1234'],
      ['"K-"00000', '77', 'K-00077'],
      ['00000', '10.5', 10.5],
      ['#,##0', '10000001', 10_000_001],
      ['#,##0.00', '1234.5', 1234.5],
      ['0.00E+00', '6453011226790', 6_453_011_226_790],
      ['#,##0.00 [$€-407]', '12.5', 12.5],
      ['_-* 0.00 "€"_-', '5', 5],
      ['[Red]0', '7', 7],
      [10, '0.19', 0.19],
      [12, '0.5', 0.5],
      ['@', '12', 12],
      ['General', '4915112345678', 4_915_112_345_678],
      ['dd.mm.yyyy', '33000', day('1990-05-07')],
      ['m/d/yy', '33000', day('1990-05-07')],
      ['d-mmm-yy', '33000.75', day('1990-05-07')],
      ['[$-407]d. mmmm yyyy', '33000', day('1990-05-07')],
      ['[$-x-sysdate]dddd, mmmm dd, yyyy', '33000', day('1990-05-07')],
      ['[$-F800]dddd', '33000', day('1990-05-07')],
      [14, '33000', day('1990-05-07')],
      ['d.m.yyyy', '59', day('1900-02-28')],
      ['d.m.yyyy', '61', day('1900-03-01')],
      ['yyyy-mm-dd hh:mm', '33000.75', new Date('1990-05-07T18:00:00Z')],
      [22, '33000.5', new Date('1990-05-07T12:00:00Z')],
      ['yyyy-mm-dd', '-1', -1],
      ['[$-F400]h:mm:ss AM/PM', '0.75', '18:00:00'],
      ['[h]:mm', '1.5', '36:00'],
    ]
    const cell = (style: number, value: string): string => `<c s="${style}"><v>${value}</v></c>`
    const formats = cases.map(([format]) => format)
    for (let at = 0; at < cases.length; at += 10) {
      const some = cases.slice(at, at + 10)
      const cells = some.map(([, raw], index) => cell(at + index + 1, raw)).join('')
      expect(await shown(cells, {formats})).to.deep.equal(some.map(([, , value]) => value))
    }
    const raw = [
      '0.1',
      '0.30000000000000004',
      '4.9E3',
      '6453011226790123',
      '64530112267901234567',
      '6.4530112267901197E+18',
    ]
    expect(await shown(raw.map((value) => cell(0, value)).join(''))).to.deep.equal([
      ...[0.1, 0.3, 4900, 6_453_011_226_790_123],
      '64530112267901234567',
      '6.45301122679012E+18',
    ])
    const from1904 = {formats: [14], properties: 'date1904="1"'}
    expect(await shown(cell(1, '31538') + cell(0, '5'), from1904)).to.deep.equal([day('1990-05-07'), 5])
  })

  it('have texts as they are: leading zeros, blanks, shared, rich, escaped, of formulas and of ISO dates', async () => {
    const strings = [
      '00123',
      '<r><t>Ada </t></r><r><t>Lovelace</t></r><rPh><t>エイダ</t></rPh>',
      'a &lt;b&gt; _x000D__x005F_x',
      '',
    ]
    const cells =
      '<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>3</v></c>' +
      '<c t="str"><f>A1&amp;"x"</f><v>00x</v></c><c><f>1+1</f><v>2</v></c><c t="b"><v>1</v></c>' +
      '<c t="d"><v>1990-05-07T00:00:00</v></c><c t="d"><v>1990-05-07T18:30:00</v></c>' +
      '<c t="str"><f>""</f><v></v></c><c t="inlineStr"><is><t>\'=x</t></is></c>'
    expect(await shown(cells, {strings})).to.deep.equal([
      '00123',
      'Ada Lovelace',
      'a <b> \r_x',
      undefined,
      '00x',
      2,
      true,
      new Day('1990-05-07'),
      new Date('1990-05-07T18:30:00Z'),
      undefined,
      '=x',
    ])
  })

  it('name the cell that shows an error or has no result, and go on', async () => {
    const rows = [
      textRow(1, 'key', 'email'),
      '<row r="2"><c r="A2" t="e"><v>#N/A</v></c><c r="B2" t="str"><v>a@x.de</v></c></row>',
      '<row r="3"><c r="A3"><f>B1</f></c></row>',
      '<row r="4"><c r="B4" t="s"><v>77</v></c></row>',
      textRow(5, 'bb', 'b@x.de'),
    ]
    const {rows: read} = await tableIn(workbookOf({sheets: [sheet('One', ...rows)]}))
    const said = read.map((row) => (row.kind === 'broken' ? row.issue.message : row.kind))
    expect(said).to.deep.equal([
      'The cell A2 shows the error #N/A.',
      'The cell A3 holds a formula without a result: save the workbook in a spreadsheet program.',
      'The cell B4 refers to a text that is not there.',
      'cells',
    ])
  })

  it('choose the first sheet that a reader sees, and any by name or number, and list them otherwise', async () => {
    const sheets = [
      {...sheet('Notes', textRow(1, 'hidden')), state: 'hidden'},
      sheet('Kunden', textRow(1, 'first')),
      sheet('2', textRow(1, 'second')),
    ]
    const workbook = workbookOf({sheets})
    const columnsBy = async (named?: string) =>
      (await tableIn(workbook, named === undefined ? {} : {sheet: named})).columns[0]
    expect([await columnsBy(), await columnsBy('1'), await columnsBy('2')]).to.deep.equal(['first', 'first', 'second'])
    expect([await columnsBy(' KUNDEN'), await columnsBy('Notes')]).to.deep.equal(['first', 'hidden'])
    const [source] = await files.source('a.xlsx', workbook)
    const told = source && readAs(source)
    expect(told).to.deep.include({sheet: 'Kunden', because: 'it is the first of 2'})
    expect(told && readAsText(told)).to.include("sheet 'Kunden', since it is the first of 2; --sheet names another")
    const none = await problem(workbook, {sheet: '3'})
    expect(none.message).to.include("no sheet '3'")
    expect(none.remedy).to.include("'Notes' (hidden), 'Kunden', '2'")
    const [csv] = [await failureOf<InputError>(files.source('a.csv', 'key\n', {sheet: '1'}))]
    expect(csv.message).to.include('is no workbook')
  })

  it('find each of many shared texts', async () => {
    const strings = Array.from({length: 20_000}, (_, at) => `${at} x`)
    const order = [0, 19_999, 256, 18_000, 511, 0, 19_744, 13_000]
    const rows = order.map((index, at) => `<row r="${at + 2}"><c t="s"><v>${index}</v></c></row>`)
    const {rows: read} = await tableIn(workbookOf({sheets: [sheet('One', textRow(1, 'key'), ...rows)], strings}))
    expect(read.map((row) => Number.parseInt((cellsOf(row) as string[])[0] ?? '', 10))).to.deep.equal(order)
  })
})
