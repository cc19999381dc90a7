import {csvRow, guard} from '../../transfer/files/csv-line.js'
import {jsonText, manyLines, oneLine} from '../process/sanitize.js'
import {cellAt, cellText, flatten, project} from './fields.js'
import {columnGap, markOf, tableText, valueIn} from './table.js'
import {momentText} from './times.js'
import {column, type Form, type Style, type View, whole} from './view.js'
import {rulerFor} from './width.js'

/** A page of documents as the API wraps it. */
export interface Page {
  readonly results: readonly unknown[]
  readonly [member: string]: unknown
}

/** One document in the asked form, ending with a line feed. */
export async function documentText(document: unknown, form: Form, view: View, style: Style): Promise<string> {
  if (form === 'card') return cardText(document, view, style)
  return listText([document], form, view, style, chosen(document, style))
}

/** A page of documents in the asked form; JSON and YAML show the whole wrapper. */
export async function pageText(page: Page, form: Form, view: View, style: Style): Promise<string> {
  const whole = style.fields ? {...page, results: page.results.map((document) => chosen(document, style))} : page
  return listText(page.results, form, view, style, whole)
}

async function listText(
  documents: readonly unknown[],
  form: Form,
  view: View,
  style: Style,
  whole: unknown,
): Promise<string> {
  switch (form) {
    case 'json':
      return `${jsonText(whole, 2)}\n`
    case 'jsonl':
      return documents.map((document) => `${jsonText(chosen(document, style))}\n`).join('')
    case 'csv':
      return safe(csvText(documents, style), style)
    case 'yaml': {
      const {stringify} = await import('yaml')
      return safe(stringify(whole, {lineWidth: 0}), style)
    }
    case 'ids':
      return documents.map((document) => `${oneLine(cellAt(document, view.id ?? 'id'))}\n`).join('')
    case 'card':
      return (await Promise.all(documents.map((document) => cardText(document, view, style)))).join('\n')
    case 'table':
      return tableText(documents, view, style)
  }
}

const chosen = (document: unknown, style: Style): unknown => (style.fields ? project(document, style.fields) : document)

/** Sanitizes formats with raw text for a terminal only, so that a pipe gets the exact data. */
const safe = (text: string, style: Style): string => (style.terminal ? manyLines(text) : text)

/** RFC 4180, with nested values at dotted paths. Without `--fields` the columns are all paths that any document has. */
function csvText(documents: readonly unknown[], style: Style): string {
  const paths = style.fields ?? [...new Set(documents.flatMap((document) => [...flatten(document).keys()]))]
  // Without columns there is no line: an empty one would read as a row.
  if (paths.length === 0) return ''
  const cell = (text: string): string | undefined => {
    const shown = style.terminal ? oneLine(text) : text
    return (style.excelSafe ? guard(shown, true) : shown) || undefined
  }
  const rows = documents.map((document) => paths.map((path) => cell(cellAt(document, path))))
  return (style.header ? [paths.map(cell), ...rows] : rows).map(csvRow).join('')
}

/** One document for people: a line for each value it has. */
async function cardText(document: unknown, view: View, style: Style): Promise<string> {
  const asked = style.fields?.map((path) => whole(path))
  const leaves = [...flatten(document).keys()].map((path) => column(path))
  const all = (asked ?? view.card ?? leaves).map((one) => {
    const value = valueIn(document, one)
    const text = oneLine(cellText(one.moment ? momentText(value, style) : value))
    return {label: oneLine(one.header), text, isCut: style.terminal && one.keep !== 'whole' && one.keep !== 'wrap'}
  })
  const cells = asked ? all : all.filter(({text}) => text !== '')
  const ruler = await rulerFor(cells.flatMap(({label, text}) => [label, text]))
  const dim = style.colour ? new (await import('chalk')).Chalk({level: 1}).dim : String
  const width = Math.max(0, ...cells.map(({label}) => ruler.widthOf(label)))
  const room = Math.max(20, style.columns - width - columnGap)
  const line = ({label, text, isCut}: (typeof cells)[number]): string =>
    `${dim(ruler.padded(label, width))}  ${isCut ? ruler.cut(text, room, markOf(style)) : text}\n`
  return cells.map(line).join('')
}
