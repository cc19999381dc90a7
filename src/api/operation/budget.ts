import {limits} from '../../limits.js'
import {sliceMs, timeSlices, type Yield} from '../../time-slices.js'

/** Bytes of an answer in the making that are not claimed yet at the most. */
const claimStep = 65_536

/** Counts the bytes of an answer in the making at its server. Throws OverCapacity if it holds too many. */
export type Claim = (bytes: number) => void

/**
 * What one request may take: bytes of its answer, expanded references, values of a GraphQL answer, and time on the event
 * loop at a stretch. Everything that works for the request draws from it, and stops at once when it is spent.
 */
export class Budget {
  /** Yields to the event loop once this request has used up its time slice. */
  readonly pause: Yield = () => {
    this.#slices ??= timeSlices(sliceMs)
    return this.#slices()
  }
  readonly #claim: Claim | undefined
  #slices: Yield | undefined
  #bytes = 0
  #claimed = 0
  #references = 0
  #values = 0

  constructor(claim?: Claim) {
    this.#claim = claim
  }

  /** Counts bytes and expanded references of the answer, and tells whether they fit; what does not is not counted. */
  fits(bytes: number, references = 0): boolean {
    if (!this.hasRoom(bytes, references)) return false
    this.#bytes += bytes
    this.#references += references
    // The whole answer is claimed before it is sent: until then large steps will do.
    if (this.#bytes - this.#claimed < claimStep) return true
    this.#claimed = this.#bytes
    this.#claim?.(this.#bytes)
    return true
  }

  /** Whether so much more would fit. */
  hasRoom(bytes: number, references = 0): boolean {
    return this.#bytes + bytes <= limits.replyBytes && this.#references + references <= limits.expandedReferences
  }

  /** The answer is made anew of what was read for it: only what is shown counts. */
  again(): void {
    this.#bytes = 0
    this.#claimed = 0
    this.#references = 0
  }

  /** Counts values of a GraphQL answer, and tells whether they fit. */
  fitsValues(count: number): boolean {
    if (this.#values + count > limits.graphqlValues) return false
    this.#values += count
    return true
  }
}
