import {InputError} from '../files/input-error.js'
import {type Adjustments, adjustedRows} from './adjusted-rows.js'
import {csvRows} from './csv-rows.js'
import {exactJson, unsafeBecause} from './json-hygiene.js'
import {jsonValues, type TextAt} from './json-values.js'
import {maxRowBytes, type Places, placesIn, type Rows, type Seen, type Source, type SourceRow} from './row.js'
import {checkUnchanged} from './source.js'
import {utf8Chunks} from './utf8-chunks.js'
import {xmlRows} from './xml-rows.js'

/** What a map says of how files are read. */
export interface Layout extends Adjustments {
  /** What holds the rows: of a JSON document a list, by its path; of XML the elements of a name. */
  readonly rows?: string | undefined
  readonly header?: readonly string[] | undefined
}

/**
 * The rows of several files, one file after the other, with the memory of a few rows. May be read again: the row
 * numbers are the same each time. Throws InputError for what cannot be read as rows at all.
 */
export async function* readRows(sources: readonly Source[], layout: Layout = {}): AsyncGenerator<Rows> {
  const {rows, header} = layout
  let count = 0
  const next = (): number => {
    count += 1
    return count
  }
  for (const file of sources) {
    const source = header ? {...file, header} : file
    await checkUnchanged(source)
    const seen: Seen = {isOneLine: false}
    const chunks = noted(source, seen)
    if (rows !== undefined && !/json|xml/.test(source.format)) {
      const message = `${source.name} is a table, and the map names the rows of a document ('rows').`
      throw new InputError(message, {file: source.name})
    }
    if (source.format === 'xlsx') {
      const {workbookRows} = await import('./workbook/workbook-rows.js')
      yield adjustedRows(await workbookRows(source, next), layout)
    } else if (source.format === 'csv') {
      yield adjustedRows(await csvRows(source, chunks, next), layout)
    } else if (source.format === 'xml') {
      const pieces = xmlRows(source, chunks, {rows, placeOf: placesIn(source, seen)}, next)
      yield adjustedRows({source, pieces}, layout)
    } else {
      const isDocument = source.format === 'json' || rows !== undefined
      const texts = isDocument ? jsonValues(source, chunks, rows) : textLines(source, chunks)
      yield adjustedRows({source, pieces: documentPieces(texts, placesIn(source, seen), next)}, layout)
    }
    await checkUnchanged(source)
  }
}

async function* documentPieces(
  pieces: AsyncIterable<Iterable<TextAt>>,
  placeOf: Places,
  next: () => number,
): AsyncGenerator<Iterable<SourceRow>> {
  for await (const texts of pieces) yield documentRows(texts, placeOf, next)
}

function* documentRows(texts: Iterable<TextAt>, placeOf: Places, next: () => number): Generator<SourceRow> {
  for (const {text, line} of texts) yield rowOf(text, {place: placeOf(line), number: next()})
}

/** The text of a source; notes with its beginning whether it is a document of one line, where lines tell no rows apart. */
async function* noted(source: Source, seen: Seen): AsyncGenerator<Buffer> {
  let isFirst = /json$|xml/.test(source.format)
  for await (const chunk of utf8Chunks(source)) {
    if (isFirst)
      seen.isOneLine = !/\n/.test(
        chunk
          .toString('latin1')
          .replace(/^\s*<\?xml[^>]*>/, '')
          .trim(),
      )
    isFirst = false
    yield chunk
  }
}

type Numbered = Pick<SourceRow, 'place' | 'number'>

/** One JSON text as a row. What V8 says of a syntax error quotes the text, which may hold a password: only its place is kept. */
function rowOf(text: string, numbered: Numbered): SourceRow {
  const {line, by} = numbered.place
  let document: unknown
  try {
    document = exactJson(text)
  } catch (error) {
    const at = /position (\d+)/.exec((error as Error).message)?.[1]
    return broken(
      numbered,
      `is not valid JSON${at === undefined ? '' : whereIs(text, Number(at), by === 'row' ? undefined : line)}`,
    )
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return broken(numbered, 'is not a JSON object')
  }
  const unsafe = unsafeBecause(document)
  if (unsafe !== undefined) return broken(numbered, `cannot be used: ${unsafe}`)
  const {place, number} = numbered
  return {place, number, kind: 'document', document: document as Record<string, unknown>}
}

const broken = (numbered: Numbered, what: string): SourceRow => ({
  ...numbered,
  kind: 'broken',
  issue: {code: 'InvalidJsonInput', message: `The row ${what}.`},
})

function whereIs(text: string, at: number, firstLine: number | undefined): string {
  if (firstLine === undefined) return ` (character ${at + 1} of the row)`
  const before = text.slice(0, at).split('\n')
  return ` (line ${firstLine + before.length - 1}, character ${(before.at(-1) ?? '').length + 1})`
}

const newline = 0x0a

/** The lines of a source that are not blank, by chunks. */
async function* textLines({name}: Source, chunks: AsyncIterable<Buffer>): AsyncGenerator<Iterable<TextAt>> {
  const open: OpenLine = {rest: Buffer.alloc(0), line: 1}
  for await (const chunk of chunks) {
    yield linesOf(chunk, open)
    const {rest, line} = open
    if (rest.length <= maxRowBytes) continue
    throw new InputError(`Line ${line} of ${name} is longer than ${maxRowBytes} bytes.`, {file: name, line})
  }
  if (open.rest.length > 0) yield linesOf(Buffer.of(newline), open)
}

/** What came of the line that has not ended yet, and its number. */
interface OpenLine {
  rest: Buffer
  line: number
}

function* linesOf(chunk: Buffer, open: OpenLine): Generator<TextAt> {
  const bytes = open.rest.length > 0 ? Buffer.concat([open.rest, chunk]) : chunk
  let from = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, from)) {
    const text = bytes.toString('utf8', from, at)
    if (text.trim() !== '') yield {text, line: open.line}
    open.line += 1
    from = at + 1
  }
  open.rest = bytes.subarray(from)
}
