import {isDate} from '../../domain/rules.js'
import {InputError} from '../input/input-error.js'

/** What the tokens of a form such as `dd.mm.yyyy hh:mi` stand for. */
const tokens: ReadonlyMap<string, string> = new Map([
  ['yyyy', '(?<year>\\d{4})'],
  ['mm', '(?<month>\\d{2})'],
  ['m', '(?<month>\\d{1,2})'],
  ['dd', '(?<day>\\d{2})'],
  ['d', '(?<day>\\d{1,2})'],
  ['hh', '(?<hour>\\d{2})'],
  ['h', '(?<hour>\\d{1,2})'],
  ['mi', '(?<minute>\\d{2})'],
  ['ss', '(?<second>\\d{2})'],
  ['ff', '(?<fraction>\\d{1,9})'],
  ['am', '(?<half>am|pm)'],
  ['zz', '(?<zone>z|[+-]\\d{2}:?\\d{2})'],
])

const token = /yyyy|mm|mi|m|dd|d|hh|h|ss|ff|am|zz|[^ymdhsfaz]|./g

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const remedy =
  'Write yyyy, mm (or m) and dd (or d) once each, and of a time hh (or h), mi, ss, ff (fraction), am and zz (zone), such ' +
  'as date:dd-mm-yyyy or datetime:yyyy-mm-dd hh:mi. Forms that may stand for each other are divided by |.'

interface Moment {
  readonly date: string
  /** ISO 8601 in UTC. */
  readonly time: string
}

/** A reader of texts of one form, which gives nothing for texts of another and for times that do not exist. */
function formOf(format: string): {readonly hasTime: boolean; read(text: string): Moment | undefined} {
  const parts = format.toLowerCase().match(token) ?? []
  const known = parts.filter((part) => tokens.has(part))
  const first = known.map((part) => (part === 'mi' ? 'i' : part[0])).toSorted()
  const hasTime = known.includes('mi')
  const whole = ['d', 'm', 'y'].every((needed) => first.filter((name) => name === needed).length === 1)
  const timed = !hasTime || first.filter((name) => name === 'h').length === 1
  if (
    !whole ||
    !timed ||
    new Set(first).size < first.length ||
    parts.some((part) => /^[ymd]$/.test(part) && !tokens.has(part))
  ) {
    throw new InputError(`'${format}' is not a form of dates.`, {remedy})
  }
  const pattern = new RegExp(`^${parts.map((part) => tokens.get(part) ?? literal(part)).join('')}$`, 'i')
  return {hasTime, read: (text) => momentOf(pattern.exec(text.trim())?.groups)}
}

function momentOf(groups: Readonly<Record<string, string | undefined>> | undefined): Moment | undefined {
  if (!groups) return undefined
  const {
    year = '',
    month = '',
    day = '',
    hour = '0',
    minute = '0',
    second = '0',
    fraction = '',
    half,
    zone = 'z',
  } = groups
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (!isDate(date)) return undefined
  const halves = half === undefined ? Number(hour) : hourOf(Number(hour), half.toLowerCase() === 'pm')
  if (halves === undefined || halves > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const clock = `${`${halves}`.padStart(2, '0')}:${minute.padStart(2, '0')}:${second.padStart(2, '0')}`
  const offset = /^z$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`
  const at = Date.parse(`${date}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`)
  return Number.isNaN(at) ? undefined : {date, time: new Date(at).toISOString()}
}

const hourOf = (hour: number, afternoon: boolean): number | undefined =>
  hour < 1 || hour > 12 ? undefined : (hour % 12) + (afternoon ? 12 : 0)

/**
 * Reads dates of a form such as `dd-mm-yyyy`, or of one of several (`yyyy-mm-dd|d.m.yyyy`). A time in the form must be
 * there and be right. `date` gives the date as it is written, `datetime` the moment in UTC (without a zone, the time is
 * taken for UTC).
 */
export function dateReader(kind: 'date' | 'datetime', format: string) {
  const forms = format.split('|').map(formOf)
  return (text: string): {readonly value: string} | {readonly problem: string} => {
    for (const form of forms) {
      const moment = form.read(text)
      if (moment) return {value: kind === 'date' ? moment.date : moment.time}
    }
    return {problem: `'${text}' is not a date of the form ${format.split('|').join(' or ')}.`}
  }
}
