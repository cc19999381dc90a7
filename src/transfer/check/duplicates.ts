import {canonicalEmail} from '../../domain/customers/identity.js'
import {InputError} from '../files/input-error.js'
import {asCell, type Cell} from '../input/cell.js'
import {eachRow, type Place} from '../input/row.js'
import type {Match, RowDraft} from '../input/row-draft.js'
import {commonTime} from '../mapping/dates.js'
import {peek} from '../mapping/paths.js'
import type {Check, CheckedRow} from './checked-rows.js'
import {SeenValues} from './seen-values.js'

/** Which of several rows about one customer counts; a column of the source tells the newest. */
export type OnDuplicate = 'first' | 'last' | {readonly newest: string}

interface Counting {
  readonly number: number
  readonly place: Place
  /** When it was written, in order of numbers; undefined if nothing tells. */
  readonly at: number | undefined
  readonly values: readonly string[]
}

type Reading = () => Promise<Check['pieces']>

/**
 * The rows that another row replaces, by number, and why. Rows of unknown order are left out: they stay repeats. Reads
 * the rows twice, so that it keeps only values that occur twice. Throws InputError if no row has the column.
 */
export async function droppedRows(
  read: Reading,
  {choice, match, seed}: {readonly choice: OnDuplicate; readonly match: Match; readonly seed: number},
): Promise<ReadonlyMap<number, string>> {
  const repeated = await repeatedValues(read, match, seed)
  const dropped = new Map<number, string>()
  const counting = new Map<string, Counting>()
  const column = typeof choice === 'object' ? choice.newest : undefined
  let isThere = column === undefined
  for await (const row of eachRow(await read())) {
    const cell = column === undefined ? undefined : cellOf(row, column)
    isThere ||= cell !== undefined || row.columns?.includes(column ?? '') === true
    const values = valuesOf(row.draft, match).filter((value) => repeated.has(value))
    const one = {number: row.number, place: row.place, at: cell === undefined ? undefined : timeOf(cell), values}
    const others = new Set(values.flatMap((value) => counting.get(value) ?? []))
    const stays = [...others].find((other) => replaces(choice, one, other) !== true)
    if (stays) {
      if (replaces(choice, one, stays) === false) dropped.set(one.number, becauseOf(one, stays))
      continue
    }
    for (const other of others) {
      dropped.set(other.number, becauseOf(other, one))
      for (const value of other.values) counting.delete(value)
    }
    for (const value of values) counting.set(value, one)
  }
  if (!isThere) throw new InputError(`No row has '${column}', which tells the newest of several rows.`, {})
  return dropped
}

async function repeatedValues(read: Reading, match: Match, seed: number): Promise<ReadonlySet<string>> {
  const seen = new SeenValues(seed)
  const repeated = new Set<string>()
  for await (const {draft} of eachRow(await read())) {
    for (const value of valuesOf(draft, match)) if (seen.add(value, {line: 1, source: 0})) repeated.add(value)
  }
  return repeated
}

/** What only one customer can have, and by what the run finds its customers. */
function valuesOf({key, customerNumber, externalId, email, stores}: RowDraft, match: Match): string[] {
  const plain = Object.entries({key, customerNumber, ...(match === 'externalId' ? {externalId} : {})})
  const inStores = stores && stores.length > 0 ? stores.map((store) => store.key ?? `id ${store.id}`) : ['']
  return [
    ...plain.flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [`${name} '${value}'`] : [])),
    ...(typeof email === 'string' && email !== ''
      ? inStores.map((store) => `email '${canonicalEmail(email)}'${store === '' ? '' : ` in ${store}`}`)
      : []),
  ]
}

/** Whether a row counts instead of one before it; undefined if nothing tells. */
function replaces(choice: OnDuplicate, {at}: Counting, {at: before}: Counting): boolean | undefined {
  if (typeof choice === 'string') return choice === 'last'
  return at === undefined || before === undefined ? undefined : at >= before
}

function becauseOf({place: {file}, values}: Counting, {place, values: others}: Counting): string {
  const same = values.find((value) => others.includes(value))
  return `The ${same} is also ${place.by ? 'that of row' : 'on line'} ${place.line}${place.file === file ? '' : ` of ${place.file}`}, which counts.`
}

/** What a row has in a column, or at a path. */
export const cellOf = ({row, columns}: CheckedRow, column: string): Cell | undefined =>
  row.kind === 'document' ? asCell(peek(row.document, column)) : row.cells?.[columns?.indexOf(column) ?? -1]

function timeOf(cell: Cell): number | undefined {
  const value =
    typeof cell === 'number' || /^\d+$/.test(String(cell)) ? Number(cell) : Date.parse(commonTime(cell) ?? '')
  return Number.isNaN(value) ? undefined : value
}
