import type {Row, Run, Statement} from './connection/connections.js'

const usualRows = 500

/**
 * Keyset pagination: pages of the rows of a statement, which takes `values`, the position behind which it reads and the
 * number of rows. The first columns of a row are its position.
 */
export async function* pagesOf(
  run: Run,
  statement: Statement,
  values: readonly unknown[],
  from: readonly string[],
  most = usualRows,
): AsyncGenerator<readonly Row[]> {
  for (let after = from; ; ) {
    const {rows} = await run(statement, [...values, ...after, most])
    if (rows.length > 0) yield rows
    if (rows.length < most) return
    const last = rows.at(-1)
    after = from.map((_, at) => last?.[at] ?? '')
  }
}
