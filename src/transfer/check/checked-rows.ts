import {type UnusualValue, unusualValues} from '../../domain/customers/unusual.js'
import {InputError} from '../files/input-error.js'
import type {Issue, Place, Rows, SourceRow} from '../input/row.js'
import type {Match, Mode, RowDraft} from '../input/row-draft.js'
import {readRows} from '../input/rows.js'
import type {Source} from '../input/source.js'
import {draftOf} from '../mapping/exported.js'
import {mapperOf} from '../mapping/mapper.js'
import type {Mapping} from '../mapping/mapping.js'
import type {Mapper} from '../mapping/row-mapper.js'
import {issuesOf, limitIssues} from './draft-issues.js'
import {recoverPasswords, type Secrets} from './recovered-passwords.js'
import {Repeats} from './repeats.js'

export interface CheckedRow {
  readonly row: SourceRow
  readonly place: Place
  /** Its number among all rows of the run, from 1. */
  readonly number: number
  /** The columns of its table, if it comes from one. */
  readonly columns?: readonly string[]
  /** Only to be used without issues. */
  readonly draft: RowDraft
  readonly issues: readonly Issue[]
  /** Why the map leaves the row out: it is skipped, whatever it holds. */
  readonly leftOut?: string
  /** The row brings a password hash, and the target keeps none: the draft is without it. */
  readonly hasForeignHash?: true
  readonly mapper: Pick<Mapper, 'columnOf' | 'isSecret'>
}

/** What is worth saying about a run's files beside their issues. */
export interface Notes {
  /** Columns that were neither mapped nor members of a draft, by the file's name. */
  readonly ignored: ReadonlyMap<string, ReadonlySet<string>>
  /** Rows whose password was the mask of an exported customer. */
  readonly maskedPasswords: number
  readonly unusual: RowCounter<UnusualValue>
  /** Columns whose value belongs to an address that the row does not have. */
  readonly unplaced: RowCounter<{readonly column: string}>
  /** Rows of the second file that belong to no row. */
  readonly unjoined: RowCounter<object>
}

export interface CheckOptions {
  readonly sources: readonly Source[]
  readonly mapping: Mapping
  readonly match: Match
  readonly mode: Mode
  /** Of the hash that finds repeats: a random whole number below 2^32. */
  readonly seed: number
  /** If the sources are reports: the files that they report on, for the passwords that reports never have. */
  readonly originals?: readonly Source[]
  /** The second file of the mapping. */
  readonly joined?: Source
  /** An earlier reading of these sources found every row valid: they are mapped again, and not checked again. */
  readonly areValid?: boolean
}

export interface Check {
  readonly rows: AsyncIterable<CheckedRow>
  /** Complete when `rows` has ended. */
  readonly notes: Notes
}

/** Reads, maps and checks every row; each call reads the files anew. Throws InputError for what is wrong as a whole. */
export async function checkRows(options: CheckOptions): Promise<Check> {
  const {mapperFor, joined} = await mapperOf(options.mapping, options.joined)
  const ignored = new Map<string, ReadonlySet<string>>()
  const [unusual, unplaced] = [new RowCounter<UnusualValue>(), new RowCounter<{readonly column: string}>()]
  const unjoined = new RowCounter<object>()
  const notes = {ignored, maskedPasswords: 0, unusual, unplaced, unjoined}
  const {originals} = options
  const recovered = originals && (await recoverPasswords(options.sources, originals, options.mapping))
  async function* rows(): AsyncGenerator<CheckedRow> {
    const repeats = new Repeats(
      options.sources.map(({name}) => name),
      options.match,
      options.seed,
    )
    for await (const table of readRows(options.sources, options.mapping)) {
      const mapper = mapperFor(table)
      ignored.set(table.source.name, mapper.ignored)
      if (table.columns) checkColumns(table.source, table.columns, mapper, options)
      for await (const row of mapper.rows(table.rows)) {
        const {checked, masked, unplaced: without} = checkedRow(row, table, mapper, options, recovered?.(table, row))
        const {file, line} = row.place
        if (masked) notes.maskedPasswords += 1
        for (const column of without) unplaced.note(column, {column}, file, line)
        if (options.areValid || checked.issues.length > 0 || checked.leftOut !== undefined) {
          yield checked
          continue
        }
        for (const found of unusualValues(checked.draft)) unusual.note(found.kind, found, file, line)
        const issues = repeats.issuesOf(checked.draft, row.place, mapper.columnOf)
        yield issues.length > 0 ? {...checked, issues} : checked
      }
    }
    for (const {file, line} of joined?.unused() ?? []) unjoined.note('', {}, file, line)
  }
  return {rows: rows(), notes}
}

/** A table without a column that every row needs is refused once, not once a row. */
function checkColumns(source: Source, columns: readonly string[], mapper: Mapper, {match, mode}: CheckOptions): void {
  const needed = [match === 'key-or-email' ? 'email' : match, ...(mode === 'update' ? [] : (['email'] as const))]
  const missing = needed.find((member) => !mapper.reaches(member))
  if (missing === undefined) return
  const byEmail =
    missing === 'key' && mapper.reaches('email') ? ' Or find customers by their email: --match email.' : ''
  const why = missing === match ? ', by which customers are found' : ''
  throw new InputError(`${source.name} has no column for '${missing}'${why}.`, {
    file: source.name,
    line: 1,
    remedy: `Map one of its columns with --map 'COLUMN=${missing}': ${columns.join(', ')}.${byEmail}`,
  })
}

interface CheckedRead {
  readonly checked: CheckedRow
  readonly masked: boolean
  readonly unplaced: readonly string[]
}

const none: readonly never[] = []

function checkedRow(
  row: SourceRow,
  {columns, source}: Rows,
  mapper: Mapper,
  {match, mode, areValid}: CheckOptions,
  secrets: Secrets | undefined,
): CheckedRead {
  const checked = (draft: RowDraft, issues: readonly Issue[]): CheckedRow =>
    columns
      ? {row, place: placeOf(row, source), number: row.number, columns, draft, issues, mapper}
      : {row, place: placeOf(row, source), number: row.number, draft, issues, mapper}
  if (row.kind === 'broken') return {checked: checked({}, [row.issue]), masked: false, unplaced: none}
  const leftOut = mapper.leavesOut(row)
  if (leftOut !== undefined) return {checked: {...checked({}, none), leftOut}, masked: false, unplaced: none}
  const {columnOf} = mapper
  const mapped = mapper.map(row)
  const read = draftOf(mapped.document, columnOf)
  const draft: RowDraft = secrets ? {...secrets, ...read.draft} : read.draft
  if (areValid) return {checked: checked(draft, none), masked: read.masked, unplaced: none}
  const found = [...mapped.issues, ...read.issues, ...limitIssues(read.draft, columnOf)]
  const more = notYetReported(found, issuesOf(draft, {match, mode, columnOf}))
  return {checked: checked(draft, [...found, ...more]), masked: read.masked, unplaced: mapped.unplaced}
}

/** Rows of a copy are named by their customers: they are lines of no file that anybody has. */
function placeOf(row: SourceRow, {copied}: Source): Place {
  if (!copied || row.kind !== 'document') return row.place
  const {id, key, email} = row.document
  const names = Object.entries({key, email}).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name} ${value}`] : [],
  )
  return {...row.place, customer: `customer ${id}${names.length > 0 ? ` (${names.join(', ')})` : ''}`}
}

/** A value that could not be read is missing from the draft; that is said already. */
const notYetReported = (said: readonly Issue[], more: readonly Issue[]): readonly Issue[] =>
  more.filter(({column}) => !said.some((issue) => issue.column === column))

/** Rows of one file of which the same is to be said. */
export interface CountedRows {
  readonly file: string
  readonly rows: number
  /** Of the first rows. */
  readonly lines: readonly number[]
}

const mostLines = 5

/** Counts rows by file and by what is to be said of them; of what differs within a group the first is kept. */
export class RowCounter<T extends object> {
  readonly #counts = new Map<string, T & CountedRows>()

  note(group: string, first: T, file: string, line: number): void {
    const name = `${group}\n${file}`
    const known = this.#counts.get(name) ?? {...first, file, rows: 0, lines: []}
    const lines = known.lines.length < mostLines ? [...known.lines, line] : known.lines
    this.#counts.set(name, {...known, rows: known.rows + 1, lines})
  }

  get all(): readonly (T & CountedRows)[] {
    return [...this.#counts.values()]
  }
}
