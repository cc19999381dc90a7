import {defined} from '../../../domain/equal.js'
import {unguard} from '../../files/csv-line.js'
import {InputError} from '../../files/input-error.js'
import {type Cell as CellValue, Day} from '../cell.js'
import {maxRowBytes, type Rows, type Source} from '../row.js'
import {type RawRow, tableRows} from '../table-rows.js'
import type {XmlHandlers} from '../xml.js'
import {type Archive, damaged, readXml, xmlPart} from './archive.js'
import {cellFormats, type TypedNumber} from './cell-formats.js'
import {chosenSheet, openWorkbook, type Sheet, type Workbook} from './workbook.js'

const maxColumns = 16_384

/** The column of a reference such as `AB7`, from 0. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]+/.exec(reference)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** Of all texts together: a sheet of a million rows with twenty texts of ten characters in each of them has fewer. */
const mostCharacters = 256 * 1_048_576

/** How workbooks write characters that XML does not have: `_x000D_`. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

/** Collects the text of cells and strings: what is in `t` elements, but not how it is pronounced. */
class RichText {
  text = ''
  #isText = false
  #isPhonetic = false

  open(name: string): void {
    if (name === 't') this.#isText = true
    else if (name === 'rPh') this.#isPhonetic = true
  }

  add(text: string): void {
    if (!this.#isText || this.#isPhonetic) return
    this.text += text
    if (this.text.length > maxRowBytes) throw new Error(`a text is longer than ${maxRowBytes} characters`)
  }

  close(name: string): void {
    if (name === 't') this.#isText = false
    else if (name === 'rPh') this.#isPhonetic = false
  }

  take(): string {
    const text = unescaped(this.text)
    this.text = ''
    return text
  }
}

/** The texts of a workbook, to which its cells refer by number. */
async function sharedStrings(archive: Archive, part: string | undefined): Promise<readonly string[]> {
  const rich = new RichText()
  const strings: string[] = []
  if (part === undefined) return strings
  let left = mostCharacters
  await readXml(archive, part, {
    open: (name) => rich.open(name),
    text: (text) => rich.add(text),
    close: (name) => {
      rich.close(name)
      if (name !== 'si') return
      const text = rich.take()
      // An empty one takes memory too.
      left -= text.length + 8
      if (left < 0) throw new Error('its texts take more memory than there may be: save the sheet as CSV')
      strings.push(text)
    },
  })
  return strings
}

interface Texts {
  readonly strings: readonly string[]
  readonly typed: TypedNumber
}

interface Cell {
  readonly column: number
  readonly type: string
  readonly style: number
  hasFormula: boolean
  value: string | undefined
}

function rowReader(texts: Texts, emit: (row: RawRow) => void): XmlHandlers {
  const rich = new RichText()
  let cells: (CellValue | undefined)[] = []
  let cell: Cell | undefined
  let problem: string | undefined
  /** `next`: where a cell without a reference stands. */
  let [row, next, size, isValue] = [0, 0, 0, false]
  const endCell = (ended: Cell): void => {
    const note = (what: string): undefined => {
      problem ??= `The cell ${columnName(ended.column)}${row} ${what}.`
    }
    const value = ended.type === 'inlineStr' ? rich.take() : valueIn(ended, texts, note)
    cell = undefined
    if (value === undefined || value === '') return
    cells[ended.column] = value
    size += typeof value === 'string' ? value.length : 0
  }
  return {
    open(name, attributes) {
      if (name === 'row') {
        row = Number(attributes['r'] ?? row + 1)
      } else if (name === 'c') {
        const {r, t = 'n', s = '0'} = attributes
        const column = r === undefined ? next : columnOf(r)
        if (!(column >= 0 && column < maxColumns)) throw new Error(`there is a cell '${r}' in row ${row}`)
        next = column + 1
        cell = {column, type: t, style: Number(s), hasFormula: false, value: undefined}
      } else if (cell) {
        if (name === 'v') isValue = true
        else if (name === 'f') cell.hasFormula = true
        else rich.open(name)
      }
    },
    text(text) {
      if (!cell) return
      if (isValue) cell.value = (cell.value ?? '') + text
      else rich.add(text)
      size += text.length
      if (size > maxRowBytes) throw new Error(`row ${row} is longer than ${maxRowBytes} characters`)
    },
    close(name) {
      if (name === 'v') isValue = false
      else if (name === 'c' && cell) endCell(cell)
      else if (name === 'row') {
        const unguarded = Array.from(cells, (one) => (typeof one === 'string' ? unguard(one) : one))
        emit({line: row, cells: unguarded, ...defined({problem})})
        cells = []
        next = 0
        size = 0
        problem = undefined
      } else if (cell) rich.close(name)
    },
  }
}

/** What a cell has; `note` says why it has nothing that could be taken. */
function valueIn(
  {type, style, hasFormula, value}: Cell,
  {strings, typed}: Texts,
  note: (what: string) => undefined,
): CellValue | undefined {
  if (value === undefined || value === '')
    return hasFormula && type !== 'str'
      ? note('holds a formula without a result: save the workbook in a spreadsheet program')
      : undefined
  switch (type) {
    case 's':
      return strings[Number(value)] ?? note('refers to a text that is not there')
    case 'b':
      return value === '1'
    case 'e':
      return note(`shows the error ${value}`)
    case 'd':
      return momentIn(value)
    case 'n':
      return typed(value, style)
    default:
      return value
  }
}

/** A cell that holds a date as ISO 8601; a time of day stays text. */
function momentIn(text: string): CellValue {
  const {day, time = '00:00'} = /^(?<day>\d{4}-\d\d-\d\d)(?:T(?<time>[\d:.]+)Z?)?$/.exec(text)?.groups ?? {}
  if (day === undefined) return text
  if (/^00:00(?::00(?:\.0+)?)?$/.test(time)) return new Day(day)
  const moment = new Date(`${day}T${time}Z`)
  return Number.isNaN(moment.getTime()) ? text : moment
}

function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter
}

/** Reads a sheet of a workbook: its columns at once, its rows as they are asked for, with the memory of a few. */
export async function workbookRows(source: Source, numberFrom: () => number): Promise<Rows> {
  const workbook = await openWorkbook(source)
  return tableRows(source, sheetRows(workbook, chosenSheet(workbook, source.sheet).sheet), numberFrom)
}

/** The rows of a sheet in its order; blank ones may be left out. Texts of formulas are their last results. */
async function* sheetRows(
  {archive, strings, styles, startsIn1904}: Workbook,
  {part, name}: Sheet,
): AsyncGenerator<readonly RawRow[]> {
  const typed = await cellFormats(archive, styles, startsIn1904)
  const texts = {strings: await sharedStrings(archive, strings), typed}
  let last = 0
  try {
    for await (const rows of xmlPart<RawRow>(archive, part, (emit) => rowReader(texts, emit))) {
      for (const {line} of rows) {
        if (!(line > last)) throw damaged(archive.file, new Error(`row ${line} of '${name}' comes after row ${last}`))
        last = line
      }
      yield rows
    }
  } catch (error) {
    if (!(error instanceof InputError) || error.line !== undefined || last === 0) throw error
    throw new InputError(error.message, {...error, line: last + 1}, {cause: error})
  } finally {
    archive.close()
  }
}
