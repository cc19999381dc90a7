import {excludesRequirements, isTwice, recordKey} from '../adapter/changes.js'
import {presenceOf, splitCommit} from '../adapter/requirements.js'
import {Reservations, Ticket} from '../adapter/reservations.js'
import {type Change, Missing, type Requirement, type Store, UniqueConflict} from '../store.js'
import {type Connections, lockTimeout, patientMs, type Transaction} from './connection/connections.js'
import {type CommitUnknown, isLockTimeout, requestError} from './connection/faults.js'
import {checkVersions, type DerivedValues, placeColumns, stored, type Versioned, write} from './documents.js'
import {GroupedCommits, type Work} from './grouped-commits.js'
import {outcomeOf, RetryCommit, repeated} from './repeated.js'
import {lockPresence} from './schema/statements.js'
import {type UniqueKeyRow, uniqueKeyChanges} from './unique-key-changes.js'
import {changeUniqueKeys, dropPrepared, dropShared, isHeld, orPending, patience, prepareSharing} from './unique-keys.js'

/** How long a group waits for a row that another commit is writing. */
const groupPatienceMs = 50

/** An error of `complete`, wrapped so that it is not taken for one of the database. */
class NotCompleted extends Error {}

interface Attempt extends Work {
  /** Of several commits, which are not to wait for long because of one of them. */
  readonly isGroup?: true
  /** Absent once it has run; its changes are then among `changes`. */
  readonly complete?: () => Promise<readonly Change[]>
  /** From 1. After a clash it looks before it writes. */
  readonly attempt: number
  /** Set if an earlier attempt may have been stored. */
  readonly unanswered: CommitUnknown | undefined
}

/** The commits of one store. Each is one transaction, retried while others interfere without a conflict. */
export class Commits {
  readonly #connections: Connections
  readonly #derived: DerivedValues
  readonly #reservations = new Reservations()
  readonly #groups: GroupedCommits

  constructor(connections: Connections, derived: DerivedValues) {
    this.#connections = connections
    this.#derived = derived
    this.#groups = new GroupedCommits((work) =>
      this.#attempt({...work, isGroup: true, attempt: 1, unanswered: undefined}),
    )
  }

  async commit(...[project, given, complete]: Parameters<Store['commit']>): Promise<void> {
    const {changes, required} = splitCommit(given)
    const ticket = new Ticket()
    const prepared: UniqueKeyRow[] = []
    let more: readonly Change[] | undefined
    const all = (): readonly Change[] => (more ? [...changes, ...more] : changes)
    const completeOnce = async (): Promise<readonly Change[]> => {
      more = await complete?.().catch((cause: unknown) => {
        throw new NotCompleted('not completed', {cause})
      })
      return more ?? []
    }
    try {
      const pending = this.#reserve(project, changes, ticket, complete !== undefined)
      if (pending) {
        const isTaken = await isHeld(this.#connections.read, project, pending)
        throw new UniqueConflict(pending.key, isTaken ? 'held' : 'pending')
      }
      const isShared = GroupedCommits.takes(changes, complete)
      const alone = isShared ? await this.#groups.commit({project, changes, required}) : {unanswered: undefined}
      if (!alone) return
      // All shared unique keys of these are new.
      const created = changes.filter(({expect}) => expect === 0)
      await repeated(
        uniqueKeyChanges(changes, created).join,
        {before: alone.unanswered, isDistributed: this.#connections.isDistributed},
        async ({count, unprepared, unanswered}) => {
          prepared.push(...unprepared)
          await prepareSharing(this.#connections, project, unprepared, count)
          // What it found while the attempt before held the document need not hold any more.
          if (changes.some(excludesRequirements)) more = undefined
          const completing = complete && !more ? {complete: completeOnce} : {}
          await this.#attempt({project, changes: all(), required, ...completing, attempt: count, unanswered})
        },
      ).finally(alone.over)
    } catch (error) {
      // Those that others have come to use stay.
      for (const row of prepared) await dropPrepared(this.#connections, project, row).catch(() => {})
      throw await this.#refusal(error, project, all())
    } finally {
      this.#reservations.release(ticket)
    }
  }

  /** The error for the caller. A version conflict takes precedence over a unique conflict. */
  async #refusal(error: unknown, project: string, changes: readonly Change[]): Promise<unknown> {
    if (error instanceof NotCompleted) return error.cause
    if (!(error instanceof UniqueConflict)) return requestError(error)
    try {
      const found = await this.#connections.reading((run) => stored(run, project, changes, false))
      checkVersions(changes, found)
      return error
    } catch (moved) {
      return requestError(moved)
    }
  }

  /**
   * Reserves the unique keys of new documents within this process before any statement, so that they are reserved from
   * the call on, and a second commit takes no connection. Returns the first key that another commit has reserved.
   */
  #reserve(project: string, changes: readonly Change[], ticket: Ticket, take: boolean) {
    for (const {kind, expect, ...change} of changes) {
      if (expect > 0 || !('doc' in change)) continue
      for (const {key, shared = false} of change.uniqueKeys ?? []) {
        const place = `${project}\0${recordKey(kind, key)}`
        if (this.#reservations.clash(place, shared, ticket)) return {kind, key, shared}
        if (take) this.#reservations.take(place, shared, ticket)
      }
    }
    return undefined
  }

  async #attempt(work: Attempt): Promise<void> {
    const {project, complete, unanswered} = work
    await this.#connections.transaction(complete !== undefined, async (transaction) => {
      let all = work.changes
      if (unanswered) {
        const outcome = await outcomeOf(transaction.run, project, all)
        if (outcome === 'unknown') throw unanswered
        if (outcome === 'stored') return
      }
      await lockRequired(transaction, work)
      const versioned = work.required.filter(isVersioned)
      // Whoever has to wait for a row makes the others wait; alone, each has its own patience.
      const briefly = work.isGroup ? transaction.run(lockTimeout(groupPatienceMs)) : undefined
      const [admission] = await Promise.all([admit(transaction, work, all, [...all, ...versioned]), briefly])
      const admissions = [admission]
      const isExclusive = complete && all.some(excludesRequirements)
      // Commits before it may still appear: one ends on its nodes one after the other.
      if (isExclusive && this.#connections.distribution === 'id') await transaction.run({text: 'SELECT pg_sleep(0.05)'})
      const more = complete ? await complete() : []
      if (more.length > 0) {
        all = [...all, ...more]
        admissions.push(await admit(transaction, work, all, more))
      }
      if (isTwice(all)) throw new Error('a commit changes a document twice')
      const left = admissions.flatMap((admission) => admission.left)
      await Promise.all([
        transaction.run(lockTimeout(patientMs)),
        write(transaction, project, all, new Map(admissions.flatMap(({found}) => [...found])), this.#derived),
        // Inserts fail by themselves on a conflict, and locked rows do not change: COMMIT need not wait for the results.
        ...(left.length === 0 && admissions.every(({isSafe}) => isSafe) ? [transaction.commit()] : []),
      ])
      await dropShared(transaction.run, project, left)
    })
  }
}

const isVersioned = (one: Versioned | Requirement): one is Requirement & {readonly version: number} =>
  'require' in one && one.version !== undefined

/**
 * Keeps what a commit requires at any version from being removed until its transaction ends. Throws Missing, and
 * UniqueConflict `pending` while another commit is removing it.
 */
async function lockRequired({run}: Transaction, {project, required, attempt}: Attempt): Promise<void> {
  const anyVersion = required.filter((one) => !isVersioned(one))
  if (anyVersion.length === 0) return
  await Promise.all([
    patience({run, attempt}),
    ...anyVersion.map(async (one) => {
      const {kind, require: id} = one
      const locking = run(lockPresence, placeColumns(project, one))
      const {rows} = await locking.catch(orPending(attempt, presenceOf(kind, id), () => false))
      if (rows.length === 0) throw new Missing(kind, id)
    }),
    run(lockTimeout(patientMs)),
  ])
}

/**
 * Checks the versions of `given` and changes its unique keys. New documents are checked by their insertion. Returns what
 * it found, whether nothing of it can change before it is written, and the shared unique keys that were given up.
 */
async function admit(
  transaction: Transaction,
  {project, complete, attempt}: Attempt,
  all: readonly Change[],
  given: readonly Versioned[],
) {
  const {run} = transaction
  const part = given.filter((one): one is Change => !isVersioned(one))
  const hasUpdates = part.some(({expect}) => expect > 0)
  let found: Awaited<ReturnType<typeof stored>> = new Map()
  // While it is completed, nobody may come to refer to what is removed or replaced exclusively.
  const isLocked = hasUpdates && (!complete || part.some(excludesRequirements))
  if (attempt > 1 || hasUpdates || given.length > part.length) {
    found = await stored(run, project, given, isLocked)
    checkVersions(given, found)
  }
  const changes = uniqueKeyChanges(all, part, found)
  await changeUniqueKeys(transaction, project, changes, attempt).catch((error: unknown) => {
    // A lock timeout here means that another commit is writing the same document.
    throw isLockTimeout(error) ? new RetryCommit() : error
  })
  return {found, isSafe: isLocked || !hasUpdates, left: changes.leave}
}
