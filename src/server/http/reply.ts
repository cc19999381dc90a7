import type {IncomingMessage, ServerResponse} from 'node:http'
import type {Duplex} from 'node:stream'
import type {Reply} from '../../api/operation/operation.js'
import {refusal} from '../../api/pipeline/pipeline.js'
import {ApiError} from '../../domain/errors.js'
import {sliceMs, timeSlices} from '../../work/time-slices.js'
import {pieceBytes, piecesOf, type ReplyBody} from '../reply-body.js'
import {endConnection} from './connections.js'
import {isOauth} from './guard.js'
import {headText, writeHead} from './head.js'

/** Sends replies over HTTP. None may be cached (`no-store`). */

const always = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'] as const
const jsonType = ['content-type', 'application/json; charset=utf-8'] as const
const correlation = 'x-correlation-id'

export interface Sent {
  readonly reply: Reply
  readonly body: ReplyBody | undefined
  readonly correlationId: string
  /** Closes the connection after this reply. */
  readonly close: boolean
}

/** Sends a reply: small ones at once, others as fast as the client takes them. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  {reply, body, correlationId, close}: Sent,
): Promise<void> | undefined {
  if (isGone(response)) return undefined
  const sent = request.method === 'HEAD' ? undefined : body
  writeHead(response, reply.status, headersOf(isOauth(request), {reply, body: sent, correlationId, close}))
  if (sent && sent.length > pieceBytes) return sendPieces(response, piecesOf(sent))
  // One write for the head and the body.
  response.end(sent && sent.parts.length === 1 ? sent.parts[0] : sent?.parts.join(''), 'latin1')
  return undefined
}

/** Names and values in turn. A hot path: no object of headers. */
function headersOf(isOfOauth: boolean, {reply, body, correlationId, close}: Sent): string[] {
  const headers = [...always, correlation, correlationId, 'content-length', String(body?.length ?? 0)]
  if (body) headers.push(...jsonType)
  for (const name in reply.headers) {
    if (name !== correlation) headers.push(name, reply.headers[name] ?? '')
  }
  if (isOfOauth) headers.push('pragma', 'no-cache')
  if (close) headers.push('connection', 'close')
  return headers
}

/** Writes a piece when the one before it was taken. */
async function sendPieces(response: ServerResponse, pieces: Iterable<string>): Promise<void> {
  const yields = timeSlices(sliceMs)
  for (const piece of pieces) {
    if (!response.write(piece, 'latin1')) await writable(response)
    const pause = yields()
    if (pause) await pause
    if (isGone(response)) return
  }
  response.end()
}

const writable = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })

/** Whether the client has disconnected; a function, since it may do so during any wait. */
const isGone = ({destroyed}: ServerResponse): boolean => destroyed

/**
 * Replies to bytes that are not HTTP with an error of the usual shape, and closes the connection. Returns the error;
 * undefined where nobody can read it.
 */
export function sendRefusal(socket: Duplex, error: NodeJS.ErrnoException, correlationId: string): ApiError | undefined {
  // Node has removed its listeners, and an unhandled `error` event would end the process.
  socket.on('error', () => socket.destroy())
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return undefined
  }
  const refused = malformed(error.code)
  const reply = refusal(refused, true, correlationId)
  const text = JSON.stringify(reply.body)
  const headers = [...always, ...jsonType, correlation, correlationId, 'connection', 'close']
  headers.push('content-length', String(Buffer.byteLength(text)), ...Object.entries(reply.headers ?? {}).flat())
  endConnection(socket, headText(reply.status, headers) + text)
  return refused
}

const malformedBy = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    () => ApiError.of('HeadersTooLarge', {message: 'The request line and headers are too long.'}),
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', () => ApiError.of('RequestTimeout', {message: 'The request did not arrive in time.'})],
  ['CONNECT', () => ApiError.of('MethodNotAllowed', {allow: ['GET', 'HEAD', 'POST', 'DELETE']})],
])

const malformed = (code: string | undefined): ApiError =>
  malformedBy.get(code ?? '')?.() ?? ApiError.of('InvalidInput', {message: 'This is no well-formed HTTP request.'})
