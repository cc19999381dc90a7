import type {IncomingMessage, ServerResponse} from 'node:http'
import type {Server as NetServer, Socket} from 'node:net'

/**
 * Keeps at most `max` connections open. When one more comes, the one that has been waiting longest for a request of its
 * own makes room, so that idle and dribbling callers cannot lock out those that have something to ask.
 */
export function boundConnections(server: NetServer, event: 'connection' | 'secureConnection', max: number): void {
  const open = new Set<Socket>()
  /** Without a request in progress, the longest waiting first. */
  const waiting = new Set<Socket>()
  server.on(event, (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      waiting.delete(socket)
    })
    if (open.size > max) {
      const [victim = socket] = waiting
      open.delete(victim)
      waiting.delete(victim)
      victim.destroy()
    }
    if (!socket.destroyed) waiting.add(socket)
  })
  server.on('request', ({socket}: IncomingMessage, response: ServerResponse) => {
    waiting.delete(socket)
    response.once('close', () => {
      if (open.has(socket)) waiting.add(socket)
    })
  })
}
