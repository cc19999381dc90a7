import type {Covers} from '../../domain/customers/partial-row.js'
import {unusualText} from '../../domain/customers/unusual.js'
import {defined, equal} from '../../domain/equal.js'
import {isSecretPath} from '../../domain/secret-members.js'
import {asCell, type Cell, isBlank, textOfCell} from '../input/cell.js'
import {continuedRows, type FullRow, parentMember} from '../input/continued-rows.js'
import type {Issue, Place, RowPieces} from '../input/row.js'
import {assign, clashIssue, type RowInProgress} from './assign.js'
import {type CompiledMapping, inElement} from './compiled-mapping.js'
import {applyDefaults, type Default} from './defaults.js'
import {eachElement, starred, type Target} from './draft-shape.js'
import {emptyColumn, restoreEmpty} from './empty-members.js'
import {dropLoneMembers} from './exported.js'
import type {Document} from './paths.js'
import {type Noted, noteUnusual, type UnusualColumn} from './value-notes.js'
import type {Assignment} from './value-pipe.js'

/** A row in the shape of a draft or of an exported customer, not yet checked. */
interface MappedRow {
  readonly document: Document
  readonly issues: Issue[]
  readonly unusual: UnusualColumn[]
  /** Columns whose value belongs to an address that the row does not have. */
  readonly unplaced: string[]
}

/** Turns the rows of one source into documents. */
export type Mapper = ReturnType<typeof rowMapper>

/** Reads the lines of one source: cells of a table, or documents. */
interface LineReader<Line> {
  readonly onlyMapped: boolean
  /** Columns that are neither mapped nor a member of a draft. Of JSON rows, those met so far. */
  readonly ignored: Set<string>
  /** The source's own name for a member, for messages. */
  columnOf(path: string): string
  /** Whether rows of a table can have a member. */
  reaches(path: string): boolean
  /** Paths of the map that no row had so far. A table says so before its first row. */
  readonly unmet: ReadonlySet<string>
  /** Notes which paths of the map a line has. */
  meet(line: Line): void
  readonly assignments: readonly Assignment[]
  hasColumn(column: string): boolean
  /** Whether a column fills a member by itself. */
  isPlaced(column: string): boolean
  valueIn(line: Line, column: string): unknown
  /** Puts what single columns give in its place. */
  read(line: Line): RowInProgress
}

/** Addresses of another file. */
export interface Joined {
  /** The column of a row whose value names the addresses. */
  readonly to: string
  /** The members that its rows bring: `addresses.*.city`. */
  readonly paths: readonly string[]
  /** The addresses of a customer; what is said of them is added to what is said of the row. */
  addressesOf(cell: Cell, row: Noted): readonly object[]
}

/** What a line is given beside its own members. */
interface Given {
  readonly members: readonly Default[]
  /** They name addresses by their indices. */
  readonly roles: readonly Default[]
  readonly joined: readonly Joined[]
}

/** What tables and documents have in common: combined columns, records, joined addresses, defaults and continuations. */
export function rowMapper<Line extends object>(
  map: CompiledMapping,
  reader: LineReader<Line>,
  joins: readonly Joined[],
) {
  const {ignored, columnOf, reaches, unmet} = reader
  const {continuation} = map
  // All rows of a source are of the form that its reader takes.
  const cellIn = (row: object, column: string): Cell | undefined => asCell(reader.valueIn(row as Line, column))
  const mapLine = (line: object, {members, roles, joined}: Given): MappedRow => {
    const row = reader.read(line as Line)
    const {document, issues, unusual} = row
    if (takesNoMore) return {document, issues, unusual, unplaced: dropLoneMembers(document)}
    const cellOf = (column: string): Cell | undefined => asCell(row.valuesOf(column)[0]?.value)
    combineColumns(row, map)
    for (const {addresses} of row.appended.values()) addAddresses(document, (addresses as unknown[]).filter(Boolean))
    for (const clash of row.clashes) issues.push(clashIssue(clash, row, fillers))
    for (const [column, record] of map.records) {
      const cell = cellOf(column)
      if (cell !== undefined) addAddresses(document, record.read(textOfCell(cell), row, ignored))
    }
    for (const other of joined) {
      const key = cellOf(other.to)
      if (key !== undefined) addAddresses(document, other.addressesOf(key, row))
    }
    const isPlaced = (column: string): boolean => reader.isPlaced(column) || ofCustomers.includes(column)
    const unplaced = applyDefaults(row, members, cellOf).filter((column) => !isPlaced(column))
    unplaced.push(...dropLoneMembers(document).map(columnOf))
    applyDefaults(row, roles, cellOf)
    return {document, issues, unusual, unplaced}
  }
  const fillers = [
    ...reader.assignments,
    ...map.combined.flatMap((one) => one.columns.map((column) => ({...one, column}))),
  ]
  const takesNoMore = fillers.length + map.records.size + map.defaults.length + joins.length === 0
  const isOfAddress = ({segments}: Target): boolean => segments[0] === 'addresses'
  const members = map.defaults.filter(({target}) => target.leaf !== 'index')
  const whole = {members, roles: map.defaults.filter((one) => !members.includes(one)), joined: joins}
  const further = {members: members.filter(({target}) => isOfAddress(target)), roles: [], joined: []}
  const ofCustomers = [...new Set(fillers.flatMap(({target, column}) => (isOfAddress(target) ? [] : column)))]
  return {
    ignored,
    columnOf,
    reaches,
    unmet,
    /** Whether the source has a member of custom fields or addresses; absent: each row says all of its customer. */
    covers: coverageOf(reader.onlyMapped, [
      ...[...fillers, ...map.defaults].map(({target}) => target.path),
      ...[...map.records.values()].flatMap(({members}) => members.map(({target}) => target.path)),
      ...joins.flatMap(({paths}) => paths),
    ]),
    isSecret: secretsAmong([...reader.assignments, ...map.combined]),
    /** The rows of the source, those that continue another one taken together with it. */
    pieces: (pieces: RowPieces): RowPieces =>
      continuation === undefined || !reader.hasColumn(continuation)
        ? pieces
        : continuedRows(pieces, {
            column: continuation,
            hasValue: (row) => !isBlank(cellIn(row, continuation)),
            moreIn: (row) => {
              // The report of a bulk export: members of a line that names its parent are none of the customer's.
              if (!isBlank(cellIn(row, parentMember))) return undefined
              const column = ofCustomers.find((one) => !isBlank(cellIn(row, one)))
              if (column === undefined) return undefined
              return Object.keys(mapLine(row, further).document).some((name) => name !== 'addresses')
                ? column
                : undefined
            },
          }),
    leavesOut(row: FullRow): string | undefined {
      for (const line of [row, ...(row.continuation ?? [])]) reader.meet(line as object as Line)
      for (const [column, values] of map.where) {
        if (!reader.hasColumn(column)) continue
        const cell = cellIn(row, column)
        const text = cell === undefined ? '' : textOfCell(cell)
        if (!values.has(text))
          return `${column} is '${text}', and the map takes ${[...values].map((value) => `'${value}'`).join(', ')}.`
      }
      return undefined
    },
    map(row: FullRow): MappedRow {
      const mapped = mapLine(row, whole)
      for (const line of row.continuation ?? [])
        addContinuation(mapped, mapLine(line, further), {...row.place, ...line})
      const empty = row.kind === 'cells' ? cellIn(row, emptyColumn) : undefined
      if (empty !== undefined) restoreEmpty(mapped.document, textOfCell(empty))
      return mapped
    },
  }
}

/** Where members are read under their own names as well, what the map brings into addresses or fields is all that it says of them. */
function coverageOf(onlyMapped: boolean, mapped: readonly string[]): Covers | undefined {
  const paths = new Set(
    mapped.flatMap((path) => {
      const parts = starred(path).split('.')
      return parts.map((_, at) => parts.slice(0, at + 1).join('.'))
    }),
  )
  if (onlyMapped) return (path) => paths.has(path)
  if (!paths.has('addresses') && !paths.has('custom')) return undefined
  return (path) => !paths.has(path.split('.', 1)[0] ?? '') || paths.has(path)
}

function secretsAmong(
  assignments: readonly (Assignment | CompiledMapping['combined'][number])[],
): (column: string) => boolean {
  const secret = assignments.filter(({target}) => isSecretPath(target.path))
  const columns = new Set(secret.flatMap((one) => ('columns' in one ? one.columns : one.column)))
  return (column) => isSecretPath(column) || columns.has(column)
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
    for (const {column, text} of found)
      if (unusualText(text) !== undefined) noteUnusual(row, column, target.path, text, pipe(text))
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

/** Adds the addresses of a line that continues the row. Other members of a line of JSON are none of the customer's. */
function addContinuation(
  row: MappedRow,
  {document: {addresses = []}, issues, unusual, unplaced}: MappedRow,
  {line, by}: Pick<Place, 'line' | 'by'>,
): void {
  for (const issue of issues) row.issues.push({...issue, message: `On ${by ?? 'line'} ${line}: ${issue.message}`})
  const known = (row.document['addresses'] ?? []) as unknown[]
  // A line for an order, or for a group, says the address again.
  const isNew = (address: unknown): boolean => address !== undefined && !known.some((one) => equal(one, address))
  addAddresses(row.document, (addresses as unknown[]).filter(isNew))
  row.unusual.push(...unusual)
  row.unplaced.push(...unplaced)
}
