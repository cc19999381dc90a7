import {unguard} from '../../files/csv-line.js'
import {InputError} from '../../files/input-error.js'
import type {Rows} from '../row.js'
import type {Source} from '../source.js'
import {type RawRow, tableRows} from '../table-rows.js'
import {sheetRows} from './sheet-cells.js'
import {openWorkbook, type Sheet, type Workbook} from './workbook.js'

/** Reads a sheet of a workbook: its columns at once, its rows as they are asked for, with the memory of a few. */
export async function workbookRows(source: Source, numberFrom: () => number): Promise<Rows> {
  const workbook = await openWorkbook(source)
  const sheet = workbook.sheets.find(({name}) => name === source.sheet)
  if (!sheet) throw new InputError(`${source.name} has no sheet '${source.sheet}'.`, {file: source.name})
  return tableRows(source, piecesOf(workbook, sheet), numberFrom)
}

const pieceLength = 100

async function* piecesOf(workbook: Workbook, sheet: Sheet): AsyncGenerator<readonly RawRow[]> {
  let piece: RawRow[] = []
  try {
    for await (const row of sheetRows(workbook, sheet)) {
      piece.push({...row, cells: row.cells.map((cell) => (typeof cell === 'string' ? unguard(cell) : cell))})
      if (piece.length < pieceLength) continue
      yield piece
      piece = []
    }
    yield piece
  } finally {
    workbook.archive.close()
  }
}
