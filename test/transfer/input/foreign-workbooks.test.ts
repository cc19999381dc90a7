import {gzipSync} from 'node:zlib'
import {expect} from 'chai'
import {InputError} from '../../../src/transfer/files/input-error.js'
import type {SourceRow} from '../../../src/transfer/input/row.js'
import {scratch} from '../scratch.js'
import {archiveOf, textRow, workbookOf, workbookParts} from './workbook-file.js'
import {cellsOf, sheet, workbookReader} from './workbook-table.js'

const {tableIn, problem} = workbookReader(scratch())

describe('transfer · workbooks that are none, or want to harm', () => {
  const whole = {sheets: [sheet('One', textRow(1, 'key'), textRow(2, 'aa'))]}

  it('are refused by name', async () => {
    for (const [content, words] of [
      [archiveOf({'a/customers.csv': 'key', 'b.txt': ''}), 'a ZIP archive (it holds a/customers.csv, b.txt)'],
      [archiveOf({mimetype: 'application/vnd.oasis.opendocument.spreadsheet'}), 'OpenDocument spreadsheet (.ods)'],
      [archiveOf({'xl/workbook.bin': 'x'}), '(.xlsb)'],
      [archiveOf({'Index/Document.iwa': 'x'}), 'Numbers'],
      [archiveOf({'word/document.xml': 'x'}), 'a Word document'],
      [gzipSync(workbookOf(whole)), 'a compressed workbook'],
      [workbookOf(whole).subarray(0, 900), 'damaged'],
      [workbookOf({sheets: [sheet('One')]}), "sheet 'One' of"],
      [workbookOf({sheets: []}), 'has no sheet'],
      [workbookOf({sheets: [sheet('One', textRow(1, 'key', 'key', 'key (2)'))]}), "'key (2)' twice"],
    ] as const) {
      const error = await problem(content)
      expect(error, words).to.be.instanceOf(InputError)
      expect(error.message).to.include(words)
      if (!words.includes('twice')) expect(error.remedy, words).to.be.a('string')
    }
  })

  it('cannot declare entities, lie about sizes, fill memory or leave the order of rows', async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    const withSheet = (xml: string | Uint8Array, claimed?: number): Buffer =>
      archiveOf(workbookParts({...whole, parts: {'xl/worksheets/sheet1.xml': xml}}), claimed)
    const long = 'x'.repeat(2_000_000)
    for (const [content, words] of [
      [
        withSheet(`${bomb}<worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>`),
        'document type',
      ],
      [withSheet('<worksheet><row><c t="str"><v>&nbsp;</v></c></row></worksheet>'), 'nvalid character entity'],
      [withSheet(`<worksheet><row r="1"><c t="str"><v>${long}</v></c></row></worksheet>`), 'longer than'],
      [
        withSheet(`<worksheet><row r="1"><c t="inlineStr"><is><t>${long}</t></is></c></row></worksheet>`),
        'longer than',
      ],
      [withSheet(`<worksheet><row r="1"><c t="${long}"><v>1</v></c></row></worksheet>`), 'damaged'],
      [withSheet('<worksheet><row r="1"><c r="ZZZZ1"><v>1</v></c></row></worksheet>'), "a cell 'ZZZZ1'"],
      [withSheet(`<worksheet>${textRow(1, 'key')}${textRow(3, 'a')}${textRow(2, 'b')}</worksheet>`), 'row 2'],
      [withSheet('<worksheet><row r="1"><c></row>'), 'damaged'],
      [withSheet('<worksheet/>', 5), 'damaged'],
      [withSheet(Buffer.from('<worksheet>\xff</worksheet>', 'latin1')), 'damaged'],
      [withSheet(Buffer.alloc(80 * 1024 * 1024, 0x20)), 'unpacks to'],
    ] as const) {
      const error = await problem(content).catch(() => `${words} ${content.length}`)
      expect(error, words).to.be.instanceOf(InputError)
      expect((error as InputError).message).to.include(words)
    }
  })

  it('S-311 are refused for a format longer than 255 characters, and read an invalid one once', async () => {
    const cell = (style: number, value: string): string => `<c s="${style}"><v>${value}</v></c>`
    const long = await problem(
      workbookOf({
        sheets: [sheet('One', textRow(1, 'a'), `<row r="2">${cell(1, '1')}</row>`)],
        formats: ['0'.repeat(256)],
      }),
    )
    expect(String(long.cause)).to.include('a number format is longer than 255 characters')
    const read = async (pattern: string): Promise<{rows: readonly SourceRow[]; ms: number}> => {
      const rows = Array.from({length: 20_000}, (_, at) => `<row r="${at + 2}">${cell(1, `${at}`)}</row>`)
      const content = workbookOf({sheets: [sheet('One', textRow(1, 'a'), ...rows)], formats: [pattern]})
      const before = process.cpuUsage().user
      return {...(await tableIn(content)), ms: (process.cpuUsage().user - before) / 1_000}
    }
    const [valid, invalid] = [await read('0'), await read(`h${'[&gt;'.repeat(127)}`)]
    expect(cellsOf(invalid.rows[7])).to.deep.equal([7])
    // Reading the pattern for each cell takes twenty times as long.
    expect(invalid.ms / valid.ms).to.be.lessThan(5)
  })

  it('S-311 are refused for elements that nest deeper than 32', async () => {
    const nested = (depth: number) => `${'<x>'.repeat(depth)}${'</x>'.repeat(depth)}`
    const within = (depth: number) =>
      workbookOf({sheets: [sheet('One', textRow(1, 'a'), textRow(2, 'b'), `<row r="3">${nested(depth)}</row>`)]})
    expect((await tableIn(within(29))).rows).to.have.length(1)
    expect(String((await problem(within(30))).cause)).to.include('nests elements deeper than 32')
    expect(String((await problem(within(100_000))).cause)).to.include('nests elements deeper than 32')
  })
})
