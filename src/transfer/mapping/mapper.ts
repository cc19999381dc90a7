import {isSecretPath} from '../../domain/secret-members.js'
import {InputError} from '../input/input-error.js'
import type {Issue, Rows, SourceRow} from '../input/row.js'
import {isServerOwned, type Target, targetOf} from './draft-shape.js'
import {restoreEmpty} from './empty-members.js'
import {checkedTarget, type Mapping} from './mapping.js'
import {pruned, take, valueAt, withValue} from './paths.js'
import {emptyColumn, isReportColumn} from './report-columns.js'
import {pipesOf, type ValuePipe} from './value-pipe.js'

type Document = Record<string, unknown>

/** A row in the shape of a draft or of an exported customer, not yet checked. */
export interface Mapped {
  readonly document: Document
  readonly issues: readonly Issue[]
}

export type MappableRow = Extract<SourceRow, {kind: 'cells' | 'document'}>

/** Turns the rows of one source into documents. */
export interface Mapper {
  map(row: MappableRow): Mapped
  /** Columns that are neither mapped nor a member of a draft. Of JSON rows, those met so far. */
  readonly ignored: ReadonlySet<string>
  /** The source's own name for a member, for messages. */
  columnOf(path: string): string
  /** Whether rows of a table can have a member. */
  reaches(path: string): boolean
  /** Whether a column of the source holds passwords. */
  isSecret(column: string): boolean
}

interface Assignment {
  readonly column: string
  readonly target: Target
  readonly pipe: ValuePipe
}

interface Plan {
  /** Source column to where its values go. */
  readonly columns: ReadonlyMap<string, readonly Assignment[]>
  readonly constants: readonly {readonly target: Target; readonly value: unknown}[]
  readonly pipeOf: (target: Target) => ValuePipe
  readonly transformed: readonly Target[]
}

/** Checks a mapping and makes it ready; `mapperFor` then fits it to each source. Throws InputError. */
export async function mapperOf(mapping: Mapping): Promise<{mapperFor(rows: Rows): Mapper}> {
  const pipeOf = await pipesOf(mapping)
  const columns = new Map<string, Assignment[]>()
  const taken = new Map<string, string>()
  for (const [column, paths] of Object.entries(mapping.columns ?? {})) {
    const assignments = [paths].flat().map((path) => {
      const target = checkedTarget(path, 'columns')
      claim(taken, path, column)
      return {column, target, pipe: pipeOf(target)}
    })
    columns.set(column, assignments)
  }
  const constants = Object.entries(mapping.constants ?? {}).map(([path, value]) => {
    claim(taken, path, 'a constant')
    return constantOf(checkedTarget(path, 'constants'), value, pipeOf)
  })
  for (const path of Object.keys(mapping.aliases ?? {})) checkedTarget(path, 'aliases')
  const transformed = Object.keys({...mapping.transforms, ...mapping.aliases}).map((path) =>
    checkedTarget(path, 'transforms'),
  )
  const plan: Plan = {columns, constants, pipeOf, transformed}
  return {mapperFor: (rows) => (rows.columns ? tableMapper(plan, rows, rows.columns) : documentMapper(plan))}
}

function claim(taken: Map<string, string>, path: string, column: string): void {
  const other = taken.get(path)
  if (other !== undefined) throw new InputError(`'${path}' is the target of both '${other}' and '${column}'.`)
  taken.set(path, column)
}

function constantOf(target: Target, value: string | number | boolean, pipeOf: Plan['pipeOf']) {
  if (typeof value !== 'string') return {target, value}
  const piped = pipeOf(target)(value)
  if ('problem' in piped) throw new InputError(`The constant for '${target.path}' cannot be used: ${piped.problem}`)
  return {target, value: piped.value}
}

function issueOf(column: string, target: Target, problem: string): Issue {
  return {column, code: 'InvalidField', message: isSecretPath(target.path) ? 'The value cannot be used.' : problem}
}

function secretsAmong(assignments: readonly Assignment[]): (column: string) => boolean {
  const secret = new Set(assignments.filter(({target}) => isSecretPath(target.path)).map(({column}) => column))
  return (column) => isSecretPath(column) || secret.has(column)
}

function tableMapper(plan: Plan, rows: Rows, columns: readonly string[]): Mapper {
  const ignored = new Set<string>()
  const names = new Map<string, string>()
  const assignments = columns.map((column, at) => assignmentsOf(plan, column, at, ignored))
  checkColumnsExist(plan, rows, columns)
  const taken = new Map(plan.constants.map(({target}) => [target.path, 'a constant']))
  for (const assignment of assignments.flat()) {
    claim(taken, assignment.target.path, assignment.column)
    names.set(assignment.target.path, assignment.column)
  }
  const emptyAt = columns.indexOf(emptyColumn)
  return {
    ignored,
    columnOf: (path) => names.get(path) ?? path,
    reaches: (path) => taken.has(path),
    isSecret: secretsAmong(assignments.flat()),
    map: (row) => {
      const cells = row.kind === 'cells' ? row.cells : []
      const mapped = mapCells(plan, assignments, cells)
      const empty = cells[emptyAt]
      if (empty !== undefined) restoreEmpty(mapped.document, empty)
      return mapped
    },
  }
}

function assignmentsOf(plan: Plan, column: string, at: number, ignored: Set<string>): readonly Assignment[] {
  const mapped = plan.columns.get(column)
  if (mapped) return mapped
  const target = targetOf(column)
  if (target) return [{column, target, pipe: plan.pipeOf(target)}]
  if (!isServerOwned(column) && !isReportColumn(column)) ignored.add(column === '' ? `(column ${at + 1})` : column)
  return []
}

function checkColumnsExist(plan: Plan, rows: Rows, columns: readonly string[]): void {
  for (const column of plan.columns.keys()) {
    if (columns.includes(column)) continue
    throw new InputError(`${rows.source.name} has no column '${column}', which the map names.`, {
      file: rows.source.name,
      line: 1,
      column,
      remedy: `Its columns are ${columns.join(', ')}.`,
    })
  }
}

function mapCells(
  plan: Plan,
  assignments: readonly (readonly Assignment[])[],
  cells: readonly (string | undefined)[],
): Mapped {
  const document: Document = {}
  const issues: Issue[] = []
  for (const [at, cell] of cells.entries()) {
    if (cell === undefined) continue
    for (const {column, target, pipe} of assignments[at] ?? []) {
      const piped = pipe(cell)
      if ('problem' in piped) issues.push(issueOf(column, target, piped.problem))
      else withValue(document, target.segments, piped.value)
    }
  }
  for (const {target, value} of plan.constants) withValue(document, target.segments, value)
  return {document, issues}
}

function documentMapper(plan: Plan): Mapper {
  const ignored = new Set<string>()
  const names = new Map<string, string>()
  for (const assignment of [...plan.columns.values()].flat()) names.set(assignment.target.path, assignment.column)
  return {
    ignored,
    columnOf: (path) => names.get(path) ?? path,
    reaches: () => true,
    isSecret: secretsAmong([...plan.columns.values()].flat()),
    map: (row) => mapDocument(plan, ignored, row.kind === 'document' ? row.document : {}),
  }
}

function mapDocument(plan: Plan, ignored: Set<string>, source: Readonly<Document>): Mapped {
  const issues: Issue[] = []
  // Taking members out of the row must not change the row, which may have to be reported.
  const rest: Document = plan.columns.size > 0 ? structuredClone(source) : source
  const moved = [...plan.columns].map(([column, assignments]) => ({assignments, value: take(rest, column)}))
  const document = pruned(rest, (path) => {
    if (!isServerOwned(path)) ignored.add(path)
  })
  for (const {assignments, value} of moved) {
    if (value === undefined || value === null) continue
    for (const assignment of assignments) assign(document, issues, assignment, value)
  }
  const mappedTargets = new Set([...plan.columns.values()].flat().map(({target}) => target.path))
  for (const target of plan.transformed) {
    if (mappedTargets.has(target.path)) continue
    const value = valueAt(document, target.segments)
    if (typeof value === 'string')
      assign(document, issues, {column: target.path, target, pipe: plan.pipeOf(target)}, value)
  }
  for (const {target, value} of plan.constants) withValue(document, target.segments, value)
  return {document, issues}
}

/** Only texts pass the pipe: a number or an object of a JSON row is what it is. */
function assign(document: Document, issues: Issue[], {column, target, pipe}: Assignment, value: unknown): void {
  const text = typeof value === 'string' && target.leaf !== 'json'
  const piped = text ? pipe(value) : {value}
  if ('problem' in piped) issues.push(issueOf(column, target, piped.problem))
  else withValue(document, target.segments, piped.value)
}
