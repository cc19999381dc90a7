import {setTimeout as pause} from 'node:timers/promises'
import {ApiError} from '../../domain/errors.js'
import {Reservations, Ticket} from '../shared/reservations.js'
import {type Change, ClaimTaken, type Facets} from '../store.js'
import {Again} from './again.js'
import {type ClaimRow, claimChanges, placeOf} from './claim-changes.js'
import {changeClaims, dropPrepared, dropShared, isHeld, prepareSharing, type WantedClaim} from './claims.js'
import {type Connections, lockTimeout, patientMs, type Transaction} from './connections.js'
import {checkVersions, inOrder, type Stored, stored, write} from './documents.js'
import {isDuplicate, isLockTimeout, isLost, isRepeatable, requestError} from './faults.js'

const maxAttempts = 12
/** A database that went away is asked once more, over a new connection. */
const maxLost = 1

/** What `complete` threw: not an answer of the database, whatever it looks like. */
class NotCompleted extends Error {}

interface Work {
  readonly project: string
  readonly changes: readonly Change[]
  /** Absent once it has run: what it gave is among the changes then. */
  readonly complete?: () => Promise<readonly Change[]>
  /** From 1. After a clash it looks before it writes. */
  readonly attempt: number
}

/** The commits of one store. Each is one transaction, repeated as long as others get in its way without a clash. */
export class Commits {
  readonly #connections: Connections
  readonly #facets: Facets
  readonly #reservations = new Reservations()

  constructor(connections: Connections, facets: Facets) {
    this.#connections = connections
    this.#facets = facets
  }

  async commit(
    project: string,
    changes: readonly Change[],
    complete?: () => Promise<readonly Change[]>,
  ): Promise<void> {
    const ticket = new Ticket()
    const prepared: ClaimRow[] = []
    let more: readonly Change[] | undefined
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
        throw new ClaimTaken(pending.key, isTaken ? 'held' : 'pending')
      }
      await repeated(newlyShared(changes), async (attempt, unprepared) => {
        prepared.push(...unprepared)
        await prepareSharing(this.#connections, project, unprepared, attempt)
        const all = more ? [...changes, ...more] : changes
        await this.#attempt({project, changes: all, ...(complete && !more ? {complete: completeOnce} : {}), attempt})
      })
    } catch (error) {
      await this.#forget(project, prepared)
      if (error instanceof ClaimTaken) await this.#checkVersions(project, more ? [...changes, ...more] : changes)
      throw error instanceof NotCompleted ? error.cause : requestError(error)
    } finally {
      this.#reservations.release(ticket)
    }
  }

  /**
   * Claims of documents that come into being are settled within this process before the database is asked, so that
   * they are reserved from the call on, and who comes second takes no connection from others. Returns the first that
   * another commit of this process has reserved.
   */
  #reserve(project: string, changes: readonly Change[], ticket: Ticket, take: boolean): WantedClaim | undefined {
    for (const {kind, expect, ...change} of changes) {
      if (expect > 0 || !('doc' in change)) continue
      for (const {key, shared = false} of change.claims ?? []) {
        const place = `${project}\0${placeOf(kind, key)}`
        if (this.#reservations.clash(place, shared, ticket)) return {kind, key, shared}
        if (take) this.#reservations.take(place, shared, ticket)
      }
    }
    return undefined
  }

  async #attempt(work: Work): Promise<void> {
    const {project, complete} = work
    await this.#connections.transaction(complete !== undefined, async (transaction) => {
      let all = work.changes
      const admissions = [await admit(transaction, work, all, all)]
      const more = complete ? await complete() : []
      if (more.length > 0) {
        all = [...all, ...more]
        admissions.push(await admit(transaction, work, all, more))
      }
      const isHurried = admissions.some(({hurried}) => hurried)
      const left = admissions.flatMap((admission) => admission.left)
      await Promise.all([
        ...(isHurried ? [transaction.run(lockTimeout(patientMs))] : []),
        write(transaction, project, inOrder(all), new Map(admissions.flatMap(({found}) => [...found])), this.#facets),
        // What comes into being fails by itself where it must, so that nothing has to be looked at before the end.
        ...(left.length === 0 && all.every(({expect}) => expect === 0) ? [transaction.commit()] : []),
      ])
      await dropShared(transaction.run, project, left)
    })
  }

  /** A document that has moved is what a commit is told before a claim that is taken. */
  async #checkVersions(project: string, changes: readonly Change[]): Promise<void> {
    checkVersions(changes, await stored(this.#connections.read, project, changes, false))
  }

  /** Removes what was prepared for a commit that failed; what somebody else is using meanwhile stays. */
  async #forget(project: string, prepared: readonly ClaimRow[]): Promise<void> {
    for (const row of prepared) await dropPrepared(this.#connections, project, row).catch(() => {})
  }
}

/** Shared claims of documents that come into being: all of them are new. */
const newlyShared = (changes: readonly Change[]): ClaimRow[] => [
  ...claimChanges(
    changes,
    changes.filter(({expect}) => expect === 0),
    new Map(),
  ).join,
]

interface Admission {
  readonly found: ReadonlyMap<string, Stored>
  /** The lock timeout is the short one now. */
  readonly hurried: boolean
  /** Shared claims that were given up. */
  readonly left: readonly ClaimRow[]
}

/** Checks the versions of `part` and changes its claims. What comes into being shows itself when it is written. */
async function admit(
  {run}: Transaction,
  {project, complete, attempt}: Work,
  all: readonly Change[],
  part: readonly Change[],
): Promise<Admission> {
  const updates = part.filter(({expect}) => expect > 0).length
  const sorted = inOrder(part)
  let found: ReadonlyMap<string, Stored> = new Map()
  if (attempt > 1 || updates > 0) {
    found = await stored(run, project, sorted, complete === undefined && updates > 1)
    checkVersions(part, found)
  }
  const changes = claimChanges(all, part, found)
  const hurried = await changeClaims(run, project, changes, attempt).catch((error: unknown) => {
    // Where it is not the claim of another that was waited for, the same document is being written.
    throw isLockTimeout(error) ? new Again() : error
  })
  return {found, hurried, left: changes.leave}
}

function tooBusy(cause: Again): ApiError {
  const message = 'Too many requests change the same documents at the moment.'
  return ApiError.of('OverCapacity', {message, retryAfterSeconds: 1}, {cause})
}

/** Attempts until one succeeds or fails for good; each hears of the shared claims that have to be prepared first. */
async function repeated(
  newly: readonly ClaimRow[],
  attempt: (count: number, unprepared: readonly ClaimRow[]) => Promise<void>,
): Promise<void> {
  let unprepared = newly
  let lost = 0
  for (let count = 1; ; count += 1) {
    try {
      return await attempt(count, unprepared)
    } catch (error) {
      if (isLost(error)) lost += 1
      const isPassing = error instanceof Again || isRepeatable(error) || isDuplicate(error)
      const goesOn = isPassing ? count < maxAttempts : isLost(error) && lost <= maxLost
      if (!goesOn) throw error instanceof Again ? tooBusy(error) : error
      if (error instanceof Again && error.unprepared.length > 0) unprepared = error.unprepared
    }
    // Differently long for each, or they would meet again.
    if (count > 1) await pause(Math.random() * 5 * count)
  }
}
