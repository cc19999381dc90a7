import {ApiError} from '../../domain/errors.js'
import {JsonText, jsonBytesOfMembers, jsonOf} from '../../domain/json-text.js'
import {limits} from '../../limits.js'
import {sliceMs, timeSlices} from '../../time-slices.js'

/** The body of a reply, in chunks that are sent one after the other. Texts have a character for each byte: `latin1`. */
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
  return inOnePiece(typeof body === 'object' && body !== null ? jsonBytesOfMembers(body) : jsonOf(body).bytes)
}

function pageBody(frame: string, results: readonly unknown[]): ReplyBody | Promise<ReplyBody> {
  const joined = new Joined(JsonText.of(frame).bytes.slice(0, -2))
  const yields = timeSlices(sliceMs)
  const from = (first: number): ReplyBody | Promise<ReplyBody> => {
    for (let at = first; at < results.length; at += 1) {
      joined.add(results[at])
      const pause = yields()
      if (pause) return pause.then(() => from(at + 1))
    }
    return joined.end()
  }
  return from(0)
}

/** The text of a page as it grows. */
class Joined {
  readonly #pieces: Buffer[] = []
  #length = 0
  #text: string
  #comma = ''

  constructor(start: string) {
    this.#text = start
  }

  add(result: unknown): void {
    this.#text += this.#comma + jsonOf(result).bytes
    this.#comma = ','
    if (this.#text.length >= pieceBytes) this.#flush()
  }

  end(): ReplyBody {
    this.#text += ']}'
    if (this.#pieces.length === 0) return inOnePiece(this.#text)
    this.#flush()
    return {pieces: this.#pieces, length: this.#length}
  }

  #flush(): void {
    const piece = Buffer.from(this.#text, 'latin1')
    this.#text = ''
    this.#pieces.push(piece)
    this.#length += piece.length
    if (this.#length <= limits.replyBytes) return
    const message = `The page is larger than ${limits.replyBytes} bytes: ask for fewer results by limit, or expand less.`
    throw ApiError.of('InvalidInput', {message})
  }
}

/** Node writes head and body at once where the body is a text. */
const inOnePiece = (bytes: string): ReplyBody => ({pieces: [bytes], length: bytes.length})
