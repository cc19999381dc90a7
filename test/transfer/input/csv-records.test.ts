import {expect} from 'chai'
import {parse} from 'csv-parse/sync'
import fc from 'fast-check'
import {type CsvRecord, CsvRecords} from '../../../src/transfer/input/csv-records.js'
import {InputError} from '../../../src/transfer/input/input-error.js'

/** The records of a text that comes in pieces of some length. */
function recordsIn(text: string, size = text.length + 1, delimiter = ','): CsvRecord[] {
  const records = new CsvRecords('a.csv', delimiter, 1)
  const all: CsvRecord[] = []
  for (let at = 0; at < text.length; at += size) all.push(...records.take(text.slice(at, at + size)))
  return [...all, ...records.take('', true)]
}

const cellsIn = (...given: Parameters<typeof recordsIn>): (readonly string[])[] | string => {
  try {
    return recordsIn(...given).map(({cells}) => cells)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return 'refused'
  }
}

/** What another reader makes of it. */
const expected = (text: string): unknown => {
  try {
    return parse(text, {relax_column_count: true, skip_empty_lines: true})
  } catch {
    return 'refused'
  }
}

describe('transfer · records of a table', () => {
  const pieces = fc.array(fc.constantFrom('a', 'ä😀', ' ', ',', ';', '"', '""', '"x', 'y"', '\n', '\r\n'), {
    maxLength: 24,
  })

  it('cuts any text as another reader does, or refuses it as that one does', () => {
    fc.assert(
      fc.property(fc.array(pieces), fc.constantFrom('\n', '\r\n'), (lines, ending) => {
        const text = lines.map((line) => line.join('').replaceAll(/\r?\n/g, ending)).join(ending)
        expect(cellsIn(text)).to.deep.equal(expected(text))
      }),
      {numRuns: 500},
    )
  })

  it('reads the same wherever the pieces end', () => {
    fc.assert(
      fc.property(pieces, fc.integer({min: 1, max: 5}), (text, size) => {
        expect(cellsIn(text.join(''), size)).to.deep.equal(cellsIn(text.join('')))
      }),
      {numRuns: 500},
    )
  })

  it('counts the lines of a file, those within quotes and empty ones too', () => {
    for (const ending of ['\n', '\r\n', '\r']) {
      const text = ['a,b', '"x', 'y",z', '', 'c,d', ''].join(ending)
      for (const size of [1, 2, 100]) expect(recordsIn(text, size).map(({line}) => line)).to.deep.equal([1, 2, 5])
    }
  })

  it('tells cells in quotes from others', () => {
    const [plain, mixed] = recordsIn('a,b\n"",b\n')
    expect(plain).to.not.have.property('quoted')
    expect(mixed?.quoted).to.deep.equal([true, false])
  })

  it('refuses a record of more than a megabyte, however it is written and wherever the pieces end', () => {
    const long = 'ä'.repeat(600_000)
    for (const text of [`a,${long}\nb`, `a\n${long}`, `a\n"${long}"\nb`, `a\nb,"${long}`]) {
      for (const size of [262_144, 2_000_000])
        expect(() => recordsIn(text, size), text.slice(0, 5)).to.throw('longer than')
    }
  })
})
