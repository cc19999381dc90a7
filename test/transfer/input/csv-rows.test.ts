import {expect} from 'chai'
import fc from 'fast-check'
import {type CsvRecord, csvRecords, quotedCells} from '../../../src/transfer/input/csv-rows.js'

/** The records of a text that comes in pieces of some bytes. */
async function recordsIn(text: string, size = 1_000_000): Promise<CsvRecord[]> {
  const bytes = Buffer.from(text)
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const source = {
    name: 'a.csv',
    path: '/dev/null',
    format: 'csv',
    encoding: 'utf-8',
    bytes: bytes.length,
    stamp: '',
  } as const
  const all: CsvRecord[] = []
  for await (const records of csvRecords({source, delimiter: ',', linesBefore: 0}, pieces())) all.push(...records)
  return all
}

describe('transfer · records of a table', () => {
  const cell = fc.constantFrom('', 'a', 'ä😀', ' ', ';', 'x,y', 'say "no"', '"', 'two\nlines', 'two\r\nlines')
  const table = fc.array(fc.array(cell, {minLength: 2, maxLength: 4}), {minLength: 1, maxLength: 6})
  const written = (rows: readonly (readonly string[])[], ending: string): string =>
    rows.map((row) => `${row.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')}${ending}`).join('')

  it('reads what was written, wherever the pieces end', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom('\n', '\r\n'),
        fc.integer({min: 1, max: 7}),
        async (rows, ending, size) => {
          const records = await recordsIn(written(rows, ending), size)
          expect(records.map(({cells}) => cells)).to.deep.equal(rows)
        },
      ),
      {numRuns: 100},
    )
  })

  it('counts the lines of a file, those within quotes and empty ones too', async () => {
    for (const ending of ['\n', '\r\n', '\r']) {
      const text = ['a,b', '"x', 'y",z', '', 'c,d', ''].join(ending)
      for (const size of [1, 2, 100])
        expect((await recordsIn(text, size)).map(({line}) => line)).to.deep.equal([1, 2, 5])
    }
  })

  it('tells cells in quotes from others', async () => {
    const records = await recordsIn('a,b\n\n"",b\n')
    expect(records.map(({raw}) => quotedCells(raw, ',').slice(0, 2))).to.deep.equal([
      [false, false],
      [true, false],
    ])
  })

  it('reads a guard of a spreadsheet without quotes as one in quotes, wherever the pieces end, and no other quote', async () => {
    const text = '="k1",b\n="02138",="a b"\nx,"=,""=,x"\n,="0"\n'
    for (const size of [1, 2, 3, 5, 1000]) {
      expect((await recordsIn(text, size)).map(({cells}) => cells)).to.deep.equal([
        ...[
          ['="k1"', 'b'],
          ['="02138"', '="a b"'],
          ['x', '=,"=,x'],
          ['', '="0"'],
        ],
      ])
    }
    for (const wrong of ['a,="x"y\n', 'a="x"\n', 'a,="x\n'])
      expect(String(await recordsIn(wrong).catch((thrown: unknown) => thrown)), wrong).to.include('middle of a cell')
  })

  it('refuses a record of more than a megabyte, however it is written and wherever the pieces end', async () => {
    const long = 'ä'.repeat(600_000)
    for (const text of [`a,${long}\nb`, `a\n"${long}"\nb`, `a\nb,"${long}`]) {
      for (const size of [262_144, 2_000_000]) {
        const error: unknown = await recordsIn(text, size).catch((thrown: unknown) => thrown)
        expect(String(error), text.slice(0, 5)).to.include('longer than')
      }
    }
  })
})
