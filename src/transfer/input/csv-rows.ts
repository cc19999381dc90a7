import {pipeline, Readable} from 'node:stream'
import type {CsvError, Info} from 'csv-parse'
import {unguard} from './excel-guard.js'
import {InputError} from './input-error.js'
import {maxRowBytes, type Rows, type SourceRow} from './row.js'
import type {Source} from './source.js'

const candidates = [',', ';', '\t', '|']
const maxColumns = 10_000

type Cells = readonly (string | undefined)[]

/** The separator that the first line uses most, outside quotes; a comma if it uses none. */
export function delimiterOf(text: string): string {
  const counts = new Map(candidates.map((candidate) => [candidate, 0]))
  let quoted = false
  for (const character of text) {
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

function refused(source: Source, error: unknown, linesBefore: number): unknown {
  const {code, lines} = error as CsvError & {lines?: number}
  const reason = typeof code === 'string' ? reasons.get(code) : undefined
  if (reason === undefined) return error
  const line = (lines ?? 1) + linesBefore
  return new InputError(`${source.name}, line ${line}: ${reason}.`, {file: source.name, line}, {cause: error})
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
  const header = await nextOf(source, records, linesBefore)
  const headerLine = linesBefore + 1
  if (!header) throw new InputError(`${source.name} has no header line.`, {file: source.name, line: headerLine})
  const columns = checkedColumns(source, header.record, headerLine)
  const quotesEverything = quotedCells(header.raw.trimEnd(), delimiter).every(Boolean)
  const table = {source, columns, delimiter, quotesEverything, linesBefore}
  return {source, columns, rows: rowsOf(table, records, numberFrom)}
}

async function nextOf(source: Source, records: AsyncIterator<Read>, linesBefore: number): Promise<Read | undefined> {
  try {
    const next = await records.next()
    return next.done ? undefined : next.value
  } catch (error) {
    throw refused(source, error, linesBefore)
  }
}

function checkedColumns(source: Source, columns: readonly string[], line: number): readonly string[] {
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

interface Table {
  readonly source: Source
  readonly columns: readonly string[]
  readonly delimiter: string
  readonly quotesEverything: boolean
  readonly linesBefore: number
}

async function* rowsOf(
  {source, columns, delimiter, quotesEverything, linesBefore}: Table,
  records: AsyncIterator<Read>,
  numberFrom: () => number,
): AsyncGenerator<SourceRow> {
  try {
    for (;;) {
      const read = await nextOf(source, records, linesBefore)
      if (!read) return
      const {record, info} = read
      const place = {source, line: linesBefore + info.lines - lineBreaksIn(record), number: numberFrom()}
      const cells = cellsOf(read, delimiter, quotesEverything)
      if (record.length === columns.length) {
        yield {kind: 'cells', place, cells}
      } else {
        const message = `The row has ${record.length} cells; the header has ${columns.length}.`
        yield {kind: 'broken', place, issue: {code: 'ColumnCount', message}, cells: cells.slice(0, columns.length)}
      }
    }
  } finally {
    await records.return?.()
  }
}
