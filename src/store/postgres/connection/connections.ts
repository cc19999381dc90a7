import {setTimeout as pause} from 'node:timers/promises'
import pg from 'pg'
import {StateError} from '../../../domain/errors.js'
import {Slots} from '../../../work/slots.js'
import type {DatabaseAddress} from './address.js'
import {CommitUnknown, isLost, isNoRoom, isReadOnly, NoConnection} from './faults.js'
import {type Run, runOn} from './run.js'
import {committed, patientMs, rolledBack, type Transaction} from './transaction.js'

export {type Answer, pagesOf, type Row, type Run, type Statement} from './run.js'
export {type Insertion, lockTimeout, patientMs, type Transaction} from './transaction.js'

/** Timeout after which a hanging process loses its transaction and unique keys. */
const idleInTransactionMs = 120_000
/** Pause before another attempt at a connection that the database had no room for. */
const noRoomPauseMs = 50

/** LZ4, where the database has it, makes writing cheaper and reading no dearer. */
const fastCompression = `SELECT set_config(name, 'lz4', false) FROM pg_settings
  WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)`

/** The connections of one server. */
export class Connections {
  readonly label: string
  /** The column by which documents are spread over nodes (Citus); undefined where all lie on one. */
  distribution: string | undefined
  readonly #connection: DatabaseAddress['connection']
  readonly #pool: pg.Pool
  /** Connections that were made since one failed. The others may have failed with it. */
  #trusted = new WeakSet<pg.PoolClient>()
  /** For transactions that wait for something other than the database: no other request waits behind them. */
  readonly #holding: Slots
  #closed: Promise<void> | undefined

  constructor({connection, poolSize, label}: DatabaseAddress) {
    this.label = label
    this.#connection = connection
    const atOnce = Math.max(1, Math.floor(poolSize / 3))
    this.#holding = new Slots({atOnce, waiting: Number.POSITIVE_INFINITY, refusal: () => new Error('too many wait')})
    this.#pool = new pg.Pool({
      ...connection,
      max: poolSize,
      pipeline: true,
      keepAlive: true,
      lock_timeout: patientMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      query_timeout: 2 * connection.statement_timeout + patientMs,
      allowExitOnIdle: true,
    })
    // Statements report the loss of their connection themselves; an unhandled `error` event would end the process.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => {
      client.on('error', () => {})
      client.query(fastCompression).catch(() => {})
      this.#trusted.add(client)
    })
  }

  /** Where rows are spread a statement has to name its row, and a commit ends node by node. */
  get isDistributed(): boolean {
    return this.distribution !== undefined
  }

  /** Finds out how the rows lie. Throws StateUnusable for a setting with which waits would have no bound. */
  async recognize(): Promise<void> {
    // The settings of an extension are those of the server, its tables those of a database.
    const settings =
      "SELECT (SELECT 1 FROM pg_extension WHERE extname = 'citus'), current_setting('citus.propagate_set_commands', true)"
    const [[isCitus, propagated] = []] = (await this.read({text: settings})).rows
    if (!isCitus) return
    const column = "SELECT distribution_column FROM citus_tables WHERE table_name = to_regclass('frontdesk.document')"
    this.distribution = (await this.read({text: column})).rows[0]?.[0] ?? undefined
    if (!this.isDistributed || propagated === 'local') return
    const message = `${this.label} does not hand limits of waiting on to its nodes.`
    const remedy = "Run: ALTER DATABASE the_database SET citus.propagate_set_commands = 'local'"
    throw new StateError('StateUnusable', message, this.label, remedy)
  }

  readonly read: Run = (statement, values) => this.reading((run) => run(statement, values))

  /** Runs statements that only read, once more after a lost connection. */
  async reading<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const once = (): Promise<T> => this.#lent((client) => work(runOn(client)), isLost)
    return once().catch((error: unknown) => {
      if (!isLost(error)) throw error
      return once()
    })
  }

  /**
   * Runs `work` in a transaction and commits it. `holding`: it will wait for something other than the database. Throws
   * CommitUnknown if the connection was lost before the reply to COMMIT.
   */
  async transaction<T>(holding: boolean, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const run = (client: pg.PoolClient): Promise<T> => committed(client, this.isDistributed, work)
    const transaction = (): Promise<T> =>
      this.#lent(run, async (error, client) => {
        // A former primary may continue as a standby, with its connections open.
        const isAway = isLost(error) || isReadOnly(error) || error instanceof CommitUnknown
        return isAway || !(await rolledBack(client))
      })
    if (!holding) return transaction()
    await this.#holding.enter()
    return transaction().finally(() => this.#holding.leave())
  }

  /** Lends a connection to `work`; `isBroken` tells by its error whether nobody may use it any more. */
  async #lent<T>(
    work: (client: pg.PoolClient) => Promise<T>,
    isBroken: (error: unknown, client: pg.PoolClient) => boolean | Promise<boolean>,
  ): Promise<T> {
    const client = await this.#connected()
    let broken = false
    try {
      return await work(client)
    } catch (error) {
      broken = await isBroken(error, client)
      if (broken) this.#trusted = new WeakSet()
      throw error
    } finally {
      client.release(broken)
    }
  }

  /** A connection, once the database has room for it. Throws NoConnection. */
  async #connected(): Promise<pg.PoolClient> {
    const {connectionTimeoutMillis: connectMs, statement_timeout: statementMs} = this.#connection
    const until = performance.now() + Math.max(connectMs, statementMs)
    for (;;) {
      try {
        const client = await this.#pool.connect()
        if (this.#trusted.has(client)) return client
        client.release(true)
      } catch (cause) {
        if (!isNoRoom(cause) || performance.now() > until) {
          throw new NoConnection(`no connection to ${this.label}`, {cause})
        }
        await pause(noRoomPauseMs * (0.5 + Math.random()))
      }
    }
  }

  /** Runs work on whole tables over a connection outside the pool, without timeouts. */
  async unlimited<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const client = new pg.Client({...this.#connection, statement_timeout: 0, keepAlive: true})
    client.on('error', () => {})
    try {
      await client.connect()
      return await work(runOn(client))
    } finally {
      await client.end().catch(() => {})
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#pool.end()
    return this.#closed
  }
}
