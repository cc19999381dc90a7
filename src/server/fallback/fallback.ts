import type {IncomingMessage, ServerResponse} from 'node:http'
import {Transform} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import type {Dispatcher, Pool} from 'undici'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {undici, verifiedTls} from '../../domain/verified-tls.js'
import {limits} from '../../work/limits.js'
import {defaultLimits} from '../http/connections.js'
import type {Fallback} from '../http/fallback.js'
import {writeHead} from '../http/head.js'
import {mayHaveBody} from '../http/request-body.js'
import {type Hop, headersBack, headersOnward, isLoop} from './headers.js'
import {type FallbackOptions, fallbackTarget, forwardedPath} from './target.js'

const connectTimeoutMs = 5_000
const defaultAnswerTimeoutMs = 30_000
/** For a whole exchange, however slowly its caller reads. */
const totalMs = 300_000

/**
 * Hands requests to another server, and connects at the first one. `pseudonym`: the unique name of this server in Via
 * headers. Throws InvalidSetup.
 */
export function fallbackTo(options: FallbackOptions, pseudonym: string): Fallback {
  const {origin, basePath} = fallbackTarget(options)
  const {authorization, answerTimeoutMs = defaultAnswerTimeoutMs} = options
  let pool: Promise<Pool> | undefined
  let running = 0
  return {
    isLent: authorization !== undefined,
    read: forwardedPath,
    forward: async (request, response, {target: path, correlationId}) => {
      const hop = {pseudonym, correlationId, ...callerOf(request), ...defined({authorization})}
      checkRequest(request, hop)
      if (running >= limits.forwarded) throw tooMany()
      running += 1
      try {
        pool ??= poolOf(origin, answerTimeoutMs)
        return await handOn(await pool, `${basePath}${path}`, {request, response, hop})
      } finally {
        running -= 1
      }
    },
    close: async () => (await pool)?.destroy(),
  }
}

const tooMany = (): ApiError =>
  ApiError.of('OverCapacity', {message: 'Too many requests are with the fallback server.', retryAfterSeconds: 1})

async function poolOf(origin: string, answerTimeoutMs: number): Promise<Pool> {
  const {Pool} = await undici()
  return new Pool(origin, {
    connections: limits.forwarded,
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
    maxHeaderSize: limits.headerBytes,
    connect: verifiedTls({timeout: connectTimeoutMs}),
  })
}

const callerOf = ({socket, headers}: IncomingMessage): Pick<Hop, 'remoteAddress' | 'host'> => ({
  remoteAddress: socket.remoteAddress ?? 'unknown',
  host: headers.host ?? '',
})

const tooLarge = (): ApiError =>
  ApiError.of('ContentTooLarge', {message: `The body exceeds the limit of ${limits.forwardedBodyBytes} bytes.`})

/** What is known to be in vain before anybody is asked. */
function checkRequest({headersDistinct, headers}: IncomingMessage, {pseudonym}: Hop): void {
  if (isLoop(headersDistinct, pseudonym)) {
    throw ApiError.of('BadGateway', {message: 'The fallback server hands its requests back to this one.'})
  }
  if (Number(headers['content-length'] ?? 0) > limits.forwardedBodyBytes) throw tooLarge()
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly hop: Hop
}

async function handOn(pool: Pool, path: string, {request, response, hop}: Exchange): Promise<number> {
  const ended = new AbortController()
  const end = () => ended.abort()
  const timer = setTimeout(end, totalMs).unref()
  response.once('close', end)
  let leaving: NodeJS.Timeout | undefined
  // A caller that has closed its side may read a short while.
  const leave = () => {
    leaving = setTimeout(end, defaultLimits.halfClosedMs).unref()
  }
  if (request.socket.readableEnded) leave()
  else request.socket.once('end', leave)
  try {
    const answer = await answerOf(pool, {
      method: request.method as Dispatcher.HttpMethod,
      path,
      headers: headersOnward(request.headersDistinct, hop),
      body: mayHaveBody(request) ? bodyOf(request) : null,
      signal: ended.signal,
    })
    handBack(request, response, answer, hop)
    const {body, statusCode} = answer
    if (statusCode === noContent) body.on('error', () => undefined).resume()
    await pipeline(statusCode === noContent ? [] : body, bounded(limits.forwardedReplyBytes, tooLong), response)
    return statusCode
  } finally {
    for (const one of [timer, leaving]) clearTimeout(one)
    response.off('close', end)
    request.socket.off('end', leave)
  }
}

/** Has no body, whatever its headers say (RFC 9110 §15.3.5). */
const noContent = 204

const tooLong = (): ApiError =>
  ApiError.of('BadGateway', {message: 'The answer of the fallback server is too large to be handed back.'})

/** The answer, its body still to come. Without one, throws the error for the caller. */
async function answerOf(pool: Pool, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
  let answer: Dispatcher.ResponseData
  try {
    answer = await pool.request(options)
  } catch (error) {
    throw error instanceof ApiError ? error : noAnswer(error)
  }
  const isLong = Number(answer.headers['content-length'] ?? 0) > limits.forwardedReplyBytes
  if (isLong && options.method !== 'HEAD') throw discarded(answer, tooLong())
  return answer
}

/** The error, once the body that nobody will read is let go. */
function discarded({body}: Dispatcher.ResponseData, error: ApiError): ApiError {
  body.on('error', () => undefined).destroy()
  return error
}

const timeouts: ReadonlySet<unknown> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

function noAnswer(cause: unknown): ApiError {
  const {code} = cause as {code?: unknown}
  return timeouts.has(code)
    ? ApiError.of('GatewayTimeout', {message: 'The fallback server did not answer in time.'}, {cause})
    : ApiError.of('BadGateway', {message: 'The fallback server gave no answer that could be handed back.'}, {cause})
}

function handBack(request: IncomingMessage, response: ServerResponse, answer: Dispatcher.ResponseData, hop: Hop): void {
  // A body that the other server did not wait for is still on its way here.
  const close = mayHaveBody(request) && !request.complete ? ['connection', 'close'] : []
  const {'content-length': length, ...others} = headersBack(answer.headers, hop)
  const back = answer.statusCode === noContent ? others : {...others, ...defined({'content-length': length})}
  const headers = Object.entries(back).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]))
  try {
    writeHead(response, answer.statusCode, [...headers, ...close])
  } catch (error) {
    throw discarded(answer, noAnswer(error))
  }
}

/**
 * The body of a request up to the limit. Its end is the stream's, not the request's: the connection is still needed for
 * the refusal.
 */
function bodyOf(request: IncomingMessage): Transform {
  const body = bounded(limits.forwardedBodyBytes, tooLarge)
  request.once('close', () => {
    if (!request.complete) body.destroy(new Error('the caller left'))
  })
  return request.pipe(body)
}

function bounded(most: number, problem: () => ApiError): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length
      if (size > most) done(problem())
      else done(null, chunk)
    },
  })
}
