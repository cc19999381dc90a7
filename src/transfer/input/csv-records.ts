import {InputError} from './input-error.js'
import {maxRowBytes} from './row.js'

/** One record of a table, as the file has it. */
export interface CsvRecord {
  readonly cells: readonly string[]
  /** For each cell whether it stands in quotes; absent where none does. */
  readonly quoted?: readonly boolean[]
  /** The line on which it begins, from 1. */
  readonly line: number
}

const quote = '"'
const [lineFeed, carriageReturn, quoteCode] = [0x0a, 0x0d, 0x22]

/** How often a text holds another. */
function countOf(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1
  return count
}

/**
 * Reads the records of RFC 4180 from a text that comes in pieces. The first line break tells how all records end. Lines
 * without quotes, which is most of most files, are found and cut by the engine's own text search.
 */
export class CsvRecords {
  readonly #name: string
  readonly #delimiter: string
  #rest = ''
  #line: number
  #ending: '\n' | '\r\n' | '\r' | undefined

  /** `delimiter` is one character; `line` is the number of the first line. */
  constructor(name: string, delimiter: string, line: number) {
    this.#name = name
    this.#delimiter = delimiter
    this.#line = line
  }

  /** The records that a piece completes; `isLast` ends the text. Empty lines are none. Throws InputError. */
  *take(piece: string, isLast = false): Generator<CsvRecord> {
    const text = this.#rest + piece
    let at = 0
    let quoteAt = text.indexOf(quote)
    while (at < text.length) {
      if (quoteAt !== -1 && quoteAt < at) quoteAt = text.indexOf(quote, at)
      const end = this.#ending === undefined ? -1 : text.indexOf(this.#ending, at)
      const isPlain = end !== -1 && (quoteAt === -1 || quoteAt > end)
      const read = isPlain ? this.#plain(text, at, end) : this.#read(text, at, isLast)
      if (!read) break
      const {cells, quoted} = read
      if (cells.length > 1 || cells[0] !== '' || quoted) yield {...read, line: this.#line}
      this.#line += isPlain ? 1 : this.#breaksIn(text.slice(at, read.next))
      at = read.next
    }
    this.#rest = text.slice(at)
    this.#checkSize(this.#rest, 0, this.#rest.length, this.#line)
  }

  #plain(text: string, from: number, end: number): Read {
    this.#checkSize(text, from, end, this.#line)
    return {cells: text.slice(from, end).split(this.#delimiter), next: end + (this.#ending?.length ?? 0)}
  }

  /** Reads a record cell by cell; undefined if its end has not come yet. */
  #read(text: string, from: number, isLast: boolean): Read | undefined {
    const cells: string[] = []
    const quoted: boolean[] = []
    let at = from
    for (;;) {
      const isQuoted = text.charCodeAt(at) === quoteCode
      const cell = isQuoted ? this.#quotedCell(text, from, at, isLast) : this.#plainCell(text, from, at, isLast)
      if (!cell) return undefined
      cells.push(cell.value)
      quoted.push(isQuoted)
      at = cell.next
      if (at >= text.length && !isLast) return undefined
      const ending = this.#endingAt(text, at, isLast)
      if (ending === undefined) return undefined
      if (at >= text.length || ending > 0) {
        this.#checkSize(text, from, at, this.#line)
        return {cells, next: at + ending, ...(quoted.includes(true) ? {quoted} : {})}
      }
      if (!text.startsWith(this.#delimiter, at)) throw this.#afterQuote(text, from, cell.from, at)
      at += this.#delimiter.length
    }
  }

  /** A cell up to the delimiter or the end of the record, wherever the text ends. */
  #plainCell(text: string, from: number, start: number, isLast: boolean): Cell {
    const delimiter = this.#delimiter
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === quoteCode) throw this.#quoteInside(text, from, at)
      const isBreak = code === lineFeed || code === carriageReturn
      if ((isBreak && this.#endingAt(text, at, isLast) !== 0) || text.startsWith(delimiter, at)) {
        return {value: text.slice(start, at), from: start, next: at}
      }
    }
    return {value: text.slice(start), from: start, next: text.length}
  }

  #quotedCell(text: string, from: number, start: number, isLast: boolean): Cell | undefined {
    let value = ''
    for (let open = start + 1; ; ) {
      const close = text.indexOf(quote, open)
      if (close === -1) this.#checkSize(text, from, text.length, this.#lineAt(text, from, start))
      if (close === -1 && isLast) throw this.#neverClosed(text, from, start)
      if (close === -1) return undefined
      value += text.slice(open, close)
      if (text.charCodeAt(close + 1) !== quoteCode) {
        this.#checkSize(text, from, close, this.#lineAt(text, from, start))
        return {value, from: start, next: close + 1}
      }
      value += quote
      open = close + 2
    }
  }

  /** The length of the record's end at a place, 0 if there is none; undefined if the text does not show it yet. */
  #endingAt(text: string, at: number, isLast: boolean): number | undefined {
    const code = text.charCodeAt(at)
    if (code !== lineFeed && code !== carriageReturn) return 0
    const isCut = code === carriageReturn && at + 1 === text.length && !isLast && this.#ending !== '\r'
    if (isCut) return undefined
    this.#ending ??= code === lineFeed ? '\n' : text.charCodeAt(at + 1) === lineFeed ? '\r\n' : '\r'
    return text.startsWith(this.#ending, at) ? this.#ending.length : 0
  }

  #breaksIn(text: string): number {
    return countOf(text, '\n') + (this.#ending === '\r' ? countOf(text, '\r') : 0)
  }

  #lineAt(text: string, from: number, at: number): number {
    return this.#line + this.#breaksIn(text.slice(from, at))
  }

  /** A character takes three bytes at most. */
  #checkSize(text: string, from: number, to: number, line: number): void {
    if ((to - from) * 3 > maxRowBytes && Buffer.byteLength(text.slice(from, to)) > maxRowBytes)
      throw this.#tooLong(line)
  }

  #tooLong(line: number): InputError {
    return this.#refused(line, `a row is longer than ${maxRowBytes} bytes (is a closing quote missing?)`)
  }

  #neverClosed(text: string, from: number, opened: number): InputError {
    return this.#refused(this.#lineAt(text, from, opened), 'a quote is opened and never closed')
  }

  #quoteInside(text: string, from: number, at: number): InputError {
    const reason = 'a quote stands in the middle of a cell that does not begin with one'
    return this.#refused(this.#lineAt(text, from, at), reason)
  }

  #afterQuote(text: string, from: number, opened: number, at: number): InputError {
    const [line, until] = [this.#lineAt(text, from, opened), this.#lineAt(text, from, at)]
    const where = until > line ? `, on line ${until}` : ''
    return this.#refused(line, `a quoted cell goes on after its closing quote${where}`)
  }

  #refused(line: number, reason: string): InputError {
    const remedy = 'Close the quote; a quote within a quoted cell is written twice.'
    return new InputError(`${this.#name}, line ${line}: ${reason}.`, {file: this.#name, line, remedy})
  }
}

interface Read {
  readonly cells: readonly string[]
  readonly quoted?: readonly boolean[]
  readonly next: number
}

interface Cell {
  readonly value: string
  /** Where it begins and what follows it. */
  readonly from: number
  readonly next: number
}
