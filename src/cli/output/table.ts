import {oneLine} from '../process/sanitize.js'
import {cellText, valueAt} from './fields.js'
import {shortMoment, spokenMoment} from './times.js'
import {type Column, type Style, type View, whole} from './view.js'
import {type Ruler, rulerFor} from './width.js'
import {cellLines} from './wrap.js'

/** Blanks between columns. */
export const columnGap = 2

type Cells = readonly string[]

/** What a column shows of a document. */
export const valueIn = (document: unknown, {value}: Column): unknown =>
  typeof value === 'string' ? valueAt(document, value) : value(document)

const cellOf = (document: unknown, one: Column, {terminal, now}: Style): string => {
  const value = valueIn(document, one)
  if (!one.moment || !terminal) return oneLine(cellText(value))
  return oneLine(cellText(one.moment === 'clock' ? (spokenMoment(value, now) ?? value) : shortMoment(value, now)))
}

/** Paths that were asked for are all shown, whole. */
const columnsOf = (view: View, style: Style): readonly Column[] =>
  style.fields?.map((path) => whole(path)) ?? view.columns

/** A list for people: fitted to the width of a terminal, whole elsewhere. */
export async function tableText(documents: readonly unknown[], view: View, style: Style): Promise<string> {
  const columns = columnsOf(view, style)
  const table = tableOf(documents, columns, style)
  return style.terminal ? fitted(documents, columns, style) : lines(table, await rulerFor(table.flat()))
}

function tableOf(documents: readonly unknown[], columns: readonly Column[], style: Style): Cells[] {
  const rows = documents.map((document) => columns.map((one) => cellOf(document, one, style)))
  return style.header ? [columns.map(({header}) => oneLine(header)), ...rows] : rows
}

const widthsOf = (table: readonly Cells[], count: number, {widthOf}: Ruler): number[] =>
  Array.from({length: count}, (_, index) => Math.max(0, ...table.map((cells) => widthOf(cells[index] ?? ''))))

/** Lines with columns apart by blanks. */
function lines(table: readonly Cells[], ruler: Ruler): string {
  const widths = widthsOf(table, table[0]?.length ?? 0, ruler)
  return table
    .map((cells) =>
      cells
        .map((cell, index) => (index === cells.length - 1 ? cell : ruler.padded(cell, widths[index] ?? 0)))
        .join(' '.repeat(columnGap))
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
}

/** The columns once one of them is left out: its values stand in where another that names it has none. */
function withFallbacks(columns: readonly Column[], documents: readonly unknown[]): readonly Column[] {
  return columns.map((one) => {
    const other = columns.find(({header}) => header === one.fallbackColumn)
    if (!other || documents.every((document) => cellText(valueIn(document, one)) !== '')) return one
    const value = (document: unknown): unknown => cellText(valueIn(document, one)) || valueIn(document, other)
    return {...one, header: `${one.header} or ${other.header}`, value}
  })
}

/** A table no wider than the terminal, without the columns that have no room; records where even the kept have none. */
async function fitted(documents: readonly unknown[], all: readonly Column[], style: Style): Promise<string> {
  const asIs = tableOf(documents, all, style)
  const ruler = await rulerFor(asIs.flat())
  const natural = widthsOf(asIs, all.length, ruler)
  const hasRoom = natural.reduce((sum, width) => sum + width + columnGap, -columnGap) <= style.columns
  if (hasRoom) return ruled(asIs, natural, all, style, ruler)
  const columns = withFallbacks(all, documents)
  const table = tableOf(documents, columns, style)
  const measured = widthsOf(table, columns.length, ruler).map((width, index) => ({
    natural: width,
    ...(columns[index]?.keep === undefined ? {} : {keep: columns[index].keep}),
  }))
  const layout = layoutOf(measured, style.columns)
  const isShown = (index: number): boolean => (layout ? layout.has(index) : columns[index]?.keep !== undefined)
  const shown = columns.filter((_, index) => isShown(index))
  style.onHidden?.(all.filter((_, index) => !isShown(index)).map(({header}) => oneLine(header)))
  if (!layout) return records(documents, shown, style, ruler)
  const cells = table.map((line) => line.filter((_, index) => isShown(index)))
  return ruled(cells, [...layout.values()], shown, style, ruler)
}

/** Marks a cut, in ASCII where a terminal shows nothing else. */
export const markOf = ({plain}: Style): string => (plain ? '...' : '…')

/**
 * cli-table3 draws the table. It measures text with an older Unicode table than the ruler, so it gets placeholders of
 * ASCII letters, which the cells then replace at their own width.
 */
async function ruled(
  table: readonly Cells[],
  widths: readonly number[],
  columns: readonly Column[],
  style: Style,
  ruler: Ruler,
): Promise<string> {
  const cut = table.flatMap((cells) => physicalLines(cells, widths, columns, style, ruler))
  if (style.plain) return lines(cut, ruler)
  const {default: Table} = await import('cli-table3')
  const placeholders = widths.map((width) => 'x'.repeat(Math.max(1, width)))
  const drawn = new Table({
    ...(style.header ? {head: placeholders} : {}),
    chars: {...noBorders, mid: '─', 'mid-mid': '─'.repeat(columnGap), middle: ' '.repeat(columnGap)},
    style: {
      head: style.colour ? ['bold'] : [],
      border: style.colour ? ['gray'] : [],
      compact: true,
      'padding-left': 0,
      'padding-right': 0,
    },
  })
  for (const _ of style.header ? cut.slice(1) : cut) drawn.push(placeholders)
  const cells = cut.flatMap((line) => line.map((cell, index) => ruler.padded(cell, Math.max(1, widths[index] ?? 0))))
  return `${drawn
    .toString()
    .replace(/x+/g, () => cells.shift() ?? '')
    .replace(/ +$/gm, '')}\n`
}

/** The lines that a row takes on the terminal: one, or as many as its longest cell that wraps. */
function physicalLines(
  cells: Cells,
  widths: readonly number[],
  columns: readonly Column[],
  style: Style,
  ruler: Ruler,
): Cells[] {
  const parts = cells.map((cell, index) => {
    const width = widths[index] ?? 0
    return columns[index]?.keep === 'wrap' ? cellLines(cell, width, ruler) : [ruler.cut(cell, width, markOf(style))]
  })
  const height = Math.max(1, ...parts.map((part) => part.length))
  return Array.from({length: height}, (_, line) => parts.map((part) => part[line] ?? ''))
}

/** Rules stand under the header only; an empty table is its header. */
const noBorders = Object.fromEntries(
  ['top', 'bottom', 'left', 'right'].flatMap((side) => ['', '-mid', '-left', '-right'].map((end) => [side + end, ''])),
)

/** Rows as blocks: the first value on a line of its own, the others below it after their headers. */
function records(documents: readonly unknown[], columns: readonly Column[], style: Style, ruler: Ruler): string {
  const [first, ...others] = columns
  if (!first) return ''
  const width = Math.max(0, ...others.map(({header}) => ruler.widthOf(oneLine(header))))
  const room = Math.max(20, style.columns - width - 2 * columnGap)
  const shown = (document: unknown, one: Column, columnsLeft: number): string => {
    const text = cellOf(document, one, style)
    return one.keep === 'whole' || one.keep === 'wrap' ? text : ruler.cut(text, columnsLeft, markOf(style))
  }
  return documents
    .map((document) => {
      const below = others.map((one) => [ruler.padded(oneLine(one.header), width), shown(document, one, room)] as const)
      const rest = below.filter(([, text]) => text !== '').map(([label, text]) => `  ${label}  ${text}\n`)
      return `${shown(document, first, style.columns)}\n${rest.join('')}`
    })
    .join('')
}

/** A column as the layout sees it: what it needs uncut, header included, and whether it may be cut or left out. */
interface Measured extends Pick<Column, 'keep'> {
  readonly natural: number
}

/** Below this a cut value tells nothing. */
const minWidth = 12
/** Less important columns give way before a kept one falls below this. */
const softMinWidth = 24

/**
 * The columns that a line of `room` has place for, by index, and their widths. The columns stand in the order of their
 * importance: the last ones that need not be kept go first. Undefined: even those that must be kept do not fit.
 */
function layoutOf(columns: readonly Measured[], room: number): ReadonlyMap<number, number> | undefined {
  const least = (index: number, kept: number): number => {
    const {natural, keep} = columns[index] as Measured
    if (keep === 'whole') return natural
    return Math.min(natural, keep === undefined ? minWidth : kept)
  }
  const needed = (shown: readonly number[], kept: number): number =>
    shown.reduce((sum, index) => sum + least(index, kept) + columnGap, -columnGap)
  let shown = columns.map((_, index) => index)
  const optional = shown.filter((index) => columns[index]?.keep === undefined).reverse()
  for (const last of optional) {
    if (needed(shown, softMinWidth) <= room) break
    // A table without any column tells nothing: the first stays.
    if (shown.length > 1) shown = shown.filter((index) => index !== last)
  }
  const kept = needed(shown, softMinWidth) <= room ? softMinWidth : minWidth
  if (needed(shown, kept) > room) return undefined
  return widened(shown, columns, (index) => least(index, kept), room - needed(shown, kept))
}

/** Gives what room is left to the columns that are cut, the kept ones first. */
function widened(
  shown: readonly number[],
  columns: readonly Measured[],
  least: (index: number) => number,
  room: number,
): ReadonlyMap<number, number> {
  const widths = new Map(shown.map((index) => [index, least(index)]))
  let left = room
  const isKept = (index: number): boolean => columns[index]?.keep !== undefined
  for (const index of [...shown.filter(isKept), ...shown.filter((index) => !isKept(index))]) {
    const width = widths.get(index) ?? 0
    const more = Math.min(left, (columns[index]?.natural ?? width) - width)
    widths.set(index, width + more)
    left -= more
  }
  return widths
}
