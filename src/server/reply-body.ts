import type {PendingAnswer} from '../api/operation/budget.js'
import {ApiError, callerGone} from '../domain/errors.js'
import {jsonPieces, shortJson} from '../domain/json-text.js'
import {limits} from '../work/limits.js'
import {inTurns} from '../work/time-slices.js'

/** The body of a reply (decision 52). Its texts have a character for each byte: `latin1`. Large ones belong to documents. */
export interface ReplyBody {
  readonly parts: readonly string[]
  /** All of them together. */
  readonly length: number
}

/** Bytes that are sent at once. */
export const pieceBytes = 65_536
/** A shorter text is copied into a part. */
const ownPartBytes = 4_096
/** Texts that are joined between two looks at the time. */
const textsPerStep = 64

/** A larger answer takes one of the few slots. */
export const largeBytes = 262_144

/**
 * Serialises a body to JSON in time slices; undefined for none. What it takes is claimed as it grows. Throws InvalidInput
 * as soon as it exceeds the limit.
 */
export function replyBody(body: unknown, making?: PendingAnswer): ReplyBody | undefined | Promise<ReplyBody> {
  if (body === undefined) return undefined
  const text = shortJson(body, textsPerStep, pieceBytes)
  return text === undefined ? inTurns(joined(jsonPieces(body), making)) : {parts: [text], length: text.length}
}

function* joined(texts: Iterable<string>, making?: PendingAnswer): Generator<Promise<void> | undefined, ReplyBody> {
  const parts: string[] = []
  let part = ''
  let length = 0
  let count = 0
  let claimed = 0
  const add = (text: string): void => {
    if (part !== '') parts.push(part)
    part = text
  }
  for (const text of texts) {
    length += text.length
    if (length > limits.replyBytes) throw tooLarge()
    if (text.length >= ownPartBytes || part.length + text.length > pieceBytes) add(text)
    else part += text
    count += 1
    if (length - claimed > pieceBytes) {
      claimed = length
      making?.claim(length)
      yield length > largeBytes ? making?.enlarge() : undefined
      if (making?.isGone()) throw callerGone()
    } else if (count % textsPerStep === 0) yield undefined
  }
  add('')
  return {parts, length}
}

const tooLarge = (): ApiError => {
  const message = `The answer is larger than ${limits.replyBytes} bytes: ask for fewer results by limit, or expand less.`
  return ApiError.of('InvalidInput', {message})
}

/** The texts of a body as they are sent, each made when it is its turn. */
export function* piecesOf({parts}: ReplyBody): Generator<string, void> {
  let piece = ''
  for (const part of parts) {
    if (piece.length + part.length > pieceBytes && piece !== '') {
      yield piece
      piece = ''
    }
    let at = 0
    for (; part.length - at > pieceBytes; at += pieceBytes) yield part.slice(at, at + pieceBytes)
    piece += at === 0 ? part : part.slice(at)
  }
  yield piece
}
