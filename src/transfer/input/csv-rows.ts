import type {CsvError, Parser} from 'csv-parse'
import {unguard} from '../files/csv-line.js'
import {InputError} from '../files/input-error.js'
import {maxRowBytes, type Rows, type Source} from './row.js'
import {type RawRow, tableRows} from './table-rows.js'

const candidates = [',', ';', '\t', '|']

const titleLines = 20

/** The separator that the first line with any uses most, outside quotes; a comma if none of the first lines has one. */
function delimiterOf(text: string): string {
  const counts = new Map(candidates.map((candidate) => [candidate, 0]))
  let [quoted, any, lines] = [false, false, 0]
  for (const character of text.replace(/^[\r\n]+/, '')) {
    if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === '\n' && (any || ++lines === titleLines)) break
    const count = counts.get(character)
    if (count === undefined) continue
    counts.set(character, count + 1)
    any = true
  }
  return candidates.reduce((best, next) => ((counts.get(next) ?? 0) > (counts.get(best) ?? 0) ? next : best))
}

/** The first line that spreadsheets write to name the separator, such as `sep=;`. */
const separatorLine = /^"?sep=(.)"?\r?\n/i

function delimiterAndBody(head: Buffer, headerRow = 1) {
  const text = head.toString()
  const [line, named] = separatorLine.exec(text) ?? []
  if (line !== undefined && named !== undefined)
    return {delimiter: named, body: head.subarray(Buffer.byteLength(line)), linesBefore: 1}
  const header = text.split('\n').slice(Math.max(0, headerRow - 1))
  return {delimiter: delimiterOf(header.join('\n')), body: head, linesBefore: 0}
}

export async function csvRows(source: Source, chunks: AsyncGenerator<Buffer>, numberFrom: () => number): Promise<Rows> {
  const first = await chunks.next()
  const {body, ...form} = delimiterAndBody(first.done ? Buffer.alloc(0) : first.value, source.headerRow)
  async function* whole(): AsyncGenerator<Buffer> {
    yield body
    yield* chunks
  }
  async function* pieces(): AsyncGenerator<readonly RawRow[]> {
    let rowOf: ((record: CsvRecord) => RawRow) | undefined
    for await (const piece of csvRecords({source, ...form}, whole())) {
      rowOf ??= rowReader(piece, form.delimiter)
      if (rowOf) yield piece.map(rowOf)
    }
  }
  return tableRows(source, pieces(), numberFrom, form.linesBefore + 1)
}

/**
 * An empty cell is absent. Only in an export of customers (it has their versions) that quotes only where it must, `""`
 * is an empty text that the customer has.
 */
function rowReader(piece: readonly CsvRecord[], delimiter: string): ((record: CsvRecord) => RawRow) | undefined {
  const header = piece.find(({cells}) => cells.some((cell) => cell.trim() !== ''))
  if (!header) return undefined
  const isExport = header.cells.includes('version') && !quotedCells(header.raw.trimEnd(), delimiter).every(Boolean)
  return ({cells, raw, line}) => {
    const quoted = isExport && raw.includes('""') && cells.includes('') ? quotedCells(raw, delimiter) : undefined
    return {line, cells: cells.map((cell, at) => (cell === '' ? (quoted?.[at] ? '' : undefined) : unguard(cell)))}
  }
}

interface CsvForm {
  readonly source: Source
  readonly delimiter: string
  /** Lines that are no rows. */
  readonly linesBefore: number
}

export interface CsvRecord {
  readonly cells: readonly string[]
  /** Its text, with the line breaks of empty lines before it. */
  readonly raw: string
  /** The line on which it begins, from 1. */
  readonly line: number
}

const leadingBreaks = /^[\r\n]+/
const breaksIn = (text = ''): number => text.match(/\r\n|\r|\n/g)?.length ?? 0

export function quotedCells(raw: string, delimiter: string): readonly boolean[] {
  const quoted: boolean[] = []
  let inside = false
  let starts = true
  for (const character of raw.replace(leadingBreaks, '')) {
    if (starts) quoted.push(character === '"')
    starts = false
    if (character === '"') inside = !inside
    else if (character === delimiter && !inside) starts = true
  }
  if (starts) quoted.push(false)
  return quoted
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['CSV_QUOTE_NOT_CLOSED', 'a quote is opened and never closed'],
  ['CSV_INVALID_CLOSING_QUOTE', 'a quoted cell goes on after its closing quote'],
  ['INVALID_OPENING_QUOTE', 'a quote stands in the middle of a cell that does not begin with one'],
  ['CSV_MAX_RECORD_SIZE', `a row is longer than ${maxRowBytes} bytes (is a closing quote missing?)`],
])

/** Names the line on which the record with the quote begins: where the parser stopped may be the end of the file. */
function refused({source: {name: file}, linesBefore}: CsvForm, error: unknown, begunAt: number): unknown {
  const {code, lines, raw = ''} = error as CsvError & {lines?: number; raw?: string}
  const reason = typeof code === 'string' ? reasons.get(code) : undefined
  if (reason === undefined) return error
  const stoppedAt = (lines ?? 1) + linesBefore
  const line = code === 'INVALID_OPENING_QUOTE' ? stoppedAt : begunAt + breaksIn(leadingBreaks.exec(raw)?.[0])
  const until = code === 'CSV_INVALID_CLOSING_QUOTE' && stoppedAt > line ? `, on line ${stoppedAt}` : ''
  return new InputError(
    `${file}, line ${line}: ${reason}${until}.`,
    {file, line, remedy: 'Close the quote; a quote within a quoted cell is written twice.'},
    {cause: error},
  )
}

/**
 * The records of a table, those of a piece of the text together: handing over each by itself costs more than reading it.
 * Empty lines are none. Throws InputError.
 */
export async function* csvRecords(form: CsvForm, chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly CsvRecord[]> {
  const {parse: parserOf} = await import('csv-parse')
  const parser = parserOf({
    delimiter: form.delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRowBytes,
    raw: true,
  })
  // Whoever writes hears of it too.
  parser.on('error', () => undefined)
  const records: RawRecord[] = []
  let line = form.linesBefore + 1
  /** The parser counts a line break of Windows within quotes twice. */
  const placed = ({record, raw}: RawRecord): CsvRecord => {
    const begun = line + breaksIn(leadingBreaks.exec(raw)?.[0])
    line += breaksIn(raw)
    return {cells: record, raw, line: begun}
  }
  try {
    for await (const chunk of quotedGuards(chunks, form.delimiter)) {
      await parse(parser, records, chunk)
      yield records.splice(0).map(placed)
    }
    await parse(parser, records)
    yield records.map(placed)
  } catch (error) {
    records.map(placed)
    throw refused(form, error, line)
  } finally {
    parser.destroy()
  }
}

/**
 * The same text with each cell `="02138"` in quotes, as other programs write it. Within quotes there is no such text: a
 * separator follows a quote there, or a second one.
 */
async function* quotedGuards(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<Buffer> {
  const ends = `\\r\\n\\x${delimiter.charCodeAt(0).toString(16).padStart(2, '0')}`
  const guards = new RegExp(`(?<=[${ends}])="([^"${ends}]{1,500})"(?=$|[${ends}])`, 'g')
  const begun = new RegExp(`(?<=[${ends}])=(?:"(?:[^"${ends}]{1,500}"?)?)?$`)
  const quoted = (text: string): Buffer => Buffer.from(text.replace(guards, '"=""$1"""').slice(1), 'latin1')
  // The last character before the chunk, and a guard that has begun.
  let open = '\n'
  for await (const chunk of chunks) {
    if (open.length === 1 && !chunk.includes('="') && chunk.at(-1) !== equalsSign) {
      open = chunk.toString('latin1', Math.max(0, chunk.length - 1)) || open
      yield chunk
      continue
    }
    const text = open + chunk.toString('latin1')
    const end = begun.exec(text)?.index ?? text.length
    yield quoted(text.slice(0, end))
    open = text.slice(end - 1)
  }
  yield quoted(open)
}

const equalsSign = 0x3d

interface RawRecord {
  readonly record: readonly string[]
  readonly raw: string
}

/** Adds the records that a piece of the text completes; the end of the text, if there is none. */
async function parse(parser: Parser, records: RawRecord[], chunk?: Buffer): Promise<void> {
  const taken = new Promise<void>((resolve, reject) => {
    const settle = (error?: Error | null): void => (error ? reject(error) : resolve())
    if (chunk) parser.write(chunk, settle)
    else parser.end(settle)
  })
  const collect = (): void => {
    for (let next = parser.read() as RawRecord | null; next; next = parser.read() as RawRecord | null)
      records.push(next)
  }
  // The parser takes no more before it is read.
  collect()
  await taken
  collect()
}
