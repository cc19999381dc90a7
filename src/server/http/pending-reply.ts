import type {IncomingMessage, ServerResponse} from 'node:http'
import type {PendingAnswer} from '../../api/operation/budget.js'
import {type Caller, callerGone} from '../../domain/errors.js'
import type {Slots} from '../../work/slots.js'
import {pieceBytes} from '../reply-body.js'
import type {Connections} from './connections.js'

/** Whose answer is made, for whom it is counted. */
interface Answered {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connections: Connections
}

/** The slots of requests whose bodies, or answers, are large. */
export interface LargeSlots {
  readonly bodies: Slots
  readonly answers: Slots
}

/** One of few slots, which a request takes once, and has until its end. */
class Slot {
  readonly #slots: Slots
  #entering: Promise<void> | undefined
  #isTaken = false
  #hasEnded = false

  constructor(slots: Slots) {
    this.#slots = slots
  }

  take(caller: Caller): Promise<void> | undefined {
    if (this.#isTaken || this.#entering) return this.#entering
    const entered = this.#slots.enter()
    this.#isTaken = !entered
    this.#entering = entered?.then(() => {
      this.#entering = undefined
      this.#isTaken = true
      if (this.#hasEnded) this.end()
      if (caller.isGone()) throw callerGone()
    })
    return this.#entering
  }

  end(): void {
    this.#hasEnded = true
    if (!this.#isTaken) return
    this.#isTaken = false
    this.#slots.leave()
  }
}

/** What an answer takes from its first byte on until its client has taken it: of the bytes of all answers, and of few slots. */
export class PendingReply implements PendingAnswer, Caller {
  readonly #asked: Answered
  readonly #slots: LargeSlots
  readonly #halfClosedMs: number
  #claimed = 0
  #halfClosedAt: number | undefined
  #body: Slot | undefined
  #answer: Slot | undefined

  constructor(asked: Answered, slots: LargeSlots, halfClosedMs: number) {
    this.#asked = asked
    this.#slots = slots
    this.#halfClosedMs = halfClosedMs
  }

  claim(bytes: number): void {
    if (bytes <= this.#claimed) return
    if (this.isGone()) throw callerGone()
    this.#claimed = bytes
    this.#asked.connections.claim(this.#asked.request.socket, bytes)
  }

  enlarge(): Promise<void> | undefined {
    this.#answer ??= new Slot(this.#slots.answers)
    return this.#answer.take(this)
  }

  /** As `enlarge`, for the work on a large body. */
  enlargeBody(): Promise<void> | undefined {
    this.#body ??= new Slot(this.#slots.bodies)
    return this.#body.take(this)
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
    this.#body?.end()
    this.#answer?.end()
  }

  /** Counts an answer that is made until it is taken. Small ones do not count: there are no more of them than connections. */
  settle(bytes: number): void {
    if (bytes <= pieceBytes && this.#claimed === 0) return
    this.#claimed = bytes
    this.#asked.connections.claim(this.#asked.request.socket, bytes <= pieceBytes ? 0 : bytes)
  }
}
