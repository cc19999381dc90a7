import {ApiError} from './domain/errors.js'

/** For whom work is done. */
export interface Caller {
  /** Whether nobody waits for the result any more. */
  isGone(): boolean
}

/** A caller that has left gets no answer; what is thrown for it ends its work. */
export const callerGone = (): ApiError => ApiError.of('OverCapacity', {message: 'The caller has left.'})

export interface PlaceLimits {
  /** Places that are taken at once. */
  readonly atOnce: number
  /** Callers that wait for one. */
  readonly waiting: number
  /** Told to who is refused. */
  readonly refusal: string
}

/** Few places for long work: a free one goes to who has waited longest. */
export class Places {
  readonly #limits: PlaceLimits
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /** Resolves once there is a place, undefined if there is one now. Throws OverCapacity, but for one that has begun. */
  enter(hasBegun = false): Promise<void> | undefined {
    if (this.#taken < this.#limits.atOnce) {
      this.#taken += 1
      return undefined
    }
    if (!hasBegun && this.#waiting.length >= this.#limits.waiting)
      throw ApiError.of('OverCapacity', {message: this.#limits.refusal, retryAfterSeconds: 2})
    return new Promise((enter) => this.#waiting.push(enter))
  }

  leave(): void {
    this.#taken -= 1
    this.handOn()
  }

  /** Gives a place to who has waited longest; false if nobody waits. */
  handOn(): boolean {
    const next = this.#waiting.shift()
    if (!next) return false
    this.#taken += 1
    next()
    return true
  }

  get isWanted(): boolean {
    return this.#waiting.length > 0
  }
}
