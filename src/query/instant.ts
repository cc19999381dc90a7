const zero = 48
const dash = 45
const plus = 43
const colon = 58
const dot = 46
const letterT = 84
const letterZ = 90
const notNumber = -1

/** The decimal number of `count` digits at `from`, or -1. */
function digits(text: string, from: number, count: number): number {
  let value = 0
  for (let at = from; at < from + count; at += 1) {
    const digit = text.charCodeAt(at) - zero
    if (!(digit >= 0 && digit <= 9)) return notNumber
    value = value * 10 + digit
  }
  return value
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Days from 1970-01-01 to the date at the start of `text`, or undefined if there is no existing date of years 1 to 9999. */
function daysOf(text: string): number | undefined {
  if (text.charCodeAt(4) !== dash || text.charCodeAt(7) !== dash) return undefined
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 2)
  const day = digits(text, 8, 2)
  const length = monthDays[month - 1]
  if (year < 1 || length === undefined || day < 1) return undefined
  if (day > (month === 2 && isLeap(year) ? 29 : length)) return undefined
  // Years that begin in March make the leap day the last day of a year.
  const from = month > 2 ? year : year - 1
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  return from * 365 + Math.floor(from / 4) - Math.floor(from / 100) + Math.floor(from / 400) + dayOfYear - 719_468
}

/** Minutes of the zone designator that ends `text` at `from` (`Z`, `+02:00`), or undefined. */
function zoneMinutes(text: string, from: number): number | undefined {
  const sign = text.charCodeAt(from)
  if (sign === letterZ) return text.length === from + 1 ? 0 : undefined
  if ((sign !== plus && sign !== dash) || text.length !== from + 6 || text.charCodeAt(from + 3) !== colon)
    return undefined
  const hours = digits(text, from + 1, 2)
  const minutes = digits(text, from + 4, 2)
  if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59) return undefined
  return (sign === plus ? 1 : -1) * (hours * 60 + minutes)
}

/** Milliseconds of a fraction of one to nine digits after the dot at `from`, and where it ends. */
function fraction(text: string, from: number): {readonly ms: number; readonly end: number} | undefined {
  let end = from + 1
  while (end < text.length && end <= from + 10 && digits(text, end, 1) >= 0) end += 1
  const count = end - from - 1
  if (count < 1 || count > 9) return undefined
  const kept = Math.min(count, 3)
  return {ms: digits(text, from + 1, kept) * 10 ** (3 - kept), end}
}

/**
 * Milliseconds since 1970 of an ISO 8601 date-time with a zone, or undefined for any other text and for dates that do
 * not exist. Seconds may be missing; fractions beyond milliseconds are cut. to-sql.ts accepts the same texts.
 */
export function instantOf(text: string): number | undefined {
  if (text.length < 17 || text.length > 35 || text.charCodeAt(10) !== letterT || text.charCodeAt(13) !== colon)
    return undefined
  const days = daysOf(text)
  const hours = digits(text, 11, 2)
  const minutes = digits(text, 14, 2)
  if (days === undefined || hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return undefined
  let seconds = 0
  let ms = 0
  let at = 16
  if (text.charCodeAt(at) === colon) {
    seconds = digits(text, 17, 2)
    if (seconds < 0 || seconds > 59) return undefined
    at = 19
    if (text.charCodeAt(at) === dot) {
      const part = fraction(text, at)
      if (part === undefined) return undefined
      ms = part.ms
      at = part.end
    }
  }
  const zone = zoneMinutes(text, at)
  if (zone === undefined) return undefined
  return ((days * 24 + hours) * 60 + minutes - zone) * 60_000 + seconds * 1000 + ms
}

/** Whether `text` is `YYYY-MM-DD` and the day exists. */
export const isDate = (text: string): boolean => text.length === 10 && daysOf(text) !== undefined
