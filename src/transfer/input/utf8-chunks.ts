import {InputError} from '../files/input-error.js'
import {storedBytes} from './container/stored-bytes.js'
import {countNewlines, decoded, Undecodable} from './encoding/encodings.js'
import type {Source} from './row.js'

const mark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * The text of a source as UTF-8, without its byte order mark, cut between characters; it is decompressed and decoded on
 * the way. Throws InputError for bytes that its encoding does not have and for binary content, naming the line.
 */
export async function* utf8Chunks(source: Source, chunkBytes?: number): AsyncGenerator<Buffer> {
  const {name: file, encoding} = source
  let isFirst = true
  try {
    for await (const {bytes, line} of decoded(storedBytes(source, chunkBytes), encoding)) {
      refuseBinary(source, bytes, line)
      const isMarked = isFirst && bytes.subarray(0, 3).equals(mark)
      isFirst = false
      if (!isMarked) yield bytes
      else if (bytes.length > 3) yield bytes.subarray(3)
    }
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error
    const {line} = error
    const remedy = 'Save it as UTF-8, or name its encoding with --encoding.'
    throw new InputError(`${file} is not ${encoding.toUpperCase()}: see line ${line}.`, {file, line, remedy})
  }
}

/** The text with which a source begins. */
export async function beginningOf(source: Source): Promise<string> {
  for await (const chunk of utf8Chunks(source)) return chunk.toString('utf8')
  return ''
}

function refuseBinary({name}: Source, bytes: Buffer, firstLine: number): void {
  const at = bytes.indexOf(0)
  if (at === -1) return
  const line = firstLine + countNewlines(bytes.subarray(0, at))
  throw new InputError(`${name} is binary, not text: there is a NUL byte on line ${line}.`, {
    file: name,
    line,
    remedy: 'Export it as CSV UTF-8, JSON, JSON Lines or .xlsx. If it is text, name its encoding with --encoding.',
  })
}
