import {recordKey} from '../adapter/changes.js'
import {UniqueConflict} from '../store.js'
import {
  type Answer,
  type Connections,
  lockTimeout,
  type Run,
  type Statement,
  type Transaction,
} from './connection/connections.js'
import {isLockTimeout, isOverRow} from './connection/faults.js'
import {KeyNotThere, RetryCommit} from './repeated.js'
import * as sql from './schema/statements.js'
import {restored, storable} from './schema/text-form.js'
import type {UniqueKeyChanges, UniqueKeyRow} from './unique-key-changes.js'

/** How long the first attempt waits for a commit that is writing a row; each further one waits four times as long. */
const pendingMs = 10
/** Before this attempt a wait may have been for something else, such as a slow disk. */
const surelyPending = 3

/** A request for unique keys of one project within one transaction. */
interface KeyRequest {
  readonly run: Run
  readonly project: string
  /** From 1; the first attempt takes many unique keys together, later ones each by itself, waiting longer. */
  readonly attempt: number
}

export const patience = ({run, attempt}: Pick<KeyRequest, 'run' | 'attempt'>): Promise<Answer> =>
  run(lockTimeout(pendingMs * 4 ** (attempt - 1)))

/**
 * Handles a lock timeout: `key` is pending if the wait was for the writer of its row, which `tells` may know; else the
 * next attempt decides.
 */
export function orPending(attempt: number, key?: string, tells = isOverRow): (error: unknown) => never {
  return (error) => {
    if (!isLockTimeout(error)) throw error
    if (key === undefined || (attempt < surelyPending && !tells(error))) throw new RetryCommit()
    throw new UniqueConflict(key, 'pending')
  }
}

/** One statement for each row, sent at once; the answers in the same order. `isHeld`: the statement names the holder too. */
const each = (
  {run, project}: Pick<KeyRequest, 'run' | 'project'>,
  statement: Statement,
  rows: readonly UniqueKeyRow[],
  isHeld = false,
): Promise<Answer>[] =>
  rows.map(({kind, key, holder}) => run(statement, [project, kind, key, ...(isHeld ? [holder] : [])].map(storable)))

const eachOrPending = (
  request: KeyRequest,
  statement: Statement,
  rows: readonly UniqueKeyRow[],
  tells = isOverRow,
): Promise<Answer[]> =>
  Promise.all(
    each(request, statement, rows).map((answer, at) => answer.catch(orPending(request.attempt, rows[at]?.key, tells))),
  )

/** Inserts free unique keys; returns those that have a row already. */
async function taken(
  insert: Transaction['insert'],
  {project, attempt}: KeyRequest,
  rows: readonly UniqueKeyRow[],
): Promise<UniqueKeyRow[]> {
  const parts = attempt > 1 ? rows.map((row) => [row]) : [rows]
  const free = await Promise.all(
    parts.map((part) =>
      insert(
        sql.takeUniqueKeys,
        storable(project),
        part.map(({kind, key, holder}) => [kind, key, holder].map(storable)),
      ).catch(orPending(attempt, part.length > 1 ? undefined : part[0]?.key)),
    ),
  )
  const mine = new Set(free.flat().map(([kind, key]) => recordKey(restored(kind ?? ''), restored(key ?? ''))))
  return rows.filter(({kind, key}) => !mine.has(recordKey(kind, key)))
}

/** Throws KeyNotThere unless each statement changed its row: what a document says it holds is there. */
function checkChanged(answers: readonly Answer[]): void {
  if (answers.some(({count}) => count !== 1)) throw new KeyNotThere()
}

/**
 * Releases and takes unique keys, or throws UniqueConflict. From here on, others that want an exclusive one wait for
 * the end of the transaction. A short lock timeout is in effect then.
 */
export async function changeUniqueKeys(
  {run, insert}: Transaction,
  project: string,
  {free, open, take, leave, join}: UniqueKeyChanges,
  attempt: number,
): Promise<void> {
  if ([free, open, take, leave, join].every(({length}) => length === 0)) return
  const request = {run, project, attempt}
  const patient = patience(request)
  const givingUp = [
    ...each(request, sql.freeUniqueKey, free, true),
    ...each(request, sql.openUniqueKey, open, true),
    ...each(request, sql.leaveShare, leave, true),
  ]
  const [remaining, sharable, givenUp] = await Promise.all([
    taken(insert, request, take),
    eachOrPending(request, sql.lockForSharing, join),
    // Another transaction may hold their rows at the moment.
    Promise.all(givingUp.map((answer) => answer.catch(orPending(attempt)))),
    patient,
  ])
  checkChanged(givenUp)
  await takeOver(request, remaining)
  await share(request, join, sharable)
}

/** Takes unique keys that have a row: held ones, or formerly shared ones that may have no sharer left. */
async function takeOver(request: KeyRequest, rows: readonly UniqueKeyRow[]): Promise<void> {
  if (rows.length === 0) return
  // Before locking, as a sharer on its way would make a unique key that is held look pending; and again behind the
  // lock.
  refuseHeld(rows, await Promise.all(each(request, sql.readSharer, rows)))
  if (absentOf(rows, await eachOrPending(request, sql.lockForChange, rows)).length > 0) throw new RetryCommit()
  refuseHeld(rows, await Promise.all(each(request, sql.readSharer, rows)))
  checkChanged(await Promise.all(each(request, sql.closeUniqueKey, rows, true)))
}

async function share(request: KeyRequest, rows: readonly UniqueKeyRow[], found: readonly Answer[]): Promise<void> {
  if (rows.length === 0) return
  const absent = absentOf(rows, found)
  if (absent.length > 0) throw new RetryCommit(absent)
  await Promise.all(each(request, sql.joinShare, rows, true))
}

/** Throws for the first unique key that has a holder. */
function refuseHeld(rows: readonly UniqueKeyRow[], answers: readonly Answer[]): void {
  const held = rows.find((_, at) => typeof answers[at]?.rows[0]?.[2] === 'string')
  if (held) throw new UniqueConflict(held.key, 'held')
}

/** Those whose row has gone. Throws for the first that is held. */
function absentOf(rows: readonly UniqueKeyRow[], answers: readonly Answer[]): readonly UniqueKeyRow[] {
  refuseHeld(rows, answers)
  return rows.filter((_, at) => answers[at]?.rows.length === 0)
}

/**
 * Inserts the rows of shared unique keys, before the commit that shares them. Throws UniqueConflict `pending`.
 */
export async function prepareSharing(
  connections: Connections,
  project: string,
  rows: readonly UniqueKeyRow[],
  attempt: number,
): Promise<void> {
  if (rows.length === 0) return
  await connections.transaction(false, async ({run}) => {
    const request = {run, project, attempt}
    // At first it may be another sharer that inserts the row, on a slow machine for longer than the first wait.
    await Promise.all([patience(request), eachOrPending(request, sql.prepareShared, rows, () => false)])
  })
}

/**
 * Removes the rows of shared unique keys without sharers. They may contain the email of a deleted customer.
 */
export async function dropShared(run: Run, project: string, rows: readonly UniqueKeyRow[]): Promise<void> {
  if (rows.length === 0) return
  const request = {run, project}
  await Promise.all([...each(request, sql.lockForChange, rows), ...each(request, sql.dropUnshared, rows)])
}

/** The same for one row in a transaction of its own. Throws if somebody is using it. */
export async function dropPrepared(connections: Connections, project: string, row: UniqueKeyRow): Promise<void> {
  await connections.transaction(false, async ({run}) => {
    await Promise.all([run(lockTimeout(pendingMs)), dropShared(run, project, [row])])
  })
}

export async function sweepUnshared(connections: Connections, run: Run): Promise<void> {
  const {rows} = await run(sql.readUnshared)
  for (const [project = '', kind, key] of rows.map((row) => row.map((name) => restored(name ?? '')))) {
    // A key that is in use again no longer qualifies.
    await dropPrepared(connections, project, {kind: kind ?? '', key: key ?? '', holder: ''}).catch(() => {})
  }
}

type Wanted = Omit<UniqueKeyRow, 'holder'> & {readonly shared: boolean}

/** Whether stored documents hold the unique key in a way that excludes one more. */
export async function isHeld(run: Run, project: string, {kind, key, shared}: Wanted): Promise<boolean> {
  const place = [project, kind, key].map(storable)
  const [uniqueKey, sharer] = await Promise.all([run(sql.readUniqueKey, place), run(sql.readSharer, place)])
  return typeof uniqueKey.rows[0]?.[2] === 'string' || (!shared && sharer.rows.length > 0)
}
