import {csvRow, guard} from '../../transfer/files/csv-line.js'
import {oneLine} from '../process/sanitize.js'
import {cellText, flatten, valueAt} from './fields.js'
import type {Style} from './view.js'

/** RFC 4180, with nested values at dotted paths. Without `--fields` the columns are all paths that any document has. */
export function csvText(documents: readonly unknown[], style: Style): string {
  const paths = style.fields ?? [...new Set(documents.flatMap((document) => [...flatten(document).keys()]))]
  // Without columns there is no line: an empty one would read as a row.
  if (paths.length === 0) return ''
  const cell = (text: string): string | undefined => {
    const shown = style.terminal ? oneLine(text) : text
    return (style.excelSafe ? guard(shown, true) : shown) || undefined
  }
  const rows = documents.map((document) => paths.map((path) => cell(cellText(valueAt(document, path)))))
  return (style.header ? [paths.map(cell), ...rows] : rows).map(csvRow).join('')
}
