import type {IncomingMessage, ServerResponse} from 'node:http'
import type {Making} from '../../api/operation/budget.js'
import type {Trace} from '../../api/pipeline/exchange.js'
import {clientIdOf} from '../../api/pipeline/pipeline.js'
import {type Caller, callerGone, type FairPlaces} from '../../fair-places.js'
import {pieceBytes} from '../reply-body.js'
import type {Connections} from './connections.js'

/** Whose answer is made, for whom it is counted. */
interface Answered {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connections: Connections
  readonly trace: Trace
  readonly route: {readonly params: Readonly<Record<string, string>>} | undefined
}

/** What an answer takes from its first byte on until its client has taken it: of the bytes of all answers, and of few places. */
export class AnswerInMaking implements Making, Caller {
  readonly #asked: Answered
  readonly #places: FairPlaces
  readonly #halfClosedMs: number
  #claimed = 0
  #halfClosedAt: number | undefined
  #entering: Promise<void> | undefined
  #hasPlace = false
  #hasEnded = false

  constructor(asked: Answered, places: FairPlaces, halfClosedMs: number) {
    this.#asked = asked
    this.#places = places
    this.#halfClosedMs = halfClosedMs
  }

  get project(): string {
    return this.#asked.route?.params['projectKey'] ?? ''
  }

  get client(): string {
    return clientIdOf(this.#asked.trace.principal)
  }

  claim(bytes: number): void {
    if (bytes <= this.#claimed) return
    if (this.isGone()) throw callerGone()
    this.#claimed = bytes
    this.#asked.connections.claim(this.#asked.request.socket, bytes)
  }

  enlarge(): Promise<void> | undefined {
    if (this.#hasPlace) return undefined
    this.#entering ??= this.#enter()
    return this.#entering
  }

  #enter(): Promise<void> | undefined {
    const entered = this.#places.enter(this)
    if (!entered) {
      this.#hasPlace = true
      return undefined
    }
    return entered.then(() => {
      this.#entering = undefined
      this.#hasPlace = true
      if (this.#hasEnded) this.end()
      if (this.isGone()) throw callerGone()
    })
  }

  /** One that has closed its side may still read a short while, or has left: nobody can tell. */
  isGone(): boolean {
    const {request, response} = this.#asked
    if (response.destroyed) return true
    if (!request.socket.readableEnded) return false
    const now = performance.now()
    this.#halfClosedAt ??= now
    return now - this.#halfClosedAt > this.#halfClosedMs
  }

  /** The answer is made, or given up. */
  end(): void {
    this.#hasEnded = true
    if (!this.#hasPlace) return
    this.#hasPlace = false
    this.#places.leave()
  }

  /** Counts an answer that is made until it is taken. Small ones do not count: there are no more of them than connections. */
  settle(bytes: number): void {
    if (bytes <= pieceBytes && this.#claimed === 0) return
    this.#claimed = bytes
    this.#asked.connections.claim(this.#asked.request.socket, bytes <= pieceBytes ? 0 : bytes)
  }
}
