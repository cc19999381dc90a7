import {dayMs, hourMs} from '../../domain/iso-time.js'

/** Moments as people say them. Programs and files get the ISO 8601 text itself. */

/** A length of time in its two largest units: `52 min`, `2 h 5 min`, `3 days`. */
export function durationText(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 24 * 60)
    return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  const hours = Math.round(milliseconds / hourMs)
  if (hours <= 48) return hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`
  return `${Math.round(milliseconds / dayMs)} days`
}

/** The moment of an ISO 8601 text in milliseconds; undefined for anything else, such as a masked value. */
function momentOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T/.test(value)) return undefined
  const moment = Date.parse(value)
  return Number.isNaN(moment) ? undefined : moment
}

/** The distance of a moment from now: `in 24 hours`, `5 min ago`. */
export function distanceText(value: unknown, now: number): string | undefined {
  const moment = momentOf(value)
  if (moment === undefined) return undefined
  const length = Math.abs(moment - now)
  if (length < 30_000) return 'now'
  return moment > now ? `in ${durationText(length)}` : `${durationText(length)} ago`
}

/**
 * A moment with its distance, on a terminal in its zone: `tomorrow 21:31 (in 24 hours)`, elsewhere as ISO 8601. Text that
 * is no moment stays as it is.
 */
export function momentText(
  value: unknown,
  {now, terminal}: {readonly now: number; readonly terminal: boolean},
): unknown {
  const distance = distanceText(value, now)
  if (distance === undefined) return value
  const shown = terminal ? spokenMoment(value, now) : String(value)
  return shown === distance ? shown : `${shown} (${distance})`
}

/** `18 Nov`, with the year where it is another one. */
const dayOf = (date: Date, now: number): string => {
  const inYear = `${date.getDate()} ${date.toDateString().slice(4, 7)}`
  return date.getFullYear() === new Date(now).getFullYear() ? inYear : `${inYear} ${date.getFullYear()}`
}

/** A moment in the zone of the terminal, as people say it: `in 12 min`, `today 13:28`, `18 Nov 09:12`. */
export function spokenMoment(value: unknown, now: number): string | undefined {
  const moment = momentOf(value)
  if (moment === undefined) return undefined
  if (Math.abs(moment - now) < hourMs) return distanceText(value, now)
  const date = new Date(moment)
  const midnight = (of: Date): number => new Date(of.getFullYear(), of.getMonth(), of.getDate()).getTime()
  const name = new Map([
    [-1, 'yesterday'],
    [0, 'today'],
    [1, 'tomorrow'],
  ]).get(Math.round((midnight(date) - midnight(new Date(now))) / dayMs))
  return `${name ?? dayOf(date, now)} ${date.toTimeString().slice(0, 5)}`
}

/** The day of a date or a moment: `29 Feb 1984`. Text that is neither stays as it is. */
export function spokenDay(value: string): string {
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00` : value)
  return Number.isNaN(date.getTime()) || !/^\d{4}-/.test(value) ? value : dayOf(date, Number.NaN)
}

/** A moment for a column of a table: the distance within a day, else the day in the zone of the terminal. */
export function shortMoment(value: unknown, now: number): unknown {
  const moment = momentOf(value)
  if (moment === undefined) return value
  if (Math.abs(moment - now) < dayMs) return distanceText(value, now)
  return dayOf(new Date(moment), now)
}
