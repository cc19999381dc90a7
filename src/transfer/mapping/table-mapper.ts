import {InputError} from '../files/input-error.js'
import {type Cell, isBlank, textOfCell} from '../input/cell.js'
import {continuedRows} from '../input/continued-rows.js'
import type {Rows, SourceRow} from '../input/row.js'
import {type Assignment, type Mapper, secretsAmong} from './assignment.js'
import {addressNeeded} from './defaults.js'
import {eachElement, isServerOwned, targetOf} from './draft-shape.js'
import {emptyColumn, isReportColumn, restoreEmpty} from './empty-members.js'
import {
  addressDefaults,
  checkElements,
  claimedTwice,
  inElement,
  isNumbered,
  type MappingPlan,
  namedBy,
  namedColumns,
  numberedPattern,
  reasonToLeaveOut,
} from './mapping-plan.js'
import {addFurther, assign, complete, type Joined, type MappedRow, type RowInProgress} from './row-in-progress.js'

type Cells = readonly (Cell | undefined)[]

const constant = 'a constant'
/** What stands in the place of a column's name where there is none. */
const notColumns = /^a (constant|default)$/

/** The mapper of a table: what each of its columns means is known before the first row. */
export function tableMapper(plan: MappingPlan, rows: Rows, columns: readonly string[], joined?: Joined): Mapper {
  const table = tableOf(plan, rows, columns, joined)
  if (joined) checkColumnIsThere(rows, columns, joined.to)
  const {names, ignored} = table
  const emptyAt = columns.indexOf(emptyColumn)
  const continuedAt = plan.continuation === undefined ? -1 : columns.indexOf(plan.continuation)
  // Further lines fill the columns of the first address.
  const columnPath = (path: string): string =>
    continuedAt < 0 ? path : path.replace(/^addresses\.\d+\./, `addresses.${firstOf(names)}.`)
  const cellAt = (row: SourceRow, at: number): Cell | undefined => (row.kind === 'cells' ? row.cells[at] : undefined)
  const columnOf = (path: string): string => namedBy(names, columnPath(path)).replace(notColumns, path)
  return {
    ignored,
    columnOf,
    reaches: (path) => names.has(path),
    isSecret: secretsAmong(table.all),
    rows: (source) =>
      continuedAt < 0
        ? source
        : continuedRows(source, plan.continuation ?? '', (row) => !isBlank(cellAt(row, continuedAt))),
    leavesOut: (row) =>
      reasonToLeaveOut(
        plan,
        (column) => cellAt(row, table.at.get(column) ?? -1),
        (column) => table.at.has(column),
      ),
    map: (row) => {
      if (row.kind !== 'cells') return {document: {}, issues: [], unplaced: []}
      const mapped = mapCells(plan, table, row.cells, plan.defaults, joined)
      for (const {cells, line} of row.continuation ?? []) {
        addFurther(mapped, mapCells(plan, table, cells, addressDefaults(plan)), `Line ${line}`, columnOf)
      }
      const empty = row.cells[emptyAt]
      if (empty !== undefined) restoreEmpty(mapped.document, textOfCell(empty))
      return mapped
    },
  }
}

/** The index of the address that the columns of a table fill. */
const firstOf = (names: ReadonlyMap<string, string>): string =>
  [...names.keys()].map((path) => /^addresses\.(\d+)\./.exec(path)?.[1]).find((at) => at !== undefined) ?? '0'

interface Table {
  readonly columns: readonly string[]
  readonly assignments: readonly (readonly Assignment[])[]
  readonly all: readonly Assignment[]
  readonly ignored: Set<string>
  /** Target to the source's name for it. */
  readonly names: ReadonlyMap<string, string>
  readonly at: ReadonlyMap<string, number>
}

function tableOf(plan: MappingPlan, rows: Rows, columns: readonly string[], joined: Joined | undefined): Table {
  // Of a reported document the table has only the columns that it had.
  const isReport = columns.some(isReportColumn)
  checkElements(plan, (column) => columns.includes(column))
  if (!plan.optionalColumns && !isReport) checkColumnsExist(plan, rows, columns)
  const named = new Set([...namedColumns(plan), ...plan.where.keys(), ...(joined ? [joined.to] : [])])
  const ignored = new Set<string>()
  const assignments = columns.map((column, at) => {
    const found = assignmentsOf(plan, column)
    const isOurs = !plan.leftOut.has(column) && (isServerOwned(column) || isReportColumn(column))
    const known = found.length > 0 || named.has(column) || isOurs
    if (!known) ignored.add(column === '' ? `(column ${at + 1})` : column)
    return found
  })
  const at = new Map(columns.map((column, index) => [column, index]))
  const members = [...plan.records].flatMap(([column, {members: all}]) => (at.has(column) ? all : []))
  const all = [
    ...assignments.flat(),
    ...plan.combined.flatMap(({columns: from, target, pipe}) => from.map((column) => ({column, target, pipe}))),
  ]
  const table = {columns, assignments, all, ignored, names: namesOf(plan, assignments.flat(), at, members), at}
  if (!plan.optionalColumns && !isReport) checkAddresses(plan, table)
  return table
}

function namesOf(
  plan: MappingPlan,
  assignments: readonly Assignment[],
  at: ReadonlyMap<string, number>,
  members: readonly Assignment[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const constants = plan.defaults.filter(({overrides}) => overrides)
  for (const {target} of constants) names.set(target.path, constant)
  for (const {target, column} of assignments) {
    const other = names.get(target.path)
    if (other !== undefined) throw claimedTwice(target.path, other, column)
    names.set(target.path, column)
  }
  for (const {target, columns} of plan.combined) {
    const column = columns.find((name) => at.has(name))
    const other = names.get(target.path)
    if (column !== undefined && other !== undefined) throw claimedTwice(target.path, other, column)
    if (column !== undefined) names.set(target.path, column)
  }
  for (const {target, sources, overrides} of plan.defaults) {
    const column = overrides
      ? target.path
      : (sources.find((name) => at.has(name)) ?? (sources.length > 0 ? undefined : 'a default'))
    if (column !== undefined && !names.has(target.path)) names.set(target.path, column)
  }
  for (const {target, column} of members) names.set(target.path, column)
  return names
}

/** A name of the table's own wins over the numbered columns, and both over members of a draft. */
function assignmentsOf(plan: MappingPlan, column: string): readonly Assignment[] {
  const mapped = plan.columns.get(column)
  if (mapped) {
    const each = mapped.find(({target}) => target.segments.includes(eachElement) && target.segments[0] === 'addresses')
    if (each && !column.includes(eachElement)) {
      throw new InputError(`'${each.target.path}' is no place for one column of a table.`, {
        column,
        remedy: 'Name an address by its index, such as addresses.0.city, or numbered columns, such as City *.',
      })
    }
    return mapped
  }
  if (plan.combined.some(({columns}) => columns.includes(column)) || plan.records.has(column)) return []
  for (const [name, assignments] of plan.columns) {
    const numbered = assignments.filter(({target}) => isNumbered(name, target))
    const found = numbered.length > 0 ? numberedPattern(name).exec(column) : null
    if (!found) continue
    const at = Number(found[1] ?? 0)
    return numbered.flatMap(({target}) => {
      const own = targetOf(inElement(target, at).path)
      return own ? [{column, target: own, pipe: plan.pipeOf(own)}] : []
    })
  }
  const target = plan.leftOut.has(column) ? undefined : targetOf(column)
  return target && !target.segments.includes(eachElement) ? [{column, target, pipe: plan.pipeOf(target)}] : []
}

function checkColumnsExist(plan: MappingPlan, rows: Rows, columns: readonly string[]): void {
  for (const column of [...namedColumns(plan), ...plan.where.keys(), ...[plan.continuation ?? []].flat()]) {
    checkColumnIsThere(rows, columns, column)
  }
}

function checkColumnIsThere({source: {name: file}}: Rows, columns: readonly string[], column: string): void {
  const pattern = column.includes(eachElement) ? numberedPattern(column) : undefined
  if (columns.includes(column) || columns.some((name) => pattern?.test(name))) return
  const remedy = `Its columns are ${columns.join(', ')}.`
  throw new InputError(`${file} has no column '${column}', which the map names.`, {file, line: 1, column, remedy})
}

/** A constant for an address that no column fills would never be given to anybody. */
function checkAddresses(plan: MappingPlan, {names}: Table): void {
  if (plan.records.size > 0) return
  const filled = new Set(
    [...names].flatMap(([path, column]) => (column === constant ? [] : [path.split('.', 2).join('.')])),
  )
  for (const given of plan.defaults) {
    const needed = given.overrides ? addressNeeded(given) : undefined
    if (needed === undefined || needed === eachElement || filled.has(`addresses.${needed}`)) continue
    throw new InputError(
      `The constant for '${given.target.path}' is about the address ${needed}, which no column fills.`,
      {
        remedy: `Map a column to a member of it, such as addresses.${needed}.city.`,
      },
    )
  }
}

function mapCells(
  plan: MappingPlan,
  table: Table,
  cells: Cells,
  defaults: MappingPlan['defaults'],
  joined?: Joined,
): MappedRow {
  const valuesOf = (column: string) => {
    const value = cells[table.at.get(column) ?? -1]
    return value === undefined ? [] : [{value}]
  }
  const isPlaced = (column: string): boolean => (table.assignments[table.at.get(column) ?? -1] ?? []).length > 0
  const row: RowInProgress = {plan, document: {}, issues: [], ignored: table.ignored, valuesOf, isPlaced}
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at]
    const assignments = table.assignments[at]
    if (cell !== undefined && assignments) for (const assignment of assignments) assign(row, assignment, cell)
  }
  return {document: row.document, issues: row.issues, unplaced: complete(row, defaults, joined)}
}
