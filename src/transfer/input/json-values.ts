import {InputError} from './input-error.js'
import {beginsPage} from './json-page.js'
import {maxRowBytes} from './row.js'
import type {Source} from './source.js'

/** A piece of a source and the line on which it begins, from 1. */
export interface TextAt {
  readonly text: string
  readonly line: number
}

const [tab, lineFeed, carriageReturn, blank, quote, comma, backslash] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

const isBlank = (byte: number): boolean =>
  byte === blank || byte === lineFeed || byte === carriageReturn || byte === tab

/** What may come next between two values. */
type Expecting = 'start' | 'first' | 'value' | 'separator' | 'end' | 'loose'

/**
 * Cuts a JSON array into its elements without parsing them, so that an array of any size needs the memory of one
 * element. Values that follow each other without an array around them are cut as well, and pages, such as queries print
 * them, into their results.
 */
export async function* jsonValues(source: Source, chunks: AsyncIterable<Buffer>): AsyncGenerator<TextAt> {
  const cutter = new Cutter(source)
  for await (const chunk of chunks) yield* cutter.feed(chunk)
  yield* cutter.finish()
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
  /** The values are the results of a page. */
  #inPage = false
  /** The rest of a page behind its results says nothing about them. */
  #skips = false

  constructor(source: Source) {
    this.#source = source
  }

  *feed(chunk: Buffer): Generator<TextAt> {
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0
      if (!this.#inValue) {
        if (this.#between(byte)) from = at
      } else {
        if (byte === openBracket && this.#opensPage(chunk.subarray(from, at))) continue
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
    if (this.#expecting !== 'end' && this.#expecting !== 'loose') {
      throw this.#refuse('ends before its array is closed', this.#line)
    }
  }

  /** Reads a byte between values; true if a value begins with it. */
  #between(byte: number): boolean {
    if (isBlank(byte)) return false
    const expecting = this.#expecting
    if (expecting === 'start' && byte === openBracket) {
      this.#expecting = 'first'
      return false
    }
    if (byte === closeBracket && (expecting === 'first' || expecting === 'separator')) {
      if (this.#inPage) return this.#endResults()
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

  /** Whether the `[` after these bytes begins the results of a page, which are values then. */
  #opensPage(bytes: Buffer): boolean {
    const isMember = this.#depth === 1 && !this.#inString && this.#expecting === 'loose' && !this.#skips
    if (!isMember || !beginsPage(Buffer.concat([...this.#parts, bytes]).toString('utf8'))) return false
    this.#clear()
    this.#inPage = true
    this.#expecting = 'first'
    return true
  }

  /** Goes on within the page, whose other members are skipped. */
  #endResults(): true {
    this.#expecting = 'loose'
    this.#inPage = false
    this.#skips = true
    this.#inValue = true
    this.#valueLine = this.#line
    this.#depth = 1
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
    if (this.#depth === 0 && (isBlank(byte) || byte === comma || byte === closeBracket)) return 'before'
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
        `has a value of more than ${maxRowBytes} bytes on line ${this.#valueLine}; is a bracket or quote missing?`,
        this.#valueLine,
      )
    }
    this.#parts.push(bytes)
  }

  *#take(last: Buffer): Generator<TextAt> {
    this.#hold(last)
    const text = Buffer.concat(this.#parts).toString('utf8')
    const skips = this.#skips
    this.#clear()
    if (this.#expecting !== 'loose') this.#expecting = 'separator'
    if (!skips) yield {text, line: this.#valueLine}
  }

  #clear(): void {
    this.#parts = []
    this.#size = 0
    this.#depth = 0
    this.#inValue = false
    this.#skips = false
  }

  #refuse(what: string, line: number): InputError {
    return new InputError(`${this.#source.name} ${what}.`, {file: this.#source.name, line})
  }
}
