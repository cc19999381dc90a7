/** How far a job was at a moment. */
export interface PacePoint {
  readonly at: number
  readonly read: number
  /** A run begins here: the pause before it is not part of the work. */
  readonly starts?: true
}

export interface PaceLine {
  readonly pace: PacePoint
}

const [leastMs, mostPoints] = [1000, 200]

/** Says when the pace of a run is to be noted: every second, and ever more seldom in a long run. */
export class Pace {
  readonly #now: () => number
  readonly #startedAt: number
  #notedAt: number

  constructor(now: () => number) {
    this.#now = now
    this.#startedAt = now()
    this.#notedAt = this.#startedAt
  }

  start(read: number): PaceLine {
    return {pace: {at: this.#startedAt, read, starts: true}}
  }

  /** The line to write, if it is time for one; `isEnd` says that none will follow. */
  line(read: number, isEnd = false): PaceLine | undefined {
    const at = this.#now()
    const everyMs = Math.max(leastMs, (at - this.#startedAt) / mostPoints)
    if (!isEnd && at - this.#notedAt < everyMs) return undefined
    this.#notedAt = at
    return {pace: {at, read}}
  }
}
