import {ApiError} from '../domain/errors.js'

/**
 * Counts failed sign-ins for one (project, store, canonical email), known or not, and refuses for a while after too many
 * (decision 28). In memory and bounded: the oldest counters go first.
 */
export interface Lockouts {
  /** Throws TooManyRequests while the key is locked. */
  check(key: string, now: number): void
  failed(key: string, now: number): void
  clear(key: string): void
}

const windowMs = 15 * 60_000
const maxFailures = 10
const maxKeys = 100_000

export function lockoutsOf(enabled: boolean): Lockouts {
  const failures = new Map<string, number[]>()
  const recent = (key: string, now: number) => (failures.get(key) ?? []).filter((at) => at > now - windowMs)
  return {
    check(key, now) {
      if (!enabled) return
      const times = recent(key, now)
      const [oldest] = times
      if (times.length < maxFailures || oldest === undefined) return
      throw ApiError.of('TooManyRequests', {
        retryAfterSeconds: Math.max(1, Math.ceil((oldest + windowMs - now) / 1000)),
      })
    },
    failed(key, now) {
      if (!enabled) return
      const times = [...recent(key, now), now].slice(-maxFailures)
      failures.delete(key)
      failures.set(key, times)
      const first = failures.keys().next()
      if (failures.size > maxKeys && !first.done) failures.delete(first.value)
    },
    clear(key) {
      failures.delete(key)
    },
  }
}

export const lockoutKey = (projectKey: string, storeKey: string | undefined, email: string): string =>
  `${projectKey}/${storeKey ?? '*'}/${email}`
