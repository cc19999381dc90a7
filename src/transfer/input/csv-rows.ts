import {type CsvForm, type CsvRecord, csvRecords, quotedCells} from './csv-records.js'
import {unguard} from './excel-guard.js'
import {InputError} from './input-error.js'
import type {Place, Rows, SourceRow} from './row.js'
import type {Source} from './source.js'

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

/** The separator of a table, and its bytes from the header on; `linesBefore` counts those that are no rows. */
function opened(head: Buffer) {
  const text = head.toString()
  const [line, named] = separatorLine.exec(text) ?? []
  if (line === undefined || named === undefined) return {delimiter: delimiterOf(text), body: head, linesBefore: 0}
  return {delimiter: named, body: head.subarray(Buffer.byteLength(line)), linesBefore: 1}
}

/**
 * Tells an empty cell (absent) from an empty text: `""` in a table that quotes only where it must, as PostgreSQL's COPY
 * and our own export write it. In a table that quotes everything, `""` is an empty cell like any other.
 */
function cellsOf({cells, raw}: CsvRecord, {delimiter, quotesEverything}: Table): Cells {
  const quoted = !quotesEverything && raw.includes('""') && cells.includes('') ? quotedCells(raw, delimiter) : []
  return cells.map((cell, at) => (cell === '' ? (quoted[at] ? '' : undefined) : unguard(cell)))
}

/** Reads a table: its columns at once, its rows as they are asked for. */
export async function csvRows(source: Source, chunks: AsyncGenerator<Buffer>, numberFrom: () => number): Promise<Rows> {
  const first = await chunks.next()
  const {delimiter, body, linesBefore} = opened(first.done ? Buffer.alloc(0) : first.value)
  async function* whole(): AsyncGenerator<Buffer> {
    yield body
    yield* chunks
  }
  const form = {source, delimiter, linesBefore}
  const pieces = csvRecords(form, whole())
  const begun = await headerIn(pieces)
  if (!begun) throw new InputError(`${source.name} has no header line.`, {file: source.name, line: linesBefore + 1})
  const {header, rest} = begun
  const columns = checkedColumns(source, header.cells, header.line)
  const quotesEverything = quotedCells(header.raw.trimEnd(), delimiter).every(Boolean)
  return {source, columns, rows: rowsOf({...form, columns, quotesEverything}, {rest, pieces}, numberFrom)}
}

type Piece = readonly CsvRecord[]

/** The first record that says anything, and what follows it in its piece. */
async function headerIn(pieces: AsyncGenerator<Piece>) {
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
    const at = piece.value.findIndex(isFull)
    const header = piece.value[at]
    if (header) return {header, rest: piece.value.slice(at + 1)}
  }
  return undefined
}

/** Spreadsheets leave lines of blank cells. */
const isFull = ({cells}: CsvRecord): boolean => !cells.every(isBlank)

/** Whether a cell says nothing. */
export const isBlank = (cell: string | undefined): boolean => cell === undefined || cell.trim() === ''

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

interface Table extends CsvForm {
  readonly columns: readonly string[]
  readonly quotesEverything: boolean
}

async function* rowsOf(
  table: Table,
  {rest, pieces}: {readonly rest: Piece; readonly pieces: AsyncGenerator<Piece>},
  numberFrom: () => number,
): AsyncGenerator<SourceRow> {
  const {source, columns} = table
  const rowOf = (record: CsvRecord): SourceRow =>
    fitted(cellsOf(record, table), columns.length, {source, line: record.line, number: numberFrom()})
  for (const record of rest) if (isFull(record)) yield rowOf(record)
  for await (const piece of pieces) for (const record of piece) if (isFull(record)) yield rowOf(record)
}

/** A row of the header's width: blank cells may be missing at its end, or be too many. */
export function fitted(cells: Cells, width: number, place: Place): SourceRow {
  if (cells.length === width) return {kind: 'cells', place, cells}
  const ownCells = Array.from({length: width}, (_, at) => cells[at])
  if (cells.slice(width).every(isBlank)) return {kind: 'cells', place, cells: ownCells}
  const message = `The row has ${cells.length} cells; the header has ${width}.`
  return {kind: 'broken', place, issue: {code: 'ColumnCount', message}, cells: ownCells}
}
