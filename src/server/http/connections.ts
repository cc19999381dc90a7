import type {IncomingMessage, ServerResponse} from 'node:http'
import type {Server as NetServer, Socket} from 'node:net'
import {mayHaveBody} from './request-body.js'

export interface Connections {
  /** Whether so many are open that none should be kept longer than needed. */
  isCrowded(): boolean
}

/**
 * Keeps at most `max` connections open. When one more comes, the one that has owed a whole request longest makes room:
 * a caller that idles, or trickles its headers or body, has nothing to be answered yet and cannot lock out those who have.
 */
export function boundConnections(
  server: NetServer,
  event: 'connection' | 'secureConnection',
  max: number,
): Connections {
  const open = new Set<Socket>()
  /** Without a whole request that is being answered, the longest waiting first. */
  const waiting = new Set<Socket>()
  /** Whole requests that are being answered; several if they are pipelined. */
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
