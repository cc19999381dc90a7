import {canonicalEmail} from '../../domain/customers/identity.js'
import {ApiError} from '../../domain/errors.js'
import type {Secrets} from '../../secrets/secrets.js'
import {type Change, type Document, REALM, type Store, VersionConflict} from '../../store/store.js'
import {type LockoutRule, signInRule} from './lockouts.js'

/**
 * Counts failed sign-ins and locks after too many (decision 28). An account counts once wherever it is tried: the failures
 * of an email stand in one record of the realm, which all servers of one database share, and each says which account it
 * was aimed at. Known and unknown emails make the same reads and writes.
 */
export interface SignInLockout {
  /** Throws TooManyRequests while the account, or the email for which there is none, is locked. */
  check(target: SignInTarget, now: number): Promise<void>
  /** Counts a failure. Throws TooManyRequests if others filled the count meanwhile: their guesses count one by one. */
  failed(target: SignInTarget, now: number): Promise<void>
  /** Forgets the failures of an account whose password was just given. Throws TooManyRequests if it is locked meanwhile. */
  succeeded(target: SignInTarget, now: number): Promise<void>
  /** Forgets the failures of an account, locked or not: its password was reset, or it is gone. */
  forget(target: SignInTarget, now: number): Promise<void>
}

export interface SignInTarget {
  readonly projectKey: string
  readonly email: string
  /** The customer that the email means in the place of the request. Absent: there is none. */
  readonly account?: string | undefined
}

interface Failure {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly account?: string
}

/** The failures of one email of one project, under a digest of both. */
interface FailedSignIns extends Document {
  readonly failures: readonly Failure[]
  /** Milliseconds since the epoch: nothing in it counts any more. */
  readonly expiresAt: number
}

/** The kind in the store. */
export const failedSignIns = 'failed-sign-in'

/** The UTC hour of a moment, the facet by which records that ended are found. */
export const hourOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 13)

const hourMs = 3_600_000
/** How far back ended records are looked for. */
const windowHours = 1_000
const batch = 500
const maxTries = 200

export function signInLockoutOf(
  enabled: boolean,
  {state, secrets}: {readonly state: Store; readonly secrets: Pick<Secrets, 'digest'>},
  rule: LockoutRule = signInRule,
): SignInLockout {
  const {maxFailures, windowMs} = rule
  const sweep = sweepOf(state)

  const read = async (target: SignInTarget, now: number) => {
    const id = secrets.digest(keyOf(target))
    const before = await state.get<FailedSignIns>(REALM, failedSignIns, id)
    return {id, before, failures: (before?.failures ?? []).filter(({at}) => at > now - windowMs)}
  }
  const checkCount = (failures: readonly Failure[], {account}: SignInTarget, now: number): void => {
    const counted = failures.filter((failure) => isAimedAt(failure, account))
    const oldest = counted.at(-maxFailures)
    if (oldest === undefined) return
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest.at + windowMs - now) / 1000))
    throw ApiError.of('TooManyRequests', {retryAfterSeconds})
  }
  /** Reads, lets `next` decide and writes, until nobody was faster. */
  const change = async (
    target: SignInTarget,
    now: number,
    next: (failures: readonly Failure[]) => readonly Failure[],
  ): Promise<void> => {
    if (!enabled) return
    for (let attempt = 1; ; attempt += 1) {
      const {id, before, failures} = await read(target, now)
      const after = next(failures)
      if (after === failures) return
      try {
        await state.commit(REALM, [changeOf(id, before, after, windowMs)])
        return
      } catch (error) {
        if (!(error instanceof VersionConflict) || attempt === maxTries) throw error
      }
    }
  }
  const withoutThose =
    ({account}: SignInTarget) =>
    (failures: readonly Failure[]) => {
      const rest = failures.filter((failure) => !isAimedAt(failure, account))
      return rest.length === failures.length ? failures : rest
    }

  return {
    check: async (target, now) => {
      if (enabled) checkCount((await read(target, now)).failures, target, now)
    },
    failed: async (target, now) => {
      await change(target, now, (failures) => {
        checkCount(failures, target, now)
        const {account} = target
        return [...failures, account === undefined ? {at: now} : {at: now, account}]
      })
      if (enabled) await sweep(now)
    },
    succeeded: (target, now) =>
      change(target, now, (failures) => {
        checkCount(failures, target, now)
        return withoutThose(target)(failures)
      }),
    forget: (target, now) => change(target, now, withoutThose(target)),
  }
}

/** Longer texts are no emails (decision 9), so cutting them confuses nobody. */
const maxEmail = 321

const keyOf = ({projectKey, email}: SignInTarget): string =>
  JSON.stringify([projectKey, canonicalEmail(email).slice(0, maxEmail)])

/**
 * Whether a failure counts for an account. One that met nobody counts for every account of the email, and all count where
 * there is none: an email of one account locks everywhere like one that nobody has, and two accounts stay apart.
 */
const isAimedAt = (failure: Failure, account: string | undefined): boolean =>
  account === undefined || failure.account === undefined || failure.account === account

function changeOf(
  id: string,
  before: FailedSignIns | undefined,
  failures: readonly Failure[],
  windowMs: number,
): Change {
  const {version = 0} = before ?? {}
  const last = failures.at(-1)
  if (last === undefined) return {kind: failedSignIns, expect: version, remove: id}
  const doc: FailedSignIns = {id, version: version + 1, failures, expiresAt: last.at + windowMs}
  return {kind: failedSignIns, expect: version, doc}
}

/** Removes records that ended, once an hour and by the index of their hour, so that no number of emails fills the state. */
function sweepOf(state: Store): (now: number) => Promise<void> {
  let nextAt = 0
  return async (now) => {
    if (now < nextAt) return
    nextAt = now + hourMs
    const values = Array.from({length: windowHours}, (_, hours) => hourOf(now - (hours + 1) * hourMs))
    const field = {path: ['endHour'], type: 'string', facet: 'endHour'} as const
    const where = {op: 'in', field, negated: false, values} as const
    const {results} = await state.query<FailedSignIns>(REALM, failedSignIns, {where, limit: batch, offset: 0})
    if (results.length === batch) nextAt = now
    try {
      const removals = results.map(({id, version}) => ({kind: failedSignIns, expect: version, remove: id}))
      if (removals.length > 0) await state.commit(REALM, removals)
    } catch (error) {
      // One of them counts again, or another server sweeps: the next failure looks once more.
      if (!(error instanceof VersionConflict)) throw error
    }
  }
}
