import type {Cell} from './cell.js'
import type {Source} from './source.js'

/** Where a row stands, as it is shown and given to programs. */
export interface Place {
  /** What messages call its file. */
  readonly file: string
  /** On which it begins. */
  readonly line: number
  /** In copies, what the source calls the customer of the row. */
  readonly customer?: string
}

/** Something wrong with one row. Never holds a password. */
export interface Issue {
  /** The source's own name for the value: a column of a table, a path in a document. */
  readonly column?: string
  /** A stable name for programs, such as `InvalidField`. */
  readonly code: string
  /** One sentence. */
  readonly message: string
  /** What to do about it, if that is more than the message says. */
  readonly fix?: string
  /** The name for which an alias of the map would help. */
  readonly alias?: {readonly target: string; readonly name: string}
}

type Cells = readonly (Cell | undefined)[]

/** Lines below a row that belong to the same customer: they bring further addresses. */
type Continued<T> = T & {readonly continuation?: readonly ({readonly line: number} & T)[]}

/** A row as the source has it, and its number among all rows of the run, from 1. */
export type SourceRow = {readonly place: Place; readonly number: number} & (
  | ({readonly kind: 'cells'} & Continued<{readonly cells: Cells}>)
  | ({readonly kind: 'document'} & Continued<{readonly document: Readonly<Record<string, unknown>>}>)
  | {readonly kind: 'broken'; readonly issue: Issue; readonly cells?: Cells}
)

/** Rows of one source; tables know their columns before the first row. */
export interface Rows {
  readonly source: Source
  readonly columns?: readonly string[]
  readonly rows: AsyncIterable<SourceRow>
}

/** A row of a million characters is a mistake in the quotes or brackets; servers refuse such bodies anyway. */
export const maxRowBytes = 1_048_576
