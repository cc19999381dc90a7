const zero = 48
const dash = 45
const plus = 43
const colon = 58
const dot = 46
const letterT = 84
const letterZ = 90
const notDigits = -1000

/** The digit at `at`, or a number so far below zero that no sum with other digits is valid. */
function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - zero
  return value >= 0 && value <= 9 ? value : notDigits
}

/** The number of two digits, negative where they are none. Unrolled: scans call it for every document. */
const two = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1)

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/**
 * Days from 1970-01-01 to the date at the start of `text`, or undefined if there is no existing date of years 1 to
 * 9999.
 */
function daysOf(text: string): number | undefined {
  if (text.charCodeAt(4) !== dash || text.charCodeAt(7) !== dash) return undefined
  const century = two(text, 0)
  const yearOfCentury = two(text, 2)
  const month = two(text, 5)
  const day = two(text, 8)
  const length = monthDays[month - 1]
  if (century < 0 || yearOfCentury < 0 || length === undefined || day < 1) return undefined
  const year = century * 100 + yearOfCentury
  if (year < 1 || day > (month === 2 && isLeap(year) ? 29 : length)) return undefined
  // Years that begin in March make the leap day the last day of a year.
  const from = month > 2 ? year : year - 1
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  return from * 365 + Math.floor(from / 4) - Math.floor(from / 100) + Math.floor(from / 400) + dayOfYear - 719_468
}

/** Minutes of the zone designator that ends `text` at `from` (`Z`, `+02:00`), or undefined. */
function zoneMinutes(text: string, from: number): number | undefined {
  const sign = text.charCodeAt(from)
  if (sign === letterZ) return text.length === from + 1 ? 0 : undefined
  if (sign !== plus && sign !== dash) return undefined
  if (text.length !== from + 6 || text.charCodeAt(from + 3) !== colon) return undefined
  const hours = two(text, from + 1)
  const minutes = two(text, from + 4)
  if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59) return undefined
  return (sign === plus ? 1 : -1) * (hours * 60 + minutes)
}

/** The end of the one to nine digits of a fraction, or undefined. */
function fractionEnd(text: string, from: number): number | undefined {
  let end = from
  while (digit(text, end) >= 0) end += 1
  return end > from && end <= from + 9 ? end : undefined
}

/** The first three digits of a fraction as milliseconds; missing ones are zeros. */
function fractionMs(text: string, from: number, end: number): number {
  const tenths = digit(text, from)
  const hundredths = from + 1 < end ? digit(text, from + 1) : 0
  const thousandths = from + 2 < end ? digit(text, from + 2) : 0
  return tenths * 100 + hundredths * 10 + thousandths
}

/** Milliseconds of the seconds, fraction and zone after `HH:mm` (offset 16); undefined if they are ill-formed. */
function restMs(text: string): number | undefined {
  if (text.charCodeAt(16) !== colon) {
    const zone = zoneMinutes(text, 16)
    return zone === undefined ? undefined : -zone * 60_000
  }
  const seconds = two(text, 17)
  if (seconds < 0 || seconds > 59) return undefined
  const hasFraction = text.charCodeAt(19) === dot
  const end = hasFraction ? fractionEnd(text, 20) : 19
  const zone = end === undefined ? undefined : zoneMinutes(text, end)
  if (end === undefined || zone === undefined) return undefined
  return seconds * 1000 + (hasFraction ? fractionMs(text, 20, end) : 0) - zone * 60_000
}

/**
 * Milliseconds since 1970 of an ISO 8601 date-time with a zone, or undefined for any other text and for dates that do
 * not exist. Seconds may be missing; fractions beyond milliseconds are cut. to-sql.ts accepts the same texts.
 */
export function instantOf(text: string): number | undefined {
  if (text.length < 17 || text.length > 35) return undefined
  if (text.charCodeAt(10) !== letterT || text.charCodeAt(13) !== colon) return undefined
  const days = daysOf(text)
  const hours = two(text, 11)
  const minutes = two(text, 14)
  if (days === undefined || hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return undefined
  const rest = restMs(text)
  return rest === undefined ? undefined : ((days * 24 + hours) * 60 + minutes) * 60_000 + rest
}

/** Whether `text` is `YYYY-MM-DD` and the day exists. */
export const isDate = (text: string): boolean => text.length === 10 && daysOf(text) !== undefined
