import {asCell} from '../input/cell.js'
import type {Issue} from '../input/row.js'
import {remedyFor} from './compiled-mapping.js'
import {keepText} from './custom-texts.js'
import {eachElement, starred} from './draft-shape.js'
import {type Document, valueAt, withValue} from './paths.js'
import {type Noted, passed} from './value-notes.js'
import type {Assignment} from './value-pipe.js'

type Segments = readonly (string | number)[]

/** A value of a row in a column, and its position among its equals if the column stands for several. */
export interface SourceValue {
  readonly value: unknown
  readonly at?: number
}

/** A row on its way to a document. */
export interface RowInProgress extends Noted {
  readonly document: Document
  /** What the row has in a column: one value of a table, several of a list. */
  readonly valuesOf: (column: string) => readonly SourceValue[]
  /** The places that sources have of their own, by source, until they are appended to those of the row. */
  readonly appended: Map<string, Document>
  /** Places that a column was to fill and another had filled. */
  readonly clashes: Clash[]
}

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

function placesOf(appended: Map<string, Document>, source: string): Document {
  const known = appended.get(source)
  if (known) return known
  const document = {}
  appended.set(source, document)
  return document
}

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
