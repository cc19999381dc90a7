import {execFileSync} from 'node:child_process'
import {mkdirSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import {Readable} from 'node:stream'
import {expect} from 'chai'
import fc from 'fast-check'
import {csvLine} from '../../../src/transfer/files/csv-line.js'
import {InputError} from '../../../src/transfer/files/input-error.js'
import {jsonValues} from '../../../src/transfer/input/json-values.js'
import type {Source, SourceOptions, SourceRow} from '../../../src/transfer/input/row.js'
import {readRows} from '../../../src/transfer/input/rows.js'
import {openSources} from '../../../src/transfer/input/source.js'
import {utf8Chunks} from '../../../src/transfer/input/utf8-chunks.js'
import {collected, failureOf, inOne, scratch} from '../scratch.js'

const files = scratch()

async function rowsIn(name: string, content: string | Uint8Array, options?: SourceOptions): Promise<SourceRow[]> {
  const rows: SourceRow[] = []
  for await (const table of readRows(await files.source(name, content, options))) {
    rows.push(...(await inOne(table.pieces)))
  }
  return rows
}

const cellsOf = (row: SourceRow | undefined): unknown => (row?.kind === 'cells' ? row.cells : row)
const documentOf = (row: SourceRow | undefined): unknown => (row?.kind === 'document' ? row.document : row)
const problem = (name: string, content: string | Uint8Array): Promise<InputError> =>
  failureOf<InputError>(rowsIn(name, content))

describe('transfer · files', () => {
  it('names a file that is missing, a directory, empty or only a byte order mark', async () => {
    const dir = files.path('folder')
    mkdirSync(dir)
    const mark = files.write('mark.csv', '\uFEFF')
    const empty = files.write('empty.csv', '')
    for (const [path, words] of [
      ['/nowhere/at-all.csv', 'does not exist'],
      [dir, 'is a directory'],
      ['/dev/zero', 'is a device'],
      [empty, 'is empty'],
      [mark, 'byte order mark'],
    ] as const) {
      const error = await failureOf<InputError>(openSources([path]))
      expect(error).to.be.instanceOf(InputError)
      expect(error.message).to.include(path).and.include(words)
    }
  })

  it('refuses binary and foreign encodings with the line', async () => {
    expect((await problem('a.csv', Buffer.from('key\nab\n\0\n'))).message)
      .to.include('binary')
      .and.include('line 3')
    expect((await problem('a.csv', Buffer.from('key\nab\n\x81\n', 'latin1'))).message).to.include('line 3')
    expect((await problem('a.csv', Buffer.from('\xff\xfe\0\0k\0\0\0', 'latin1'))).message).to.include('UTF-32')
  })

  it('reads characters that a chunk boundary cuts', async () => {
    const [source] = await files.source('a.csv', 'key\nä€😀ä\n')
    const chunks = await collected(utf8Chunks(source as Source, 3))
    expect(Buffer.concat(chunks).toString()).to.equal('key\nä€😀ä\n')
    for (const chunk of chunks) expect(chunk.toString().includes('\uFFFD')).to.equal(false)
  })

  it('reads a pipe to its end, and ends without anybody who writes into it', async function () {
    if (process.platform === 'win32') return this.skip()
    const path = files.path('pipe')
    execFileSync('mkfifo', [path])
    const ended = new AbortController()
    const opening = openSources([path], {signal: ended.signal})
    ended.abort()
    expect((await failureOf<Error>(opening)).name).to.equal('AbortError')
    const reading = openSources([path])
    await writeFile(path, 'email\na@example.com\n')
    const {list, dispose} = await reading
    for await (const {pieces} of readRows(list)) expect((await inOne(pieces)).length).to.equal(1)
    await dispose()
  })

  it('reads the standard input as often as it likes, from a file that only we can read', async () => {
    const stdin = Readable.from([Buffer.from('{"key":"aa"}\n')])
    const {list, dispose} = await openSources(['-'], {stdin})
    for (const _ of [1, 2]) {
      for await (const {pieces} of readRows(list)) expect((await inOne(pieces)).length).to.equal(1)
    }
    await dispose()
    const error = await failureOf(collected(readRows(list)))
    expect(error).to.be.instanceOf(InputError)
  })

  it('notices a file that changes between two readings', async () => {
    const path = files.write('a.csv', 'key\nab\n')
    const {list} = await openSources([path])
    await new Promise((resolve) => setImmediate(resolve))
    const {appendFileSync} = await import('node:fs')
    appendFileSync(path, 'cd\n')
    expect((await failureOf(collected(readRows(list)))).message).to.include('was changed')
  })
})

describe('transfer · tables', () => {
  it('finds the separator and the line of every row, with newlines in quotes and blank lines between', async () => {
    const rows = await rowsIn('a.csv', '\uFEFFkey;note\r\naa;"x\ny;z"\r\n\r\nbb;q\r\n')
    expect(rows.map(({place}) => place.line)).to.deep.equal([2, 5])
    expect(rows.map(cellsOf)).to.deep.equal([
      ['aa', 'x\ny;z'],
      ['bb', 'q'],
    ])
    expect(cellsOf((await rowsIn('a.csv', 'key\tnote\na\tb\n'))[0])).to.deep.equal(['a', 'b'])
  })

  it('takes the separator that a spreadsheet names in a line of its own, and still counts its lines', async () => {
    const rows = await rowsIn('a.csv', '\uFEFFsep=;\r\nkey;note\r\naa;"x,y,z"\r\n')
    expect(rows.map(cellsOf)).to.deep.equal([['aa', 'x,y,z']])
    expect(rows.map(({place}) => place.line)).to.deep.equal([3])
    expect(cellsOf((await rowsIn('a.csv', 'sep=|\nkey|note,more\na|b\n'))[0])).to.deep.equal(['a', 'b'])
    expect(await problem('a.csv', 'sep=;\nkey;__proto__\na;b\n')).to.include({line: 2})
    expect(await problem('a.csv', 'sep=;\nkey;note\na;"b\n')).to.include({line: 3})
    expect(await problem('a.csv', 'sep=;\n')).to.include({line: 2})
  })

  it('counts an empty text as an empty cell, but for exports of customers, who may have one', async () => {
    expect(cellsOf((await rowsIn('a.csv', 'key,title,note\naa,"",\n'))[0])).to.deep.equal(['aa', undefined, undefined])
    const exported = await rowsIn('a.csv', 'version,title,note\n1,"",\n')
    expect(cellsOf(exported[0])).to.deep.equal(['1', '', undefined])
    expect(cellsOf((await rowsIn('a.csv', '"version","title"\n"1",""\n'))[0])).to.deep.equal(['1', undefined])
  })

  it('numbers repeated columns, and refuses __proto__ and what a number repeats', async () => {
    expect((await problem('a.csv', 'key,__proto__\na,b\n')).message).to.include('__proto__')
    expect((await problem('a.csv', 'key,key,key (2)\na,b,c\n')).message).to.include("'key (2)' twice")
  })

  it('brings every text back that it wrote, guarded for spreadsheets or not', async () => {
    const cell = fc.option(
      fc.oneof(fc.string(), fc.constantFrom('', '=1+1', "'=x", "''@", ' +4', '-', 'a\r\nb', '‮אב', '"')),
      {
        nil: undefined,
      },
    )
    const tables = fc.record({
      rows: fc.array(fc.tuple(cell, cell, cell), {minLength: 1, maxLength: 5}),
      excelSafe: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(tables, async ({rows, excelSafe}) => {
        const clean = rows.map((row) => row.map((text) => text?.replaceAll('\0', '')))
        const header = csvLine(['a1', 'b1', 'c1', 'version'])
        const text = header + clean.map((row) => csvLine([...row, 'end'], {excelSafe})).join('')
        expect((await rowsIn('a.csv', text)).map(cellsOf)).to.deep.equal(clean.map((row) => [...row, 'end']))
      }),
      {numRuns: 100},
    )
  })
})

describe('transfer · JSON', () => {
  const cut = async (text: string, size: number): Promise<string[]> => {
    const [source] = await files.source('a.json', text)
    async function* chunks(): AsyncGenerator<Buffer> {
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    return (await inOne(jsonValues(source as Source, chunks()))).map((piece) => piece.text)
  }

  it('cuts an array into its elements wherever the chunks end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), {maxLength: 6}),
        fc.integer({min: 1, max: 9}),
        fc.boolean(),
        async (list, size, wide) => {
          const pieces = await cut(JSON.stringify(list, null, wide ? 2 : 0), size)
          expect(pieces.map((piece) => JSON.parse(piece) as unknown)).to.deep.equal(JSON.parse(JSON.stringify(list)))
        },
      ),
      {numRuns: 150},
    )
  })

  it('knows the line of each element, and takes objects without an array around them', async () => {
    const rows = await rowsIn('a.json', '[\n {"key":"aa"},\n\n {"key":\n"bb"}\n]\n')
    expect(rows.map(({place}) => place.line)).to.deep.equal([2, 4])
    expect((await rowsIn('a.json', '{"key":"aa"}\n{"key":"bb"}')).map(documentOf)).to.deep.equal([
      {key: 'aa'},
      {key: 'bb'},
    ])
    expect(await rowsIn('a.json', ' [ ] ')).to.deep.equal([])
  })

  it('looks for the rows of a document behind some other lists, and not behind a thousand', async () => {
    const document = (lists: number) =>
      `{${Array.from({length: lists}, (_, at) => `"a${at}": [1], `).join('')}"found": [{"key": "x"}]}`
    expect((await rowsIn('few.json', document(10))).map(documentOf)).to.deep.equal([{key: 'x'}])
    const [row] = await rowsIn('many.json', document(1000))
    expect(Object.keys(documentOf(row) as object)).to.have.length(1001)
  })

  it('names the line of brackets and commas that do not fit', async () => {
    for (const [text, line] of [
      ['[{"a":1}', 1],
      ['[\n{"a":\n', 2],
      ['[{},\n]', 2],
      ['[{}\n{}]', 2],
      ['[{}]\n[]', 2],
      [',', 1],
    ] as const) {
      const error = await problem('a.json', text)
      expect(error, text).to.be.instanceOf(InputError)
      expect(error.line, text).to.equal(line)
    }
  })

  it('keeps a broken element or line to itself, and quotes nothing of it', async () => {
    const rows = await rowsIn('a.jsonl', '{"key":"aa"}\n{"password":"s3cret" x}\n[]\n\n{"key":"bb"}\n')
    expect(rows.map(({kind}) => kind)).to.deep.equal(['document', 'broken', 'broken', 'document'])
    expect(JSON.stringify(rows[1])).to.include('line 2').and.not.include('s3cret')
    expect((await rowsIn('a.json', '[{"a" 1},{"key":"bb"}]')).map(({kind}) => kind)).to.deep.equal([
      'broken',
      'document',
    ])
  })

  it('refuses what no row may be, row by row, and keeps the digits of numbers beyond 2^53', async () => {
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`
    const rows = await rowsIn(
      'a.jsonl',
      `{"__proto__":1}\n{"a":${deep}}\n{"a":9007199254740993}\n{"a":"\\ud800"}\n{"a":1.5}\n`,
    )
    expect(rows.map(({kind}) => kind)).to.deep.equal(['broken', 'broken', 'document', 'document', 'document'])
    const text =
      '{"a":[9007199254740993,-12345678901234567890],"b":"x 12345678901234567890 \\"","c":1.25,"d":9007199254740991}'
    const [row] = await rowsIn('a.jsonl', `${text}\n`)
    expect(row?.kind === 'document' ? row.document : row).to.deep.equal({
      ...{a: ['9007199254740993', '-12345678901234567890'], b: 'x 12345678901234567890 "', c: 1.25},
      d: 9_007_199_254_740_991,
    })
  })
})
