import {type Caller, callerGone} from '../../domain/errors.js'
import {limits} from '../../work/limits.js'
import {sliceMs, timeSlices, type Yield} from '../../work/time-slices.js'

/** Bytes of an answer in the making that are not claimed yet at the most. */
const claimStep = 65_536

/** The memory that a value of a GraphQL answer takes while the answer is made. */
const valueBytes = 100

/** An answer that is being made, as its transport limits it. */
export interface PendingAnswer {
  /** Counts all bytes that the answer takes so far. Throws OverCapacity if all answers together take too many. */
  claim(bytes: number): void
  /** Waits for one of the few places of large answers, once; undefined if there is one now. Throws OverCapacity. */
  enlarge(): Promise<void> | undefined
  isGone(): boolean
}

/**
 * What one request may take: bytes of its answer, expanded references, values of a GraphQL answer, and time on the event
 * loop at a stretch. Everything that works for the request draws from it, and stops at once when it is spent, or when its
 * caller has left.
 */
export class Budget implements Caller {
  readonly #making: PendingAnswer | undefined
  #slices: Yield | undefined
  #bytes = 0
  #claimed = 0
  #references = 0
  #values = 0

  constructor(making?: PendingAnswer) {
    this.#making = making
  }

  /** Yields to the event loop once this request has used up its time slice. Rejects when the caller has left. */
  readonly pause: Yield = () => {
    this.#slices ??= timeSlices(sliceMs)
    return this.#slices()?.then(() => {
      if (this.isGone()) throw callerGone()
    })
  }

  isGone(): boolean {
    return this.#making?.isGone() ?? false
  }

  /** To be awaited before much of the answer is made at once. */
  enlarge(): Promise<void> | undefined {
    return this.#making?.enlarge()
  }

  /** Counts bytes and expanded references of the answer, and tells whether they fit; what does not is not counted. */
  fits(bytes: number, references = 0): boolean {
    if (!this.hasRoom(bytes, references)) return false
    this.#bytes += bytes
    this.#references += references
    this.#claim()
    return true
  }

  hasRoom(bytes: number, references = 0): boolean {
    return this.#bytes + bytes <= limits.replyBytes && this.#references + references <= limits.expandedReferences
  }

  /** Starts counting anew, since the answer is built again from what was read for it. */
  again(): void {
    this.#bytes = 0
    this.#claimed = 0
    this.#references = 0
  }

  /** Counts values of a GraphQL answer, and tells whether they fit. */
  fitsValues(count: number): boolean {
    if (this.#values + count > limits.graphqlValues) return false
    this.#values += count
    this.#claim()
    return true
  }

  #claim(): void {
    const taken = this.#bytes + this.#values * valueBytes
    if (taken - this.#claimed < claimStep) return
    this.#claimed = taken
    this.#making?.claim(taken)
  }
}
