import {unguard} from '../../files/csv-line.js'
import {InputError} from '../../files/input-error.js'
import {type Cell as CellValue, Day} from '../cell.js'
import {maxRowBytes, type Rows, type Source} from '../row.js'
import {type RawRow, tableRows} from '../table-rows.js'
import {damaged, xmlPart} from './archive.js'
import {cellFormats, type TypedNumber} from './cell-formats.js'
import {RichText, sharedStrings} from './shared-strings.js'
import {chosenSheet, openWorkbook, type Sheet, type Workbook} from './workbook.js'

const maxColumns = 16_384

/** The column of a reference such as `AB7`, from 0. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]+/.exec(reference)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
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

class RowReader {
  readonly #texts: Texts
  readonly #emit: (row: RawRow) => void
  readonly #rich = new RichText()
  #row = 0
  #cells: (CellValue | undefined)[] = []
  #cell: Cell | undefined
  /** Where a cell without a reference stands. */
  #nextColumn = 0
  #isValue = false
  #size = 0
  #problem: string | undefined

  constructor(texts: Texts, emit: (row: RawRow) => void) {
    this.#texts = texts
    this.#emit = emit
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') {
      this.#row = Number(attributes['r'] ?? this.#row + 1)
    } else if (name === 'c') {
      const {r, t = 'n', s = '0'} = attributes
      const column = r === undefined ? this.#nextColumn : columnOf(r)
      if (!(column >= 0 && column < maxColumns)) throw new Error(`there is a cell '${r}' in row ${this.#row}`)
      this.#nextColumn = column + 1
      this.#cell = {column, type: t, style: Number(s), hasFormula: false, value: undefined}
    } else if (this.#cell) {
      if (name === 'v') this.#isValue = true
      else if (name === 'f') this.#cell.hasFormula = true
      else this.#rich.open(name)
    }
  }

  text(text: string): void {
    if (!this.#cell) return
    if (this.#isValue) this.#cell.value = (this.#cell.value ?? '') + text
    else this.#rich.add(text)
    this.#size += text.length
    if (this.#size > maxRowBytes) throw new Error(`row ${this.#row} is longer than ${maxRowBytes} characters`)
  }

  close(name: string): void {
    if (name === 'v') this.#isValue = false
    else if (name === 'c' && this.#cell) this.#endCell(this.#cell)
    else if (name === 'row') this.#endRow()
    else if (this.#cell) this.#rich.close(name)
  }

  #endCell(cell: Cell): void {
    const value = this.#valueOf(cell)
    this.#cell = undefined
    if (value === undefined || value === '') return
    this.#cells[cell.column] = value
    this.#size += typeof value === 'string' ? value.length : 0
  }

  #valueOf({column, type, style, hasFormula, value}: Cell): CellValue | undefined {
    if (type === 'inlineStr') return this.#rich.take()
    if (value === undefined || value === '') {
      if (hasFormula && type !== 'str')
        this.#note(column, 'holds a formula without a result: save the workbook in a spreadsheet program')
      return undefined
    }
    switch (type) {
      case 's':
        return this.#texts.strings[Number(value)] ?? this.#note(column, 'refers to a text that is not there')
      case 'b':
        return value === '1'
      case 'e':
        return this.#note(column, `shows the error ${value}`)
      case 'd':
        return momentIn(value)
      case 'n':
        return this.#texts.typed(value, style)
      default:
        return value
    }
  }

  #note(column: number, what: string): undefined {
    this.#problem ??= `The cell ${columnName(column)}${this.#row} ${what}.`
  }

  #endRow(): void {
    const cells = Array.from(this.#cells, (cell) => (typeof cell === 'string' ? unguard(cell) : cell))
    this.#emit({line: this.#row, cells, ...(this.#problem === undefined ? {} : {problem: this.#problem})})
    this.#cells = []
    this.#nextColumn = 0
    this.#size = 0
    this.#problem = undefined
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
    for await (const rows of xmlPart<RawRow>(archive, part, (emit) => new RowReader(texts, emit))) {
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
