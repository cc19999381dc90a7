/** A time as ISO 8601 UTC with milliseconds, as `toISOString` writes it; the text of the last second is kept. */
export function isoTime(milliseconds: number): string {
  if (!Number.isInteger(milliseconds)) return new Date(milliseconds).toISOString()
  const second = Math.floor(milliseconds / 1000)
  if (second !== last.second) last = {second, text: new Date(second * 1000).toISOString().slice(0, -4)}
  const rest = milliseconds - second * 1000
  return `${last.text}${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}Z`
}

let last = {second: Number.NaN, text: ''}

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** The UTC day of a time, `2026-11-20`; that of the last one is kept. */
export function isoDay(milliseconds: number): string {
  if (!Number.isInteger(milliseconds)) return new Date(milliseconds).toISOString().slice(0, 10)
  const day = Math.floor(milliseconds / dayMs)
  if (day !== lastDay.day) lastDay = {day, text: new Date(milliseconds).toISOString().slice(0, 10)}
  return lastDay.text
}

let lastDay = {day: Number.NaN, text: ''}

/** The UTC hour of a time, `2026-11-20T10`. */
export const isoHour = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 13)
