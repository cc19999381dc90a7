import {ApiError} from '../../domain/errors.js'
import {jsonTextOf, jsonTextOfMembers} from '../../domain/json-text.js'
import {limits} from '../../limits.js'
import {sliceMs, timeSlices} from '../../time-slices.js'

/** The body of a reply, in chunks that are sent one after the other. */
export interface ReplyBody {
  readonly pieces: readonly (string | Buffer)[]
  /** All of them together. */
  readonly length: number
}

/** The size from which a chunk is sent on its own. */
const pieceBytes = 65_536

const pageEnd = '"results":[]}'

/**
 * Serialises a body to JSON; undefined for none. The results of a page are serialised one by one in time slices, since
 * they may be many and large; anything else at once. Throws InvalidInput for a page that exceeds the limit.
 */
export function replyBody(body: unknown): ReplyBody | undefined | Promise<ReplyBody> {
  if (body === undefined) return undefined
  const results = (body as {readonly results?: unknown} | null)?.results
  const frame = Array.isArray(results) ? JSON.stringify({...(body as object), results: []}) : ''
  if (Array.isArray(results) && frame.endsWith(pageEnd)) return pageBody(frame, results)
  return inOnePiece(typeof body === 'object' && body !== null ? jsonTextOfMembers(body) : JSON.stringify(body))
}

async function pageBody(frame: string, results: readonly unknown[]): Promise<ReplyBody> {
  const yields = timeSlices(sliceMs)
  const pieces: Buffer[] = []
  let length = 0
  let text = frame.slice(0, -2)
  const flush = () => {
    const piece = Buffer.from(text)
    text = ''
    pieces.push(piece)
    length += piece.length
    if (length <= limits.replyBytes) return
    const message = `The page is larger than ${limits.replyBytes} bytes: ask for fewer results by limit, or expand less.`
    throw ApiError.of('InvalidInput', {message})
  }
  let comma = ''
  for (const result of results) {
    text += comma + jsonTextOf(result)
    comma = ','
    if (text.length >= pieceBytes) flush()
    const pause = yields()
    if (pause) await pause
  }
  text += ']}'
  if (pieces.length === 0) return inOnePiece(text)
  flush()
  return {pieces, length}
}

/** Node writes head and body at once where the body is a text. */
const inOnePiece = (text: string): ReplyBody => ({pieces: [text], length: Buffer.byteLength(text)})
