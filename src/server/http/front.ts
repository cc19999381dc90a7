import {createServer, type Server} from 'node:http'
import type {Duplex} from 'node:stream'
import {checkPermissions} from '../../api/operation/permit.js'
import {correlationIdOf} from '../../api/pipeline/pipeline.js'
import {defined} from '../../domain/equal.js'
import {overCapacity} from '../../domain/errors.js'
import {Slots} from '../../work/slots.js'
import {Connections} from './connections.js'
import {defaultLimits, type FrontLimits} from './front-limits.js'
import {sendRefusal} from './reply.js'
import {notedRefusal} from './request-line.js'
import {nearlyServed, routerOf} from './router.js'
import {type Front, type FrontOptions, serve} from './serve.js'

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
  const waiting = limits.sockets
  const large = {
    bodies: new Slots({
      waiting,
      atOnce: limits.largeBodies,
      refusal: () => overCapacity('Too many large bodies wait.'),
    }),
    answers: new Slots({
      waiting,
      atOnce: limits.largeAnswers,
      refusal: () => overCapacity('Too many large answers wait.'),
    }),
  }
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
