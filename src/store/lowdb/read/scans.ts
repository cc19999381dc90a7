import {ApiError} from '../../../domain/errors.js'
import {limits} from '../../../limits.js'
import {nextTurn, sliceMs} from '../../../time-slices.js'
import type {Work} from '../table/layer.js'

export interface ScanLimits {
  /** Work after which a query counts as a scan and needs a slot. */
  readonly freeMs: number
  /** Work after which a query is aborted. */
  readonly budgetMs: number
  readonly atOnce: number
  readonly waiting: number
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number
}

const usual: ScanLimits = {
  freeMs: 25,
  budgetMs: limits.queryWorkMs,
  atOnce: limits.scans,
  waiting: limits.waitingScans,
  clock: () => performance.now(),
}

export interface Scan extends Work {
  end(): void
}

/**
 * Admission control for queries on the one thread that serves all requests. Short ones just run. A longer one is a
 * scan: few run at once, a few more wait in order of arrival, and each is aborted after a budget of its own work.
 */
export class Scans {
  readonly #limits: ScanLimits
  readonly #queue: (() => void)[] = []
  #running = 0

  constructor(given: Partial<ScanLimits> = {}) {
    this.#limits = {...usual, ...given}
  }

  /** `unserved` names the conditions without an index, for the error. */
  begin(unserved: () => string): Scan {
    const {freeMs, budgetMs, clock} = this.#limits
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
      const inSlice = clock() - resumedAt
      const worked = workedMs + inSlice
      if (worked > budgetMs) throw tooMuchWork(unserved())
      if (!hasTurn && worked > freeMs) {
        workedMs = worked
        return turn()
      }
      if (inSlice < sliceMs) return undefined
      workedMs = worked
      return nextTurn().then(resumed)
    }
    const wait = async <T>(others: Promise<T>): Promise<T> => {
      workedMs += clock() - resumedAt
      return others.finally(resumed)
    }
    const end = () => {
      if (!hasTurn) return
      hasTurn = false
      this.#running -= 1
      this.#queue.shift()?.()
    }
    return {step, wait, end}
  }

  /** Resolves once the caller may run. */
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
