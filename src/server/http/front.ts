import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import {setTimeout} from 'node:timers/promises'
import type {Platform} from '../../api/operation/context.js'
import type {AnyOperation, Reply} from '../../api/operation/operation.js'
import {queryOf} from '../../api/operation/query-string.js'
import {admit} from '../../api/pipeline/admit.js'
import type {Exchange} from '../../api/pipeline/exchange.js'
import {checkPermissions} from '../../api/pipeline/permit.js'
import {correlationIdOf, type OnFault, refusal, run} from '../../api/pipeline/pipeline.js'
import type {Trace} from '../../api/pipeline/trace.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {Fallback} from '../fallback/fallback.js'
import {forwardedPath} from '../fallback/target.js'
import type {Answered, RequestLog} from '../requests/request-log.js'
import {shownPath} from '../requests/shown-path.js'
import {isLoopback, type TlsFiles} from './bind.js'
import {boundConnections, type Connections} from './connections.js'
import {type FaultSource, faultOf} from './faults.js'
import {defaultLimits, type FrontLimits} from './front-limits.js'
import {type GuardOptions, guard, headerOf, isOauth} from './guard.js'
import {send, sendRefusal} from './reply.js'
import {type ReplyBody, replyBody} from './reply-body.js'
import {bodyReader, drained, mayHaveBody} from './request-body.js'
import {nearlyServed, type Routed, type Router, routeFound, routerOf} from './router.js'

export interface FrontOptions {
  readonly platform: Platform
  readonly operations: readonly AnyOperation[]
  /** Host names, beside loopback ones, under which this server may be addressed. */
  readonly allowedHosts: readonly string[]
  /** The origin that clients use, where it is not this server's own. */
  readonly publicOrigin?: string
  readonly tls?: TlsFiles
  readonly limits?: Partial<FrontLimits>
  /** Injected faults. */
  readonly faults?: FaultSource
  /** Answers paths that no operation serves. Absent: they are 404, and nothing is ever handed on. */
  readonly fallback?: Fallback
  readonly onFault?: OnFault
  /** Keeps the last requests. */
  readonly requestLog?: RequestLog
  /** One line per request, for the log. */
  readonly onRequest?: (line: RequestLine) => void
}

export interface RequestLine {
  readonly method: string
  /** Without the query, and with its tokens masked. */
  readonly path: string
  readonly status: number
  readonly durationMs: number
  readonly correlationId: string
  /** Details beside the status. */
  readonly note?: string
}

interface Front extends FrontOptions {
  readonly limits: FrontLimits
  readonly route: Router
  readonly isNearlyServed: (path: string) => boolean
  readonly guarded: GuardOptions
}

/**
 * The HTTP front: guards and routes requests and runs the pipeline, which makes all other decisions. Throws if an
 * operation declares no permission.
 */
export function httpFront(options: FrontOptions): Server {
  checkPermissions(options.operations)
  const limits = {...defaultLimits, ...options.limits}
  const {allowedHosts, publicOrigin, operations, fallback} = options
  const guarded = {...limits, allowedHosts, ...defined({publicOrigin})}
  const isNearlyServed = fallback ? nearlyServed(operations) : () => true
  const front: Front = {...options, limits, guarded, route: routerOf(operations), isNearlyServed}
  const serverOptions = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkingIntervalMs,
    maxHeaderSize: limits.headerBytes,
    joinDuplicateHeaders: false,
    requireHostHeader: false,
  }
  let connections: Connections | undefined
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    serve(front, request, response, connections).catch((error: unknown) => {
      options.onFault?.(error, '')
      response.destroy()
    })
  }
  const server = options.tls
    ? createTlsServer({...serverOptions, ...options.tls, handshakeTimeout: limits.headersTimeoutMs}, listener)
    : createServer(serverOptions, listener)
  // One more header than the guard accepts, so that too many are noticed and not silently cut.
  server.maxHeadersCount = limits.maxHeaders + 1
  server.maxRequestsPerSocket = limits.requestsPerSocket
  connections = boundConnections(server, options.tls ? 'secureConnection' : 'connection', limits.sockets)
  const newId = () => correlationIdOf(undefined, options.platform.secrets.uuid)
  server.on('clientError', (error, socket) => sendRefusal(socket, error, newId()))
  server.on('connect', (_, socket) => sendRefusal(socket, Object.assign(new Error(), {code: 'CONNECT'}), newId()))
  return server
}

/** An injected fault closed the connection. */
class Dropped extends Error {}

async function serve(
  front: Front,
  request: IncomingMessage,
  response: ServerResponse,
  connections: Connections | undefined,
): Promise<void> {
  const started = performance.now()
  const {url = '', method = ''} = request
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const search = mark < 0 ? '' : url.slice(mark + 1)
  const correlationId = correlationIdOf(headerOf(request)('x-correlation-id'), front.platform.secrets.uuid)
  const at = front.platform.clock()
  const trace: Trace = {check: 'address', principal: undefined, error: undefined, body: undefined}
  let route: FoundRoute | undefined
  let reply: Reply
  let body: ReplyBody | undefined
  const ended = (status: number, note: string | undefined) => {
    const {operation, params} = route ?? noRoute
    const durationMs = performance.now() - started
    const answered = {correlationId, method, path, operation, params, status, durationMs, at, note}
    front.requestLog?.add(answered, search, trace, body)
    return answered
  }
  const log = (status: number, note: string | undefined) => {
    const answered = ended(status, note)
    front.onRequest?.(lineOf(answered))
  }
  try {
    guard(request, front.guarded)
    if (front.fallback) {
      const status = await handedOn(front, {request, response, path, search, correlationId, trace})
      if (status !== undefined) return log(status, 'handed on')
    }
    route = routeOf(front, request, path)
    const drawn = front.faults?.next(route.operation)
    const fault = drawn instanceof Promise ? await drawn : drawn
    if (fault?.latencyMs !== undefined) await setTimeout(fault.latencyMs)
    if (fault?.drop === 'before') throw new Dropped()
    const refused = fault && faultOf(fault)
    if (refused) throw refused
    reply = await answer(front, request, route, {search, correlationId, trace})
    const text = replyBody(reply.body)
    body = text instanceof Promise ? await text : text
    if (fault?.drop === 'after') throw new Dropped()
  } catch (error) {
    if (error instanceof Dropped || response.headersSent || response.destroyed) {
      response.destroy()
      if (error instanceof Dropped) ended(0, 'a fault on purpose ended the connection')
      else log(response.statusCode, 'handed on; the answer broke off')
      return
    }
    if (!(error instanceof ApiError) || error.cause !== undefined) front.onFault?.(error, correlationId)
    trace.error = error
    reply = refusal(error, isOauth(request), correlationId)
    body = await replyBody(reply.body)
  }
  const close = connections?.isEnding() === true || (mayHaveBody(request) && !request.complete)
  // With many connections open, a client that keeps sending after a refusal is not waited for.
  const rest = connections?.isCrowded() ? undefined : drained(request)
  if (rest) await rest
  const sent = send(request, response, {reply, body, correlationId, close})
  if (sent) await sent
  log(reply.status, reply.note)
}

const noRoute = {operation: undefined, params: undefined}

interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly search: string
  readonly correlationId: string
  readonly trace: Trace
}

/**
 * The status of what the fallback server answered; undefined for what this server answers itself: every path that it
 * serves, whatever the method, and every path that may not be handed on.
 */
async function handedOn(front: Front, {request, response, path, search, correlationId, trace}: Asked) {
  const {fallback, platform, isNearlyServed} = front
  const onward = fallback && !isNearlyServed(path) ? forwardedPath(request.method ?? '', path) : undefined
  if (!fallback || !onward) return undefined
  const authorization = headerOf(request)('authorization')
  await admit(platform, {...onward, query: queryOf(search), authorization, correlationId, trace})
  return fallback.forward(request, response, correlationId)
}

type FoundRoute = Extract<Routed, {found: 'route'}>['route']

const lineOf = (answered: Answered): RequestLine => {
  const {method, status, durationMs, correlationId, note} = answered
  return {method, path: shownPath(answered), status, durationMs, correlationId, ...defined({note})}
}

function routeOf({route, operations}: Front, {method = '', socket}: IncomingMessage, path: string): FoundRoute {
  const found = route(method, path)
  const isHidden =
    found.found === 'route' &&
    found.route.operation.permission.kind === 'admin' &&
    !isLoopback(socket.remoteAddress ?? '')
  return routeFound(isHidden ? {found: 'nothing'} : found, operations)
}

function answer(
  {platform, limits, onFault, requestLog}: Front,
  request: IncomingMessage,
  {operation, params}: FoundRoute,
  {search, correlationId, trace}: Pick<Asked, 'search' | 'correlationId' | 'trace'>,
): Promise<Reply> {
  const header = headerOf(request)
  const source = request.socket.remoteAddress
  const read = bodyReader(request, operation.bodyKind === 'form' ? limits.formBytes : platform.settings.maxBodyBytes)
  const kept = async () => {
    trace.body = await read()
    return trace.body
  }
  const exchange: Exchange = {
    operation,
    params,
    query: queryOf(search),
    correlationId,
    header,
    body: requestLog?.keepBodies ? kept : read,
    takesTexts: true,
    trace,
    source,
  }
  return run(platform, exchange, onFault)
}
