import {guard} from '../input/excel-guard.js'

export interface CsvForm {
  /** Guards cells that a spreadsheet would run. */
  readonly excelSafe?: boolean
}

/** A line of a table after RFC 4180. An absent value is an empty cell, an empty text is `""`, so that both come back. */
export function csvLine(cells: readonly (string | undefined)[], {excelSafe = false}: CsvForm = {}): string {
  const texts = cells.map((cell) => {
    if (cell === undefined) return ''
    const text = guard(cell, excelSafe)
    return text === '' || /[",\r\n\t;|]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
  })
  return `${texts.join(',')}\r\n`
}
