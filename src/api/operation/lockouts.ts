import {ApiError} from '../../domain/errors.js'
import {BoundedMap} from '../../work/bounded-map.js'

/** Counts failures by key, in memory, and locks after too many. Bounded: the oldest counters are evicted. */
export interface Lockouts {
  /** Throws TooManyRequests while the key is locked. */
  check(key: string, now: number): void
  failed(key: string, now: number): void
  clearAll(): void
}

export interface LockoutRule {
  /** The number of failures within the time that locks. */
  readonly maxFailures: number
  readonly windowMs: number
}

/** Failed sign-ins of one account, counted in the store. */
export const signInRule: LockoutRule = {maxFailures: 10, windowMs: 15 * 60_000}
/** Wrong secrets of one client from one address; the same client at other addresses is not affected. */
export const clientSecretRule: LockoutRule = {maxFailures: 20, windowMs: 60_000}
/** Inactive tokens that a client introspected: far above legitimate use, far below a search (RFC 7662 §4). */
export const introspectionRule: LockoutRule = {maxFailures: 1_000, windowMs: 60_000}

const maxKeys = 100_000

/** Throws TooManyRequests if `maxFailures` of the failures, in milliseconds since the epoch, lie within the time. */
export function checkFailures(times: readonly number[], {maxFailures, windowMs}: LockoutRule, now: number): void {
  const oldest = times.at(-maxFailures)
  if (oldest === undefined) return
  throw ApiError.of('TooManyRequests', {retryAfterSeconds: Math.max(1, Math.ceil((oldest + windowMs - now) / 1000))})
}

export function lockoutsOf(enabled: boolean, rule: LockoutRule): Lockouts {
  const {maxFailures, windowMs} = rule
  const failures = new BoundedMap<string, readonly number[]>(maxKeys)
  const recent = (key: string, now: number) => (failures.get(key) ?? []).filter((at) => at > now - windowMs)
  return {
    check(key, now) {
      if (enabled) checkFailures(recent(key, now), rule, now)
    },
    failed(key, now) {
      if (!enabled) return
      const times = [...recent(key, now), now].slice(-maxFailures)
      failures.set(key, times)
    },
    clearAll() {
      failures.clear()
    },
  }
}
