import {oneLine} from '../process/sanitize.js'
import {cellText, valueAt} from './fields.js'
import {shortMoment, spokenMoment} from './times.js'
import {type Column, type Style, type View, whole} from './view.js'
import {type Ruler, rulerFor} from './width.js'
import {cellLines} from './wrap.js'

export const columnGap = 2

type Cells = readonly string[]
/** The columns that are shown, and their widths. */
type Layout = ReadonlyMap<Column, number>

/** What a column shows of a document. */
export const valueIn = (document: unknown, {value}: Column): unknown =>
  typeof value === 'string' ? valueAt(document, value) : value(document)

const cellOf = (document: unknown, one: Column, {terminal, now}: Style): string => {
  const value = valueIn(document, one)
  if (!one.moment || !terminal) return oneLine(cellText(value))
  const hasRunOut = one.moment === 'end' && Date.parse(cellText(value)) <= now
  const spoken = one.moment === 'clock' ? (spokenMoment(value, now) ?? value) : shortMoment(value, now)
  return oneLine(`${hasRunOut ? 'RAN OUT ' : ''}${cellText(spoken)}`)
}

/** A list for people: fitted to the width of a terminal, whole elsewhere. */
export async function tableText(documents: readonly unknown[], view: View, style: Style): Promise<string> {
  // Paths that were asked for are all shown, whole.
  const columns = style.fields?.map((path) => whole(path)) ?? view.columns
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
  if (hasRoom) return ruled(asIs, new Map(all.map((one, index) => [one, natural[index] ?? 0])), style, ruler)
  const columns = withFallbacks(all, documents)
  const widths = widthsOf(tableOf(documents, columns, style), columns.length, ruler)
  const measured = columns.map((one, index): Measured => ({...one, natural: widths[index] ?? 0}))
  const layout = layoutOf(measured, style.columns)
  const isShown = (one: Measured): boolean => (layout ? layout.has(one) : isKept(one))
  const shown = measured.filter(isShown)
  const hidden = all.filter((_, index) => !shown.some((one) => one === measured[index]))
  style.onHidden?.(hidden.map(({header}) => oneLine(header)))
  if (!layout) return records(documents, shown, style, ruler)
  return ruled(tableOf(documents, shown, style), layout, style, ruler)
}

/** Marks a cut, in ASCII where a terminal shows nothing else. */
export const markOf = ({plain}: Style): string => (plain ? '...' : '…')

/**
 * cli-table3 draws the table. It measures text with an older Unicode table than the ruler, so it gets placeholders of
 * ASCII letters, which the cells then replace at their own width.
 */
async function ruled(table: readonly Cells[], layout: Layout, style: Style, ruler: Ruler): Promise<string> {
  const widths = [...layout.values()]
  const cut = table.flatMap((cells) => physicalLines(cells, layout, style, ruler))
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
function physicalLines(cells: Cells, layout: Layout, style: Style, ruler: Ruler): Cells[] {
  const parts = [...layout].map(([{keep}, width], index) => {
    const cell = cells[index] ?? ''
    return keep === 'wrap' ? cellLines(cell, width, ruler) : [ruler.cut(cell, width, markOf(style))]
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

/** A column and what it needs uncut, header included. */
interface Measured extends Column {
  readonly natural: number
}

const isKept = ({keep}: Column): boolean => keep !== undefined && keep !== 'uncut'

/** Below this a cut value tells nothing. */
const minWidth = 12
/** Less important columns give way before a kept one falls below this. */
const softMinWidth = 24

/**
 * The columns that a line of `room` has place for, and their widths. The columns stand in the order of their importance:
 * the last ones that need not be kept go first. Undefined: even those that must be kept do not fit.
 */
function layoutOf(columns: readonly Measured[], room: number): ReadonlyMap<Measured, number> | undefined {
  const least = ({natural, keep}: Measured, kept: number): number =>
    keep === 'whole' || keep === 'uncut' ? natural : Math.min(natural, keep === undefined ? minWidth : kept)
  const needed = (shown: readonly Measured[], kept: number): number =>
    shown.reduce((sum, one) => sum + least(one, kept) + columnGap, -columnGap)
  let shown = columns
  for (const last of columns.filter((one) => !isKept(one)).reverse()) {
    if (needed(shown, softMinWidth) <= room) break
    // A table without any column tells nothing: the first stays.
    if (shown.length > 1) shown = shown.filter((one) => one !== last)
  }
  const kept = needed(shown, softMinWidth) <= room ? softMinWidth : minWidth
  let left = room - needed(shown, kept)
  if (left < 0) return undefined
  const widths = new Map(shown.map((one) => [one, least(one, kept)]))
  // What room is left goes to the columns that are cut, the kept ones first.
  for (const one of [...shown.filter(isKept), ...shown.filter((other) => !isKept(other))]) {
    const more = Math.min(left, one.natural - least(one, kept))
    widths.set(one, least(one, kept) + more)
    left -= more
  }
  return widths
}
