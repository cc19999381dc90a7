import {setImmediate as turn} from 'node:timers/promises'
import type pg from 'pg'
import {NotRun, type Row, type Run, runOn, type Statement} from './batch.js'
import {CommitUnknown, isLost, isOfNodes, sqlState} from './faults.js'
import {inColumns} from './wire-values.js'

/** Inserts rows: many of them, as an array for each column, or one, which an engine that distributes rows sends to its node. */
export interface Insertion {
  readonly many: Statement
  readonly one: Statement
}

/**
 * An open transaction. Statements that are run without waiting for each other share a write and an answer; the first to
 * fail spoils the rest.
 */
export interface Transaction {
  readonly run: Run
  /** Inserts rows into a project, all storable texts, in as few statements as the database takes. Returns their rows. */
  insert(insertion: Insertion, project: string, rows: readonly (readonly (string | null)[])[]): Promise<readonly Row[]>
  /** Commits without waiting for the earlier statements, none of which may fail by its number of rows. */
  commit(): Promise<void>
  /** Tells connections of one process apart, so that each counts in a row of its own. */
  readonly connection: number
}

/** Statements that wait longer for a row that somebody else is writing fail. */
export const patientMs = 5_000
/** Limits how long the statements of a transaction that follow wait for a row. */
export const lockTimeout = (milliseconds: number): Statement => ({
  text: `SET LOCAL lock_timeout = ${milliseconds}`,
})

/** Each statement has its own snapshot, so that a check after a lock sees the commit that the lock waited for. */
const begin = {text: 'BEGIN ISOLATION LEVEL READ COMMITTED'}

/** COMMIT rolled the transaction back, since one of its statements had failed. */
class NotCommitted extends Error {}

export async function committed<T>(
  client: pg.Client,
  isDistributed: boolean,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  let first: unknown
  const statement = runOn(client)
  const run: Run = (...args) =>
    statement(...args).catch(async (error: unknown) => {
      // Of statements that were sent together, those after a failed one only report its failure: its own must come first.
      if (isBehind(error)) await turn()
      first ??= error instanceof NotRun ? error.cause : error
      throw error
    })
  // Settings of the session do not reach the nodes.
  const begun = Promise.all([run(begin), ...(isDistributed ? [run(lockTimeout(patientMs))] : [])])
  // `work` sends its first statements without waiting; they fail if BEGIN does.
  begun.catch(() => {})
  let ending: Promise<void> | undefined
  const commit = (): Promise<void> => {
    ending ??= end(client)
    return ending
  }
  const insert: Transaction['insert'] = async ({one, many}, project, rows) => {
    const sent = isDistributed ? rows : [...inColumns(rows)]
    const statement = isDistributed ? one : many
    const answers = await Promise.all(sent.map((values) => run(statement, [project, ...values])))
    return answers.flatMap((answer) => answer.rows)
  }
  const connection = (client as unknown as {processID: number | null}).processID ?? 0
  try {
    const result = await work({run, insert, commit, connection})
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
  const warnings: string[] = []
  const heed = ({code}: {code?: string | undefined}): void => {
    if (code?.startsWith('01')) warnings.push(code)
  }
  client.on('notice', heed)
  try {
    const {command} = await runOn(client)({text: 'COMMIT'})
    // Its wait for a synchronous standby was cancelled, and a failover would lose it.
    if (warnings.length > 0) throw new CommitUnknown('the commit was not confirmed by the standby that it waits for')
    if (command === 'COMMIT') return
    await turn()
    throw new NotCommitted(`the transaction ended with ${command}`)
  } catch (error) {
    // A node did not answer: it may have committed.
    throw isOfNodes(error) ? new CommitUnknown('a node did not confirm the commit', {cause: error}) : error
  } finally {
    client.off('notice', heed)
  }
}

export const rolledBack = (client: pg.Client): Promise<boolean> =>
  runOn(client)({text: 'ROLLBACK'}).then(
    () => true,
    () => false,
  )
