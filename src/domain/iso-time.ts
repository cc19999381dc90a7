export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** A time as ISO 8601 UTC with milliseconds: the format of the API. */
export function isoTime(milliseconds: number): string {
  if (milliseconds !== last.milliseconds) last = {milliseconds, text: new Date(milliseconds).toISOString()}
  return last.text
}

/** The same for a time in the answer of another server; undefined for a value that is no time. */
export const isoTimeOf = (milliseconds: unknown): string | undefined =>
  typeof milliseconds === 'number' && Math.abs(milliseconds) <= farthest ? isoTime(milliseconds) : undefined

/** The last time that a date can have. */
const farthest = 8.64e15

/** One request has one time, and stamps everything with it. */
let last = {milliseconds: 0, text: '1970-01-01T00:00:00.000Z'}

/** Names periods by the beginning of their ISO text. Most times are of the period of the one before. */
function periodName(periodMs: number, length: number): (milliseconds: number) => string {
  let [last, name] = [Number.NaN, '']
  return (milliseconds) => {
    const period = Math.floor(milliseconds / periodMs)
    if (period !== last) [last, name] = [period, new Date(milliseconds).toISOString().slice(0, length)]
    return name
  }
}

/** The UTC day of a time, `2026-11-20`. */
export const isoDay = periodName(dayMs, 10)

/** The UTC hour of a time, `2026-11-20T10`. */
export const isoHour = periodName(hourMs, 13)
