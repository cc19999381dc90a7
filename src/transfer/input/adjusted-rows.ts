import {isObject} from '../../domain/equal.js'
import type {Rows, SourceRow} from './row.js'

/** What a map says of the values of every row, before any of them has a meaning. */
export interface Adjustments {
  /** Texts that stand for no value, such as `NULL`. */
  readonly absent?: readonly string[] | undefined
  /** Path of a list of names and values to the member with the name: the list becomes an object. */
  readonly names?: Readonly<Record<string, string>> | undefined
}

type Document = Readonly<Record<string, unknown>>

/** The rows of a source with their values adjusted; the same rows if nothing is to be done. */
export function adjustedRows(table: Rows, {absent = [], names = {}}: Adjustments): Rows {
  const none: ReadonlySet<unknown> = new Set(absent)
  const lists = Object.entries(names).map(([path, name]) => ({path: path.split('.'), name}))
  if (none.size + lists.length === 0) return table
  const adjusted = (row: SourceRow): SourceRow => {
    if (row.kind === 'broken') return row
    if (row.kind === 'cells') return {...row, cells: row.cells.map((cell) => (none.has(cell) ? undefined : cell))}
    const document = lists.reduce<unknown>((value, {path, name}) => named(value, path, name), row.document)
    return {...row, document: (none.size > 0 ? without(document, none) : document) as Document}
  }
  function* adjustedPiece(rows: Iterable<SourceRow>): Generator<SourceRow> {
    for (const row of rows) yield adjusted(row)
  }
  async function* pieces(): AsyncGenerator<Iterable<SourceRow>> {
    for await (const rows of table.pieces) yield adjustedPiece(rows)
  }
  return {...table, pieces: pieces()}
}

function without(value: unknown, none: ReadonlySet<unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, none))
  if (!isObject(value)) return none.has(value) ? '' : value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, without(one, none)]))
}

function named(value: unknown, [segment, ...rest]: readonly string[], by: string): unknown {
  if (segment === undefined) return byName(value, by)
  if (segment === '*') return [value].flat().map((one) => named(one, rest, by))
  if (!isObject(value) || !Object.hasOwn(value, segment)) return value
  return {...value, [segment]: named(value[segment], rest, by)}
}

/** `[{"name": "size", "value": "L"}]` as `{"size": "L"}`; elements with more than a value keep its members. */
function byName(list: unknown, by: string): unknown {
  const elements = [list].flat()
  if (!elements.every((one) => isObject(one) && typeof one[by] === 'string')) return list
  const found = new Map<string, unknown[]>()
  for (const {[by]: name, ...more} of elements as Record<string, unknown>[]) {
    const values = Object.values(more)
    if (values.length > 0)
      found.set(name as string, [...(found.get(name as string) ?? []), values.length > 1 ? more : values[0]])
  }
  return Object.fromEntries([...found].map(([name, values]) => [name, values.length > 1 ? values : values[0]]))
}
