import {setImmediate as turn} from 'node:timers/promises'
import pg from 'pg'
import type {Address} from './address.js'
import {CommitUnknown, isLost, sqlState} from './faults.js'
import type {Statement} from './statements.js'

/** One row; values as text, in the order of the columns. */
export type Row = readonly (string | null)[]

export interface Answer {
  readonly rows: readonly Row[]
  /** Rows written, or read. */
  readonly count: number
}

/** Runs a statement; a text without a name is not kept prepared. */
export type Run = (
  statement: {readonly name?: string; readonly text: string},
  values?: readonly unknown[],
) => Promise<Answer>

const asText = {getTypeParser: () => (value: unknown) => value} as unknown as pg.CustomTypesConfig

const runOn =
  (client: pg.ClientBase | pg.Pool): Run =>
  async (statement, values = []) => {
    const result = await client.query({...statement, values: [...values], rowMode: 'array', types: asText})
    return {rows: result.rows as Row[], count: result.rowCount ?? 0}
  }

/** An open transaction. Statements may be sent without waiting for each other; the first to fail spoils the rest. */
export interface Transaction {
  readonly run: Run
  /** Commits without waiting for the statements before, of which none may fail by a count of rows. */
  commit(): Promise<void>
  /** Tells connections of one process apart, so that each counts in a row of its own. */
  readonly connection: number
}

/** Statements that wait longer for a row that somebody else is writing fail. */
export const patientMs = 5_000
/** A process that hangs while it holds claims loses them. */
const idleInTransactionMs = 120_000

/**
 * The connections of one server. Commits that wait for a password to be hashed hold theirs meanwhile, so they have
 * their own share of the pool and the others never wait behind them.
 */
export class Connections {
  readonly label: string
  readonly #brief: pg.Pool
  readonly #holding: pg.Pool
  #closing: Promise<void> | undefined

  constructor({connection, poolSize, label}: Address) {
    const config: pg.PoolConfig = {
      ...connection,
      pipeline: true,
      keepAlive: true,
      lock_timeout: patientMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      query_timeout: connection.statement_timeout ? 2 * connection.statement_timeout + patientMs : undefined,
    }
    const holding = Math.floor(poolSize / 3) || 1
    this.label = label
    this.#brief = new pg.Pool({...config, max: poolSize - holding})
    this.#holding = new pg.Pool({...config, max: holding})
    // The pool has removed the connection already; whoever needs one gets a new one.
    for (const pool of [this.#brief, this.#holding]) pool.on('error', () => {})
  }

  /** A statement of its own, once more if the connection turns out to be gone. For reading. */
  readonly read: Run = async (statement, values) => {
    const run = runOn(this.#brief)
    try {
      return await run(statement, values)
    } catch (error) {
      if (!isLost(error)) throw error
      return run(statement, values)
    }
  }

  /** Runs `work` in a transaction and commits it. `holding`: it will wait for something other than the database. */
  async transaction<T>(holding: boolean, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await (holding ? this.#holding : this.#brief).connect()
    let broken = true
    try {
      const result = await committed(client, work)
      broken = false
      return result
    } catch (error) {
      broken = isLost(error) || error instanceof CommitUnknown || !(await rolledBack(client))
      throw error
    } finally {
      client.release(broken)
    }
  }

  /** A connection outside the pool, without a limit of time, for work on whole tables. */
  async unlimited<T>({connection}: Address, work: (run: Run) => Promise<T>): Promise<T> {
    const client = new pg.Client({...connection, statement_timeout: 0, keepAlive: true})
    client.on('error', () => {})
    try {
      await client.connect()
      return await work(runOn(client))
    } finally {
      await client.end().catch(() => {})
    }
  }

  close(): Promise<void> {
    this.#closing ??= Promise.all([this.#brief.end(), this.#holding.end()]).then(() => {})
    return this.#closing
  }
}

/** The snapshot of each statement is its own moment: a check behind a lock sees what the lock waited for. */
const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED'

/** A transaction of which a statement had failed ended as it must. */
class NotCommitted extends Error {}

async function committed<T>(client: pg.PoolClient, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  let first: unknown
  const statement = runOn(client)
  const run: Run = (...args) =>
    statement(...args).catch(async (error: unknown) => {
      // Of statements that were sent together, those behind the one that failed only say that it did: it goes first.
      if (isBehind(error)) await turn()
      first ??= error
      throw error
    })
  const begun = client.query(begin)
  // `work` sends its first statements without waiting; if there was no beginning they fail like it.
  begun.catch(() => {})
  let ending: Promise<void> | undefined
  const commit = (): Promise<void> => {
    ending ??= end(client)
    return ending
  }
  const connection = (client as unknown as {processID: number | null}).processID ?? 0
  try {
    const result = await work({run, commit, connection})
    await begun
    await commit()
    return result
  } catch (error) {
    throw isBehind(error) && first ? first : error
  }
}

const isBehind = (error: unknown): boolean => sqlState(error) === '25P02' || error instanceof NotCommitted

async function end(client: pg.PoolClient): Promise<void> {
  const {command} = await client.query('COMMIT').catch((cause: unknown) => {
    throw isLost(cause) ? new CommitUnknown('the commit was not answered', {cause}) : cause
  })
  if (command === 'COMMIT') return
  await turn()
  throw new NotCommitted(`the transaction ended with ${command}`)
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK')
    return true
  } catch {
    return false
  }
}

/** Limits how long the statements of a transaction that follow wait for a row. */
export const lockTimeout = (milliseconds: number): Pick<Statement, 'text'> => ({
  text: `SET LOCAL lock_timeout = ${milliseconds}`,
})
