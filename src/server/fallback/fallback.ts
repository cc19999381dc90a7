import type {IncomingMessage, ServerResponse} from 'node:http'
import {Transform} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import type {Dispatcher, Pool} from 'undici'
import type {Bearer} from '../../api/operation/context.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {limits} from '../../limits.js'
import type {Fallback} from '../http/beside-operations.js'
import {writeHead} from '../http/head.js'
import {mayHaveBody} from '../http/request-body.js'
import {type Hop, headersBack, headersOnward, isLoop} from './headers.js'
import {type FallbackOptions, type FallbackTarget, fallbackTarget, forwardedPath} from './target.js'

const connectTimeoutMs = 5_000
const defaultAnswerTimeoutMs = 30_000
/** For a whole exchange, however slowly its caller reads. */
const totalMs = 300_000

/**
 * Connects nowhere before the first request. `pseudonym` names this server in Via headers, and is nobody else's. Throws
 * InvalidSetup.
 */
export function fallbackTo(options: FallbackOptions, pseudonym: string): Fallback {
  const target = fallbackTarget(options)
  const {authorization, cookies = false, answerTimeoutMs = defaultAnswerTimeoutMs} = options
  let pool: Promise<Pool> | undefined
  const running: Bearer[] = []
  return {
    isLent: authorization !== undefined,
    read: forwardedPath,
    forward: async (request, response, {target: path, caller, correlationId}) => {
      const hop = {pseudonym, correlationId, cookies, ...callerOf(request), ...defined({authorization})}
      checkRequest(request, hop)
      checkShare(running, caller)
      running.push(caller)
      try {
        pool ??= poolOf(target, answerTimeoutMs)
        return await handOn(await pool, `${target.basePath}${path}`, {request, response, hop})
      } finally {
        running.splice(running.indexOf(caller), 1)
      }
    },
    close: async () => (await pool)?.destroy(),
  }
}

const idOf = ({customerId, anonymousId, clientId}: Bearer): string | undefined => customerId ?? anonymousId ?? clientId

/** Throws OverCapacity if a caller has its share of the places already, or all are taken. */
function checkShare(running: readonly Bearer[], caller: Bearer): void {
  const own = running.filter((one) => idOf(one) === idOf(caller)).length
  const ofClient = running.filter(({clientId}) => clientId === caller.clientId).length
  const {forwarded, forwardedOfCaller, forwardedOfClient} = limits
  if (own < forwardedOfCaller && ofClient < forwardedOfClient && running.length < forwarded) return
  const message = 'Too many requests are with the fallback server.'
  throw ApiError.of('OverCapacity', {message, retryAfterSeconds: 1})
}

async function poolOf({origin}: FallbackTarget, answerTimeoutMs: number): Promise<Pool> {
  const undici = await import('undici')
  return new undici.Pool(origin, {
    connections: limits.forwarded,
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
    maxHeaderSize: limits.headerBytes,
    // Said explicitly, since an environment variable could switch it off.
    connect: {timeout: connectTimeoutMs, rejectUnauthorized: true},
  })
}

const callerOf = ({socket, headers}: IncomingMessage): Pick<Hop, 'remoteAddress' | 'host' | 'scheme'> => ({
  remoteAddress: socket.remoteAddress ?? 'unknown',
  host: headers.host ?? '',
  scheme: 'encrypted' in socket ? 'https' : 'http',
})

const tooLarge = (): ApiError =>
  ApiError.of('ContentTooLarge', {message: `The body exceeds the limit of ${limits.forwardedBodyBytes} bytes.`})

/** What is known to be in vain before anybody is asked. */
function checkRequest({rawHeaders, headers}: IncomingMessage, {pseudonym}: Hop): void {
  if (isLoop(rawHeaders, pseudonym)) {
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
  try {
    const answer = await answerOf(pool, {
      method: request.method as Dispatcher.HttpMethod,
      path,
      headers: headersOnward(request.rawHeaders, hop),
      body: mayHaveBody(request) ? bodyOf(request) : null,
      signal: ended.signal,
    })
    handBack(request, response, answer, hop)
    const {body, statusCode} = answer
    await pipeline(body, bounded(limits.forwardedReplyBytes, tooLong), response)
    return statusCode
  } finally {
    clearTimeout(timer)
    response.off('close', end)
  }
}

const tooLong = (): ApiError =>
  ApiError.of('BadGateway', {message: 'The answer of the fallback server is too large to be handed back.'})

/** The answer, its body still to come. Throws what the caller is told if there is none. */
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
  const headers = Object.entries(headersBack(answer.headers, hop)).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [name, value]),
  )
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
