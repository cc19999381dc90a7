import {isUtf8} from 'node:buffer'

const newline = 0x0a

export const countNewlines = (bytes: Uint8Array): number => {
  let count = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}

/** How many bytes at the end begin a character that continues in the next piece. */
export function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return length > back ? back : 0
  }
  return 0
}

const mark = Buffer.from([0xef, 0xbb, 0xbf])

/** The bytes without the byte order mark of UTF-8. */
export const withoutMark = (bytes: Buffer): Buffer => (bytes.subarray(0, 3).equals(mark) ? bytes.subarray(3) : bytes)

/** A place that is not UTF-8. */
export interface ForeignBytes {
  /** From 1. */
  readonly line: number
  /** The word around its first byte beyond ASCII. */
  readonly word: Buffer
}

/** A piece of a text, cut between characters, that is UTF-8, or the first place where it is not. */
export type Utf8Piece =
  | {readonly bytes: Buffer; readonly foreign?: undefined}
  | {readonly bytes?: undefined; readonly foreign: ForeignBytes}

/** Cuts chunks between characters, and stops at the first place that is not UTF-8. */
export async function* utf8Pieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Utf8Piece> {
  let rest: Buffer = Buffer.alloc(0)
  let line = 1
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const whole = bytes.subarray(0, bytes.length - unfinished(bytes))
    if (!isUtf8(whole)) {
      yield {foreign: firstForeign(whole, line)}
      return
    }
    rest = bytes.subarray(whole.length)
    line += countNewlines(whole)
    if (whole.length > 0) yield {bytes: whole}
  }
  if (rest.length > 0) yield {foreign: {line, word: rest}}
}

function firstForeign(bytes: Buffer, firstLine: number): ForeignBytes {
  let line = firstLine
  let from = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, from)) {
    if (!isUtf8(bytes.subarray(from, at))) return {line, word: wordIn(bytes.subarray(from, at))}
    line += 1
    from = at + 1
  }
  return {line, word: wordIn(bytes.subarray(from))}
}

const maxWordBytes = 40
const separators = new Set(Buffer.from('\t\r\n "\',;|<>{}[]'))

function wordIn(line: Buffer): Buffer {
  const at = line.findIndex((byte) => byte >= 0x80)
  let [from, to] = [at, at]
  while (from > Math.max(0, at - maxWordBytes) && !separators.has(line[from - 1] ?? 0)) from -= 1
  while (to < Math.min(line.length, at + maxWordBytes) && !separators.has(line[to] ?? 0)) to += 1
  return line.subarray(from, to)
}
