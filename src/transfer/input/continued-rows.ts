import type {SourceRow} from './row.js'

type Cells = Extract<SourceRow, {kind: 'cells'}>

/** Nobody has more addresses; keeps one customer from being the rest of a file. */
const maxLines = 500

/**
 * Rows of a table in which a customer may take several lines: a line that has nothing in one column belongs to the row
 * above it. Such lines are in `more`; one without a row above it is broken.
 */
export async function* continuedRows(
  rows: AsyncIterable<SourceRow>,
  at: number,
  column: string,
): AsyncGenerator<SourceRow> {
  let open: Cells | undefined
  for await (const row of rows) {
    const continues = row.kind === 'cells' && row.cells[at] === undefined
    if (continues && open && (open.more?.length ?? 0) < maxLines) {
      open = {...open, more: appended(open.more, row)}
      continue
    }
    if (open) yield open
    open = row.kind === 'cells' && !continues ? row : undefined
    if (open) continue
    if (row.kind !== 'cells') yield row
    else yield {...row, kind: 'broken', issue: {column, code: 'RequiredField', message: orphan(column)}}
  }
  if (open) yield open
}

const orphan = (column: string): string =>
  `The line has no ${column}, so it continues the row above it; but there is none that it could continue.`

/** Grows in place: a copy for each line would be quadratic. */
function appended(more: Cells['more'], {cells, place}: Cells): NonNullable<Cells['more']> {
  const list = (more ?? []) as {line: number; cells: Cells['cells']}[]
  list.push({line: place.line, cells})
  return list
}
