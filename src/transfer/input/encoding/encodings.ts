import {isAscii, isUtf8} from 'node:buffer'
import {InputError} from '../../files/input-error.js'
import type {Source} from '../row.js'

const newline = 0x0a

export const countNewlines = (bytes: Uint8Array): number => {
  let count = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}

/** Bytes that the encoding has no character for. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable'
  readonly line: number

  constructor(line: number) {
    super('these bytes are no text in this encoding')
    this.line = line
  }
}

/** The encodings that are built in; others are those of Node (WHATWG Encoding Standard). */
const spellings: ReadonlyMap<string, string> = new Map([
  ['utf8', 'utf-8'],
  ['utf16', 'utf-16'],
  ['utf16le', 'utf-16le'],
  ['ucs2', 'utf-16le'],
  ['utf16be', 'utf-16be'],
  ['windows1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['ansi', 'windows-1252'],
  ['iso88591', 'iso-8859-1'],
  ['latin1', 'iso-8859-1'],
  ['iso885915', 'iso-8859-15'],
  ['latin9', 'iso-8859-15'],
])

/** The usual spelling of an encoding. Throws InputError for what neither we nor Node know. */
function encodingNamed(label: string): string {
  const own = spellings.get(label.toLowerCase().replace(/[^a-z0-9]/g, ''))
  if (own !== undefined) return own
  try {
    return new TextDecoder(label).encoding
  } catch {
    throw new InputError(`'${label}' is not an encoding that is known here.`, {
      remedy:
        'Known are utf-8, utf-16le, utf-16be, windows-1252, iso-8859-1, iso-8859-15, and what Node has, such as windows-1250, macintosh or shift_jis.',
    })
  }
}

/** What differs from ISO 8859-1, whose bytes are the code points. Several releases of Node do not know it (nodejs/node#56542). */
const windows1252: ReadonlyMap<number, string> = new Map(
  [...'€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'].flatMap((text, at) => (text === ' ' ? [] : [[0x80 + at, text] as const])),
)

/** Bytes as code points; those of windows-1252 that are others in ISO 8859-1 as characters of their own. */
function latin(table: ReadonlyMap<number, string>): (bytes: Buffer) => string {
  return (bytes) => {
    const text = bytes.toString('latin1')
    if (table.size === 0 || isAscii(bytes)) return text
    return text.replaceAll(/[\x80-\x9f]/g, (one) => table.get(one.charCodeAt(0)) ?? one)
  }
}

/** Decodes pieces, each with the line on which it begins, from 1, and cut between characters. Throws Undecodable. */
export async function* decoded(
  pieces: AsyncIterable<Buffer>,
  encoding: string,
): AsyncGenerator<{readonly bytes: Buffer; readonly line: number}> {
  const decoder = encoding === 'utf-8' ? utf8() : decoderOf(encoding)
  let line = 1
  for await (const piece of pieces) {
    const bytes = decoder.take(piece, line)
    if (bytes.length > 0) yield {bytes, line}
    line += countNewlines(bytes)
  }
  const bytes = decoder.end(line)
  if (bytes.length > 0) yield {bytes, line}
}

/** C1 controls are in no text that people wrote, so the byte is of another encoding. */
function decoderOf(encoding: string) {
  const runtime = new TextDecoder(encoding, {ignoreBOM: true})
  const own = {'windows-1252': latin(windows1252), 'iso-8859-1': latin(new Map())}[encoding]
  const noText = encoding.startsWith('utf-16') ? /\ufffd/ : /[\x80-\x9f\ufffd]/
  const checked = (text: string, line: number): Buffer => {
    const at = text.search(noText)
    if (at >= 0) throw new Undecodable(line + text.slice(0, at).split('\n').length - 1)
    return Buffer.from(text, 'utf8')
  }
  return {
    take: (bytes: Buffer, line: number) => checked(own ? own(bytes) : runtime.decode(bytes, {stream: true}), line),
    end: (line: number) => checked(own ? '' : runtime.decode(), line),
  }
}

/** UTF-8 is only checked, and cut between characters. */
function utf8() {
  let rest: Buffer = Buffer.alloc(0)
  return {
    take(piece: Buffer, line: number): Buffer {
      const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
      // The last character may continue in the next piece: up to three of its bytes wait for it.
      for (const waiting of [0, 1, 2, 3]) {
        const whole = bytes.subarray(0, Math.max(0, bytes.length - waiting))
        if (!isUtf8(whole)) continue
        rest = bytes.subarray(whole.length)
        return whole
      }
      throw invalidUtf8(bytes, line)
    },
    end(line: number): Buffer {
      if (rest.length > 0) throw new Undecodable(line)
      return rest
    },
  }
}

function invalidUtf8(bytes: Buffer, firstLine: number): Undecodable {
  let line = firstLine
  let from = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, from)) {
    if (!isUtf8(bytes.subarray(from, at))) return new Undecodable(line)
    line += 1
    from = at + 1
  }
  return new Undecodable(line)
}

/** The encoding of a text, and why it was taken if the user should know. */
type Encoding = Pick<Source, 'encoding' | 'because'>

const marks: readonly (readonly [name: string, mark: Buffer])[] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-32le', Buffer.from([0xff, 0xfe, 0, 0])],
  ['utf-32be', Buffer.from([0, 0, 0xfe, 0xff])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
]

const marked = (head: Buffer): string | undefined =>
  marks.find(([, mark]) => head.subarray(0, mark.length).equals(mark))?.[0]

/** The encoding that was asked for, unless the mark at the beginning says another. */
export function chosenEncoding(name: string, head: Buffer, label: string): Encoding {
  const encoding = encodingNamed(label)
  const mark = marked(head)
  if (mark === undefined) return {encoding: encoding === 'utf-16' ? (unmarkedUtf16(head) ?? 'utf-16le') : encoding}
  if (mark === encoding || (encoding === 'utf-16' && mark.startsWith('utf-16'))) return {encoding: mark}
  throw new InputError(`${name} begins with the byte order mark of ${mark}, and is to be read as ${encoding}.`, {
    file: name,
    remedy: 'Leave --encoding out.',
  })
}

/** Latin text in UTF-16 has a zero byte in most characters, and always on the same side. */
function unmarkedUtf16(head: Buffer): string | undefined {
  if (head.length % 2 === 1) return undefined
  const zerosAt = (side: number): number => head.filter((byte, at) => byte === 0 && at % 2 === side).length
  const [even, odd, enough] = [zerosAt(0), zerosAt(1), (head.length / 2) * 0.4]
  if (head[0] !== 0 && head[1] === 0 && odd >= enough && even < odd / 10) return 'utf-16le'
  return head[0] === 0 && head[1] !== 0 && even >= enough && odd < even / 10 ? 'utf-16be' : undefined
}

/**
 * Tells the encoding of a text from its bytes: valid UTF-8 is UTF-8. Reads everything, since a single byte near the end
 * may decide. Throws InputError for any other: one that has no mark can only be named.
 */
export async function detectEncoding(
  name: string,
  head: Buffer,
  chunks: () => AsyncIterable<Buffer>,
): Promise<Encoding> {
  const mark = marked(head)
  if (mark?.startsWith('utf-32')) {
    throw new InputError(`${name} is UTF-32.`, {file: name, remedy: 'Save it as UTF-8.'})
  }
  if (mark === 'utf-8') return {encoding: mark}
  if (mark !== undefined) return {encoding: mark, because: 'its byte order mark says so'}
  const utf16 = unmarkedUtf16(head)
  if (utf16 !== undefined) return {encoding: utf16, because: 'every other byte of its beginning is zero'}
  try {
    for await (const _ of decoded(chunks(), 'utf-8'));
    return {encoding: 'utf-8'}
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error
    const {line} = error
    throw new InputError(`${name} is not UTF-8: see line ${line}.`, {
      file: name,
      line,
      remedy:
        'Name the encoding, such as --encoding windows-1252, iso-8859-15, windows-1250 or macintosh, or save the file as UTF-8.',
    })
  }
}
