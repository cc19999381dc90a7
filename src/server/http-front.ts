import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {Platform} from '../api/context.js'
import type {AnyOperation, Reply} from '../api/operation.js'
import {correlationIdOf, type OnFault, refusal, run} from '../api/pipeline.js'
import {queryOf} from '../api/query-string.js'
import {ApiError, notFound} from '../domain/errors.js'
import {checkHost, headerOf, repeatedHeader} from './http-guard.js'
import {bodyReader} from './request-body.js'
import {routerOf} from './router.js'

export interface FrontOptions {
  readonly platform: Platform
  readonly operations: readonly AnyOperation[]
  /** Host names, beside loopback ones, under which this server may be addressed. */
  readonly allowedHosts: readonly string[]
  readonly onFault?: OnFault
  /** One line per request, for the log. */
  readonly onRequest?: (line: RequestLine) => void
}

export interface RequestLine {
  readonly method: string
  /** Without the query, tokens in it replaced. */
  readonly path: string
  readonly status: number
  readonly durationMs: number
  readonly correlationId: string
}

const limits = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  keepAliveTimeoutMs: 5_000,
  checkingIntervalMs: 1_000,
  headerBytes: 65_536,
  headers: 100,
  requestsPerSocket: 1_000,
  sockets: 512,
}

/** A thin front: guards, routes, and feeds the pipeline. It decides nothing that the pipeline could. */
export function httpFront(options: FrontOptions): Server {
  const route = routerOf(options.operations)
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.checkingIntervalMs,
      maxHeaderSize: limits.headerBytes,
      // The parser looks at one header more than we accept, so that a repeat cannot hide behind the cut.
      joinDuplicateHeaders: false,
      requireHostHeader: false,
    },
    (request, response) => {
      void serve(options, route, request, response)
    },
  )
  server.maxHeadersCount = limits.headers + 1
  server.maxRequestsPerSocket = limits.requestsPerSocket
  server.maxConnections = limits.sockets
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
    if (socket.writable)
      socket.end(
        `HTTP/1.1 ${error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : status}\r\nConnection: close\r\n\r\n`,
      )
  })
  return server
}

type Find = ReturnType<typeof routerOf>

async function serve(
  options: FrontOptions,
  route: Find,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const started = performance.now()
  const [path = '', search = ''] = splitAt(request.url ?? '', '?')
  const header = headerOf(request)
  const correlationId = correlationIdOf(header('x-correlation-id'), options.platform.secrets.uuid)
  let reply: Reply
  try {
    guard(options, request)
    reply = await dispatch(options, route, request, path, search, correlationId)
  } catch (error) {
    if (!(error instanceof ApiError)) options.onFault?.(error, correlationId)
    reply = refusal(error, path.startsWith('/oauth/'), correlationId)
  }
  send(request, response, reply, correlationId)
  options.onRequest?.({
    method: request.method ?? '',
    path: withoutSecrets(path),
    status: reply.status,
    durationMs: performance.now() - started,
    correlationId,
  })
}

const splitAt = (text: string, separator: string): [string, string] => {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** One-time tokens stand in paths; logs never show them. */
export const withoutSecrets = (path: string): string => path.replace(/((?:password|email)-token=)[^/]*/g, '$1…')

/** What must hold before anything is looked up. */
function guard({allowedHosts}: FrontOptions, request: IncomingMessage): void {
  if (request.rawHeaders.length / 2 > limits.headers) {
    throw ApiError.of('HeadersTooLarge', {message: `A request has at most ${limits.headers} headers.`})
  }
  checkHost(request, allowedHosts)
  const repeated = repeatedHeader(request, ['authorization', 'content-type', 'content-length'])
  if (repeated !== undefined) {
    const oauth = request.url?.startsWith('/oauth/') === true
    const message = `The header ${repeated} stands more than once.`
    throw oauth ? ApiError.of('invalid_request', {message}) : ApiError.of('InvalidInput', {message})
  }
}

async function dispatch(
  {platform, onFault}: FrontOptions,
  route: Find,
  request: IncomingMessage,
  path: string,
  search: string,
  correlationId: string,
): Promise<Reply> {
  const routed = route(request.method ?? '', path)
  if (routed.found === 'nothing') throw notFound('There is no such path.')
  if (routed.found === 'path') throw ApiError.of('MethodNotAllowed', {allow: routed.allow})
  const {operation, params} = routed.route
  const header = headerOf(request)
  const exchange = {
    operation,
    params,
    query: queryOf(search),
    header: (name: string) => (name === 'x-correlation-id' ? correlationId : header(name)),
    body: bodyReader(request, operation.bodyKind === 'form' ? 65_536 : platform.settings.maxBodyBytes),
  }
  return run(platform, exchange, onFault)
}

/** JSON bodies are made here, once; nothing is cached by anybody. */
function send(request: IncomingMessage, response: ServerResponse, reply: Reply, correlationId: string): void {
  if (response.destroyed) return
  const text = reply.body === undefined ? undefined : JSON.stringify(reply.body)
  const hasBody = text !== undefined && request.method !== 'HEAD'
  response.writeHead(reply.status, {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-correlation-id': correlationId,
    ...reply.headers,
    ...(hasBody
      ? {'content-type': 'application/json; charset=utf-8', 'content-length': String(Buffer.byteLength(text))}
      : {'content-length': '0'}),
    // What is left of a body that was refused is not read: the connection ends.
    ...(request.complete || !mayHaveBody(request) ? {} : {connection: 'close'}),
  })
  response.end(hasBody ? text : undefined)
}

const mayHaveBody = ({headers}: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
