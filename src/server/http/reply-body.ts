import {ApiError} from '../../domain/errors.js'
import {limits} from '../../limits.js'
import {sliceMs, timeSlices} from '../../time-slices.js'

/** The body of a reply, in chunks that are sent one after the other. */
export interface ReplyBody {
  readonly pieces: readonly Buffer[]
  readonly length: number
}

/** The size from which a chunk is sent on its own. */
const pieceBytes = 65_536

const pageEnd = '"results":[]}'

/**
 * Serialises a body to JSON; undefined for none. The results of a page are serialised one by one in time slices, since
 * they may be many and large. Throws InvalidInput for a page that exceeds the limit.
 */
export async function replyBody(body: unknown): Promise<ReplyBody | undefined> {
  if (body === undefined) return undefined
  const results = (body as {readonly results?: unknown} | null)?.results
  const frame = Array.isArray(results) ? JSON.stringify({...(body as object), results: []}) : ''
  if (!Array.isArray(results) || !frame.endsWith(pageEnd)) {
    const whole = Buffer.from(JSON.stringify(body))
    return {pieces: [whole], length: whole.length}
  }
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
  for (const [at, result] of results.entries()) {
    text += `${at === 0 ? '' : ','}${JSON.stringify(result)}`
    if (text.length >= pieceBytes) flush()
    const pause = yields()
    if (pause) await pause
  }
  text += ']}'
  flush()
  return {pieces, length}
}
