export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** A time as ISO 8601 UTC with milliseconds: the format of the API. */
export function isoTime(milliseconds: number): string {
  if (milliseconds !== last.milliseconds) last = {milliseconds, text: new Date(milliseconds).toISOString()}
  return last.text
}

/** One request has one time, with which it stamps everything. */
let last = {milliseconds: 0, text: '1970-01-01T00:00:00.000Z'}

/** A time as HTTP has it in `Date`. Answers of one second have the same. */
export function httpDate(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1_000)
  if (second !== lastDate.second) lastDate = {second, text: new Date(milliseconds).toUTCString()}
  return lastDate.text
}

let lastDate = {second: 0, text: 'Thu, 01 Jan 1970 00:00:00 GMT'}

/** A time in the answer of another server as ISO 8601; undefined for a value that is no time. */
export const isoTimeOf = (milliseconds: unknown): string | undefined =>
  typeof milliseconds === 'number' && Math.abs(milliseconds) <= farthest ? isoTime(milliseconds) : undefined

/** The last time that a date can have. */
const farthest = 8.64e15

/** The UTC day of a time, `2026-11-20`. */
export const isoDay = (milliseconds: number): string => isoTime(milliseconds).slice(0, 10)

/** The UTC hour of a time, `2026-11-20T10`. */
export const isoHour = (milliseconds: number): string => isoTime(milliseconds).slice(0, 13)
