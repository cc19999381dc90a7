import {oneLine} from '../process/sanitize.js'
import {cellText, flatten} from './fields.js'
import {columnGap, markOf, valueIn} from './table.js'
import {momentText} from './times.js'
import {type Column, column, type Style, type View, whole} from './view.js'
import {rulerFor} from './width.js'

type Paint = (text: string) => string

/** Dims labels, if colour is on. */
async function dimming(style: Style): Promise<Paint> {
  if (!style.colour) return (text) => text
  const {Chalk} = await import('chalk')
  return new Chalk({level: 1}).dim
}

/** One document for people: a line for each value it has. */
export async function cardText(document: unknown, view: View, style: Style): Promise<string> {
  const cells = cardCells(document, view, style)
  const [ruler, dim] = await Promise.all([rulerFor(cells.flatMap(({label, text}) => [label, text])), dimming(style)])
  const width = Math.max(0, ...cells.map(({label}) => ruler.widthOf(label)))
  const room = Math.max(20, style.columns - width - columnGap)
  const shown = ({text, keep}: CardCell): string =>
    style.terminal && keep !== 'whole' && keep !== 'wrap' ? ruler.cut(text, room, markOf(style)) : text
  return cells.map((cell) => `${dim(ruler.padded(cell.label, width))}  ${shown(cell)}\n`).join('')
}

interface CardCell {
  readonly label: string
  readonly text: string
  readonly keep: Column['keep']
}

function cardCells(document: unknown, view: View, style: Style): CardCell[] {
  const asked = style.fields?.map((path) => whole(path))
  const leaves = [...flatten(document).keys()].map((path) => column(path))
  const cells = (asked ?? view.card ?? leaves).map((one): CardCell => {
    const value = valueIn(document, one)
    const text = oneLine(cellText(one.moment ? momentText(value, style) : value))
    return {label: oneLine(one.header), text, keep: one.keep}
  })
  return asked ? cells : cells.filter(({text}) => text !== '')
}
