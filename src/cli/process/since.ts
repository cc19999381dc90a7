import {durationMs} from './durations.js'
import {usage} from './failure.js'

const dayForm = /^\d{4}-\d{2}-\d{2}$/
const momentForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/

/**
 * The moment that a flag names, ISO 8601 UTC: a day (`2026-11-01`, its beginning in UTC), a moment, or a time ago
 * (`30d`). Throws a usage error.
 */
export function sinceOf(text: string, flag: string, now: number): string {
  const moment = text.trim()
  if (!dayForm.test(moment) && !momentForm.test(moment)) return new Date(now - durationMs(moment, flag)).toISOString()
  const time = Date.parse(moment)
  if (Number.isNaN(time)) throw usage(`'${text}' is no day that exists.`, `Write ${flag} 2026-11-01, or ${flag} 30d.`)
  return new Date(time).toISOString()
}
