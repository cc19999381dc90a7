import {type UnusualValue, unusualText} from '../../domain/customers/unusual.js'
import {isSecretPath} from '../../domain/secret-members.js'
import {asCell, type Cell, textOfCell} from '../input/cell.js'
import type {Issue, Place} from '../input/row.js'
import {remedyFor} from './compiled-mapping.js'
import {keepText} from './custom-texts.js'
import {eachElement, starred} from './draft-shape.js'
import {valueAt, withValue} from './paths.js'
import {type Assignment, issueOf, type Piped, type ValuePipe} from './value-pipe.js'

type Document = Record<string, unknown>
type Segments = readonly (string | number)[]

/** A value of a row in a column, and its position among its equals if the column stands for several. */
export interface SourceValue {
  readonly value: unknown
  readonly at?: number
}

/** A row on its way to a document. */
export interface RowInProgress {
  readonly document: Document
  readonly issues: Issue[]
  /** What the row has in a column: one value of a table, several of a list. */
  readonly valuesOf: (column: string) => readonly SourceValue[]
  /** The places that sources have of their own, by source, until they are appended to those of the row. */
  readonly appended: Map<string, Document>
  /** Texts that are unusual whatever they mean, by their columns. */
  readonly unusual: UnusualColumn[]
  /** Places that a column was to fill and another had filled. */
  readonly clashes: Clash[]
}

/** A value of a row, its column, and its place if that is not the row's. */
export type UnusualColumn = UnusualValue & {readonly column: string; readonly place?: Place}

interface Clash {
  readonly column: string
  readonly appends: string | undefined
  readonly path: string
}

/** Puts a value at its target. Cells pass the pipe; objects and lists are what they are. */
export function assign(row: RowInProgress, {column, target, pipe, appends}: Assignment, value: unknown): void {
  const cell = asCell(value)
  const piped = cell === undefined ? {value} : passed(row, {column, target, pipe}, cell)
  if (piped?.value === undefined || piped.value === null) return
  const document = appends === undefined ? row.document : placesOf(row.appended, appends)
  const {segments} = target
  const clash = putValue(document, segments, piped.value)
  if ('text' in piped) keepText(valueAt(document, segments.slice(0, -1)), segments.at(-1), piped.text)
  if (clash) row.clashes.push({column, appends, path: clash.join('.')})
}

/** The one way of a cell to a member: notes what is unusual about it; nothing if it cannot be used, which is an issue. */
export function passed(row: Noted, {column, target, pipe}: Omit<Assignment, 'appends'>, cell: Cell) {
  const piped = pipe(cell)
  if (target.leaf === 'date' && isYearless(cell, piped)) {
    row.unusual.push({kind: 'yearless', column, value: textOfCell(cell)})
    return undefined
  }
  noteUnusual(row, column, target.path, cell, piped)
  if (!('problem' in piped)) return piped
  row.issues.push(issueOf(column, target, piped))
  return undefined
}

/** A day without a year that has become no date. */
const isYearless = (cell: Cell, piped: Piped): boolean =>
  typeof cell === 'string' &&
  ('problem' in piped || piped.value === cell) &&
  /^\s*(?:--|0000-)?\d{1,2}[-/.]\d{1,2}\.?\s*$/.test(cell)

/** What is said of a row beside its document. */
export type Noted = Pick<RowInProgress, 'issues' | 'unusual'>

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

/** Notes a cell that is read without its guard. */
export function noteGuard({unusual}: Pick<Noted, 'unusual'>, column: string, cell: unknown): void {
  if (!isSecretPath(column)) unusual.push({kind: 'guarded', column, value: `${cell}`})
}

const switches =
  /^(?:is|account|user|customer)*(?:(enabled|active|status)|disabled|blocked|suspended|banned|locked)(?:flag)?$/
const [on, off] = [/^(?:1|true|yes|y|on)$/i, /^(?:0|false|no|n|off|disabled|inactive|blocked|suspended|banned)$/i]

/** By the last name of a path, such as `credentials.enabled-flag`. */
const switchIn = (column: string) =>
  switches.exec(
    column
      .slice(column.lastIndexOf('.') + 1)
      .toLowerCase()
      .replace(/[^a-z]/g, ''),
  )

/** Whether a column says, by its name, which accounts may sign in. */
export const isSwitch = (column: string): boolean => switchIn(column) !== null

/** Notes an account that a column says is switched off: `enabled` with `false`, `blocked` with `true`. */
export function noteDisabled({unusual}: Pick<Noted, 'unusual'>, column: string, value: unknown): void {
  const text = typeof value === 'object' ? '' : `${value}`.trim()
  if (text.length > 9 || !(on.test(text) || off.test(text))) return
  const found = switchIn(column)
  if (found && (found[1] === undefined ? on : off).test(text)) unusual.push({kind: 'disabled', column, value: text})
}

function placesOf(appended: Map<string, Document>, source: string): Document {
  const known = appended.get(source)
  if (known) return known
  const document = {}
  appended.set(source, document)
  return document
}

/** Two sources of one member; one of them may be a member under its own name. */
export function clashIssue(
  {column, appends, path}: Clash,
  {valuesOf}: RowInProgress,
  fillers: readonly Assignment[],
): Issue {
  const every = starred(path)
  const other = fillers.find(
    (one) =>
      one.column !== column &&
      one.appends === appends &&
      (one.target.path === path || one.target.path === every) &&
      valuesOf(one.column).length > 0,
  )
  const message = `'${other?.column ?? path}' and '${column}' both fill ${path}.`
  return {column, code: 'DuplicateField', message, fix: remedyFor(path)}
}

/** Puts a value at a place; a list goes into the elements of a list, one by one. Returns a place that was filled. */
function putValue(document: Document, segments: Segments, value: unknown): Segments | undefined {
  const each = segments.indexOf(eachElement)
  if (each < 0) return withValue(document, segments, value) ? segments : undefined
  return [value]
    .flat()
    .map((one, at) => putValue(document, segments.with(each, at), one))
    .find((place) => place !== undefined)
}
