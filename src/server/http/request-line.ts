import type {IncomingMessage} from 'node:http'
import type {Runtime} from '../../api/operation/context.js'
import type {Trace} from '../../api/pipeline/exchange.js'
import {clientIdOf} from '../../api/pipeline/pipeline.js'
import {defined} from '../../domain/equal.js'
import type {ApiError} from '../../domain/errors.js'
import type {ReplyBody} from '../reply-body.js'
import {type AnsweredRequest, type RequestLog, shownPath} from '../requests/request-log.js'
import type {RequestView} from '../requests/request-view.js'

export interface RequestLine extends Pick<RequestView, 'at' | 'method' | 'path' | 'status' | 'durationMs'> {
  readonly correlationId: string
  readonly projectKey?: string
  /** The API client, where the caller is known. */
  readonly clientId?: string
  /** Details beside the status. */
  readonly note?: string
}

interface Logs {
  readonly runtime: Pick<Runtime, 'clock'>
  readonly requestLog?: RequestLog
  readonly onRequest?: (line: RequestLine) => void
}

/** A request, of which more becomes known until its end. */
export interface Noted {
  readonly request: IncomingMessage
  readonly path: string
  readonly search: string
  readonly correlationId: string
  readonly trace: Trace
  readonly route: Pick<AnsweredRequest, 'operation' | 'params'> | undefined
  readonly body: ReplyBody | undefined
}

/** Keeps the request in the log of requests and, if clients see its end, writes its line. */
export function noted({runtime, requestLog, onRequest}: Logs, asked: Noted) {
  const started = performance.now()
  const at = runtime.clock()
  const {request, path, search, correlationId, trace} = asked
  const {method = ''} = request
  return (status: number, note: string | undefined) => {
    const {operation, params} = asked.route ?? noRoute
    const durationMs = performance.now() - started
    const answered = {correlationId, method, path, operation, params, status, durationMs, at, note}
    requestLog?.add(answered, search, trace, asked.body)
    if (status === 0 || !onRequest) return
    const clientId = clientIdOf(trace.principal) || undefined
    const caller = defined({projectKey: params?.['projectKey'], clientId, note})
    const time = new Date(at).toISOString()
    onRequest({at: time, method, path: shownPath(answered), status, durationMs, correlationId, ...caller})
  }
}

/** What came was no request: its method and path are unknown. */
export function notedRefusal({runtime, requestLog, onRequest}: Logs, error: ApiError, correlationId: string): void {
  const at = runtime.clock()
  const unknown = {method: '-', path: '-', status: error.statusCode, durationMs: 0, correlationId}
  const trace = {check: 'address', principal: undefined, error, body: undefined} as const
  requestLog?.add({...unknown, ...noRoute, at, note: undefined}, '', trace, undefined)
  onRequest?.({at: new Date(at).toISOString(), ...unknown, note: error.message})
}

const noRoute = {operation: undefined, params: undefined}
