import type {IncomingMessage, Server, ServerResponse} from 'node:http'
import type {Socket} from 'node:net'
import type {Duplex} from 'node:stream'
import {ApiError} from '../../domain/errors.js'
import {limits} from '../../work/limits.js'
import {mayHaveBody} from './request-body.js'

interface Pending {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  readonly socket: Socket
  /** The request in progress, and those that were pipelined behind it. */
  readonly requests: Pending[]
  /** Bytes of the body that comes, or of the answer in progress. */
  claimed: number
  /** Bytes that the client had taken when it last took some, and when that was. */
  taken: number
  takenAt: number
  /** Nothing more is read from it. */
  isLast: boolean
}

const endMs = 1_000

/** Ends a connection with a last text. A client that does not take it, or does not end its side, is cut off. */
export function endConnection(socket: Duplex, text?: string): void {
  const timer = setTimeout(() => socket.destroy(), endMs).unref()
  socket.once('close', () => clearTimeout(timer))
  socket.end(text)
}

/**
 * Bounds what connections take: their number, the requests that are pipelined, and the bytes of bodies that come and of answers
 * that nobody reads.
 *
 * Beyond `sockets`, a new connection closes the one that has been without a complete request longest: clients that idle
 * or trickle cannot lock out those with a request in progress. A request begins when the one before it is answered and
 * taken. Once the server ends, idle connections are closed at once and the others after their answer.
 */
export class Connections {
  readonly #server: Server
  readonly #limits: FrontLimits
  readonly #serve: (request: IncomingMessage, response: ServerResponse) => void
  readonly #open = new Set<Connection>()
  /** Those without a complete request, the longest waiting first. */
  readonly #waiting = new Set<Connection>()
  readonly #carrying = new WeakMap<Duplex, Connection>()
  #claimed = 0

  constructor(
    server: Server,
    limits: FrontLimits,
    serve: (request: IncomingMessage, response: ServerResponse) => void,
  ) {
    this.#server = server
    this.#limits = limits
    this.#serve = serve
    server.on('connection', (socket: Socket) => this.#opened(socket))
    const arrived = (request: IncomingMessage, response: ServerResponse) => this.#arrived({request, response})
    // An expectation that Node does not know is answered like every request.
    server.on('request', arrived).on('checkExpectation', arrived)
    // A client that has closed its side still reads.
    Object.assign(server, {httpAllowHalfOpen: true})
    const timer = setInterval(() => this.#sweep(), limits.checkingIntervalMs).unref()
    server.once('close', () => clearInterval(timer))
    // Node knows only of connections that have begun a request.
    server.closeIdleConnections = () => this.#closeEach(({requests}) => requests.length === 0)
    server.closeAllConnections = () => this.#closeEach(() => true)
  }

  /** Whether so many connections are open that none should be kept longer than needed. */
  get isCrowded(): boolean {
    return this.#open.size > this.#limits.sockets / 2
  }

  /** Whether the server ends, so that no connection is kept after its answer. */
  get isEnding(): boolean {
    return !this.#server.listening
  }

  /**
   * Whether answers are still to come on a connection whose client sent what is no HTTP behind its requests. It is read no
   * further, and ends after them: a write that took effect is not answered by an error.
   */
  endsAfterAnswers(socket: Duplex): boolean {
    const connection = this.#carrying.get(socket)
    const [current] = connection?.requests ?? []
    if (!connection || !current?.request.complete) return false
    connection.isLast = true
    socket.pause()
    return true
  }

  /** Node lets go of a connection on which a tunnel is asked for: the answer in progress hears from here when to go on. */
  detached(socket: Duplex): void {
    const requests = this.#carrying.get(socket)?.requests ?? []
    socket.on('drain', () => requests[0]?.response.emit('drain'))
  }

  /**
   * Counts the bytes of a body, and then of its answer until it is taken. Over the share of the server, those are ended
   * that have sent longest, for an answer first those that have taken nothing longest. Throws OverCapacity if there are none.
   */
  claim(socket: Socket, bytes: number): void {
    const connection = this.#carrying.get(socket)
    if (!connection || !this.#open.has(connection)) return
    this.#release(connection)
    while (this.#claimed + bytes > this.#limits.unreadBytes) {
      const [unread, sending] = [this.#longestUnread(connection), this.#longestSending(connection)]
      const longest = this.#waiting.has(connection) ? (sending ?? unread) : (unread ?? sending)
      if (!longest)
        throw ApiError.of('OverCapacity', {message: 'Too many bodies and answers are held.', retryAfterSeconds: 1})
      this.#close(longest)
    }
    connection.claimed = bytes
    this.#claimed += bytes
  }

  #opened(socket: Socket): void {
    const takenAt = performance.now()
    const connection: Connection = {socket, requests: [], claimed: 0, taken: 0, takenAt, isLast: false}
    this.#open.add(connection)
    this.#waiting.add(connection)
    this.#carrying.set(socket, connection)
    socket.once('close', () => this.#forget(connection))
    if (this.#open.size <= this.#limits.sockets) return
    const [longest = connection] = this.#waiting
    this.#close(longest)
  }

  #arrived(pending: Pending): void {
    const connection = this.#carrying.get(pending.request.socket)
    if (!connection || !this.#open.has(connection)) return
    connection.requests.push(pending)
    if (connection.requests.length > this.#limits.pipelined) this.#close(connection)
    else if (connection.requests.length === 1) this.#begin(connection, pending)
  }

  #begin(connection: Connection, {request, response}: Pending): void {
    if (mayHaveBody(request)) {
      this.#waiting.add(connection)
      request.once('end', () => this.#waiting.delete(connection))
    } else this.#waiting.delete(connection)
    response.once('close', () => this.#answered(connection))
    this.#serve(request, response)
  }

  #answered(connection: Connection): void {
    if (!this.#open.has(connection)) return
    this.#release(connection)
    connection.requests.shift()
    this.#waiting.delete(connection)
    const [next] = connection.requests
    if (next) {
      this.#begin(connection, next)
      return
    }
    this.#waiting.add(connection)
    if (this.isEnding || connection.isLast) endConnection(connection.socket)
  }

  /** Closes connections whose client has taken nothing for too long. */
  #sweep(): void {
    const now = performance.now()
    for (const connection of this.#open) {
      const {socket} = connection
      const taken = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || taken !== connection.taken) {
        connection.taken = taken
        connection.takenAt = now
      } else if (now - connection.takenAt > this.#limits.unreadMs) this.#close(connection)
    }
  }

  #longestUnread(but: Connection): Connection | undefined {
    let longest: Connection | undefined
    for (const connection of this.#open) {
      if (connection === but || connection.claimed === 0 || connection.socket.writableLength === 0) continue
      if (!longest || connection.takenAt < longest.takenAt) longest = connection
    }
    return longest
  }

  #longestSending(but: Connection): Connection | undefined {
    for (const connection of this.#waiting) if (connection !== but && connection.claimed > 0) return connection
    return undefined
  }

  #closeEach(isMeant: (connection: Connection) => boolean): void {
    for (const connection of [...this.#open].filter(isMeant)) this.#close(connection)
  }

  #close(connection: Connection): void {
    this.#forget(connection)
    connection.socket.destroy()
  }

  #forget(connection: Connection): void {
    this.#release(connection)
    this.#open.delete(connection)
    this.#waiting.delete(connection)
    connection.requests.length = 0
  }

  #release(connection: Connection): void {
    this.#claimed -= connection.claimed
    connection.claimed = 0
  }
}

const {headerBytes, formBytes, requestsPerSocket, sockets, pipelined, unreadBytes, largeAnswers, largeBodies} = limits

/** Times and sizes that bound what one caller takes. Those that src/work/limits.ts has are explained there. */
export const defaultLimits = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  keepAliveTimeoutMs: 5_000,
  /** How often Node checks the timeouts above. */
  checkingIntervalMs: 1_000,
  maxHeaders: limits.headers,
  maxPathBytes: limits.pathBytes,
  /** How long a client with an unread answer may take nothing. */
  unreadMs: 15_000,
  /** How long work goes on for a client that has closed its side: it may still read, or have left. */
  halfClosedMs: 1_000,
  ...{headerBytes, formBytes, requestsPerSocket, sockets, pipelined, unreadBytes, largeAnswers, largeBodies},
}

export type FrontLimits = {readonly [N in keyof typeof defaultLimits]: number}
