import {createServer, type Server} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import type {Platform} from '../../api/operation/context.js'
import type {AnyOperation} from '../../api/operation/operation.js'
import {checkPermissions} from '../../api/pipeline/permit.js'
import {correlationIdOf, type OnFault} from '../../api/pipeline/pipeline.js'
import {defined} from '../../domain/equal.js'
import type {Fallback} from '../fallback/fallback.js'
import type {RequestLog} from '../requests/request-log.js'
import type {TlsFiles} from './bind.js'
import {Connections} from './connections.js'
import type {FaultSource} from './faults.js'
import {defaultLimits, type FrontLimits} from './front-limits.js'
import type {GuardOptions} from './guard.js'
import {sendRefusal} from './reply.js'
import {nearlyServed, type Router, routerOf} from './router.js'
import {serve} from './serve.js'

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

export interface Front extends FrontOptions {
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
  const server = options.tls
    ? createTlsServer({...serverOptions, ...options.tls, handshakeTimeout: limits.headersTimeoutMs})
    : createServer(serverOptions)
  // One more header than the guard accepts, so that too many are noticed and not silently cut.
  server.maxHeadersCount = limits.maxHeaders + 1
  server.maxRequestsPerSocket = limits.requestsPerSocket
  const connections = new Connections(
    server,
    limits,
    (request, response) => {
      serve(front, request, response, connections).catch((error: unknown) => {
        options.onFault?.(error, '')
        response.destroy()
      })
    },
    options.tls !== undefined,
  )
  const newId = () => correlationIdOf(undefined, options.platform.secrets.uuid)
  server.on('clientError', (error, socket) => {
    if (connections.carriesRequests(socket)) sendRefusal(socket, error, newId())
    else socket.destroy()
  })
  server.on('connect', (_, socket) => sendRefusal(socket, Object.assign(new Error(), {code: 'CONNECT'}), newId()))
  return server
}
