import {setTimeout as pause} from 'node:timers/promises'
import {isDeepStrictEqual} from 'node:util'
import {ApiError} from '../../domain/errors.js'
import {idOf} from '../adapter/changes.js'
import {type Change, type Document, Missing, UniqueConflict, VersionConflict} from '../store.js'
import type {Run} from './connection/connections.js'
import {
  CommitUnknown,
  isDuplicate,
  isLockTimeout,
  isLost,
  isReadOnly,
  isRepeatable,
  NoConnection,
} from './connection/faults.js'
import {lockDocument, readUniqueKey} from './schema/statements.js'
import {fromStored, storable} from './schema/text-form.js'
import {type UniqueKeyRow, uniqueKeyChanges} from './unique-key-changes.js'

/** An attempt at a commit met something that moved under it; the next one looks again. */
export class RetryCommit extends Error {
  override readonly name: string = 'RetryCommit'
  /** Shared unique keys whose rows have to be there first. */
  readonly unprepared: readonly UniqueKeyRow[]

  constructor(unprepared: readonly UniqueKeyRow[] = []) {
    super('another commit was faster')
    this.unprepared = unprepared
  }
}

/**
 * A unique key that a document holds has no row. Where a commit reaches several nodes it may appear yet; else the tables are
 * damaged.
 */
export class KeyNotThere extends RetryCommit {
  override readonly name = 'KeyNotThere'
}

const maxAttempts = 12
/** A database that went away is asked once more, over a new connection. */
const maxLost = 1
/** How long a commit whose outcome is unknown waits for a database that can tell. */
const settleMs = 2_000
const [settlePauseMs, maxRefusals] = [100, 2]

function exhausted(cause: RetryCommit): ApiError {
  if (cause instanceof KeyNotThere) {
    const message =
      'A unique key of the document is missing in the tables: `frontdesk server doctor --store-url` mends them.'
    return ApiError.of('StateCorrupt', {message}, {cause})
  }
  const message = 'Too many requests change the same documents at the moment.'
  return ApiError.of('OverCapacity', {message, retryAfterSeconds: 1}, {cause})
}

interface Attempt {
  /** From 1. */
  readonly count: number
  /** Shared unique keys that have to be prepared first. */
  readonly unprepared: readonly UniqueKeyRow[]
  /** The end of an attempt before this one was not answered: it may have been stored. */
  readonly unanswered: CommitUnknown | undefined
}

/**
 * Attempts until one succeeds or fails for good. Once the end of one was not answered, each further one looks first
 * what became of it, and none may fail as if nothing could have been stored: then CommitUnknown is thrown. So it is for a
 * conflict where a commit appears one node after the other: what is in the way may be the commit itself. `before`: that of
 * an attempt of which it was a part.
 */
export async function repeated(
  newly: readonly UniqueKeyRow[],
  {before, isDistributed}: {readonly before: CommitUnknown | undefined; readonly isDistributed: boolean},
  attempt: (of: Attempt) => Promise<void>,
): Promise<void> {
  let unprepared = newly
  let unanswered = before
  let settleBy = before ? performance.now() + settleMs : 0
  let refusals = 0
  let lost = 0
  for (let count = 1; ; count += 1) {
    try {
      return await attempt({count, unprepared, unanswered})
    } catch (error) {
      if (error === unanswered) throw error
      const isUnanswered = error instanceof CommitUnknown
      if (isUnanswered && !unanswered) settleBy = performance.now() + settleMs
      if (isUnanswered) unanswered ??= error
      const isAway = isUnanswered || isLost(error) || isReadOnly(error) || error instanceof NoConnection
      if (isAway) lost += 1
      const isPassing = error instanceof RetryCommit || isRepeatable(error) || isDuplicate(error)
      if (unanswered) {
        const isOpen = isAway || isPassing || isLockTimeout(error)
        // What is in the way may be the attempt before, which ended only now: the next look tells.
        if (!isOpen) refusals += 1
        if (refusals > maxRefusals) throw isPending(error) || (isDistributed && isConflict(error)) ? unanswered : error
        if (performance.now() > settleBy) throw unanswered
        await pause(settlePauseMs)
      } else if (!(isPassing ? count < maxAttempts : isAway && !(error instanceof NoConnection) && lost <= maxLost)) {
        throw error instanceof RetryCommit ? exhausted(error) : error
      }
      if (error instanceof RetryCommit && error.unprepared.length > 0) unprepared = error.unprepared
    }
    // Differently long for each, or they would meet again.
    if (count > 1) await pause(Math.random() * 5 * Math.min(count, maxAttempts))
  }
}

const isConflict = (error: unknown): boolean =>
  [UniqueConflict, VersionConflict, Missing].some((conflict) => error instanceof conflict)

const isPending = (error: unknown): boolean => error instanceof UniqueConflict && error.state === 'pending'

/** The outcome of a commit whose COMMIT got no reply. */
type Outcome = 'stored' | 'not stored' | 'unknown'

/**
 * Reads the outcome of a commit. Locks its documents: the database then waits for the commit in question to end and makes
 * it durable, on the standby too, before the transaction of `run`.
 *
 * Documents that the commit created are the evidence, and unique keys that they hold, since no other commit makes them.
 * Where a commit reaches several nodes, its rows appear one node after the other: any of them tells. Without any, a version
 * that another commit has replaced since is inconclusive.
 */
export async function outcomeOf(run: Run, project: string, changes: readonly Change[]): Promise<Outcome> {
  const replaced = changes.filter(({expect}) => expect > 0)
  const inserted = changes.filter(({expect}) => expect === 0)
  const look = async (change: Change): Promise<Outcome> => {
    const {rows} = await run(lockDocument, [project, change.kind, idOf(change)].map(storable))
    const [version, doc] = rows[0] ?? []
    return traceOf(change, version ? {version: Number(version), doc: fromStored(doc ?? '') as Document} : undefined)
  }
  const holds = async ({kind, key, holder}: UniqueKeyRow): Promise<Outcome> => {
    const {rows} = await run(readUniqueKey, [project, kind, key].map(storable))
    return rows[0]?.[2] === storable(holder) ? 'stored' : 'unknown'
  }
  // Sent in this order, so that those which were made are looked for when nobody writes the others any more.
  const [ofReplaced, ofInserted, ofKeys] = await Promise.all([
    Promise.all(replaced.map(look)),
    Promise.all(inserted.map(look)),
    Promise.all(uniqueKeyChanges(changes, inserted).take.map(holds)),
  ])
  if ([...ofInserted, ...ofKeys].includes('stored')) return 'stored'
  if (ofReplaced.includes('stored')) return inserted.length === 0 ? 'stored' : 'unknown'
  return [...ofInserted, ...ofReplaced].find((outcome) => outcome !== 'unknown') ?? 'unknown'
}

/** The evidence of one document. */
function traceOf(change: Change, found: {readonly version: number; readonly doc: Document} | undefined): Outcome {
  if (!('doc' in change)) return found ? 'not stored' : 'unknown'
  if (!found) return change.expect === 0 ? 'not stored' : 'unknown'
  if (found.version > change.doc.version) return change.expect === 0 ? 'stored' : 'unknown'
  // As JSON, without what it does not carry.
  const sent: unknown = JSON.parse(JSON.stringify(change.doc))
  return found.version === change.doc.version && isDeepStrictEqual(found.doc, sent) ? 'stored' : 'not stored'
}
