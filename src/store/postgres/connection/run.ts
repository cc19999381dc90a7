import type pg from 'pg'
import {defined} from '../../../domain/equal.js'

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

const asText = {getTypeParser: () => (text: string) => text}

/** Runs statements on a connection. Those of one turn of the event loop are sent without waiting for each other. */
export const runOn =
  (client: pg.ClientBase): Run =>
  async ({name, text}, values = []) => {
    const query = {...defined({name}), text, values: [...values], rowMode: 'array', types: asText} as const
    const {rows, rowCount, command} = await client.query<(string | null)[]>(query)
    return {rows, count: rowCount ?? 0, command}
  }
