import {usage} from './failure.js'

const units = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

const part = /(\d{1,9})(ms|s|m|h|d)/g
const whole = /^\s*(?:\d{1,9}(?:ms|s|m|h|d)\s*)+$/

/**
 * `30s`, `2m`, `500ms`, `1h30m`, `7d` in milliseconds. Throws usage for a number without a unit, which is ambiguous, and
 * for a unit that stands twice.
 */
export function durationMs(text: string, flag: string): number {
  const parts = [...text.matchAll(part)].map(([, count = '', unit = '']) => ({count: Number(count), unit}))
  if (!whole.test(text) || new Set(parts.map(({unit}) => unit)).size < parts.length) {
    throw usage(`'${text}' is not a duration for ${flag}.`, 'Write numbers and units: 500ms, 30s, 2m, 1h30m, 7d.')
  }
  return parts.reduce((sum, {count, unit}) => sum + count * (units.get(unit) ?? 0), 0)
}

/** A duration in whole minutes, rounded up, for lifetimes of tokens. */
export const durationMinutes = (text: string, flag: string): number => Math.ceil(durationMs(text, flag) / 60_000)

const dayForm = /^\d{4}-\d{2}-\d{2}$/
const momentForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/

/**
 * The moment that a flag names, ISO 8601 UTC: the beginning of a day (`2026-11-01`) or a moment, both of UTC unless it names
 * another zone, or a time ago (`30d`). Throws a usage error.
 */
export function sinceOf(text: string, flag: string, now: number): string {
  const moment = text.trim()
  if (!dayForm.test(moment) && !momentForm.test(moment)) return new Date(now - durationMs(moment, flag)).toISOString()
  const time = Date.parse(/T[\d:.]+$/.test(moment) ? `${moment}Z` : moment)
  if (Number.isNaN(time))
    throw usage(`'${text}' is not a date that exists.`, `Write ${flag} 2026-11-01, or ${flag} 30d.`)
  return new Date(time).toISOString()
}
