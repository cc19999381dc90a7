import type {RowPieces, SourceRow} from './row.js'

export type FullRow = Exclude<SourceRow, {kind: 'broken'}>

/** Nobody has more addresses; keeps one customer from being the rest of a file. */
const maxLines = 500

/** In bulk exports of objects that are nested, a line names the `id` of the line that it belongs to. */
export const parentMember = '__parentId'

const parentOf = (document: Readonly<Record<string, unknown>>): unknown => document[parentMember]

export interface ContinuedBy {
  /** A line that has nothing in it belongs to the row above. */
  readonly column: string
  hasValue(row: FullRow): boolean
  /** A column in which a line has more than an address: then it is a row that lost its value, and no continuation. */
  moreIn(row: FullRow): string | undefined
}

/**
 * Rows in which a customer may take several lines. A line of a table that has nothing in one column belongs to the row
 * above it, one of JSON to the row that it names as its parent. One without such a row is broken.
 */
export async function* continuedRows(
  pieces: RowPieces,
  {column, hasValue, moreIn}: ContinuedBy,
): AsyncGenerator<Iterable<SourceRow>> {
  let open: FullRow | undefined
  function* continued(rows: Iterable<SourceRow>): Generator<SourceRow> {
    for (const row of rows) {
      if (row.kind === 'broken') {
        if (open) yield open
        open = undefined
        yield row
        continue
      }
      const continues = row.kind === 'cells' ? !hasValue(row) : parentOf(row.document) !== undefined
      const more = continues && row.kind === 'cells' ? moreIn(row) : undefined
      if (continues && open && more === undefined && isAbove(open, row)) {
        open = withLine(open, row)
        continue
      }
      if (open) yield open
      open = continues ? undefined : row
      if (!continues) continue
      yield {...row, kind: 'broken', issue: {column, code: 'RequiredField', message: orphan(column, more)}}
    }
  }
  for await (const rows of pieces) yield continued(rows)
  if (open) yield [open]
}

const orphan = (column: string, more: string | undefined): string =>
  more === undefined
    ? `The line has no ${column}, so it continues the row above it; but there is none that it could continue.`
    : `The line has no ${column}, and more than an address ('${more}'): it is a row of its own.`

function isAbove(open: FullRow, row: FullRow): boolean {
  const isParent = row.kind === 'cells' || (open.kind === 'document' && open.document['id'] === parentOf(row.document))
  return isParent && (open.continuation?.length ?? 0) < maxLines
}

/** Grows in place: a copy for each line would be quadratic. */
function withLine(open: FullRow, {place: {line}, ...row}: FullRow): FullRow {
  const list = (open.continuation ?? []) as object[]
  list.push({...row, line})
  return {...open, continuation: list} as FullRow
}
