import {defined} from '../../domain/equal.js'
import {InputError} from '../files/input-error.js'
import {type ListBegun, listBegun, listsBegun, memberAsRow, nameList, pathsOf, strayMember} from './json-envelope.js'
import {maxRowBytes, type Source} from './row.js'

/** A piece of a source and the line on which it begins, from 1. */
export interface TextAt {
  readonly text: string
  readonly line: number
}

const [tab, lineFeed, carriageReturn, blank, quote, comma, backslash] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Behind so many other lists of one document no one looks for rows: each look parses the text before it. */
const mostLists = 500

const isBlank = (byte: number): boolean =>
  byte === blank || byte === lineFeed || byte === carriageReturn || byte === tab

/** What may come next between two values. */
type Expecting = 'start' | 'first' | 'value' | 'separator' | 'end' | 'loose'

/**
 * Cuts a JSON array into its elements without parsing them, so that an array of any size needs the memory of one
 * element. Values that follow each other without an array around them are cut as well. Of a document with one list of
 * objects beside counters, such as a page of results, the elements of the list are the values; `rows` names the list of
 * any other document, or with `.*` the object whose members are the values. The values come by chunks, and are to be taken before the next one.
 */
export async function* jsonValues(
  source: Source,
  chunks: AsyncIterable<Buffer>,
  rows?: string,
): AsyncGenerator<Iterable<TextAt>> {
  const cutter = new Cutter(source, rows)
  for await (const chunk of chunks) yield cutter.feed(chunk)
  yield cutter.finish()
}

class Cutter {
  readonly #source: Source
  #expecting: Expecting = 'start'
  #line = 1
  /** Bytes of the value so far, from earlier chunks. */
  #parts: Buffer[] = []
  #size = 0
  #inValue = false
  #valueLine = 1
  #depth = 0
  #inString = false
  #escaped = false
  /** How many objects are open around the values: those of an envelope. */
  #envelope = 0
  /** The list whose document is being skipped to its end. */
  #listed: string | undefined
  #hasRows: boolean
  readonly #rows: string | undefined
  readonly #path: readonly string[]
  /** Of the rows: a brace if they are members of an object, `users.*` or `*`. Its opening one is two before it in ASCII. */
  readonly #closer: number
  /** Lists of a document without the one that is named. */
  #found: readonly ListBegun[] = []
  /** Whether the documents are the elements of a list, each with a list of rows. */
  #arePages = false
  /** Lists of the present document that are not its rows. */
  #otherLists = 0

  constructor(source: Source, rows: string | undefined) {
    this.#source = source
    this.#rows = rows
    this.#hasRows = rows === undefined || rows === '*'
    this.#path = (rows ?? '').replace(/\.\*$/, '').split('.')
    this.#closer = /(?:^|\.)\*$/.test(rows ?? '') ? closeBrace : closeBracket
  }

  *feed(chunk: Buffer): Generator<TextAt> {
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0
      if (!this.#inValue) {
        if (this.#between(byte)) from = at
      } else {
        if (byte === this.#closer - 2 && this.#opensRows(chunk.subarray(from, at), chunk.subarray(at + 1))) continue
        const end = this.#within(byte)
        if (end !== 'open') {
          const upTo = end === 'with' ? at + 1 : at
          yield* this.#take(chunk.subarray(from, upTo))
          if (end === 'before') this.#between(byte)
        }
      }
      if (byte === lineFeed) this.#line += 1
    }
    if (this.#inValue) this.#hold(chunk.subarray(from))
  }

  *finish(): Generator<TextAt> {
    if (this.#inValue) {
      if (this.#depth > 0 || this.#inString) {
        throw this.#refuse(`ends in the middle of the value that begins on line ${this.#valueLine}`, this.#valueLine)
      }
      yield* this.#take(Buffer.alloc(0))
    }
    if (this.#expecting !== 'end' && (this.#expecting !== 'loose' || this.#arePages)) {
      throw this.#refuse('ends before its array is closed', this.#line)
    }
    if (this.#hasRows) return
    const other = this.#found.length > 0 ? `Its lists are ${pathsOf(this.#found)}.` : 'It has no list of objects.'
    throw this.#refuse(`has no list '${this.#rows}', in which the map says that its rows are`, 1, other)
  }

  /** Reads a byte between values; true if a value begins with it. */
  #between(byte: number): boolean {
    if (isBlank(byte)) return false
    const expecting = this.#expecting
    if (expecting === 'start' && byte === (this.#rows === '*' ? openBrace : openBracket)) {
      if (this.#hasRows) this.#expecting = 'first'
      else this.#arePages = true
      return false
    }
    if (this.#arePages && expecting !== 'end' && this.#envelope === 0) {
      if (byte === closeBracket) this.#expecting = 'end'
      if (byte === closeBracket || (byte === comma && expecting === 'loose')) return false
    }
    if (byte === this.#closer && (expecting === 'first' || expecting === 'separator')) {
      if (this.#envelope > 0) return this.#endRows()
      this.#expecting = 'end'
      return false
    }
    if (byte === comma && expecting === 'separator') {
      this.#expecting = 'value'
      return false
    }
    const stray = byte === comma || byte === closeBracket || byte === closeBrace
    if (stray || expecting === 'separator' || expecting === 'end') {
      const found = `'${String.fromCharCode(byte)}'`
      throw this.#refuse(
        `has ${byte < 0x7f ? found : 'a character'} on line ${this.#line} where none belongs`,
        this.#line,
      )
    }
    if (expecting === 'start') this.#expecting = 'loose'
    this.#inValue = true
    this.#valueLine = this.#line
    this.#within(byte)
    return true
  }

  /** Whether the `[` between these bytes begins the rows, which are the values then. */
  #opensRows(before: Buffer, after: Buffer): boolean {
    const depth = this.#path.length
    if (this.#depth !== depth || this.#inString || this.#expecting !== 'loose' || this.#listed !== undefined)
      return false
    this.#otherLists += 1
    if (this.#otherLists > mostLists) return false
    const list = listBegun(Buffer.concat([...this.#parts, before]).toString('utf8'), depth)
    if (!list) return false
    const first = after.find((byte) => !isBlank(byte))
    const holdsObjects = first === undefined || first === openBrace || first === closeBracket
    if (this.#rows === undefined ? !(list.isEnveloped && holdsObjects) : list.path !== this.#path.join('.'))
      return false
    this.#clear()
    this.#envelope = depth
    this.#listed = list.path
    this.#hasRows = true
    this.#expecting = 'first'
    return true
  }

  /** Goes on within the envelope, whose other members are skipped. */
  #endRows(): true {
    this.#expecting = 'loose'
    this.#inValue = true
    this.#valueLine = this.#line
    this.#depth = this.#envelope
    this.#envelope = 0
    return true
  }

  /** Reads a byte of a value, and says whether the value ended with it, before it, or not yet. */
  #within(byte: number): 'open' | 'with' | 'before' {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false
      else if (byte === backslash) this.#escaped = true
      else if (byte === quote) this.#inString = false
      return 'open'
    }
    const isMember = this.#closer === closeBrace && this.#expecting !== 'loose'
    if (this.#depth === 0 && ((isBlank(byte) && !isMember) || byte === comma || byte === this.#closer)) return 'before'
    if (byte === quote) this.#inString = true
    else if (byte === openBrace || byte === openBracket) this.#depth += 1
    else if (byte === closeBrace || byte === closeBracket) {
      this.#depth -= 1
      if (this.#depth <= 0) return 'with'
    }
    return 'open'
  }

  #hold(bytes: Buffer): void {
    this.#size += bytes.length
    if (this.#size > maxRowBytes) {
      throw this.#refuse(
        `has a value of more than ${maxRowBytes} bytes on line ${this.#valueLine}, as if a bracket or quote were missing`,
        this.#valueLine,
        nameList(listsBegun(Buffer.concat(this.#parts).toString('utf8'))),
      )
    }
    this.#parts.push(bytes)
  }

  *#take(last: Buffer): Generator<TextAt> {
    this.#hold(last)
    const text = Buffer.concat(this.#parts).toString('utf8')
    const listed = this.#listed
    this.#clear()
    if (this.#expecting !== 'loose') {
      this.#expecting = 'separator'
      yield {text: this.#closer === closeBrace ? memberAsRow(text) : text, line: this.#valueLine}
    } else if (listed === undefined) {
      if (!this.#hasRows && this.#found.length === 0) this.#found = listsBegun(text)
      yield {text, line: this.#valueLine}
    } else {
      this.#listed = undefined
      this.#checkEnvelope(listed, text)
    }
  }

  #checkEnvelope(listed: string, rest: string): void {
    const stray = this.#rows === undefined ? strayMember(rest) : undefined
    if (stray === undefined) return
    throw this.#refuse(
      `has a list '${listed}' and '${stray}' beside it: either may be the rows`,
      this.#valueLine,
      'Name the list by "rows" in a map file, or put a document that is one customer in [ ].',
    )
  }

  #clear(): void {
    this.#parts = []
    this.#size = 0
    this.#depth = 0
    this.#inValue = false
    this.#otherLists = 0
  }

  #refuse(what: string, line: number, remedy?: string): InputError {
    const {name: file} = this.#source
    return new InputError(`${file} ${what}.`, {file, line, ...defined({remedy})})
  }
}
