import {defined} from '../../domain/equal.js'
import {isSecretPath} from '../../domain/secret-members.js'
import {asCell, type Cell, isBlank, textOfCell} from '../input/cell.js'
import {continuedRows, type FullRow, parentOf} from '../input/continued-rows.js'
import type {Issue, SourceRow} from '../input/row.js'
import {type CompiledMapping, inElement, remedyFor} from './compiled-mapping.js'
import {applyDefaults, type Default} from './defaults.js'
import {eachElement, starred} from './draft-shape.js'
import {emptyColumn, restoreEmpty} from './empty-members.js'
import {withValue} from './paths.js'
import {type Assignment, issueOf} from './value-pipe.js'

type Document = Record<string, unknown>
type Segments = readonly (string | number)[]

/** A row in the shape of a draft or of an exported customer, not yet checked. */
export interface MappedRow {
  readonly document: Document
  readonly issues: Issue[]
  /** Columns whose value belongs to an address that the row does not have. */
  readonly unplaced: string[]
}

/** Turns the rows of one source into documents. */
export interface Mapper {
  map(row: FullRow): MappedRow
  /** The rows of the source, those that continue another one taken together with it. */
  rows(rows: AsyncIterable<SourceRow>): AsyncIterable<SourceRow>
  /** Why the map leaves a row out, if it does. */
  leavesOut(row: FullRow): string | undefined
  /** Columns that are neither mapped nor a member of a draft. Of JSON rows, those met so far. */
  readonly ignored: ReadonlySet<string>
  /** The source's own name for a member, for messages. */
  columnOf(path: string): string
  /** Whether rows of a table can have a member. */
  reaches(path: string): boolean
  /** Whether a column of the source holds passwords. */
  isSecret(column: string): boolean
}

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
  /** Places that a column was to fill and another had filled. */
  readonly clashes: Clash[]
}

interface Clash {
  readonly column: string
  readonly appends: string | undefined
  readonly path: string
}

/** Reads the lines of one source: cells of a table, or documents. */
export interface LineReader<Line> extends Pick<Mapper, 'columnOf' | 'reaches'> {
  readonly ignored: Set<string>
  readonly assignments: readonly Assignment[]
  hasColumn(column: string): boolean
  /** Whether a column fills a member by itself. */
  isPlaced(column: string): boolean
  valueIn(line: Line, column: string): unknown
  /** Puts what single columns give in its place. */
  read(line: Line): RowInProgress
}

/** Addresses of a second file. */
export interface Joined {
  /** The column of a row whose value names the addresses. */
  readonly to: string
  /** The addresses of a customer; what is wrong with them is added to the issues. */
  addressesOf(key: string, issues: Issue[]): readonly object[]
}

/** What tables and documents have in common: combined columns, records, joined addresses, defaults and continuations. */
export function rowMapper<Line extends object>(
  map: CompiledMapping,
  reader: LineReader<Line>,
  joined?: Joined,
): Mapper {
  const {ignored, columnOf, reaches} = reader
  const {continuation} = map
  // All rows of a source are of the form that its reader takes.
  const cellIn = (row: object, column: string): Cell | undefined => asCell(reader.valueIn(row as Line, column))
  const mapLine = (line: object, defaults: readonly Default[], other?: Joined): MappedRow => {
    const row = reader.read(line as Line)
    const {document, issues} = row
    const cellOf = (column: string): Cell | undefined => asCell(row.valuesOf(column)[0]?.value)
    combineColumns(row, map)
    for (const {addresses} of row.appended.values()) addAddresses(document, (addresses as unknown[]).filter(Boolean))
    for (const clash of row.clashes) issues.push(clashIssue(clash, row, fillers))
    for (const [column, record] of map.records) {
      const cell = cellOf(column)
      if (cell !== undefined) addAddresses(document, record.read(textOfCell(cell), issues, ignored))
    }
    const key = other && cellOf(other.to)
    if (key !== undefined) addAddresses(document, other?.addressesOf(textOfCell(key), issues) ?? [])
    const unplaced = applyDefaults(row, defaults, cellOf)
    return {document, issues, unplaced: unplaced.filter((column) => !reader.isPlaced(column))}
  }
  const fillers = [
    ...reader.assignments,
    ...map.combined.flatMap((one) => one.columns.map((column) => ({...one, column}))),
  ]
  const ofAddresses = map.defaults.filter(({target}) => target.segments[0] === 'addresses')
  return {
    ignored,
    columnOf,
    reaches,
    isSecret: secretsAmong([...reader.assignments, ...map.combined]),
    rows: (rows) =>
      continuation === undefined || !reader.hasColumn(continuation)
        ? rows
        : continuedRows(rows, continuation, (row) => !isBlank(cellIn(row, continuation))),
    leavesOut(row) {
      for (const [column, values] of map.where) {
        if (!reader.hasColumn(column)) continue
        const cell = cellIn(row, column)
        const text = cell === undefined ? '' : textOfCell(cell)
        if (!values.has(text))
          return `${column} is '${text}', and the map takes ${[...values].map((value) => `'${value}'`).join(', ')}.`
      }
      return undefined
    },
    map(row) {
      const mapped = mapLine(row, map.defaults, joined)
      for (const line of row.continuation ?? []) {
        // Members of a line that names its parent are none of the customer's.
        const isChild = 'document' in line && parentOf(line.document) !== undefined
        addContinuation(mapped, mapLine(line, ofAddresses), {from: `Line ${line.line}`, isChild, columnOf})
      }
      const empty = row.kind === 'cells' ? cellIn(row, emptyColumn) : undefined
      if (empty !== undefined) restoreEmpty(mapped.document, textOfCell(empty))
      return mapped
    },
  }
}

function secretsAmong(
  assignments: readonly (Assignment | CompiledMapping['combined'][number])[],
): (column: string) => boolean {
  const secret = assignments.filter(({target}) => isSecretPath(target.path))
  const columns = new Set(secret.flatMap((one) => ('columns' in one ? one.columns : one.column)))
  return (column) => isSecretPath(column) || columns.has(column)
}

/** Puts a value at its target. Cells pass the pipe; objects and lists are what they are. */
export function assign(row: RowInProgress, {column, target, pipe, appends}: Assignment, value: unknown): void {
  const cell = asCell(value)
  const piped = cell === undefined ? {value} : pipe(cell)
  if ('problem' in piped) {
    row.issues.push(issueOf(column, target, piped))
    return
  }
  if (piped.value === undefined || piped.value === null) return
  const document = appends === undefined ? row.document : placesOf(row.appended, appends)
  const clash = putValue(document, target.segments, piped.value)
  if (clash) row.clashes.push({column, appends, path: clash.join('.')})
}

function placesOf(appended: Map<string, Document>, source: string): Document {
  const known = appended.get(source)
  if (known) return known
  const document = {}
  appended.set(source, document)
  return document
}

/** Two sources of one member; one of them may be a member under its own name. */
function clashIssue({column, appends, path}: Clash, {valuesOf}: RowInProgress, fillers: readonly Assignment[]): Issue {
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

function combineColumns(row: RowInProgress, {combined}: CompiledMapping): void {
  for (const {target, columns, combine, pipe, appends} of combined) {
    const isEach = target.segments.includes(eachElement)
    const found = columns.flatMap((column) =>
      row.valuesOf(column).flatMap(({value, at}) => {
        const cell = asCell(value)
        return cell === undefined ? [] : [{column, text: textOfCell(cell), at: isEach ? at : undefined}]
      }),
    )
    for (const at of new Set(found.map((one) => one.at))) {
      const own = found.filter((one) => one.at === at)
      const place = at === undefined ? target : inElement(target, at)
      assign(
        row,
        {column: own[0]?.column ?? '', target: place, pipe, ...defined({appends})},
        combine(own.map(({text}) => text)),
      )
    }
  }
}

function addAddresses(document: Document, addresses: readonly unknown[]): void {
  if (addresses.length === 0) return
  if (!Array.isArray(document['addresses'])) document['addresses'] = []
  ;(document['addresses'] as unknown[]).push(...addresses)
}

interface Continuation {
  /** Names the line, such as `Line 4`. */
  readonly from: string
  readonly isChild: boolean
  readonly columnOf: Mapper['columnOf']
}

/** Adds the addresses of a line that continues the row; anything else in it is an issue. */
function addContinuation(
  row: MappedRow,
  {document: {addresses = [], ...other}, issues, unplaced}: MappedRow,
  {from, isChild, columnOf}: Continuation,
): void {
  for (const issue of issues) row.issues.push({...issue, message: `${from}: ${issue.message}`})
  const [name] = Object.keys(other)
  if (name !== undefined && !isChild) {
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
