import {type UnusualValue, unusualText} from '../../domain/customers/unusual.js'
import {isSecretPath} from '../../domain/secret-members.js'
import {type Cell, textOfCell} from '../input/cell.js'
import type {Issue, Place} from '../input/row.js'
import {isYearless} from './dates.js'
import {nameParts} from './transforms.js'
import {type Assignment, issueOf, type ValuePipe} from './value-pipe.js'

/** A value of a row, its column, and its place if that is not the row's. */
export type UnusualColumn = UnusualValue & {readonly column: string; readonly place?: Place}

/** The one way of a cell to a member: notes what is unusual about it; nothing if it cannot be used, which is an issue. */
export function passed(row: Noted, {column, target, pipe}: Omit<Assignment, 'appends'>, cell: Cell) {
  const piped = pipe(cell)
  // A day without a year that has become no date.
  const isNoDate = 'problem' in piped || piped.value === cell
  if (target.leaf === 'date' && isNoDate && typeof cell === 'string' && isYearless(cell)) {
    row.unusual.push({kind: 'yearless', column, value: textOfCell(cell)})
    return undefined
  }
  noteUnusual(row, column, target.path, cell, piped)
  if (!('problem' in piped)) {
    if (target.segments.at(-1) === 'lastName' && typeof cell === 'string') noteDivided(row, column, cell, piped.value)
    return piped
  }
  row.issues.push(issueOf(column, target, piped))
  return undefined
}

/** Notes a whole name of which a part has become the last one. */
function noteDivided({unusual}: Noted, column: string, cell: string, lastName: unknown): void {
  const {first, last} = cell === lastName ? {first: '', last: ''} : nameParts(cell)
  const value = `${first} | ${last}`
  const isNoted = unusual.some((one) => one.kind === 'divided' && one.column === column)
  if (first !== '' && last === lastName && !isNoted) unusual.push({kind: 'divided', column, value, samples: [value]})
}

/** What is said of a row beside its document. */
export interface Noted {
  readonly issues: Issue[]
  /** Texts that are unusual whatever they mean, by their columns. */
  readonly unusual: UnusualColumn[]
}

/**
 * Notes a text that is unusual in its source; after a transform it may look usual. A text that is left out is not
 * noted.
 */
export function noteUnusual(
  {unusual}: Pick<Noted, 'unusual'>,
  column: string,
  path: string,
  cell: Cell,
  piped: ReturnType<ValuePipe>,
): void {
  const kind = typeof cell === 'string' ? unusualText(cell) : undefined
  if (kind === undefined || isSecretPath(path) || isSecretPath(column)) return
  const kept = 'value' in piped ? piped.value : cell
  const isKept = kind === 'shortened' ? kept !== undefined : `${kept}`.toLowerCase().includes(`${cell}`.toLowerCase())
  if (isKept) unusual.push({kind, column, value: cell as string})
}

export function noteGuard({unusual}: Pick<Noted, 'unusual'>, column: string, cell: unknown): void {
  if (!isSecretPath(column)) unusual.push({kind: 'guarded', column, value: `${cell}`})
}

// WordPress writes a user_status of 0 for everybody.
const switches =
  /^(?!userstatus)(?:is|account|user|customer)*(?:(enabled|active|status)|disabled|blocked|suspended|banned|locked)(?:flag)?$/
const [on, off] = [/^(?:1|true|yes|y|on)$/i, /^(?:0|false|no|n|off|disabled|inactive|blocked|suspended|banned)$/i]

const switchIn = (column: string) =>
  switches.exec(
    column
      .slice(column.lastIndexOf('.') + 1)
      .toLowerCase()
      .replace(/[^a-z]/g, ''),
  )

export const isSwitch = (column: string): boolean => switchIn(column) !== null

/** Notes an account that a column says is switched off: `enabled` with `false`, `blocked` with `true`. */
export function noteDisabled({unusual}: Pick<Noted, 'unusual'>, column: string, value: unknown): void {
  const text = typeof value === 'object' ? '' : `${value}`.trim()
  if (text.length > 9 || !(on.test(text) || off.test(text))) return
  const found = switchIn(column)
  if (found && (found[1] === undefined ? on : off).test(text)) unusual.push({kind: 'disabled', column, value: text})
}
