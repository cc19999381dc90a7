import type {Column} from './view.js'

/** A column as the layout sees it: what it needs uncut, header included, and whether it may be cut or left out. */
export interface Measured extends Pick<Column, 'keep'> {
  readonly natural: number
}

/** Blanks between columns. */
export const gap = 2
/** Below this a cut value tells nothing. */
const floor = 12
/** Less important columns give way before a kept one falls below this. */
const comfortable = 24

/**
 * The columns that a line of `room` has place for, by index, and their widths. The columns stand in the order of their
 * importance: the last ones that need not be kept go first. Undefined: even those that must be kept do not fit.
 */
export function layoutOf(columns: readonly Measured[], room: number): ReadonlyMap<number, number> | undefined {
  const least = (index: number, kept: number): number => {
    const {natural, keep} = columns[index] as Measured
    if (keep === 'whole') return natural
    return Math.min(natural, keep === undefined ? floor : kept)
  }
  const needed = (shown: readonly number[], kept: number): number =>
    shown.reduce((sum, index) => sum + least(index, kept) + gap, -gap)
  let shown = columns.map((_, index) => index)
  const optional = shown.filter((index) => columns[index]?.keep === undefined).reverse()
  for (const last of optional) {
    if (needed(shown, comfortable) <= room) break
    // A table without any column tells nothing: the first stays.
    if (shown.length > 1) shown = shown.filter((index) => index !== last)
  }
  const kept = needed(shown, comfortable) <= room ? comfortable : floor
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
