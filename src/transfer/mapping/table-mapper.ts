import {addressFields} from '../../domain/address-fields.js'
import {fieldRows} from '../../domain/customers/fields.js'
import {defined} from '../../domain/equal.js'
import {InputError} from '../files/input-error.js'
import {type Cell, withoutGuard} from '../input/cell.js'
import type {Rows} from '../input/row.js'
import {assign, type RowInProgress} from './assign.js'
import {
  type CompiledMapping,
  checkElements,
  claimedTwice,
  inElement,
  namedBy,
  namedColumns,
} from './compiled-mapping.js'
import {addressNeeded} from './defaults.js'
import {eachElement, isServerOwned, type Target, targetOf} from './draft-shape.js'
import {isReportColumn} from './empty-members.js'
import {type Joined, type Mapper, rowMapper} from './row-mapper.js'
import {isSwitch, noteDisabled, noteGuard} from './value-notes.js'
import type {Assignment} from './value-pipe.js'

interface Line {
  readonly cells: readonly (Cell | undefined)[]
}

/** Members that hold digits which are no number. */
const isCode: ReadonlySet<string> = new Set(
  [...fieldRows, ...addressFields]
    .filter(({personal}) => ['key', 'phone', 'postalCode', 'shape'].includes(personal))
    .map(({name}) => name),
)

const constant = 'a constant'
/** What stands in the place of a column's name where there is none. */
const notColumns = /^a (constant|default)$/

/** The mapper of a table: what each of its columns means is known before the first row. */
export function tableMapper(
  map: CompiledMapping,
  rows: Rows,
  columns: readonly string[],
  joins: readonly Joined[],
): Mapper {
  const positions = new Map(columns.map((column, index) => [column, index]))
  const at = (column: string): number => positions.get(column) ?? -1
  const hasColumn = (column: string): boolean => positions.has(column)
  // Of a reported document the table has only the columns that it had.
  const isReport = columns.some(isReportColumn)
  const mayLackColumns = map.optionalColumns || isReport
  const mapped = [...namedColumns(map), ...map.where.keys()]
  checkElements(map, hasColumn)
  const needed = mayLackColumns ? [] : [...mapped, ...map.leftOut, map.continuation]
  for (const column of isReport ? [] : [...map.where.keys(), ...needed]) checkColumnIsThere(rows, columns, column)
  const assignments = columns.map((column) => assignmentsOf(map, column))
  const names = namesOf(map, assignments.flat(), hasColumn)
  if (!mayLackColumns) checkAddresses(map, names)
  for (const {to} of joins) checkColumnIsThere(rows, columns, to)
  const taken = new Set([...mapped, ...assignments.flat().map(({column}) => column), ...joins.map(({to}) => to)])
  const ignored = ignoredAmong(map, columns, taken)
  const areUnread = columns.map((column) => !taken.has(column) && isSwitch(column))
  // The lines that continue a row fill the columns of the first address.
  const columnPath = (path: string): string =>
    map.continuation !== undefined && hasColumn(map.continuation)
      ? path.replace(/^addresses\.\d+\./, `addresses.${firstOf(names)}.`)
      : path
  // An export of ours says what is stored, to the letter.
  const isExact = isReport || hasColumn('version')
  const codes = new Set(
    [
      ...assignments.flat(),
      ...map.combined.flatMap((one) => one.columns.map((column) => ({...one, column}))),
      ...map.defaults.flatMap((one) => one.sources.map((column) => ({...one, column}))),
    ].flatMap(({target, column}) => (isCode.has(`${target.segments.at(-1)}`) ? column : [])),
  )
  const areCodes = columns.map((column) => codes.has(column))
  const cellAt = ({cells}: Line, index: number): Cell | undefined => {
    const cell = cells[index]
    return typeof cell === 'string' && !isExact ? withoutGuard(cell, areCodes[index] === true) : cell
  }
  const reader = {
    ignored,
    unmet: new Set<string>(),
    meet: () => undefined,
    assignments: assignments.flat(),
    columnOf: (path: string) => namedBy(names, columnPath(path)).replace(notColumns, path),
    reaches: (path: string) => names.has(path),
    hasColumn,
    onlyMapped: true,
    isPlaced: (column: string) => (assignments[at(column)] ?? []).length > 0,
    valueIn: (line: Line, column: string) => cellAt(line, at(column)),
    read(line: Line) {
      const {cells} = line
      const valuesOf = (column: string) => {
        const value = cellAt(line, at(column))
        return value === undefined ? [] : [{value}]
      }
      const row: RowInProgress = {document: {}, issues: [], valuesOf, appended: new Map(), unusual: [], clashes: []}
      for (let index = 0; index < cells.length; index += 1) {
        const cell = cellAt(line, index)
        const own = assignments[index]
        if (cell === undefined || !own) continue
        if (areUnread[index]) noteDisabled(row, columns[index] ?? '', cell)
        if (cell !== cells[index]) noteGuard(row, columns[index] ?? '', cells[index])
        for (const assignment of own) assign(row, assignment, cell)
      }
      return row
    },
  }
  return rowMapper<Line>(map, reader, joins)
}

const firstOf = (names: ReadonlyMap<string, string>): string =>
  [...names.keys()].map((path) => /^addresses\.(\d+)\./.exec(path)?.[1]).find((at) => at !== undefined) ?? '0'

function ignoredAmong(
  map: CompiledMapping,
  columns: readonly string[],
  known: ReadonlySet<string | undefined>,
): Set<string> {
  const isOurs = (column: string): boolean =>
    !map.leftOut.has(column) && (isServerOwned(column) || isReportColumn(column))
  return new Set(
    columns.flatMap((column, at) =>
      known.has(column) || isOurs(column) ? [] : [column === '' ? `(column ${at + 1})` : column],
    ),
  )
}

/** Targets to the table's names for them. Throws InputError for a target that is filled twice. */
function namesOf(
  map: CompiledMapping,
  assignments: readonly Assignment[],
  hasColumn: (column: string) => boolean,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const appended = new Map<string, string>()
  const claim = ({path}: Target, column: string, appends?: string): void => {
    const [claims, id] = appends === undefined ? [names, path] : [appended, `${path}\n${appends}`]
    const other = claims.get(id)
    if (other !== undefined) throw claimedTwice(path, other, column)
    claims.set(id, column)
  }
  for (const {target, overrides} of map.defaults) if (overrides) names.set(target.path, constant)
  for (const {target, column, appends} of assignments) claim(target, column, appends)
  for (const {target, columns, appends} of map.combined) {
    const column = columns.find(hasColumn)
    if (column !== undefined) claim(target, column, appends)
  }
  for (const {target, sources} of map.defaults) {
    const column = sources.length > 0 ? sources.find(hasColumn) : 'a default'
    if (column !== undefined && !names.has(target.path)) names.set(target.path, column)
  }
  for (const [column, {members}] of map.records) {
    if (hasColumn(column)) for (const {target} of members) names.set(target.path, column)
  }
  return names
}

/** A name of the table's own wins over the numbered columns, and both over members of a draft. */
function assignmentsOf(map: CompiledMapping, column: string): readonly Assignment[] {
  const mapped = map.columns.get(column)
  if (mapped) {
    const each = mapped.find(
      ({target, appends}) =>
        target.segments.includes(eachElement) && target.segments[0] === 'addresses' && appends === undefined,
    )
    if (each && !column.includes(eachElement)) {
      throw new InputError(`'${each.target.path}' is no place for one column of a table.`, {
        column,
        remedy: 'Name an address by its index, such as addresses.0.city, or numbered columns, such as City *.',
      })
    }
    return mapped
  }
  if (map.combined.some(({columns}) => columns.includes(column)) || map.records.has(column)) return []
  for (const [name, assignments] of map.columns) {
    const numbered = name.includes(eachElement)
      ? assignments.filter(({target}) => target.segments.includes(eachElement))
      : []
    const found = numbered.length > 0 ? numberedPattern(name).exec(column) : null
    if (!found) continue
    const at = Number(found[1] ?? 0)
    return numbered.flatMap(({target, appends}) => {
      const own = targetOf(inElement(target, at).path)
      return own ? [{column, target: own, pipe: map.pipeOf(own), ...defined({appends})}] : []
    })
  }
  const target = map.leftOut.has(column) ? undefined : targetOf(column)
  return target && !target.segments.includes(eachElement) ? [{column, target, pipe: map.pipeOf(target)}] : []
}

/** The pattern of such columns as `City *` or `addresses.*.city`; a list of one has no number in a flattened document. */
function numberedPattern(column: string): RegExp {
  const escaped = column.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace('\\.*', '(?:\\.(\\d{1,3}))?').replace('*', '(\\d{1,3})')}$`)
}

function checkColumnIsThere(
  {source: {name: file}}: Rows,
  columns: readonly string[],
  column: string | undefined,
): void {
  if (column === undefined) return
  const pattern = column.includes(eachElement) ? numberedPattern(column) : undefined
  if (columns.includes(column) || columns.some((name) => pattern?.test(name))) return
  const remedy = `Its columns are ${columns.join(', ')}.`
  throw new InputError(`${file} has no column '${column}', which the map names.`, {file, line: 1, column, remedy})
}

/** A constant for an address that no column fills would never be given to anybody. */
function checkAddresses(map: CompiledMapping, names: ReadonlyMap<string, string>): void {
  if (map.records.size > 0 || [...map.columns.values()].flat().some(({appends}) => appends !== undefined)) return
  const filled = new Set(
    [...names].flatMap(([path, column]) => (column === constant ? [] : [path.split('.', 2).join('.')])),
  )
  for (const given of map.defaults) {
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
