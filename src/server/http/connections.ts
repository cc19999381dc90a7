import type {IncomingMessage, Server, ServerResponse} from 'node:http'
import type {Socket} from 'node:net'
import {mayHaveBody} from './request-body.js'

export interface Connections {
  /** Whether so many connections are open that none should be kept longer than needed. */
  isCrowded(): boolean
  /** Whether the server ends, so that no connection is kept after its answer. */
  isEnding(): boolean
}

/**
 * Keeps at most `max` connections open. One more closes the connection that has been without a complete request
 * longest: clients that idle or trickle their headers or body cannot lock out those with a request in progress. A server that
 * ends closes idle connections at once, and the others after their answer.
 */
export function boundConnections(server: Server, event: 'connection' | 'secureConnection', max: number): Connections {
  const open = new Set<Socket>()
  /** Connections without a complete request, the longest waiting first. */
  const waiting = new Set<Socket>()
  /** Connections by their number of requests in progress; several if pipelined. */
  const answering = new Map<Socket, number>()
  /** Connections that never brought a request. Node takes them for busy until the headers would have to be there. */
  const unused = new Set<Socket>()
  const isEnding = () => !server.listening
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    closeIdle()
    for (const socket of unused) socket.destroy()
  }
  server.on(event, (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => {
      for (const sockets of [open, unused, waiting, answering]) sockets.delete(socket)
    })
    if (open.size > max) {
      const [victim = socket] = waiting
      open.delete(victim)
      waiting.delete(victim)
      victim.destroy()
    }
    if (socket.destroyed) return
    waiting.add(socket)
    unused.add(socket)
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const {socket} = request
    unused.delete(socket)
    let isWhole = false
    const whole = () => {
      if (isWhole || !open.has(socket)) return
      isWhole = true
      waiting.delete(socket)
      answering.set(socket, (answering.get(socket) ?? 0) + 1)
    }
    if (mayHaveBody(request)) request.once('end', whole)
    else whole()
    response.once('close', () => {
      const left = (answering.get(socket) ?? 0) - (isWhole ? 1 : 0)
      isWhole = true
      if (left > 0) answering.set(socket, left)
      else {
        answering.delete(socket)
        if (open.has(socket)) waiting.add(socket)
        if (isEnding()) socket.end()
      }
    })
  })
  return {isCrowded: () => open.size > max / 2, isEnding}
}
