import {ApiError} from '../../../domain/errors.js'
import {limits} from '../../../limits.js'
import {sliceMs, timeSlices} from '../../../time-slices.js'

export interface ScanLimits {
  /** Work after which a query counts as a scan and needs a turn. */
  readonly freeMs: number
  /** Work after which a query is given up. */
  readonly budgetMs: number
  readonly atOnce: number
  readonly waiting: number
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number
}

const usual: ScanLimits = {
  freeMs: 25,
  budgetMs: limits.queryWorkMs,
  atOnce: limits.scans,
  waiting: limits.waitingScans,
  clock: () => performance.now(),
}

/** The work of one query, told step by step. */
export interface Scan {
  /** Call it after each step. It makes the query wait for its turn, or throws OverCapacity. */
  step(): Promise<void> | undefined
  end(): void
}

/**
 * Bounds what queries work on the one thread that serves everybody. A short one just runs. One that goes on is a scan:
 * few run at once, a few more wait in the order in which they came, and each is given up after so much work of its own.
 */
export class Scans {
  readonly #limits: ScanLimits
  readonly #queue: (() => void)[] = []
  #running = 0

  constructor(given: Partial<ScanLimits> = {}) {
    this.#limits = {...usual, ...given}
  }

  /** `unserved` names what makes the work long, for the one who is refused. */
  begin(unserved: () => string): Scan {
    const {freeMs, budgetMs, clock} = this.#limits
    const yields = timeSlices(sliceMs)
    let workedMs = 0
    let resumedAt = clock()
    let hasTurn = false
    const resumed = () => {
      resumedAt = clock()
    }
    const turn = async () => {
      await this.#turn()
      hasTurn = true
      resumed()
    }
    const step = () => {
      const worked = workedMs + clock() - resumedAt
      if (worked > budgetMs) throw tooMuchWork(unserved())
      if (!hasTurn && worked > freeMs) {
        workedMs = worked
        return turn()
      }
      const pause = yields()
      if (!pause) return undefined
      workedMs = worked
      return pause.then(resumed)
    }
    const end = () => {
      if (!hasTurn) return
      hasTurn = false
      this.#running -= 1
      this.#queue.shift()?.()
    }
    return {step, end}
  }

  /** Resolves when the caller may run. */
  #turn(): Promise<void> {
    if (this.#running < this.#limits.atOnce) {
      this.#running += 1
      return Promise.resolve()
    }
    if (this.#queue.length >= this.#limits.waiting) {
      const message = 'Too many long queries wait for their turn.'
      throw ApiError.of('OverCapacity', {message, retryAfterSeconds: 2})
    }
    return new Promise((resolve) => {
      this.#queue.push(() => {
        this.#running += 1
        resolve()
      })
    })
  }
}

const tooMuchWork = (unserved: string): ApiError =>
  ApiError.of('OverCapacity', {message: `The query was given up after ten seconds of work: ${unserved}`})
