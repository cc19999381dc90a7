export interface SlotLimits {
  readonly atOnce: number
  readonly waiting: number
  readonly refusal: () => Error
}

/** A few slots for long work, and one queue before them: first come, first served. */
export class Slots {
  readonly #limits: SlotLimits
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** Resolves once there is a slot, undefined if there is one now. Throws `refusal()` when the queue is full, but not for a caller that has begun. */
  enter(hasBegun = false): Promise<void> | undefined {
    if (this.#taken < this.#limits.atOnce) {
      this.#taken += 1
      return undefined
    }
    if (!hasBegun && this.#waiting.length >= this.#limits.waiting) throw this.#limits.refusal()
    return new Promise((enter) => this.#waiting.push(enter))
  }

  /** Hands the slot to the caller that has waited longest. */
  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#taken -= 1
  }
}
