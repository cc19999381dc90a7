import {guard} from '../input/excel-guard.js'

export interface CsvForm {
  /** Guards cells that a spreadsheet would run. */
  readonly excelSafe?: boolean
}

/**
 * A line of a table that an import reads back. An absent value is an empty cell, an empty text is `""`, so that both come
 * back; cells that look guarded get one apostrophe more.
 */
export const csvLine = (cells: readonly (string | undefined)[], {excelSafe = false}: CsvForm = {}): string =>
  csvRow(cells.map((cell) => (cell === undefined ? undefined : guard(cell, excelSafe))))

/** One record of RFC 4180. Cells with separators of any kind, line breaks or blanks at an end are quoted. */
export const csvRow = (cells: readonly (string | undefined)[]): string => `${cells.map(quoted).join(',')}\r\n`

function quoted(text: string | undefined): string {
  if (text === undefined) return ''
  const needsQuotes = text === '' || /[",\r\n\t;|]/.test(text) || text !== text.trim()
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text
}
