import {checkedColumns, fitted, isBlank} from '../csv-rows.js'
import {unguard} from '../excel-guard.js'
import {InputError} from '../input-error.js'
import type {Rows, SourceRow} from '../row.js'
import type {Source} from '../source.js'
import {type SheetRow, sheetRows} from './sheet-cells.js'
import {openWorkbook, type Sheet, type Workbook} from './workbook.js'

/** Reads a sheet of a workbook: its columns at once, its rows as they are asked for, with the memory of a few. */
export async function workbookRows(source: Source, numberFrom: () => number): Promise<Rows> {
  const workbook = await openWorkbook(source)
  const sheet = workbook.sheets.find(({name}) => name === source.sheet)
  if (!sheet) throw new InputError(`${source.name} has no sheet '${source.sheet}'.`, {file: source.name})
  const rows = said(workbook, sheet)
  const header = await rows.next()
  if (header.done) {
    const message = `The sheet '${sheet.name}' of ${source.name} has no header line.`
    throw new InputError(message, {
      file: source.name,
      line: 1,
      remedy: 'Choose another with --sheet NAME or its number.',
    })
  }
  const {row, cells} = header.value
  const columns = checkedColumns(
    source,
    cells.map((cell) => cell ?? ''),
    row,
  )
  return {source, columns, rows: tableOf(source, columns.length, rows, numberFrom)}
}

/** The rows that say anything. */
async function* said(workbook: Workbook, sheet: Sheet): AsyncGenerator<SheetRow> {
  try {
    for await (const row of sheetRows(workbook, sheet)) {
      if (row.problem !== undefined || !row.cells.every(isBlank)) yield row
    }
  } finally {
    workbook.archive.close()
  }
}

async function* tableOf(
  source: Source,
  width: number,
  rows: AsyncIterable<SheetRow>,
  numberFrom: () => number,
): AsyncGenerator<SourceRow> {
  for await (const {row, cells, problem} of rows) {
    const place = {source, line: row, number: numberFrom()}
    const texts = cells.map((cell) => (cell === undefined ? undefined : unguard(cell)))
    const fit = fitted(texts, width, place)
    yield problem === undefined || fit.kind !== 'cells'
      ? fit
      : {...fit, kind: 'broken', issue: {code: 'CellWithoutValue', message: problem}}
  }
}
