import {setImmediate as turn} from 'node:timers/promises'
import type pg from 'pg'
import type {Statement} from '../schema/statements.js'
import type {Address} from './address.js'
import {type Answer, NotRun, type Run, runOn} from './batch.js'
import {CommitUnknown, isLost, isReadOnly, NoConnection, sqlState} from './faults.js'
import {Hosts} from './hosts.js'
import {type Lease, Pool} from './pool.js'
import {SharedConnection} from './shared-connection.js'

export {type Answer, NotRun, type Row, type Run} from './batch.js'

/**
 * An open transaction. Statements that are run without waiting for each other share a write and an answer; the first to
 * fail spoils the rest.
 */
export interface Transaction {
  readonly run: Run
  /** Commits without waiting for the earlier statements, none of which may fail by its number of rows. */
  commit(): Promise<void>
  /** Tells connections of one process apart, so that each counts in a row of its own. */
  readonly connection: number
}

/** Statements that wait longer for a row that somebody else is writing fail. */
export const patientMs = 5_000
/** Timeout after which a hanging process loses its transaction and unique keys. */
const idleInTransactionMs = 120_000

/** The connections of one server. */
export class Connections {
  readonly label: string
  readonly #hosts: Hosts
  readonly #pool: Pool
  readonly #shared = new SharedConnection(
    () => this.#lease(false),
    (...lease) => this.#return(...lease),
  )

  constructor({connection, hosts, poolSize, label, mustWrite}: Address) {
    const {connectionTimeoutMillis: connectMs, statement_timeout: statementMs} = connection
    const config: pg.ClientConfig = {
      ...connection,
      pipeline: true,
      keepAlive: true,
      lock_timeout: patientMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      query_timeout: 2 * statementMs + patientMs,
    }
    this.label = label
    this.#hosts = new Hosts({hosts, mustWrite})
    this.#pool = new Pool({
      connect: () => this.#hosts.connect(config),
      max: poolSize,
      waitMs: Math.max(connectMs, statementMs),
    })
  }

  /** Runs a single reading statement; retries once after a lost connection. */
  readonly read: Run = (statement, values) => this.reading((run) => run(statement, values))

  /** Runs reading statements, none of which needs the answer of another; retries once after a lost connection. */
  async reading<T>(work: (run: Run) => Promise<T>): Promise<T> {
    try {
      return await this.#alone(work)
    } catch (error) {
      if (!isLost(error)) throw error
      return this.#alone(work)
    }
  }

  /**
   * As `reading`, over a connection that others use at the same time: the database finds the next statements when it has
   * answered those before, and need not be woken for them.
   */
  async pipelining<T>(work: (run: Run) => Promise<T>): Promise<T> {
    try {
      return await this.#shared.use(work)
    } catch (error) {
      if (!isLost(error)) throw error
      return this.#alone(work)
    }
  }

  async #alone<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const lease = await this.#lease(false)
    let broken = false
    try {
      return await work(runOn(lease.client))
    } catch (error) {
      broken = isLost(error)
      throw error
    } finally {
      this.#return(lease, broken)
    }
  }

  /**
   * Runs `work` in a transaction and commits it. `holding`: it will wait for something other than the database. Throws
   * CommitUnknown if the connection was lost before the reply to COMMIT.
   */
  async transaction<T>(holding: boolean, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const lease = await this.#lease(holding)
    let broken = true
    try {
      const result = await committed(lease.client, work)
      broken = false
      return result
    } catch (error) {
      broken = isLost(error) || error instanceof CommitUnknown || !(await rolledBack(lease.client))
      // After a failover the former primary may continue as a standby, with its connections open.
      if (isReadOnly(error)) this.#pool.outdate()
      throw error
    } finally {
      this.#return(lease, broken)
    }
  }

  async #lease(holding: boolean): Promise<Lease> {
    return this.#pool.acquire(holding).catch((cause: unknown) => {
      throw new NoConnection(`no connection to ${this.label}`, {cause})
    })
  }

  #return(lease: Lease, broken: boolean): void {
    if (broken) this.#pool.distrust()
    this.#pool.release(lease, broken)
  }

  /** Runs work on whole tables over a connection outside the pool, without timeouts. */
  async unlimited<T>({connection}: Address, work: (run: Run) => Promise<T>): Promise<T> {
    const client = await this.#hosts.connect({...connection, statement_timeout: 0, keepAlive: true})
    try {
      return await work(runOn(client))
    } finally {
      await client.end().catch(() => {})
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

/** Each statement has its own snapshot, so that a check after a lock sees the commit that the lock waited for. */
const begin = {text: 'BEGIN ISOLATION LEVEL READ COMMITTED'}

/** COMMIT rolled the transaction back, since one of its statements had failed. */
class NotCommitted extends Error {}

async function committed<T>(client: pg.Client, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  let first: unknown
  const statement = runOn(client)
  const run: Run = (...args) =>
    statement(...args).catch(async (error: unknown) => {
      // Of statements that were sent together, those after a failed one only report its failure: its own must come first.
      if (isBehind(error)) await turn()
      first ??= error instanceof NotRun ? error.cause : error
      throw error
    })
  const begun = run(begin)
  // `work` sends its first statements without waiting; they fail if BEGIN does.
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
    const cause = isBehind(error) ? (first ?? (error instanceof NotRun ? error.cause : error)) : error
    // Once COMMIT has been sent, the database may have committed, even if earlier statements got no reply.
    throw ending && isLost(cause) ? new CommitUnknown('the commit was not answered', {cause}) : cause
  }
}

const isBehind = (error: unknown): boolean =>
  sqlState(error) === '25P02' || error instanceof NotRun || error instanceof NotCommitted

async function end(client: pg.Client): Promise<void> {
  const {command, isWarned} = await heedingWarnings(client, () => runOn(client)({text: 'COMMIT'}))
  if (isWarned) throw new CommitUnknown('the commit was not confirmed by the standby that it waits for')
  if (command === 'COMMIT') return
  await turn()
  throw new NotCommitted(`the transaction ended with ${command}`)
}

/**
 * Throws if COMMIT ended with a warning: its wait for a synchronous standby was cancelled, and a failover would lose
 * it.
 */
async function heedingWarnings(client: pg.Client, commit: () => Promise<Answer>) {
  let isWarned = false
  const heed = ({code}: {code?: string | undefined}): void => {
    isWarned ||= code?.startsWith('01') ?? false
  }
  client.on('notice', heed)
  try {
    const {command} = await commit()
    return {command, isWarned}
  } finally {
    client.off('notice', heed)
  }
}

async function rolledBack(client: pg.Client): Promise<boolean> {
  try {
    await runOn(client)({text: 'ROLLBACK'})
    return true
  } catch {
    return false
  }
}

/** Limits how long the statements of a transaction that follow wait for a row. */
export const lockTimeout = (milliseconds: number): Pick<Statement, 'text'> => ({
  text: `SET LOCAL lock_timeout = ${milliseconds}`,
})
