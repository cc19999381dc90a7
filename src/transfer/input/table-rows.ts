import {InputError} from '../files/input-error.js'
import {type Cell, isBlank, withoutGuard} from './cell.js'
import {mapPieces, type Rows, type Source, type SourceRow} from './row.js'

/** A row of a table as its file has it: the header is one as well. */
export interface RawRow {
  readonly line: number
  readonly cells: readonly (Cell | undefined)[]
  /** Why a cell has no value that could be taken. */
  readonly problem?: string
}

const maxColumns = 10_000

/**
 * Cuts a table into its columns and rows. The header is the first row that says anything, from `source.headerRow` on if
 * that is given; if it is 0 there is none, and the columns have the names of `source.header`, or their numbers. A first
 * row without these names is no header either. Throws InputError.
 */
export async function tableRows(
  source: Source,
  pieces: AsyncGenerator<readonly RawRow[]>,
  numberFrom: () => number,
  firstLine = 1,
): Promise<Rows> {
  const {headerRow, name: file} = source
  const from = headerRow || firstLine
  const full = fullRows(pieces, from)
  const first = await full.next()
  const [header, ...below] = first.done ? [] : first.value
  if (!header) {
    const where = source.sheet === undefined ? file : `The sheet '${source.sheet}' of ${file}`
    const message = from > firstLine ? `${where} has no row ${from} or below it.` : `${where} has no header line.`
    const remedy = source.sheet === undefined ? undefined : 'Choose another with --sheet NAME or its number.'
    throw new InputError(message, {file, line: from, ...(remedy === undefined ? {} : {remedy})})
  }
  const names = header.cells.map((cell) => (cell === undefined ? '' : withoutGuard(String(cell), false)))
  const {header: given} = source
  const hasNone = headerRow === 0 || (headerRow === undefined && given?.some((name) => !names.includes(name)) === true)
  const rest = hasNone ? [header, ...below] : below
  const numbers = () => Array.from({length: Math.max(...rest.map(({cells}) => cells.length))}, (_, at) => `${at + 1}`)
  const columns = hasNone ? (given ?? numbers()) : distinctNames(names)
  checkColumns(file, columns, header.line)
  if (headerRow === undefined && !hasNone) checkIsNoTitle(file, columns, [header, ...rest])
  // Exports that were put together have one each.
  const isHeaderAgain = ({cells}: RawRow): boolean => header.cells.every((cell, at) => cell === cells[at])
  const rowOf = (row: RawRow): SourceRow | undefined =>
    hasNone || !isHeaderAgain(row)
      ? paddedToWidth(row, columns.length, {place: {file, line: row.line}, number: numberFrom()})
      : undefined
  async function* whole(): AsyncGenerator<readonly RawRow[]> {
    yield rest
    yield* full
  }
  return {source, columns, pieces: mapPieces(whole(), rowOf)}
}

async function* fullRows(pieces: AsyncGenerator<readonly RawRow[]>, from: number): AsyncGenerator<readonly RawRow[]> {
  for await (const piece of pieces) {
    const full = piece.filter(
      ({line, cells, problem}) => line >= from && (problem !== undefined || !cells.every(isBlank)),
    )
    if (full.length > 0) yield full
  }
}

/** Names of which each stands once: the second `Street` is `Street (2)`. */
function distinctNames(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return name === '' || count === 1 ? name : `${name} (${count})`
  })
}

/** Throws InputError for names that cannot be used, or that are used twice beside their numbers. */
function checkColumns(file: string, columns: readonly string[], line: number): void {
  if (columns.length > maxColumns)
    throw new InputError(`${file} has ${columns.length} columns; ${maxColumns} are the most.`, {file, line})
  const seen = new Set<string>()
  for (const [at, column] of columns.entries()) {
    if (column === '__proto__') {
      throw new InputError(`${file} has a column '__proto__', which no name may be.`, {file, line, column})
    }
    if (column !== '' && seen.has(column)) {
      const message = `${file} has the column '${column}' twice; the second is number ${at + 1}.`
      throw new InputError(message, {file, line, column})
    }
    seen.add(column)
  }
}

/** A single text above rows of several cells is the title of the table, and not its header. */
function checkIsNoTitle(
  file: string,
  columns: readonly string[],
  [{line}, ...rows]: readonly [RawRow, ...RawRow[]],
): void {
  const names = columns.filter((column) => !isBlank(column))
  const filled = ({cells}: RawRow): number => cells.filter((cell) => !isBlank(cell)).length
  const likely = names.length === 1 ? rows.slice(0, 20).find((row) => filled(row) > 1) : undefined
  if (!likely) return
  throw new InputError(
    `${file} has the single name '${names[0]}' in row ${line}, and ${filled(likely)} cells in row ${likely.line}.`,
    {file, line, remedy: `If the names of the columns stand there, add --header-row ${likely.line}.`},
  )
}

/** A row of the header's width: blank cells may be missing at its end, or be too many. */
function paddedToWidth(
  {cells, problem}: RawRow,
  width: number,
  {place, number}: Pick<SourceRow, 'place' | 'number'>,
): SourceRow {
  if (cells.length === width && problem === undefined) return {kind: 'cells', place, number, cells}
  const own = Array.from({length: width}, (_, at) => cells[at])
  const isTooLong = !cells.slice(width).every(isBlank)
  if (!isTooLong && problem === undefined) return {kind: 'cells', place, number, cells: own}
  const issue = isTooLong
    ? {code: 'ColumnCount', message: `The row has ${cells.length} cells; the header has ${width}.`}
    : {code: 'CellWithoutValue', message: problem ?? ''}
  return {kind: 'broken', place, number, issue, cells: own}
}
