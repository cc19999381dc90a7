import type {Archive} from './archive.js'
import {readXml} from './xml.js'

/** A number of the sheet as it is shown there. */
export type ShownNumber = (raw: string, style: number) => string

/** The formats that every workbook has (ECMA-376 part 1, 18.8.30) and that do not depend on who looks at them. */
const builtIn: ReadonlyMap<number, string> = new Map([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [37, '#,##0;(#,##0)'],
  [38, '#,##0;(#,##0)'],
  [39, '#,##0.00;(#,##0.00)'],
  [40, '#,##0.00;(#,##0.00)'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
  [48, '##0.0E+0'],
  [49, '@'],
])
const isoDay = 'yyyy-mm-dd'
const isoMinute = 'yyyy-mm-dd hh:mm'

/**
 * Dates that each reader sees in the order of their own country, so the workbook does not say how they are shown: they
 * are written as ISO 8601 does.
 */
function patternOf(id: number, own: ReadonlyMap<number, string>): string | undefined {
  const pattern = own.get(id)
  if (pattern !== undefined) {
    if (/\[\$-F800\]/i.test(pattern)) return isoDay
    return /\[\$-F400\]/i.test(pattern) ? 'hh:mm:ss' : pattern
  }
  if (id === 22) return isoMinute
  if (id === 14 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return isoDay
  return builtIn.get(id)
}

/** Days between the two beginnings of time that workbooks count from. */
const daysTo1904 = 1462

/** Longer ones come from no spreadsheet program (API › Excel specifications and limits). */
const maxFormatCharacters = 255

/** Reads the formats of a workbook's cells. */
export async function cellFormats(
  archive: Archive,
  part: string | undefined,
  startsIn1904: boolean,
): Promise<ShownNumber> {
  const {format, isDateFormat, isValidFormat} = await import('numfmt')
  const own = new Map<number, string>()
  const ids: number[] = []
  let inCells = false
  if (part !== undefined) {
    await readXml(archive, part, {
      open: (name, {numFmtId = '0', formatCode = ''}) => {
        if (name === 'cellXfs') inCells = true
        else if (name === 'numFmt') own.set(Number(numFmtId), checkedLength(formatCode))
        else if (name === 'xf' && inCells) ids.push(Number(numFmtId))
      },
      close: (name) => {
        if (name === 'cellXfs') inCells = false
      },
    })
  }
  const shownBy = (id: number): ((raw: string) => string) => {
    const pattern = patternOf(id, own)
    if (pattern === undefined || /^(?:general|@)?$/i.test(pattern) || !isValidFormat(pattern)) return plain
    const days = startsIn1904 && isDateFormat(pattern) ? daysTo1904 : 0
    // Formats pad numbers with blanks to line them up.
    return (raw) => format(pattern, Number(raw) + days).trim()
  }
  // By id, when its first cell comes: the library parses a pattern that is not valid each time it is asked.
  const byId = new Map<number, (raw: string) => string>()
  return (raw, style) => {
    const id = ids[style]
    if (id === undefined) return plain(raw)
    const shown = byId.get(id) ?? shownBy(id)
    byId.set(id, shown)
    return shown(raw)
  }
}

function checkedLength(formatCode: string): string {
  if (formatCode.length <= maxFormatCharacters) return formatCode
  throw new Error(`a number format is longer than ${maxFormatCharacters} characters`)
}

/** A number without a format: all digits that it has, since sheets round what is only too wide for the column. */
function plain(raw: string): string {
  if (/^-?\d{1,15}$/.test(raw)) return raw
  const value = Number(raw)
  return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : raw
}
