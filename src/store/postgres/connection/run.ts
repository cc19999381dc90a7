import type {Duplex} from 'node:stream'
import type pg from 'pg'

/** One row; values as text, in the order of the columns. */
export type Row = readonly (string | null)[]

export interface Answer {
  readonly rows: readonly Row[]
  /** Rows written, or read. */
  readonly count: number
  /** The command that the database ran: `UPDATE`, `COMMIT`. */
  readonly command: string
}

/** Every connection prepares it once, under its name; without one it is not prepared. */
export interface Statement {
  readonly name?: string
  readonly text: string
}

export type Run = (statement: Statement, values?: readonly unknown[]) => Promise<Answer>

type Query = pg.QueryArrayConfig<unknown[]>

const form = {rowMode: 'array', types: {getTypeParser: () => (text: string) => text}} as const

/** With what all queries share as their prototype: pg copies what each has of its own, which is slow. */
const queryOf = ({name, text}: Statement, values: readonly unknown[]): Query =>
  Object.assign(Object.create(form) as Query, {name, text, values: [...values]})

/** What is sent in one turn of the event loop goes out in one write: pg makes one for each statement. */
function gather(client: pg.ClientBase): void {
  const {stream} = (client as {readonly connection?: {readonly stream?: Duplex}}).connection ?? {}
  if (!stream || stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Runs statements on a connection. Those of one turn of the event loop are sent together, without waiting for each other. */
export const runOn =
  (client: pg.ClientBase): Run =>
  async (statement, values = []) => {
    gather(client)
    const {rows, rowCount, command} = await client.query<(string | null)[]>(queryOf(statement, values))
    return {rows, count: rowCount ?? 0, command}
  }

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
