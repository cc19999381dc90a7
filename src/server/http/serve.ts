import type {IncomingMessage, ServerResponse} from 'node:http'
import {setTimeout} from 'node:timers/promises'
import type {OnFault, Runtime} from '../../api/operation/context.js'
import type {AnyOperation, Reply} from '../../api/operation/operation.js'
import {queryOf} from '../../api/operation/parameters.js'
import {admit} from '../../api/pipeline/admit.js'
import type {Exchange} from '../../api/pipeline/exchange.js'
import {checkCorrelationId, correlationIdOf, isFault, refusal, run} from '../../api/pipeline/pipeline.js'
import {type ReplyBody, replyBody} from '../reply-body.js'
import type {RequestLog} from '../requests/request-log.js'
import type {WindowCall, WindowPaths} from '../window-paths.js'
import {isLoopback} from './bind.js'
import type {Connections, FrontLimits} from './connections.js'
import type {Fallback} from './fallback.js'
import {type Faults, faultOf} from './faults.js'
import {checkTarget, type GuardOptions, guard, headerOf, isOauth, pageOf} from './guard.js'
import {answerPreflight, isPreflight, shareWith} from './origins.js'
import {type LargeSlots, PendingReply} from './pending-reply.js'
import {send} from './reply.js'
import {bodyReader, drained, mayHaveBody} from './request-body.js'
import {type Noted, noted, type RequestLine} from './request-line.js'
import {type Route, type Router, unserved} from './router.js'

export interface FrontOptions extends Pick<GuardOptions, 'allowedHosts' | 'publicOrigin'> {
  readonly runtime: Runtime
  readonly operations: readonly AnyOperation[]
  /** Origins whose pages may use the API; none if absent. */
  readonly allowedOrigins?: GuardOptions['allowedOrigins']
  readonly limits?: Partial<FrontLimits>
  readonly faults?: Faults
  /** Answers paths that no operation serves. Absent: they are 404, and nothing is ever handed on. */
  readonly fallback?: Fallback
  readonly window?: WindowPaths
  readonly onFault?: OnFault
  readonly requestLog?: RequestLog
  /** One line per request, for the log. */
  readonly onRequest?: (line: RequestLine) => void
}

export interface Front extends FrontOptions {
  readonly limits: FrontLimits
  readonly route: Router
  readonly isNearlyServed: (path: string) => boolean
  readonly guarded: GuardOptions
  readonly large: LargeSlots
}

/** One request and what is known of it so far. */
interface Asked extends Omit<Noted, 'route' | 'body'> {
  readonly response: ServerResponse
  readonly connections: Connections
  /** Absent for a request outside the window. */
  readonly windowCall?: WindowCall
  route: Route | undefined
  /** The body of the answer, once it is made. */
  body: ReplyBody | undefined
  making: PendingReply | undefined
}

function askedOf(
  {runtime}: Front,
  {request, response, connections}: Pick<Asked, 'request' | 'response' | 'connections'>,
): Asked {
  const {url = ''} = request
  const mark = url.indexOf('?')
  return {
    request,
    response,
    connections,
    path: mark < 0 ? url : url.slice(0, mark),
    search: mark < 0 ? '' : url.slice(mark + 1),
    correlationId: correlationIdOf(headerOf(request)('x-correlation-id'), runtime.secrets.uuid),
    trace: {check: 'address', principal: undefined, error: undefined, body: undefined},
    route: undefined,
    body: undefined,
    making: undefined,
  }
}

/** An injected fault closed the connection. */
class Dropped extends Error {}

/** Answers one request. An error before the head is sent becomes its answer; one behind it ends the connection. */
export async function serve(
  front: Front,
  request: IncomingMessage,
  response: ServerResponse,
  connections: Connections,
): Promise<void> {
  let asked = askedOf(front, {request, response, connections})
  const {correlationId, trace, path} = asked
  const window = front.window?.owns(path) ? front.window : undefined
  const log = window ? () => undefined : noted(front, asked)
  try {
    const page = pageOf(request, front.guarded)
    // A listed page reads every refusal, too.
    if (page !== undefined) shareWith(response, page)
    guard(request, front.guarded, page)
    // Whatever is wrong with the target, the page learns it from its request.
    if (page !== undefined && isPreflight(request)) return log(answerPreflight(response), 'preflight')
    checkTarget(request, front.guarded)
    if (window) {
      const windowCall = await window.enter(asked)
      if (!windowCall) return
      asked = {...asked, path: windowCall.path, windowCall}
    }
    const status = front.fallback && !window ? await handedOn(front, asked) : undefined
    if (status !== undefined) return log(status, 'handed on')
    const reply = await answered(front, asked)
    const delivered = deliver(asked, reply)
    if (delivered) await delivered
    log(reply.status, reply.note)
  } catch (error) {
    if (error instanceof Dropped || response.headersSent || response.destroyed) {
      response.destroy()
      if (error instanceof Dropped) log(0, 'an injected fault ended the connection')
      else log(response.statusCode, 'the answer broke off')
      return
    }
    if (isFault(error)) front.onFault?.(error, correlationId)
    trace.error = error
    const reply = refusal(error, isOauth(request), correlationId)
    asked.body = await replyBody(reply.body)
    await deliver(asked, reply)
    log(reply.status, reply.note)
  }
}

/**
 * The status of what the fallback server answered; undefined for what this server answers itself: every path that it
 * serves, whatever the method, and every path that may not be handed on.
 */
async function handedOn(front: Front, {request, response, path, search, correlationId, trace}: Asked) {
  const {fallback, runtime, isNearlyServed} = front
  const {method = ''} = request
  const onward = fallback?.read(method, path)
  if (!fallback || !onward || isNearlyServed(onward.path)) return undefined
  const header = headerOf(request)
  checkCorrelationId(header('x-correlation-id'))
  const authorization = header('authorization')
  const {isLent} = fallback
  const query = queryOf(search)
  await admit(runtime, {...onward, method, isLent, query, authorization, correlationId, trace})
  const target = search === '' ? onward.path : `${onward.path}?${search}`
  return fallback.forward(request, response, {target, correlationId})
}

/** Routes the request, injects its fault and runs the pipeline; the body of the answer is made. */
async function answered(front: Front, asked: Asked): Promise<Reply> {
  const route = routeOf(front, asked)
  asked.route = route
  const fault = asked.windowCall ? undefined : front.faults?.next(route.operation)
  if (fault?.latencyMs !== undefined) await setTimeout(fault.latencyMs)
  if (fault?.drop === 'before') throw new Dropped()
  const refused = fault && faultOf(fault)
  if (refused) {
    asked.trace.check = 'fault'
    throw refused
  }
  const making = new PendingReply(asked, front.large, front.limits.halfClosedMs)
  asked.making = making
  try {
    const reply = await run(front.runtime, exchangeOf(front, asked, route), front.onFault)
    const body = replyBody(reply.body, making)
    asked.body = body instanceof Promise ? await body : body
    if (fault?.drop === 'after') throw new Dropped()
    return reply
  } finally {
    making.end()
  }
}

function routeOf({route, operations}: Front, {request, path}: Asked): Route {
  const {method = '', socket} = request
  const found = route(method, path)
  const isHidden = found.operation.permission.kind === 'admin' && !isLoopback(socket.remoteAddress ?? '')
  if (isHidden) throw unserved(operations)
  return found
}

function exchangeOf(
  {runtime, limits, requestLog}: Front,
  {request, connections, search, correlationId, trace, windowCall, making}: Asked,
  {operation, params}: Route,
): Exchange {
  const most = operation.bodyKind === 'form' ? limits.formBytes : runtime.settings.maxBodyBytes
  const claim = (bytes: number) => connections.claim(request.socket, bytes)
  const read = bodyReader(request, most, {claim, enlarge: () => making?.enlargeBody()})
  const kept = async () => {
    trace.body = await read()
    return trace.body
  }
  return {
    operation,
    params,
    query: queryOf(search),
    principal: windowCall?.callerOf(operation, params),
    correlationId,
    header: headerOf(request),
    body: requestLog?.keepBodies ? kept : read,
    takesTexts: true,
    making,
    trace,
    source: request.socket.remoteAddress,
  }
}

function deliver(asked: Asked, reply: Reply): Promise<void> | undefined {
  const {request, connections} = asked
  const close = connections.isEnding || (mayHaveBody(request) && !request.complete)
  // With many connections open, a client that keeps sending after a refusal is not waited for.
  const rest = connections.isCrowded ? undefined : drained(request)
  return rest ? rest.then(() => sending(asked, reply, close)) : sending(asked, reply, close)
}

function sending({request, response, making, body, correlationId}: Asked, reply: Reply, close: boolean) {
  making?.settle(body?.length ?? 0)
  return send(request, response, {reply, body, correlationId, close})
}
