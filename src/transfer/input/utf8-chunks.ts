import {isUtf8} from 'node:buffer'
import {createReadStream} from 'node:fs'
import {InputError} from './input-error.js'
import {type Source, withoutMark} from './source.js'

const newline = 0x0a

const countNewlines = (bytes: Uint8Array): number => {
  let count = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}

/** How many bytes at the end begin a character that continues in the next chunk. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return length > back ? back : 0
  }
  return 0
}

const isUtf16 = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)

function refuseBinary(source: Source, bytes: Buffer, line: number): void {
  if (!bytes.includes(0)) return
  throw new InputError(`${source.name} is binary, not text: there is a NUL byte on line ${line}.`, {
    file: source.name,
    line,
  })
}

/**
 * The bytes of a source without its byte order mark, cut between characters. Throws InputError for anything but UTF-8
 * text, naming the line.
 */
export async function* utf8Chunks(source: Source, chunkBytes = 262_144): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let line = 1
  let first = true
  for await (const read of createReadStream(source.path, {highWaterMark: chunkBytes}) as AsyncIterable<Buffer>) {
    if (first && isUtf16(read)) {
      throw new InputError(`${source.name} is UTF-16.`, {file: source.name, remedy: 'Save it as UTF-8.'})
    }
    const bytes = rest.length > 0 ? Buffer.concat([rest, read]) : first ? withoutMark(read) : read
    first = false
    const cut = bytes.length - unfinished(bytes)
    const whole = bytes.subarray(0, cut)
    rest = bytes.subarray(cut)
    const end = line + countNewlines(whole)
    refuseBinary(source, whole, lineOf(whole, whole.indexOf(0), line))
    if (!isUtf8(whole)) throw notUtf8(source, firstBadLine(whole, line))
    line = end
    if (whole.length > 0) yield whole
  }
  if (rest.length > 0) throw notUtf8(source, line)
}

const lineOf = (bytes: Buffer, at: number, firstLine: number): number =>
  at < 0 ? firstLine : firstLine + countNewlines(bytes.subarray(0, at))

function firstBadLine(bytes: Buffer, firstLine: number): number {
  let line = firstLine
  let from = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, from)) {
    if (!isUtf8(bytes.subarray(from, at))) return line
    line += 1
    from = at + 1
  }
  return line
}

const notUtf8 = (source: Source, line: number): InputError =>
  new InputError(`${source.name} is not UTF-8: see line ${line}.`, {
    file: source.name,
    line,
    remedy: 'Save it as UTF-8.',
  })
