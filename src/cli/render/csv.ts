import {guard} from '../../transfer/input/excel-guard.js'
import {cellText, flatten, valueAt} from './fields.js'
import {oneLine} from './sanitize.js'
import type {Style} from './view.js'

/** RFC 4180, with nested values at dotted paths. Without `--fields` the columns are all paths that any document has. */
export async function csvText(documents: readonly unknown[], style: Style): Promise<string> {
  const {stringify} = await import('csv-stringify/sync')
  const paths = style.fields ?? [...new Set(documents.flatMap((document) => [...flatten(document).keys()]))]
  // Nothing to name and nothing to show: an empty line would read as a row.
  if (paths.length === 0) return ''
  const cell = (text: string): string => {
    const shown = style.terminal ? oneLine(text) : text
    return style.excelSafe ? guard(shown, true) : shown
  }
  const rows = documents.map((document) => paths.map((path) => cell(cellText(valueAt(document, path)))))
  return stringify(style.header ? [paths.map(cell), ...rows] : rows, {record_delimiter: '\r\n'})
}
