import type pg from 'pg'
import {StateError} from '../../../domain/errors.js'
import type {Address} from './address.js'
import {type Run, runOn} from './batch.js'
import {CommitUnknown, isLost, isReadOnly, NoConnection} from './faults.js'
import {Hosts, readingOn} from './hosts.js'
import {Pool} from './pool.js'
import {committed, patientMs, rolledBack, type Transaction} from './transaction.js'

export {type Answer, NotRun, type Row, type Run, type Statement} from './batch.js'
export {type Insertion, lockTimeout, patientMs, type Transaction} from './transaction.js'

/** Timeout after which a hanging process loses its transaction and unique keys. */
const idleInTransactionMs = 120_000

/** The connections of one server. */
export class Connections {
  readonly label: string
  /** The column by which documents are spread over nodes (Citus); undefined where all lie on one. */
  distribution: string | undefined
  readonly #connection: pg.ClientConfig
  readonly #hosts: Hosts
  readonly #pool: Pool

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
    this.#connection = connection
    this.#hosts = new Hosts({hosts, mustWrite})
    this.#pool = new Pool({
      connect: () => this.#hosts.connect(config),
      max: poolSize,
      waitMs: Math.max(connectMs, statementMs),
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
    const once = (): Promise<T> => this.#lent(false, async (client) => work(await readingOn(client)), isLost)
    return once().catch((error: unknown) => {
      if (!isLost(error)) throw error
      return once()
    })
  }

  /**
   * Runs `work` in a transaction and commits it. `holding`: it will wait for something other than the database. Throws
   * CommitUnknown if the connection was lost before the reply to COMMIT.
   */
  transaction<T>(holding: boolean, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const run = (client: pg.Client): Promise<T> => committed(client, this.isDistributed, work)
    return this.#lent(holding, run, async (error, client) => {
      // After a failover the former primary may continue as a standby, with its connections open.
      if (isReadOnly(error)) this.#pool.outdate()
      return isLost(error) || error instanceof CommitUnknown || !(await rolledBack(client))
    })
  }

  /** Lends a connection of the pool to `work`; `isBroken` tells by its error whether nobody may use it any more. */
  async #lent<T>(
    holding: boolean,
    work: (client: pg.Client) => Promise<T>,
    isBroken: (error: unknown, client: pg.Client) => boolean | Promise<boolean>,
  ): Promise<T> {
    const lease = await this.#pool.acquire(holding).catch((cause: unknown) => {
      throw new NoConnection(`no connection to ${this.label}`, {cause})
    })
    let broken = false
    try {
      return await work(lease.client)
    } catch (error) {
      broken = await isBroken(error, lease.client)
      throw error
    } finally {
      if (broken) this.#pool.closeIdle()
      this.#pool.release(lease, broken)
    }
  }

  /** Runs work on whole tables over a connection outside the pool, without timeouts. */
  async unlimited<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const client = await this.#hosts.connect({...this.#connection, statement_timeout: 0, keepAlive: true})
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
