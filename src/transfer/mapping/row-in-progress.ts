import {isSecretPath} from '../../domain/secret-members.js'
import {type Cell, cellIn, textOfCell} from '../input/cell.js'
import type {Issue} from '../input/row.js'
import {type Assignment, issueOf, type Mapped} from './assignment.js'
import {applyDefaults, type Default} from './defaults.js'
import {eachElement} from './draft-shape.js'
import {inElement, type MappingPlan} from './mapping-plan.js'
import {withValue} from './paths.js'

type Document = Record<string, unknown>

/** A value of a row in a column, and its position among its equals if the column stands for several. */
export interface SourceValue {
  readonly value: unknown
  readonly at?: number
}

/** Addresses of a second file. */
export interface Joined {
  /** The column of a row whose value names the addresses. */
  readonly to: string
  /** The addresses of a customer; what is wrong with them is added to the issues. */
  addressesOf(key: string, issues: Issue[]): readonly object[]
}

/** A row on its way to a document. */
export interface RowInProgress {
  readonly plan: MappingPlan
  readonly document: Document
  readonly issues: Issue[]
  /** What the row has in a column: one value of a table, several of a list. */
  readonly valuesOf: (column: string) => readonly SourceValue[]
  /** What is read by nobody, to be told once. */
  readonly ignored: Set<string>
  /** Whether a column fills a member by itself. */
  readonly isPlaced: (column: string) => boolean
}

/** What a row maps to; further lines of its customer are added to it. */
export interface MappedRow extends Mapped {
  readonly document: Document
  readonly issues: Issue[]
  readonly unplaced: string[]
}

/** Puts a value at its target. Cells pass the pipe; objects and lists are what they are. */
export function assign({document, issues}: RowInProgress, {column, target, pipe}: Assignment, value: unknown): void {
  const cell = cellIn(value)
  const piped = cell === undefined ? {value} : pipe(cell)
  if ('problem' in piped) issues.push(issueOf(column, target, piped))
  else if (piped.value !== undefined && piped.value !== null) putValue(document, target.segments, piped.value)
}

/** Puts a value at a place; a list goes into the elements of a list, one by one. */
function putValue(document: Document, segments: readonly (string | number)[], value: unknown): void {
  const each = segments.indexOf(eachElement)
  if (each < 0) withValue(document, segments, value)
  else for (const [at, one] of [value].flat().entries()) withValue(document, segments.with(each, at), one)
}

/** Gives a row what no single column gives: combined columns, records, joined addresses, defaults. Returns columns without a place. */
export function complete(row: RowInProgress, defaults: readonly Default[], joined?: Joined): string[] {
  combineColumns(row)
  const {plan, document, issues, ignored, valuesOf, isPlaced} = row
  const cellOf = (column: string): Cell | undefined => cellIn(valuesOf(column)[0]?.value)
  for (const [column, record] of plan.records) {
    const cell = cellOf(column)
    if (cell === undefined) continue
    const {addresses, problems, unknown} = record.read(textOfCell(cell))
    for (const message of problems) issues.push({column, code: 'InvalidField', message})
    for (const name of unknown) ignored.add(`${column} › ${name}`)
    addAddresses(document, addresses)
  }
  const key = joined && cellOf(joined.to)
  if (key !== undefined) addAddresses(document, joined?.addressesOf(textOfCell(key), issues) ?? [])
  const {problems, unplaced} = applyDefaults(document, defaults, cellOf)
  for (const {column, target, ...problem} of problems) issues.push(issueOf(column, target, problem))
  return unplaced.filter((column) => !isPlaced(column))
}

function combineColumns(row: RowInProgress): void {
  for (const {target, columns, combine, pipe} of row.plan.combined) {
    const isEach = target.segments.includes(eachElement)
    const found = columns.flatMap((column) =>
      row.valuesOf(column).flatMap(({value, at}) => {
        const cell = cellIn(value)
        return cell === undefined ? [] : [{column, text: textOfCell(cell), at: isEach ? at : undefined}]
      }),
    )
    for (const at of new Set(found.map((one) => one.at))) {
      const own = found.filter((one) => one.at === at)
      const place = at === undefined ? target : inElement(target, at)
      assign(row, {column: own[0]?.column ?? '', target: place, pipe}, combine(own.map(({text}) => text)))
    }
  }
}

function addAddresses(document: Document, addresses: readonly unknown[]): void {
  if (addresses.length === 0) return
  if (!Array.isArray(document['addresses'])) document['addresses'] = []
  ;(document['addresses'] as unknown[]).push(...addresses)
}

/** Adds what a further line or a joined row brings: addresses and nothing else. `from` names it, such as `Line 4`. */
export function addFurther(
  row: MappedRow,
  {document, issues, unplaced}: MappedRow,
  from: string,
  columnOf: (path: string) => string,
): void {
  const {addresses = [], ...other} = document
  for (const issue of issues) row.issues.push({...issue, message: `${from}: ${issue.message}`})
  const [name] = Object.keys(other)
  if (name !== undefined) {
    const column = columnOf(name)
    const message = `${from} continues the row above it, and such a line brings addresses only.`
    row.issues.push({column: isSecretPath(column) ? name : column, code: 'InvalidField', message})
  }
  addAddresses(
    row.document,
    (addresses as unknown[]).filter((address) => address !== undefined),
  )
  row.unplaced.push(...unplaced)
}
