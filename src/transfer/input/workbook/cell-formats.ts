import {type Cell, Day} from '../cell.js'
import {type Archive, readXml} from './archive.js'

export type TypedNumber = (raw: string, style: number) => Cell

/** What a format makes of a number. A time of day and a padded id have no value but their text. */
type Kind = 'number' | 'day' | 'moment' | 'time' | 'padded'

/** A format of cells; `pattern` makes the text of a time or a padded id. */
interface Format {
  readonly kind: Kind
  readonly pattern: string
}

/** The built-in formats that are no plain numbers (ECMA-376 part 1, 18.8.30). */
const builtIn: ReadonlyMap<number, Format> = new Map([
  ...formats('day', [14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]),
  ...formats('moment', [22]),
  ...formats('time', [18], 'h:mm AM/PM'),
  ...formats('time', [19], 'h:mm:ss AM/PM'),
  ...formats('time', [20, 32, 34], 'h:mm'),
  ...formats('time', [21, 33, 35, 55, 56], 'h:mm:ss'),
  ...formats('time', [45], 'mm:ss'),
  ...formats('time', [46], '[h]:mm:ss'),
  ...formats('time', [47], 'mm:ss.0'),
])

function formats(kind: Kind, ids: readonly number[], pattern = ''): [number, Format][] {
  return ids.map((id) => [id, {kind, pattern}])
}

const number: Format = {kind: 'number', pattern: ''}

/** Reads the letters of a pattern's first section that mean something: no literals, colours, conditions or locales. */
function formatOf(pattern: string, isValid: (pattern: string) => boolean): Format {
  const [section = ''] = pattern
    .replace(/"[^"]*"|\\.|[_*]./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';')
  if (/^\s*(?:general|@)?\s*$/i.test(section)) return number
  const hasDay = /[yd]/i.test(section) || /^[^hs]*m[^hs]*$/i.test(section)
  const hasTime = /[hs]/i.test(section)
  if (hasDay) return {kind: hasTime ? 'moment' : 'day', pattern}
  if (hasTime && isValid(pattern)) return {kind: 'time', pattern: /\[\$-F400\]/i.test(pattern) ? 'hh:mm:ss' : pattern}
  // Zeros without any other digit pad an id; grouping, fractions, exponents and percents only decorate a number.
  const pads = /^[^#?.,%e/]*0[^#?.,%e/]*0[^#?.,%e/]*$/i.test(section)
  return !hasTime && pads && isValid(pattern) ? {kind: 'padded', pattern} : number
}

/** Longer ones come from no spreadsheet program (API › Excel specifications and limits). */
const maxFormatCharacters = 255

export async function cellFormats(
  archive: Archive,
  part: string | undefined,
  startsIn1904: boolean,
): Promise<TypedNumber> {
  const {format, isValidFormat} = await import('numfmt')
  const own = new Map<number, Format>()
  const ids: number[] = []
  let inCells = false
  if (part !== undefined) {
    await readXml(archive, part, {
      open: (name, {numFmtId = '0', formatCode = ''}) => {
        if (name === 'cellXfs') inCells = true
        else if (name === 'numFmt') own.set(Number(numFmtId), formatOf(checkedLength(formatCode), isValidFormat))
        else if (name === 'xf' && inCells) ids.push(Number(numFmtId))
      },
      close: (name) => {
        if (name === 'cellXfs') inCells = false
      },
    })
  }
  const styles = ids.map((id) => own.get(id) ?? builtIn.get(id) ?? number)
  return (raw, style) => {
    const {kind, pattern} = styles[style] ?? number
    const value = Number(raw)
    // Formats pad numbers with blanks to line them up.
    if (kind === 'time' || (kind === 'padded' && Number.isSafeInteger(value))) return format(pattern, value).trim()
    if (kind !== 'day' && kind !== 'moment') return plain(raw)
    return momentOf(startsIn1904 ? value + daysTo1904 : value, kind) ?? plain(raw)
  }
}

function checkedLength(formatCode: string): string {
  if (formatCode.length <= maxFormatCharacters) return formatCode
  throw new Error(`a number format is longer than ${maxFormatCharacters} characters`)
}

/** Days between the two beginnings of time that workbooks count from. */
const daysTo1904 = 1462
const [unixEpoch, lastDay, msPerDay] = [25_569, 2_958_465, 86_400_000]

/** What a serial number stands for. Before March 1900 workbooks count a day that was none. */
function momentOf(serial: number, kind: 'day' | 'moment'): Cell | undefined {
  if (!(serial >= 0 && serial < lastDay + 1)) return undefined
  const time = new Date(Math.round((serial - unixEpoch + (serial < 60 ? 1 : 0)) * msPerDay))
  return kind === 'moment' ? time : new Day(time.toISOString().slice(0, 10))
}

/** All digits that the file has. Beyond 15 of them a spreadsheet has dropped the others, which an exponent shows. */
function plain(raw: string): Cell {
  const value = Number(raw)
  if (/^-?\d+$/.test(raw)) return Number.isSafeInteger(value) ? value : raw
  if (!Number.isFinite(value)) return raw
  const rounded = Number(value.toPrecision(15))
  return Math.abs(rounded) < 1e15 ? rounded : rounded.toExponential().replace('e', 'E')
}
