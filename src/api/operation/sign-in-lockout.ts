import {canonicalEmail} from '../../domain/customers/identity.js'
import type {Secrets} from '../../secrets/secrets.js'
import {type Change, type Document, REALM, type Store} from '../../store/store.js'
import {checkFailures, signInRule} from './lockouts.js'
import {retrying} from './retrying.js'

/**
 * Counts failed sign-ins and locks after too many (decision 28). The failures of an email are one record of the realm,
 * shared by all servers of one database and by all paths; each failure names the account that it was aimed at. Known
 * and unknown emails cost the same reads and writes.
 */
export interface SignInLockout {
  /** Throws TooManyRequests while the account, or an email without an account, is locked. */
  check(target: SignInTarget, now: number): Promise<void>
  /** When the failures that count for the account were, in milliseconds since the epoch. */
  failures(target: SignInTarget, now: number): Promise<readonly number[]>
  /** Counts a failure. Throws TooManyRequests if concurrent failures reached the limit first. */
  failed(target: SignInTarget, now: number): Promise<void>
  /** Clears the failures of an account after a correct password. Throws TooManyRequests if it was locked meanwhile. */
  succeeded(target: SignInTarget, now: number): Promise<void>
  /** Clears the failures of an account, locked or not: its password was reset, or it was deleted. */
  forget(target: SignInTarget, now: number): Promise<void>
}

export interface SignInTarget {
  readonly projectKey: string
  readonly email: string
  /** The customer with the email that the path's store may see. Absent: there is none. */
  readonly account?: string | undefined
}

interface Failure {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly account?: string
}

/** The failures of one email of one project, under a digest of both. */
export interface FailedSignIns extends Document {
  readonly failures: readonly Failure[]
  /** Milliseconds since the epoch: from then on no failure in it counts. */
  readonly expiresAt: number
}

export const failedSignIns = 'failed-sign-in'

export function signInLockoutOf(
  enabled: boolean,
  {state, secrets}: {readonly state: Store; readonly secrets: Pick<Secrets, 'digest'>},
): SignInLockout {
  const {windowMs} = signInRule

  const read = async (target: SignInTarget, now: number) => {
    const id = secrets.digest(keyOf(target))
    const before = await state.get<FailedSignIns>(REALM, failedSignIns, id)
    return {id, before, failures: (before?.failures ?? []).filter(({at}) => at > now - windowMs)}
  }
  const timesOf = (failures: readonly Failure[], {account}: SignInTarget): number[] =>
    failures.flatMap((failure) => (isAimedAt(failure, account) ? [failure.at] : []))
  const checkCount = (failures: readonly Failure[], target: SignInTarget, now: number): void =>
    checkFailures(timesOf(failures, target), signInRule, now)
  const change = async (
    target: SignInTarget,
    now: number,
    next: (failures: readonly Failure[]) => readonly Failure[],
  ): Promise<void> => {
    if (!enabled) return
    await retrying(async () => {
      const {id, before, failures} = await read(target, now)
      const after = next(failures)
      if (after !== failures) await state.commit(REALM, [changeOf(id, before, after, windowMs)])
    })
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
    failures: async (target, now) => (enabled ? timesOf((await read(target, now)).failures, target) : []),
    failed: (target, now) =>
      change(target, now, (failures) => {
        checkCount(failures, target, now)
        const {account} = target
        return [...failures, account === undefined ? {at: now} : {at: now, account}]
      }),
    succeeded: (target, now) =>
      change(target, now, (failures) => {
        checkCount(failures, target, now)
        return withoutThose(target)(failures)
      }),
    forget: (target, now) => change(target, now, withoutThose(target)),
  }
}

/** Longer texts are not emails (decision 9), so that truncating them merges no accounts. */
const maxEmail = 321

const keyOf = ({projectKey, email}: SignInTarget): string =>
  JSON.stringify([projectKey, canonicalEmail(email).slice(0, maxEmail)])

/**
 * Whether a failure counts for an account. A failure without an account counts for every account of the email, and
 * every failure counts for an email without an account: known and unknown emails lock alike, two accounts lock
 * separately.
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
