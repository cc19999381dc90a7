import type {SourceRow} from './row.js'

export type FullRow = Exclude<SourceRow, {kind: 'broken'}>

/** Nobody has more addresses; keeps one customer from being the rest of a file. */
const maxLines = 500

/** In bulk exports of objects that are nested, a line names the `id` of the line that it belongs to. */
const parentMember = '__parentId'

export const parentOf = (document: Readonly<Record<string, unknown>>): unknown => document[parentMember]

/**
 * Rows in which a customer may take several lines: a line that has nothing in one column belongs to the row above it.
 * One without such a row is broken.
 */
export async function* continuedRows(
  rows: AsyncIterable<SourceRow>,
  column: string,
  hasValue: (row: FullRow) => boolean,
): AsyncGenerator<SourceRow> {
  let open: FullRow | undefined
  for await (const row of rows) {
    const continues = row.kind !== 'broken' && !hasValue(row)
    if (continues && open && isAbove(open, row)) {
      open = withLine(open, row)
      continue
    }
    if (open) yield open
    open = row.kind === 'broken' || continues ? undefined : row
    if (open) continue
    if (row.kind === 'broken') yield row
    else yield {...row, kind: 'broken', issue: {column, code: 'RequiredField', message: orphan(column)}}
  }
  if (open) yield open
}

const orphan = (column: string): string =>
  `The line has no ${column}, so it continues the row above it; but there is none that it could continue.`

function isAbove(open: FullRow, row: FullRow): boolean {
  const parent = row.kind === 'document' ? parentOf(row.document) : undefined
  const isParent = parent === undefined || (open.kind === 'document' && open.document['id'] === parent)
  return isParent && (open.continuation?.length ?? 0) < maxLines
}

/** Grows in place: a copy for each line would be quadratic. */
function withLine(open: FullRow, {place: {line}, ...row}: FullRow): FullRow {
  const list = (open.continuation ?? []) as object[]
  list.push({...row, line})
  return {...open, continuation: list} as FullRow
}
