import {type IncomingMessage, type ServerResponse, STATUS_CODES} from 'node:http'
import type {Duplex} from 'node:stream'
import type {Reply} from '../../api/operation/operation.js'
import {refusal} from '../../api/pipeline/pipeline.js'
import {ApiError} from '../../domain/errors.js'
import {sliceMs, timeSlices} from '../../time-slices.js'
import {isOauth} from './guard.js'
import type {ReplyBody} from './reply-body.js'
import {mayHaveBody} from './request-body.js'

/** Sends replies over HTTP. None may be cached (`no-store`). */

const always = {'cache-control': 'no-store', 'x-content-type-options': 'nosniff'} as const

export interface Sent {
  readonly reply: Reply
  readonly body: ReplyBody | undefined
  readonly correlationId: string
  /** Closes the connection after this reply. */
  readonly close: boolean
}

/** Sends a reply: small ones at once, others piece by piece until they are written or the client has disconnected. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  {reply, body, correlationId, close}: Sent,
): Promise<void> | undefined {
  if (isGone(response)) return undefined
  const sent = request.method === 'HEAD' ? undefined : body
  const headers: Record<string, string> = {
    ...always,
    'x-correlation-id': correlationId,
    ...reply.headers,
    'content-length': sent ? String(sent.length) : '0',
  }
  if (sent) headers['content-type'] = 'application/json; charset=utf-8'
  if (isOauth(request)) headers['pragma'] = 'no-cache'
  if (close || (mayHaveBody(request) && !request.complete)) headers['connection'] = 'close'
  response.writeHead(reply.status, headers)
  if (sent && sent.pieces.length > 1) return sendPieces(response, sent.pieces)
  // One write for the head and the body.
  response.end(sent?.pieces[0], 'latin1')
  return undefined
}

async function sendPieces(response: ServerResponse, pieces: ReplyBody['pieces']): Promise<void> {
  const yields = timeSlices(sliceMs)
  for (const piece of pieces) {
    response.write(piece)
    const pause = yields()
    if (pause) await pause
    if (isGone(response)) return
  }
  response.end()
}

/** Whether the client has disconnected; a function, since it may do so during any wait. */
const isGone = ({destroyed}: ServerResponse): boolean => destroyed

/** Replies to bytes that are not HTTP with an error of the usual shape, and closes the connection. */
export function sendRefusal(socket: Duplex, error: NodeJS.ErrnoException, correlationId: string): void {
  // Node has removed its listeners, and an unhandled `error` event would end the process.
  socket.on('error', () => socket.destroy())
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const reply = refusal(malformed(error.code), true, correlationId)
  const text = JSON.stringify(reply.body)
  const headers = {
    ...always,
    'x-correlation-id': correlationId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
    ...reply.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${lines.join('')}\r\n${text}`)
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
