import {defined} from '../../domain/equal.js'
import {isSecretPath} from '../../domain/secret-members.js'
import type {Issue, SourceRow} from '../input/row.js'
import type {Target} from './draft-shape.js'
import type {Problem} from './transforms.js'
import type {ValuePipe} from './value-pipe.js'

/** Where the values of a column go. */
export interface Assignment {
  readonly column: string
  readonly target: Target
  readonly pipe: ValuePipe
}

/** A row in the shape of a draft or of an exported customer, not yet checked. */
export interface Mapped {
  readonly document: Record<string, unknown>
  readonly issues: readonly Issue[]
  /** Columns whose value belongs to an address that the row does not have. */
  readonly unplaced: readonly string[]
}

export type MappableRow = Extract<SourceRow, {kind: 'cells' | 'document'}>

/** Turns the rows of one source into documents. */
export interface Mapper {
  map(row: MappableRow): Mapped
  /** The rows of the source, those that continue another one taken together with it. */
  rows(rows: AsyncIterable<SourceRow>): AsyncIterable<SourceRow>
  /** Why the map leaves a row out, if it does. */
  leavesOut(row: MappableRow): string | undefined
  /** Columns that are neither mapped nor a member of a draft. Of JSON rows, those met so far. */
  readonly ignored: ReadonlySet<string>
  /** The source's own name for a member, for messages. */
  columnOf(path: string): string
  /** Whether rows of a table can have a member. */
  reaches(path: string): boolean
  /** Whether a column of the source holds passwords. */
  isSecret(column: string): boolean
}

export function issueOf(column: string, {path}: Target, {problem, takesAlias, name}: Problem): Issue {
  if (isSecretPath(path)) return {column, code: 'InvalidField', message: 'The value cannot be used.'}
  const alias = takesAlias && name !== undefined ? {target: path, name} : undefined
  return {column, code: 'InvalidField', message: problem, ...defined({alias})}
}

export function secretsAmong(assignments: readonly Assignment[]): (column: string) => boolean {
  const secret = new Set(assignments.filter(({target}) => isSecretPath(target.path)).map(({column}) => column))
  return (column) => isSecretPath(column) || secret.has(column)
}
