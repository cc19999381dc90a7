import {cellText, flatten, valueAt} from './fields.js'
import {oneLine} from './sanitize.js'
import {type Column, column, type Style, type View} from './view.js'
import {cut, displayWidth, padded} from './width.js'

const cellOf = (document: unknown, {value}: Column): string =>
  oneLine(cellText(typeof value === 'string' ? valueAt(document, value) : value(document)))

const columnsOf = (view: View, style: Style): readonly Column[] =>
  style.fields?.map((path) => column(path)) ?? view.columns

/** A list for people: boxed and cut to the width of a terminal, plain and whole elsewhere. */
export async function tableText(documents: readonly unknown[], view: View, style: Style): Promise<string> {
  const columns = columnsOf(view, style)
  const rows = documents.map((document) => columns.map((one) => cellOf(document, one)))
  const heads = columns.map(({header}) => header)
  return style.terminal ? boxed(heads, rows, style) : plain(heads, rows, style)
}

function plain(heads: readonly string[], rows: readonly (readonly string[])[], style: Style): string {
  const lines = style.header ? [heads, ...rows] : rows
  const widths = heads.map((_, index) => Math.max(0, ...lines.map((line) => displayWidth(line[index] ?? ''))))
  return lines
    .map((line) =>
      line
        .map((cell, index) => (index === line.length - 1 ? cell : padded(cell, widths[index] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
}

async function boxed(heads: readonly string[], rows: readonly (readonly string[])[], style: Style): Promise<string> {
  const {default: Table} = await import('cli-table3')
  const natural = heads.map((head, index) =>
    Math.max(style.header ? displayWidth(head) : 0, ...rows.map((row) => displayWidth(row[index] ?? '')), 1),
  )
  // Every column costs two blanks of padding and one border, and the table one more border.
  const widths = fitted(natural, style.columns - 3 * heads.length - 1)
  const cutAll = (cells: readonly string[]) => cells.map((cell, index) => cut(cell, widths[index] ?? 1))
  const table = new Table({
    ...(style.header ? {head: cutAll(heads)} : {}),
    style: {head: style.colour ? ['bold'] : [], border: style.colour ? ['gray'] : [], compact: true},
  })
  for (const row of rows) table.push(cutAll(row))
  return `${table.toString()}\n`
}

/** Shrinks the widest columns first until the row fits; no column below four. */
export function fitted(natural: readonly number[], available: number): number[] {
  const widths = [...natural]
  let excess = widths.reduce((sum, width) => sum + width, 0) - available
  while (excess > 0) {
    const widest = Math.max(...widths)
    if (widest <= 4) break
    widths[widths.indexOf(widest)] = widest - 1
    excess -= 1
  }
  return widths
}

/** Makes labels stand back where there is colour. */
async function dimming(style: Style): Promise<(text: string) => string> {
  if (!style.colour) return (text) => text
  const {Chalk} = await import('chalk')
  return new Chalk({level: 1}).dim
}

/** One document for people: a line for each value it has. */
export async function cardText(document: unknown, view: View, style: Style): Promise<string> {
  const dim = await dimming(style)
  const lines = cardLines(document, view, style)
  const width = Math.max(0, ...lines.map(([label]) => displayWidth(label)))
  const room = Math.max(20, style.columns - width - 2)
  return lines
    .map(([label, text]) => `${dim(padded(label, width))}  ${style.terminal ? cut(text, room) : text}\n`)
    .join('')
}

function cardLines(document: unknown, view: View, style: Style): (readonly [string, string])[] {
  if (style.fields) return style.fields.map((path) => [oneLine(path), cellOf(document, column(path))])
  const leaves = [...flatten(document).keys()].map((path) => column(path))
  return (view.card ?? leaves)
    .map((one) => [oneLine(one.header), cellOf(document, one)] as const)
    .filter(([, text]) => text !== '')
}
