import type {Cell} from './cell.js'
import type {RowFormat} from './row-format.js'

/** A file and how its bytes become rows; it can be read any number of times while it is unchanged. */
export interface Source {
  /** What messages call it. */
  readonly name: string
  readonly path: string
  readonly bytes: number
  /** Of the moment when it was opened, to notice a change between two readings. */
  readonly stamp: string
  readonly format: RowFormat | 'xlsx'
  readonly encoding: string
  readonly compression?: 'gzip'
  readonly sheet?: string
  /** Why this encoding or sheet was chosen, if no option names it and it is not the default. */
  readonly because?: string
  /** The row of a table with the names of its columns, from 1; absent: the first that says anything. */
  readonly headerRow?: number
  /** The names of the columns of a table that has no header. */
  readonly header?: readonly string[]
  /** Its rows are customers that were read from a project. */
  readonly copied?: true
}

export interface SourceOptions {
  /** Overrides what the name and the first bytes say. */
  readonly format?: RowFormat
  /** Overrides what the bytes say. */
  readonly encoding?: string
  /** The sheet of a workbook: its name, or its number among the visible ones. */
  readonly sheet?: string
  /** The row of a table with the names of its columns, from 1; 0 if there is none. */
  readonly headerRow?: number
  /** What `-` reads. */
  readonly stdin?: AsyncIterable<Uint8Array>
  readonly signal?: AbortSignal
  /** An empty file has no rows. */
  readonly allowEmpty?: boolean
}

/** Where a row stands, as it is shown and given to programs. */
export interface Place {
  readonly file: string
  /** On which it begins; of a document that is one line, its number among the rows. */
  readonly line: number
  readonly by?: 'row'
  /** What names the row where a line does not: its customer in a copy, its number and key in a document of one line. */
  readonly customer?: string
}

/** What the beginning of a document shows. */
export interface Seen {
  isOneLine: boolean
}

export type Places = (line: number) => Place

export function placesIn({name: file}: Pick<Source, 'name'>, seen: Seen): Places {
  let rows = 0
  return (line) => (seen.isOneLine ? {file, line: ++rows, by: 'row'} : {file, line})
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
  /** The rows, those of a piece of the file together, each made as it is taken: to wait for each costs more than to read it. */
  readonly pieces: RowPieces
}

export type RowPieces = AsyncIterable<Iterable<SourceRow>>

/** The rows one by one, where it is not the number of rows that takes the time. */
export async function* eachRow<R>(pieces: AsyncIterable<Iterable<R>>): AsyncGenerator<R> {
  for await (const rows of pieces) yield* rows
}

/** The same pieces with each of their members changed as it is taken; without those of which nothing is made. */
export async function* mapPieces<A, B>(
  pieces: AsyncIterable<Iterable<A>>,
  change: (one: A) => B | undefined,
): AsyncGenerator<Iterable<B>> {
  for await (const piece of pieces) yield mapped(piece, change)
}

function* mapped<A, B>(piece: Iterable<A>, change: (one: A) => B | undefined): Generator<B> {
  for (const one of piece) {
    const made = change(one)
    if (made !== undefined) yield made
  }
}

/** A row of a million characters is a mistake in the quotes or brackets; servers refuse such bodies anyway. */
export const maxRowBytes = 1_048_576

const smallBytes = 4 << 20

/** Whether files are small as rows, too, which is known before they are read. */
export const isSmall = (sources: readonly Pick<Source, 'bytes' | 'compression' | 'format'>[]): boolean =>
  sources.every(({compression, format}) => compression === undefined && format !== 'xlsx') &&
  sources.reduce((sum, {bytes}) => sum + bytes, 0) <= smallBytes
