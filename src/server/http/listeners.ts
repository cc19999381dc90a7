import {createServer, type Server} from 'node:http'
import type {Duplex} from 'node:stream'
import {checkPermissions} from '../../api/operation/permit.js'
import {correlationIdOf} from '../../api/pipeline/pipeline.js'
import {defined} from '../../domain/equal.js'
import {overCapacity} from '../../domain/errors.js'
import {Slots} from '../../work/slots.js'
import {isLoopback} from './bind.js'
import {Connections, defaultLimits, type FrontLimits} from './connections.js'
import {coversLoopback, listening, originOf} from './listening.js'
import {sendRefusal} from './reply.js'
import {notedRefusal} from './request-line.js'
import {nearlyServed, routerOf} from './router.js'
import {type Front, type FrontOptions, serve} from './serve.js'

interface ListenOptions extends FrontOptions {
  readonly host: string
  readonly port: number
}

const drainMs = 5_000

/**
 * Listens at the given address, `origin` as a program of this machine writes it. Commands of this machine administer the
 * server over loopback, at `localOrigin`, so one that listens only on an address of a network gets a port of its own for
 * them. `close` answers what has begun, and resolves when the ports are free. Throws StateError.
 */
export async function listen({host, port, ...options}: ListenOptions) {
  const onError = (error: Error) => options.onFault?.(error, '')
  const front = httpFront(options)
  await listening(front, host, port, onError)
  const origin = originOf(front)
  if (isLoopback(host) || coversLoopback(host)) {
    return {origin, localOrigin: origin, close: () => drained(front)}
  }
  const local = httpFront(options)
  try {
    await listening(local, '127.0.0.1', 0, onError)
  } catch (error) {
    await drained(front)
    throw error
  }
  const close = async () => void (await Promise.all([drained(front), drained(local)]))
  return {origin, localOrigin: originOf(local), close}
}

/** No new request; the begun ones are answered, within bounds. */
async function drained(front: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => front.close(() => resolve()))
  front.closeIdleConnections()
  const timer = setTimeout(() => front.closeAllConnections(), drainMs)
  await closed
  clearTimeout(timer)
}

/**
 * The HTTP front: guards and routes requests and runs the pipeline, which makes all other decisions. Throws if an
 * operation declares no permission.
 */
export function httpFront(options: FrontOptions): Server {
  checkPermissions(options.operations)
  const limits: FrontLimits = {...defaultLimits, ...options.limits}
  const {allowedHosts, allowedOrigins = new Set<string>(), publicOrigin, operations, fallback} = options
  const guarded = {...limits, allowedHosts, allowedOrigins, ...defined({publicOrigin})}
  const isNearlyServed = fallback ? nearlyServed(operations) : () => true
  const slots = (atOnce: number, what: string) =>
    new Slots({atOnce, waiting: limits.sockets, refusal: () => overCapacity(`Too many large ${what} wait.`)})
  const large = {bodies: slots(limits.largeBodies, 'bodies'), answers: slots(limits.largeAnswers, 'answers')}
  const front: Front = {...options, limits, guarded, route: routerOf(operations), isNearlyServed, large}
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkingIntervalMs,
    maxHeaderSize: limits.headerBytes,
    joinDuplicateHeaders: false,
    requireHostHeader: false,
  })
  // One more header than the guard accepts, so that too many are noticed and not silently cut.
  server.maxHeadersCount = limits.maxHeaders + 1
  server.maxRequestsPerSocket = limits.requestsPerSocket
  const connections = new Connections(server, limits, (request, response) => {
    serve(front, request, response, connections).catch((error: unknown) => {
      options.onFault?.(error, '')
      response.destroy()
    })
  })
  const newId = () => correlationIdOf(undefined, options.runtime.secrets.uuid)
  const refuse = (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code !== 'ECONNRESET' && connections.endsAfterAnswers(socket)) return
    const id = newId()
    const refused = sendRefusal(socket, error, id)
    if (refused) notedRefusal(front, refused, id)
  }
  server.on('clientError', refuse)
  server.on('connect', (_, socket) => {
    connections.detached(socket)
    refuse(Object.assign(new Error(), {code: 'CONNECT'}), socket)
  })
  return server
}
