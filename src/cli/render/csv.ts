import {cellText, flatten, valueAt} from './fields.js'
import type {Style} from './view.js'

// What a spreadsheet would read as a formula, after blanks, also in full width; a guard that is already there counts too, so
// that undoing takes away exactly one.
const formula = /^'*[ \u3000]*[=+\-@\t\r＝＋－＠]/

/** Puts an apostrophe before a cell that a spreadsheet would run. */
export const guarded = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell)

/** RFC 4180, with nested values at dotted paths. Without `--fields` the columns are all paths that any document has. */
export async function csvText(documents: readonly unknown[], style: Style): Promise<string> {
  const {stringify} = await import('csv-stringify/sync')
  const paths = style.fields ?? [...new Set(documents.flatMap((document) => [...flatten(document).keys()]))]
  const cell = (text: string): string => (style.excelSafe ? guarded(text) : text)
  const rows = documents.map((document) => paths.map((path) => cell(cellText(valueAt(document, path)))))
  return stringify(style.header ? [paths.map(cell), ...rows] : rows, {record_delimiter: '\r\n'})
}
