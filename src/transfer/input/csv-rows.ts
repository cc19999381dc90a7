import {pipeline, Readable} from 'node:stream'
import type {CsvError, Info} from 'csv-parse'
import {unguard} from './excel-guard.js'
import {InputError} from './input-error.js'
import {openQuoteLine} from './open-quote.js'
import {maxRowBytes, type Place, type Rows, type SourceRow} from './row.js'
import type {Source} from './source.js'
import {utf8Chunks} from './utf8-chunks.js'

const candidates = [',', ';', '\t', '|']
const maxColumns = 10_000

type Cells = readonly (string | undefined)[]

/** The separator that the first line uses most, outside quotes; a comma if it uses none. */
export function delimiterOf(text: string): string {
  const counts = new Map(candidates.map((candidate) => [candidate, 0]))
  let quoted = false
  for (const character of text.replace(/^[\r\n]+/, '')) {
    if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === '\n') break
    const count = counts.get(character)
    if (count !== undefined) counts.set(character, count + 1)
  }
  return candidates.reduce((best, next) => ((counts.get(next) ?? 0) > (counts.get(best) ?? 0) ? next : best))
}

/** The first line that spreadsheets write to name the separator, such as `sep=;`. */
const separatorLine = /^"?sep=(.)"?\r?\n/i

/** The separator of a table, and the bytes from its header on; `linesBefore` counts those that are no rows. */
function opened(head: Buffer) {
  const text = head.toString('utf8')
  const [line, named] = separatorLine.exec(text) ?? []
  if (line === undefined || named === undefined) return {delimiter: delimiterOf(text), body: head, linesBefore: 0}
  return {delimiter: named, body: head.subarray(Buffer.byteLength(line)), linesBefore: 1}
}

/** For each cell of a row whether it stands in quotes. */
export function quotedCells(raw: string, delimiter: string): readonly boolean[] {
  const text = raw.replace(/^[\r\n]+/, '')
  const quoted: boolean[] = []
  let inside = false
  let starts = true
  for (const character of text) {
    if (starts) quoted.push(character === '"')
    starts = false
    if (character === '"') inside = !inside
    else if (character === delimiter && !inside) starts = true
  }
  if (starts) quoted.push(false)
  return quoted
}

/**
 * Tells an empty cell (absent) from an empty text: `""` in a table that quotes only where it must, as PostgreSQL's COPY
 * and our own export write it. In a table that quotes everything, `""` is an empty cell like any other.
 */
function cellsOf({record, raw}: Read, delimiter: string, quotesEverything: boolean): Cells {
  const texts = !quotesEverything && record.includes('') && raw.includes('""') ? quotedCells(raw, delimiter) : []
  return record.map((cell, at) => (cell === '' ? (texts[at] ? '' : undefined) : unguard(cell)))
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['CSV_QUOTE_NOT_CLOSED', 'a quote is opened and never closed'],
  ['CSV_INVALID_CLOSING_QUOTE', 'a quoted cell goes on after its closing quote'],
  ['INVALID_OPENING_QUOTE', 'a quote stands in the middle of a cell that does not begin with one'],
  ['CSV_MAX_RECORD_SIZE', `a row is longer than ${maxRowBytes} bytes (is a closing quote missing?)`],
])

/** Names the line on which the quote was opened: where the parser stopped may be the end of the file. */
async function refused({source, delimiter, linesBefore}: Form, error: unknown): Promise<unknown> {
  const {code, lines} = error as CsvError & {lines?: number}
  const reason = typeof code === 'string' ? reasons.get(code) : undefined
  if (reason === undefined) return error
  const stoppedAt = (lines ?? 1) + linesBefore
  const openedAt = code === 'INVALID_OPENING_QUOTE' ? undefined : await openQuoteLine(utf8Chunks(source), delimiter)
  const line = openedAt ?? stoppedAt
  const until = code === 'CSV_INVALID_CLOSING_QUOTE' && stoppedAt > line ? `, on line ${stoppedAt}` : ''
  return new InputError(
    `${source.name}, line ${line}: ${reason}${until}.`,
    {file: source.name, line, remedy: 'Close the quote; a quote within a quoted cell is written twice.'},
    {cause: error},
  )
}

interface Read {
  readonly record: readonly string[]
  readonly raw: string
  readonly info: Info
}

/** Reads a table: its columns at once, its rows as they are asked for. */
export async function csvRows(source: Source, chunks: AsyncGenerator<Buffer>, numberFrom: () => number): Promise<Rows> {
  const {parse} = await import('csv-parse')
  const first = await chunks.next()
  const head = first.done ? Buffer.alloc(0) : first.value
  const {delimiter, body, linesBefore} = opened(head)
  const parser = parse({
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRowBytes,
    info: true,
    raw: true,
  })
  async function* whole(): AsyncGenerator<Buffer> {
    yield body
    yield* chunks
  }
  // The error arrives through the parser, which the loop below reads.
  pipeline(Readable.from(whole()), parser, () => undefined)
  const records = parser[Symbol.asyncIterator]() as AsyncIterator<Read>
  const form = {source, delimiter, linesBefore}
  const header = await nextOf(form, records)
  const headerLine = header ? lineOf(form, header) : linesBefore + 1
  if (!header) throw new InputError(`${source.name} has no header line.`, {file: source.name, line: headerLine})
  const columns = checkedColumns(source, header.record, headerLine)
  const quotesEverything = quotedCells(header.raw.trimEnd(), delimiter).every(Boolean)
  return {source, columns, rows: rowsOf({...form, columns, quotesEverything}, records, numberFrom)}
}

/** Whether a cell says nothing. */
export const isBlank = (cell: string | undefined): boolean => cell === undefined || cell.trim() === ''

/** The next line that says anything: spreadsheets leave lines of blank cells. */
async function nextOf(form: Form, records: AsyncIterator<Read>): Promise<Read | undefined> {
  try {
    for (;;) {
      const next = await records.next()
      if (next.done) return undefined
      if (!next.value.record.every(isBlank)) return next.value
    }
  } catch (error) {
    throw await refused(form, error)
  }
}

/** The columns of a header. Throws InputError for names that are used twice or cannot be used. */
export function checkedColumns(source: Source, columns: readonly string[], line: number): readonly string[] {
  const place = {file: source.name, line}
  if (columns.length > maxColumns) throw new InputError(`${source.name} has more than ${maxColumns} columns.`, place)
  const seen = new Set<string>()
  for (const [at, column] of columns.entries()) {
    if (column === '__proto__') {
      throw new InputError(`${source.name} has a column '__proto__', which no name may be.`, {...place, column})
    }
    if (column !== '' && seen.has(column)) {
      const message = `${source.name} has the column '${column}' twice; the second is number ${at + 1}.`
      throw new InputError(message, {...place, column})
    }
    seen.add(column)
  }
  return columns
}

const lineBreaksIn = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => (cell.includes('\n') ? sum + cell.split('\n').length - 1 : sum), 0)

/** The line on which a row begins. */
const lineOf = ({linesBefore}: Form, {record, info}: Read): number => linesBefore + info.lines - lineBreaksIn(record)

/** What is known of a table before its header. */
interface Form {
  readonly source: Source
  readonly delimiter: string
  readonly linesBefore: number
}

interface Table extends Form {
  readonly columns: readonly string[]
  readonly quotesEverything: boolean
}

async function* rowsOf(
  table: Table,
  records: AsyncIterator<Read>,
  numberFrom: () => number,
): AsyncGenerator<SourceRow> {
  const {source, columns, delimiter, quotesEverything} = table
  try {
    for (;;) {
      const read = await nextOf(table, records)
      if (!read) return
      const place = {source, line: lineOf(table, read), number: numberFrom()}
      yield fitted(cellsOf(read, delimiter, quotesEverything), columns.length, place)
    }
  } finally {
    await records.return?.()
  }
}

/** A row of the header's width: blank cells may be missing at its end, or be too many. */
export function fitted(cells: Cells, width: number, place: Place): SourceRow {
  if (cells.length === width) return {kind: 'cells', place, cells}
  const ownCells = Array.from({length: width}, (_, at) => cells[at])
  if (cells.slice(width).every(isBlank)) return {kind: 'cells', place, cells: ownCells}
  const message = `The row has ${cells.length} cells; the header has ${width}.`
  return {kind: 'broken', place, issue: {code: 'ColumnCount', message}, cells: ownCells}
}
