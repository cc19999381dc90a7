import {InputError} from '../../files/input-error.js'
import type {Source} from '../row.js'
import {decoded, Undecodable} from './encodings.js'

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
export function chosenEncoding(name: string, head: Buffer, encoding: string): Encoding {
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
