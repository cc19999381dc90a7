import {isDate} from '../../domain/rules.js'
import {InputError} from '../files/input-error.js'
import {type Cell, Day, textOfCell} from '../input/cell.js'
import {monthNamed} from './languages.js'

/** What the tokens of a form such as `dd.mm.yyyy hh:mi` stand for. */
const tokens: ReadonlyMap<string, string> = new Map([
  ['yyyy', '(?<year>\\d{4})'],
  ['yy', '(?<year>\\d{2})'],
  ['mmmm', '(?<month>\\p{L}+\\.?)'],
  ['mmm', '(?<month>\\p{L}+\\.?)'],
  ['mm', '(?<month>\\d{2})'],
  ['m', '(?<month>\\d{1,2})'],
  ['dddd', '\\p{L}+\\.?'],
  ['ddd', '\\p{L}+\\.?'],
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

const token = /yyyy|yy|m{3,4}|mm|mi|m|d{3,4}|dd|d|hh|h|ss|ff|am|zz|[^ymdhsfaz]|./g

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

const remedy =
  'Write yyyy (or yy), mm (or m, or mmm for a name) and dd (or d) once each, dddd for a weekday, and of a time hh (or h), mi, ss, ff (fraction), am and zz (zone), such ' +
  'as date:dd-mm-yyyy or datetime:yyyy-mm-dd hh:mi; ms or s alone counts from 1970, serial are the days of a spreadsheet. Forms that may stand for each other are divided by |.'

/** The first letter of a token: what it is part of. Weekdays are part of nothing. */
const partOf = (part: string): string =>
  part === 'mi' ? 'i' : part.length > 2 && part.startsWith('d') ? '' : (part[0] ?? '')

function formOf(format: string): (text: string, latest?: string) => Read | undefined {
  const count = counts.get(format)
  if (count)
    return (text) => {
      const at = count.digits.test(text.trim())
        ? new Date(Math.round(count.start + Number(text) * count.unit))
        : undefined
      if (!at || Number.isNaN(at.getTime())) return undefined
      return {date: at.toISOString().slice(0, 10), time: at.toISOString()}
    }
  const parts = format.toLowerCase().match(token) ?? []
  const known = parts.filter((part) => tokens.has(part)).map(partOf)
  const times = (name: string): number => known.filter((one) => one === name).length
  const isWhole = ['d', 'm', 'y'].every((needed) => times(needed) === 1) && (times('i') === 0 || times('h') === 1)
  const isStray = parts.some((part) => /^[ymd]$/.test(part) && !tokens.has(part))
  if (!isWhole || isStray || known.some((name) => name !== '' && times(name) > 1)) {
    throw new InputError(`'${format}' is not a form of dates.`, {remedy})
  }
  const pattern = new RegExp(`^${parts.map((part) => tokens.get(part) ?? literal(part)).join('')}$`, 'iu')
  return (text: string, latest?: string) => momentOf(pattern.exec(text.trim())?.groups, latest)
}

/** A day, and the moment in UTC as ISO 8601. */
interface Read {
  readonly date: string
  readonly time: string
}

/** What a number alone counts, in ms: since 1970, or as spreadsheets number days, which is right from March 1900 on. */
const counts = new Map([
  ['ms', {digits: /^-?\d{1,14}$/, unit: 1, start: 0}],
  ['s', {digits: /^-?\d{1,14}$/, unit: 1000, start: 0}],
  ['serial', {digits: /^[1-9]\d{0,5}(?:\.\d+)?$/, unit: 86_400_000, start: Date.UTC(1899, 11, 30)}],
])

function momentOf(groups: Readonly<Record<string, string | undefined>> | undefined, latest?: string): Read | undefined {
  if (!groups) return undefined
  const {year = '', month = '', day = '', fraction = '', half, zone = 'z'} = groups
  const [hour = 0, minute = 0, second = 0] = ['hour', 'minute', 'second'].map((name) => Number(groups[name] ?? 0))
  const inYear = `-${(monthNamed(month) ?? month).padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = wholeYear(year, inYear, latest) + inYear
  if (!isDate(date)) return undefined
  const hours = half === undefined ? hour : hourOf(hour, half.toLowerCase() === 'pm')
  if (hours === undefined || hours > 23 || minute > 59 || second > 59) return undefined
  const clock = [hours, minute, second].map((part) => `${part}`.padStart(2, '0')).join(':')
  const offset = /^z$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`
  const at = Date.parse(`${date}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`)
  return Number.isNaN(at) ? undefined : {date, time: new Date(at).toISOString()}
}

const hourOf = (hour: number, afternoon: boolean): number | undefined =>
  hour < 1 || hour > 12 ? undefined : (hour % 12) + (afternoon ? 12 : 0)

/** Two digits are the years from 1930 to 2029, as spreadsheets take them; no day after the latest. */
function wholeYear(year: string, inYear: string, latest?: string): string {
  if (year.length > 2) return year
  const isToCome = latest !== undefined && `20${year}${inYear}` > latest
  return `${Number(year) < 30 && !isToCome ? 20 : 19}${year}`
}

/**
 * Reads dates of a form such as `dd-mm-yyyy`, or of one of several (`yyyy-mm-dd|d.m.yyyy`). A time in the form must be
 * there and be right; a text that two forms read as different days is refused. Cells that hold a day or a moment have no
 * form. `latest`: two digits give no day after this one. `date` gives the date as it is written, `datetime` the moment in UTC (without a zone, the time is taken for UTC).
 */
export function dateReader(kind: 'date' | 'datetime', format: string, latest?: string) {
  const forms = format.split('|').map(formOf)
  const isDay = kind === 'date'
  return (cell: Cell): {readonly value: string} | {readonly problem: string} => {
    if (cell instanceof Day) return {value: isDay ? cell.iso : `${cell.iso}T00:00:00.000Z`}
    const text = textOfCell(cell)
    if (cell instanceof Date) return {value: isDay ? text.slice(0, 10) : text}
    const read = forms.flatMap((form) => form(text, latest) ?? []).map(({date, time}) => (isDay ? date : time))
    const [value, ...others] = new Set(read)
    if (others.length > 0) return {problem: `'${text}' can be ${value} or ${others.join(' or ')}; name one form.`}
    if (value !== undefined) return {value}
    return {problem: `'${text}' is not a date of the form ${format.split('|').join(' or ')}.`}
  }
}

const ofDay = ['yyyy-m-d', 'yyyy/m/d', 'd.m.yyyy', 'd. m. yyyy']
const clocks = ['h:mi', 'h:mi:ss', 'h:mi:ss.ff', 'h:mi:sszz', 'h:mi:ss.ffzz']
const named = ['d mmm yyyy', 'd. mmm yyyy', 'd-mmm-yyyy', 'mmm d, yyyy']
const common = [
  ...ofDay,
  'yyyymmdd',
  ...ofDay.flatMap((day) => clocks.flatMap((clock) => [`${day} ${clock}`, `${day}T${clock}`])),
  ...named.flatMap((form) => [form, `dddd, ${form}`]),
]
const readers = new Map<'date' | 'datetime', ReturnType<typeof dateReader>>()

/** What a cell in a form that has one order everywhere says, or nothing. */
function commonly(kind: 'date' | 'datetime', cell: Cell): string | undefined {
  const reader = readers.get(kind) ?? dateReader(kind, common.join('|'))
  readers.set(kind, reader)
  const read = reader(cell)
  return 'value' in read ? read.value : undefined
}

/** The day of a text in a form that has one order everywhere; the text itself if it has none. */
export const commonDate = (text: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? text : (commonly('date', text) ?? text)

/** The moment of a cell in a form that has one order everywhere; without a zone it is taken for UTC. */
export const commonTime = (cell: Cell): string | undefined => commonly('datetime', cell)

export const isYearless = (text: string): boolean => /^\s*(?:--|0000-)?\d{1,2}[-/.]\d{1,2}\.?\s*$/.test(text)
