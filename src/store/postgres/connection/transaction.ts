import {setImmediate as turn} from 'node:timers/promises'
import type pg from 'pg'
import {CommitUnknown, inState, isLost, isOfNodes} from './faults.js'
import {type Row, type Run, runOn, type Statement} from './run.js'

/** Inserts rows: many of them, as an array for each column, or one, which Citus sends to its node. */
export interface Insertion {
  readonly many: Statement
  readonly one: Statement
}

/** An open transaction. Statements may be run without waiting for each other; the first to fail spoils the rest. */
export interface Transaction {
  readonly run: Run
  /** Inserts rows into a project, all storable texts, in as few statements as the database takes. Returns their rows. */
  insert(insertion: Insertion, project: string, rows: readonly (readonly (string | null)[])[]): Promise<readonly Row[]>
  /** Commits without waiting for the earlier statements, none of which may fail by its number of rows. */
  commit(): Promise<void>
}

/** Statements that wait longer for a row that somebody else is writing fail. */
export const patientMs = 5_000

/** Limits how long the statements of a transaction that follow wait for a row. */
export const lockTimeout = (milliseconds: number): Statement => ({
  text: `SET LOCAL lock_timeout = ${milliseconds}`,
})

/** COMMIT rolled the transaction back, since one of its statements had failed. */
class NotCommitted extends Error {}

export async function committed<T>(
  client: pg.ClientBase,
  isDistributed: boolean,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  let first: unknown
  const statement = runOn(client)
  const run: Run = (...args) =>
    statement(...args).catch(async (error: unknown) => {
      // Of statements that were sent together, those after a failed one only report its failure: its own must come first.
      if (isBehind(error)) await turn()
      first ??= error
      throw error
    })
  // Each statement has its own snapshot, so that a check after a lock sees the commit that the lock waited for.
  const begin = run({text: 'BEGIN ISOLATION LEVEL READ COMMITTED'})
  // Settings of the session do not reach the nodes.
  const begun = Promise.all([begin, ...(isDistributed ? [run(lockTimeout(patientMs))] : [])])
  // `work` sends its first statements without waiting; they fail if BEGIN does.
  begun.catch(() => {})
  let ending: Promise<void> | undefined
  const commit = (): Promise<void> => {
    ending ??= end(client)
    return ending
  }
  const insert: Transaction['insert'] = async ({one, many}, project, rows) => {
    const isEach = isDistributed || rows.length === 1
    const sent = isEach ? rows : inColumns(rows)
    const answers = await Promise.all(sent.map((values) => run(isEach ? one : many, [project, ...values])))
    return answers.flatMap((answer) => answer.rows)
  }
  try {
    const result = await work({run, insert, commit})
    await begun
    await commit()
    return result
  } catch (error) {
    const cause = isBehind(error) ? (first ?? error) : error
    // Once COMMIT has been sent, the database may have committed, even if earlier statements got no reply.
    throw ending && isLost(cause) ? new CommitUnknown('the commit was not answered', {cause}) : cause
  }
}

/** The transaction has failed already, perhaps before a statement of this name was prepared. */
const isBehind = (error: unknown): boolean => inState(/^(25P02|26000)/)(error) || error instanceof NotCommitted

/** Maximum size of the rows in one statement. */
const maxCharacters = 16 << 20

/** Rows as an array for each column, in parts of a size that a statement can carry. */
function inColumns(rows: readonly (readonly (string | null)[])[]): (string | null)[][][] {
  const parts: (typeof rows)[number][][] = []
  let length = maxCharacters
  for (const row of rows) {
    const own = row.reduce((sum, text) => sum + (text?.length ?? 0), 0)
    if (length + own > maxCharacters) {
      parts.push([])
      length = 0
    }
    parts.at(-1)?.push(row)
    length += own
  }
  return parts.map((part) => (part[0] ?? []).map((_, at) => part.map((row) => row[at] ?? null)))
}

async function end(client: pg.ClientBase): Promise<void> {
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

export const rolledBack = (client: pg.ClientBase): Promise<boolean> =>
  runOn(client)({text: 'ROLLBACK'}).then(
    () => true,
    () => false,
  )
