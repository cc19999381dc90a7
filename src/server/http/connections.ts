import type {IncomingMessage, ServerResponse} from 'node:http'
import type {Server as NetServer, Socket} from 'node:net'
import {mayHaveBody} from './request-body.js'

export interface Connections {
  /** Whether so many connections are open that none should be kept longer than needed. */
  isCrowded(): boolean
}

/**
 * Keeps at most `max` connections open. One more closes the connection that has been without a complete request
 * longest: clients that idle or trickle their headers or body cannot lock out those with a request in progress.
 */
export function boundConnections(
  server: NetServer,
  event: 'connection' | 'secureConnection',
  max: number,
): Connections {
  const open = new Set<Socket>()
  /** Connections without a complete request, the longest waiting first. */
  const waiting = new Set<Socket>()
  /** Connections by their number of requests in progress; several if pipelined. */
  const answering = new Map<Socket, number>()
  server.on(event, (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      waiting.delete(socket)
      answering.delete(socket)
    })
    if (open.size > max) {
      const [victim = socket] = waiting
      open.delete(victim)
      waiting.delete(victim)
      victim.destroy()
    }
    if (!socket.destroyed) waiting.add(socket)
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const {socket} = request
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
      }
    })
  })
  return {isCrowded: () => open.size > max / 2}
}
