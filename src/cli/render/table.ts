import {cellText, flatten, valueAt} from './fields.js'
import {oneLine} from './sanitize.js'
import {type Column, column, type Style, type View} from './view.js'
import {rulerFor} from './width.js'

type Cells = readonly string[]

const cellOf = (document: unknown, {value}: Column): string =>
  oneLine(cellText(typeof value === 'string' ? valueAt(document, value) : value(document)))

const columnsOf = (view: View, style: Style): readonly Column[] =>
  style.fields?.map((path) => column(path)) ?? view.columns

/** A list for people: boxed and cut to the width of a terminal, plain and whole elsewhere. */
export async function tableText(documents: readonly unknown[], view: View, style: Style): Promise<string> {
  const columns = columnsOf(view, style)
  const rows = documents.map((document) => columns.map((one) => cellOf(document, one)))
  const heads = columns.map(({header}) => oneLine(header))
  return style.terminal ? boxed(heads, rows, style) : plain(heads, rows, style)
}

async function plain(heads: Cells, rows: readonly Cells[], style: Style): Promise<string> {
  const lines = style.header ? [heads, ...rows] : rows
  const {widthOf, padded} = await rulerFor(lines.flat())
  const widths = heads.map((_, index) => Math.max(0, ...lines.map((line) => widthOf(line[index] ?? ''))))
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

/**
 * cli-table3 draws the box. It measures text with an older Unicode table than `rulerFor`, so it gets placeholders of
 * ASCII letters, which the cells then replace at their own width.
 */
async function boxed(heads: Cells, rows: readonly Cells[], style: Style): Promise<string> {
  const lines = style.header ? [heads, ...rows] : rows
  const [{widthOf, cut, padded}, {default: Table}] = await Promise.all([rulerFor(lines.flat()), import('cli-table3')])
  const natural = heads.map((_, index) => Math.max(1, ...lines.map((line) => widthOf(line[index] ?? ''))))
  // Every column costs two blanks of padding and one border, and the table one more border.
  const widths = fitted(natural, style.columns - 3 * heads.length - 1)
  const standIns = widths.map((width) => 'x'.repeat(width))
  const table = new Table({
    ...(style.header ? {head: standIns} : {}),
    style: {head: style.colour ? ['bold'] : [], border: style.colour ? ['gray'] : [], compact: true},
  })
  for (const _ of rows) table.push(standIns)
  const cells = lines.flatMap((line) => widths.map((width, index) => padded(cut(line[index] ?? '', width), width)))
  return `${table.toString().replace(/x+/g, () => cells.shift() ?? '')}\n`
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

type Paint = (text: string) => string

/** Dims labels, if colour is on. */
async function dimming(style: Style): Promise<Paint> {
  if (!style.colour) return (text) => text
  const {Chalk} = await import('chalk')
  return new Chalk({level: 1}).dim
}

/** One document for people: a line for each value it has. */
export async function cardText(document: unknown, view: View, style: Style): Promise<string> {
  const lines = cardLines(document, view, style)
  const [{widthOf, cut, padded}, dim] = await Promise.all([rulerFor(lines.flat()), dimming(style)])
  const width = Math.max(0, ...lines.map(([label]) => widthOf(label)))
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
