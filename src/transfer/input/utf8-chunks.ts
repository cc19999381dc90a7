import {InputError} from '../files/input-error.js'
import {storedBytes} from './container/stored-bytes.js'
import {decoderOf, Undecodable} from './encoding/encodings.js'
import {countNewlines, utf8Pieces, withoutMark} from './encoding/utf8.js'
import type {Source} from './source.js'

/**
 * The text of a source as UTF-8, without its byte order mark, cut between characters; it is decompressed and decoded on
 * the way. Throws InputError for bytes that its encoding does not have and for binary content, naming the line.
 */
export async function* utf8Chunks(source: Source, chunkBytes?: number): AsyncGenerator<Buffer> {
  const stored = storedBytes(source, chunkBytes)
  let line = 1
  let first = true
  for await (const read of source.encoding === 'utf-8' ? valid(source, stored) : decoded(source, stored)) {
    if (read.length === 0) continue
    const bytes = first ? withoutMark(read) : read
    first = false
    refuseBinary(source, bytes, line)
    line += countNewlines(bytes)
    if (bytes.length > 0) yield bytes
  }
}

async function* valid(source: Source, stored: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const {bytes, foreign} of utf8Pieces(stored)) {
    if (foreign) throw undecodable(source, foreign.line)
    yield bytes
  }
}

async function* decoded(source: Source, stored: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = decoderOf(source.encoding)
  let line = 1
  try {
    for await (const chunk of stored) {
      const bytes = Buffer.from(decoder.take(chunk), 'utf8')
      yield bytes
      line += countNewlines(bytes)
    }
    yield Buffer.from(decoder.end(), 'utf8')
  } catch (error) {
    throw error instanceof Undecodable ? undecodable(source, line + error.linesBefore) : error
  }
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

const undecodable = ({name, encoding}: Source, line: number): InputError =>
  new InputError(`${name} is not ${encoding.toUpperCase()}: see line ${line}.`, {
    file: name,
    line,
    remedy: 'Save it as UTF-8, or name its encoding with --encoding.',
  })
