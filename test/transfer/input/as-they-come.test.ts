import {expect} from 'chai'
import {InputError} from '../../../src/transfer/files/input-error.js'
import {jsonValues} from '../../../src/transfer/input/json-values.js'
import type {Source, SourceRow} from '../../../src/transfer/input/row.js'
import {readRows} from '../../../src/transfer/input/rows.js'
import {failureOf, inOne, scratch} from '../scratch.js'

const files = scratch()

async function rowsIn(name: string, content: string): Promise<SourceRow[]> {
  const rows: SourceRow[] = []
  for await (const table of readRows(await files.source(name, content))) rows.push(...(await inOne(table.pieces)))
  return rows
}

const cellsOf = (row: SourceRow | undefined): unknown => (row?.kind === 'cells' ? row.cells : row)
const documentOf = (row: SourceRow | undefined): unknown => (row?.kind === 'document' ? row.document : row)
const problem = (name: string, content: string): Promise<InputError> => failureOf<InputError>(rowsIn(name, content))

describe('transfer · tables as spreadsheets leave them', () => {
  it('takes rows that lack their last cells or have blank ones more, and no row with more text', async () => {
    const rows = await rowsIn('a.csv', 'key,email,note\naa\nbb,b@x.de,,, \ncc,c@x.de,x,more\ndd,d@x.de,\n')
    expect(rows.map(({kind}) => kind)).to.deep.equal(['cells', 'cells', 'broken', 'cells'])
    expect(rows.slice(0, 2).map(cellsOf)).to.deep.equal([
      ['aa', undefined, undefined],
      ['bb', 'b@x.de', undefined],
    ])
    expect(rows.map(({number}) => number)).to.deep.equal([1, 2, 3, 4])
  })

  it('passes over lines of blank cells, before the header too', async () => {
    const rows = await rowsIn('a.csv', '\n;;\n  ; ;\nkey;email;\n;;\naa;a@x.de;\n"";"";\n \nbb;b@x.de;\n;;;;\n')
    expect(rows.map(({number, place}) => [number, place.line])).to.deep.equal([
      [1, 6],
      [2, 9],
    ])
    expect(await problem('a.csv', ',,\n\nkey,__proto__\n')).to.include({line: 3})
    expect((await problem('a.csv', ';;\n;;\n')).message).to.include('no header line')
  })

  it('names the line on which a quote was opened that is closed wrongly or never', async () => {
    for (const [rest, line, words] of [
      ['"b\ncc,d\n', 4, 'never closed'],
      ['"x\ny"\nbb,"b\ncc,d\nee,f\n', 6, 'never closed'],
      ['a\nbb,"b\ncc,"d"\nee,f\n', 5, 'closing quote, on line 6'],
      ['a\nbb,"it ""is"\ncc,"""\ndd,e\n', 6, 'never closed'],
      [`"b\n${'cc,d\n'.repeat(250_000)}`, 4, 'longer than'],
      ['a\nbb,b"b\n', 5, 'middle of a cell'],
    ] as const) {
      const error = await problem('a.csv', `\uFEFFkey,note\n"z\nz",\naa,${rest}`)
      expect(error, rest.slice(0, 20)).to.be.instanceOf(InputError).and.include({line})
      expect(error.message).to.include(words)
    }
  })
})

describe('transfer · JSON as our own queries print it', () => {
  const page = {limit: 2, offset: 0, count: 2, total: 9, results: [{key: 'aa', stores: []}, {key: 'bb'}]}
  const more = {count: 1, results: [{key: 'cc'}], next: {deep: [1, ']', {}]}}
  const several = `${JSON.stringify(page, null, 1)}\n${JSON.stringify(more, null, 1)}\n{"results":[]}`

  it('takes pages of results for the list that they hold, whatever the file is called', async () => {
    for (const [text, keys] of [
      [JSON.stringify(page, null, 2), ['aa', 'bb']],
      [JSON.stringify(page), ['aa', 'bb']],
      [`${JSON.stringify(page)}\n${JSON.stringify(more)}\n`, ['aa', 'bb', 'cc']],
      [several, ['aa', 'bb', 'cc']],
    ] as const) {
      for (const name of ['a.json', 'a.jsonl', 'no-name']) {
        const documents = (await rowsIn(name, text)).map(documentOf) as {key: string}[]
        expect(
          documents.map(({key}) => key),
          `${name}: ${text}`,
        ).to.deep.equal(keys)
      }
    }
  })

  it('cuts pages wherever the chunks end', async () => {
    const [source] = await files.source('a.json', several)
    const bytes = Buffer.from(several)
    for (const size of [1, 2, 3, 7, 1000]) {
      const chunks = Array.from({length: Math.ceil(bytes.length / size)}, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      )
      const values = await inOne(jsonValues(source as Source, chunksOf(chunks)))
      expect(values.map(({text}) => (JSON.parse(text) as {key: string}).key)).to.deep.equal(['aa', 'bb', 'cc'])
    }
  })

  it('counts the lines of a page, and leaves documents alone that have results of their own', async () => {
    const [row] = await rowsIn('a.json', '{\n"results": [\n\n{"key": "dd"}]}')
    expect(row?.place.line).to.equal(4)
    expect(await rowsIn('a.json', '{"key":"aa","results":[{"key":"bb"}]}')).to.have.length(1)
    expect(await rowsIn('a.json', '[{"results":[{"key":"bb"},{"key":"cc"}]}]')).to.have.length(1)
    expect((await problem('a.json', '{"results":[{"a":1}')).message).to.include('before its array is closed')
    expect((await problem('a.json', '{"results":[{"a":1}]')).message).to.include('in the middle')
  })

  it('tells one document over several lines from a document a line', async () => {
    const [document] = await rowsIn('no-name', '{\n  "key": "aa",\n  "stores": []\n}\n')
    expect(documentOf(document)).to.deep.equal({key: 'aa', stores: []})
    const lines = await rowsIn('no-name', '{"key":"aa"}\n{"key":}\n{"key":"cc"}\n')
    expect(lines.map(({kind}) => kind)).to.deep.equal(['document', 'broken', 'document'])
  })

  it('takes lines wherever the pieces of a file end, and the last one without its end', async () => {
    const documents = Array.from({length: 3000}, (_, at) => ({key: `k${at}`, firstName: 'Zoë'.repeat(at % 9)}))
    for (const end of ['', '\n', '\n\n']) {
      const rows = await rowsIn('a.jsonl', documents.map((document) => JSON.stringify(document)).join('\n') + end)
      expect(rows.map(documentOf)).to.deep.equal(documents)
      expect(rows.map(({place, number}) => [place.line, number])).to.deep.equal(
        documents.map((_, at) => [at + 1, at + 1]),
      )
    }
  })

  it('refuses a line that is longer than a row may be, behind the rows before it', async () => {
    const taken: number[] = []
    const long = `{"key":"aa"}\n{"key":"${'b'.repeat(1_100_000)}"}\n`
    const error = await failureOf<InputError>(
      (async () => {
        for await (const table of readRows(await files.source('a.jsonl', long)))
          for await (const rows of table.pieces) for (const {number} of rows) taken.push(number)
      })(),
    )
    expect(error).to.include({line: 2})
    expect(error.message).to.include('longer than')
    expect(taken).to.deep.equal([1])
  })
})

async function* chunksOf(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}
