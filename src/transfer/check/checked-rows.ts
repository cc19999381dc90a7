import {unusualValues} from '../../domain/customers/unusual.js'
import {defined} from '../../domain/equal.js'
import {InputError} from '../files/input-error.js'
import {isOfCustomer, listsBegun, nameList, namesIn} from '../input/json-envelope.js'
import type {Issue, Place, Rows, Source, SourceRow} from '../input/row.js'
import type {Match, Mode, RowDraft} from '../input/row-draft.js'
import {readRows} from '../input/rows.js'
import {draftOf} from '../mapping/exported.js'
import {mapperOf} from '../mapping/mapper.js'
import type {Mapping} from '../mapping/mapping.js'
import {neverFilled, neverMet} from '../mapping/paths.js'
import type {Mapper} from '../mapping/row-mapper.js'
import {issuesOf, limitIssues, uncleanIssues} from './draft-issues.js'
import {Notes} from './notes.js'
import {recoverPasswords, type Secrets} from './recovered-passwords.js'
import {type Repeats, repeatsIn} from './repeats.js'

export interface CheckedRow {
  readonly row: SourceRow
  readonly place: Place
  readonly number: number
  readonly columns?: readonly string[]
  /** Only to be used without issues. */
  readonly draft: RowDraft
  readonly issues: readonly Issue[]
  /** Why the map leaves the row out: it is skipped, whatever it holds. */
  readonly leftOut?: string
  /** The row brings a password hash that the target does not keep: the draft is without it. */
  readonly hasForeignHash?: true
  readonly mapper: Pick<Mapper, 'columnOf' | 'isSecret' | 'covers'>
}

export interface CheckOptions {
  readonly sources: readonly Source[]
  readonly mapping: Mapping
  readonly match: Match
  readonly mode: Mode
  /** Of the hash that finds repeats: a random whole number below 2^32. */
  readonly seed: number
  /** Whether the target is a server of ours, whose limits no other has. Asked only about a row beyond them. */
  readonly isOurs: () => Promise<boolean>
  /** The day of the run: nobody is born after it. */
  readonly today: string
  /** If the sources are reports: the files that they report on, for the passwords that reports never have. */
  readonly originals?: readonly Source[]
  readonly joined?: readonly Source[]
  /** Rows that mean the customer of another row, by number, and why the other one counts. */
  readonly dropped?: ReadonlyMap<number, string>
  /** An earlier reading of these sources found every row valid: they are mapped again, and not checked again. */
  readonly areValid?: boolean
}

export type Check = Awaited<ReturnType<typeof checkRows>>

/** What a piece has at the most: few enough to be garbage soon. */
const rowsOfPiece = 25

/** Reads, maps and checks every row; each call reads the files anew. Throws InputError for what is wrong as a whole. */
export async function checkRows(options: CheckOptions) {
  const {sources, mapping, originals, areValid} = options
  const {mapperFor, joins, idle} = await mapperOf(mapping, options.joined, options.today)
  const recovered = originals && (await recoverPasswords(sources, originals, mapping))
  const notes = new Notes()
  const files = sources.map(({name}) => name)
  const repeats = repeatsIn(files, options.match, options.seed)
  /** The rows in order, some at a time: to wait for each alone makes four promises of it. */
  async function* pieces(): AsyncGenerator<readonly CheckedRow[]> {
    const documents: Mapper[] = []
    let documentRows = 0
    // A report is a table, whatever it reports on.
    for await (const table of readRows(sources, originals ? {} : mapping)) {
      const mapper = mapperFor(table)
      const reading = {table, mapper, options, notes}
      notes.ignored.set(table.source.name, mapper.ignored)
      if (table.columns) checkColumns(table.source, table.columns, mapper, options)
      if (!table.columns && !areValid) documents.push(mapper)
      for await (const piece of mapper.pieces(table.pieces)) {
        let checked: CheckedRow[] = []
        for (const row of piece) {
          documentRows += table.columns ? 0 : 1
          const one = limitedRow(checkedRow(row, reading, recovered?.(table, row)), reading)
          checked.push(comparedRow(one instanceof Promise ? await one : one, reading, repeats))
          if (checked.length < rowsOfPiece) continue
          yield checked
          checked = []
        }
        if (checked.length > 0) yield checked
      }
    }
    if (documentRows > 0) checkPaths(documents, mapping, files)
    for (const [path, section] of areValid || originals || mapping.optionalColumns ? [] : idle)
      throw neverFilled(path, section)
    if (!originals) notes.joins.push(...joins.map((one) => one.counts()))
  }
  // Both are complete when the pieces have ended; no row is a repeat if all are known to be valid.
  return {pieces: pieces(), notes, repeats}
}

/** Whether nothing more is to be found out about a row. */
const isDecided = ({issues, leftOut}: CheckedRow, {areValid}: CheckOptions): boolean =>
  areValid === true || issues.length > 0 || leftOut !== undefined

/** With what exceeds the limits of servers of ours, if the target is one. */
function limitedRow(checked: CheckedRow, {mapper, options, notes}: Reading): CheckedRow | Promise<CheckedRow> {
  const dropped = checked.leftOut === undefined ? options.dropped?.get(checked.number) : undefined
  if (dropped !== undefined) {
    notes.duplicates.note('', {}, checked.place)
    const {key, email, externalId, customerNumber} = checked.draft
    const draft = defined({key, email, externalId, customerNumber})
    return {...checked, draft, issues: none, leftOut: dropped}
  }
  if (isDecided(checked, options)) return checked
  const beyond = limitIssues(checked.draft, mapper.columnOf)
  if (beyond.length === 0) return checked
  return options.isOurs().then((isOurs) => (isOurs ? {...checked, issues: beyond} : checked))
}

function comparedRow(checked: CheckedRow, {mapper, options, notes}: Reading, repeats: Repeats): CheckedRow {
  if (isDecided(checked, options)) return checked
  const {draft, row} = checked
  for (const found of unusualValues(draft, options.today)) notes.unusual.note(found.kind, found, row.place)
  const issues = repeats.issuesOf(draft, row.place, mapper.columnOf)
  if (issues.length > 0) return {...checked, issues}
  notes.filled.add(draft, mapper)
  return checked
}

/** A path of the map that no document has is refused as a column is that a table lacks. */
function checkPaths(
  mappers: readonly Mapper[],
  {where = {}}: Mapping,
  [file = '', ...others]: readonly string[],
): void {
  const [first, ...rest] = mappers
  const path = [...(first?.unmet ?? [])].find((one) => rest.every(({unmet}) => unmet.has(one)))
  if (path === undefined) return
  const names = others.length > 0 ? `${file} and ${others.length} more` : file
  const ignored = mappers.flatMap((mapper) => [...mapper.ignored])
  throw neverMet(path, names, {isWhere: Object.hasOwn(where, path), others: new Set(ignored)})
}

/** A table without a column that every row needs is refused once, not once a row. */
function checkColumns(source: Source, columns: readonly string[], mapper: Mapper, {match, mode}: CheckOptions): void {
  const needed = [match === 'key-or-email' ? 'email' : match, ...(mode === 'update' ? [] : (['email'] as const))]
  const missing = needed.find((member) => !mapper.reaches(member))
  if (missing === undefined) return
  const others = ['email', 'customerNumber', 'externalId', 'key'].filter((one) => mapper.reaches(one))
  const byOther = missing === match && others[0] ? ` Or identify customers with --match ${others[0]}.` : ''
  const why = missing === match ? ', which identifies customers' : ''
  const template = `\`frontdesk customers template ${source.name}\` suggests a map.`
  throw new InputError(`No column of ${source.name} is mapped to '${missing}'${why}.`, {
    file: source.name,
    line: 1,
    remedy: `Map one of its columns with --map 'COLUMN=${missing}': ${columns.join(', ')}. ${template}${byOther}`,
  })
}

interface Reading {
  readonly table: Rows
  readonly mapper: Mapper
  readonly options: CheckOptions
  readonly notes: Notes
}

const none: readonly never[] = []

function checkedRow(
  row: SourceRow,
  {table: {columns, source}, mapper, options, notes}: Reading,
  secrets: Secrets | undefined,
): CheckedRow {
  const place = placeOf(row, source)
  const {number} = row
  const checked = (draft: RowDraft, issues: readonly Issue[]): CheckedRow =>
    columns
      ? {row, place, number, columns, draft, issues, mapper}
      : {row, place: named(place, draft), number, draft, issues, mapper}
  if (row.kind === 'broken') return checked({}, [row.issue])
  const leftOut = mapper.leavesOut(row)
  if (leftOut !== undefined) return {...checked({}, none), leftOut}
  const {columnOf} = mapper
  const mapped = mapper.map(row)
  const read = draftOf(mapped.document, columnOf)
  if (read.masked) notes.maskedPasswords += 1
  for (const {place = row.place, ...one} of options.areValid ? [] : mapped.unusual)
    notes.unusual.note(`${one.kind} ${one.column}`, one, place)
  const draft: RowDraft = secrets ? {...secrets, ...read.draft} : read.draft
  if (options.areValid) return checked(draft, none)
  for (const column of mapped.unplaced) notes.unplaced.note(column, {column}, row.place)
  const found = [...mapped.issues, ...read.issues, ...uncleanIssues(read.draft)]
  const {match, mode, mapping} = options
  // A value that could not be read is missing from the draft; that is told already.
  const more = issuesOf(draft, {match, mode, columnOf})
  const others = more.filter(({column}) => !found.some((issue) => issue.column === column))
  const issues = others.length === 0 ? found : [...found, ...others]
  const hint = issues.length > 0 && number === 1 && mapping.rows === undefined ? envelopeHint(row) : undefined
  return checked(draft, hint === undefined ? issues : issues.map((issue) => ({...issue, fix: hint})))
}

/** A document that is no customer may hold the rows, or what a customer has by name. */
function envelopeHint(row: SourceRow): string | undefined {
  if (row.kind !== 'document' || Object.keys(row.document).some(isOfCustomer)) return undefined
  const names = namesIn(row.document)
  if (names.length === 0) return nameList(listsBegun(JSON.stringify(row.document)))
  return `Lists of names and values are read by "names" in a map file: ${JSON.stringify(Object.fromEntries(names))}.`
}

/** Rows of a copy are named by their customers: they are lines of no file that anybody has. */
function placeOf(row: SourceRow, {copied}: Source): Place {
  if (!copied || row.kind !== 'document') return row.place
  return {...row.place, customer: rowNameOf(row.document)}
}

/** A customer of a project, for people. */
export function rowNameOf({id, key, email}: {readonly id?: unknown; readonly key?: unknown; readonly email?: unknown}) {
  const names = Object.entries({key, email}).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name} ${value}`] : [],
  )
  return `customer ${id}${names.length > 0 ? ` (${names.join(', ')})` : ''}`
}

/** A row of a document that is one line, with what it calls its customer. */
function named(place: Place, {key, email}: RowDraft): Place {
  if (place.by !== 'row') return place
  const name = key ? ` (key ${key})` : email ? ` (email ${email})` : ''
  return {...place, customer: `row ${place.line}${name}`}
}
