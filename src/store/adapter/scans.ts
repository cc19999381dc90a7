import {ApiError, type Caller, callerGone, overCapacity} from '../../domain/errors.js'
import {limits} from '../../work/limits.js'
import {Slots} from '../../work/slots.js'
import {isTurnSpent, nextTurn, sliceMs, spendTurn} from '../../work/time-slices.js'

export interface ScanLimits {
  /** Work after which a query counts as a scan and needs a place. */
  readonly freeMs: number
  /** Work after which a scan makes room for other clients that wait. */
  readonly turnMs: number
  /** Work after which a query is aborted. */
  readonly budgetMs: number
  readonly atOnce: number
  readonly waiting: number
  /** Queries that have begun, scans or not. */
  readonly begun: number
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number
  readonly cpu: () => number
}

function processMs(): number {
  const {user, system} = process.cpuUsage()
  return (user + system) / 1_000
}

const usual: ScanLimits = {
  freeMs: 25,
  turnMs: 250,
  budgetMs: limits.queryWorkMs,
  atOnce: limits.scans,
  waiting: limits.waitingScans,
  begun: limits.queries,
  clock: () => performance.now(),
  cpu: processMs,
}

const queueIsFull = (): ApiError => overCapacity('Too many long queries wait for their turn.')

/** What the first slice counts for at the most. */
const mostUnmeasuredMs = 25

/**
 * Admission control for queries on the one thread that serves all requests. Short ones just run. A longer one is a
 * scan: few run at once and take turns with those of other clients, and each is aborted after a budget of its own work.
 * What it works is the CPU time of this thread: a busy machine takes none of it away.
 */
export class Scans {
  readonly #limits: ScanLimits
  readonly #slots: Slots
  readonly #begun: Slots

  constructor(given: Partial<ScanLimits> = {}) {
    this.#limits = {...usual, ...given}
    const {atOnce, waiting, begun} = this.#limits
    this.#slots = new Slots({atOnce, waiting, refusal: queueIsFull})
    this.#begun = new Slots({atOnce: begun, waiting: Number.POSITIVE_INFINITY, refusal: queueIsFull})
  }

  /** To be awaited before a query opens what it reads: undefined if it may begin. Each that has begun leaves. */
  enter(): Promise<void> | undefined {
    return this.#begun.enter()
  }

  readonly leave = (): void => this.#begun.leave()

  /** `unserved` names the conditions without an index, for the error. */
  begin(unserved: () => string, caller?: Caller): Scan {
    return new Scan(this.#limits, this.#slots, unserved, caller)
  }
}

/** The work of one query, reported step by step. */
export class Scan {
  readonly #limits: ScanLimits
  readonly #slots: Slots
  readonly #unserved: () => string
  readonly #caller: Caller | undefined
  #workedMs = 0
  #resumedAt: number
  /** CPU time at the beginning of the slice; unknown in the first one, since most queries have no other. */
  #cpuAt: number | undefined
  /** Whether it is in a turn that others may have begun. */
  #isBeside = true
  #hasSlot = false
  /** Work after which it needs a slot, or leaves it to those who wait. */
  #turnEndsMs: number

  constructor(limits: ScanLimits, slots: Slots, unserved: () => string, caller: Caller | undefined) {
    this.#limits = limits
    this.#slots = slots
    this.#unserved = unserved
    this.#caller = caller
    this.#turnEndsMs = limits.freeMs
    this.#resumedAt = limits.clock()
  }

  /** Call it after each step. Makes the query wait for a slot, or throws OverCapacity. */
  step(): Promise<void> | undefined {
    const now = this.#limits.clock()
    if (now - this.#resumedAt < sliceMs && !(this.#isBeside && isTurnSpent(now))) return undefined
    if (this.#isBeside) spendTurn()
    this.#count()
    return this.#turned() ?? nextTurn().then(() => this.#resume())
  }

  /** Waits for the work of others, which is not that of the query. */
  async wait<T>(others: Promise<T>): Promise<T> {
    this.#count()
    const result = await others.finally(() => this.#resume())
    this.#isBeside = true
    await this.#turned()
    return result
  }

  /** Resolves once it may go on, undefined if it may at once. */
  #turned(): Promise<void> | undefined {
    const {budgetMs} = this.#limits
    if (this.#caller?.isGone()) throw callerGone()
    if (this.#workedMs > budgetMs) {
      const message = `The query was given up after ${budgetMs / 1_000} seconds of work: ${this.#unserved()}`
      throw ApiError.of('OverCapacity', {message})
    }
    return this.#workedMs > this.#turnEndsMs ? this.#turn() : undefined
  }

  end(): void {
    if (this.#hasSlot) this.#slots.leave()
    this.#hasSlot = false
  }

  /** The work of a slice: no more than the time that passed, of which other processes take some, nor than the CPU time, of which other threads do. */
  #count(): void {
    const passed = this.#limits.clock() - this.#resumedAt
    const used = this.#cpuAt === undefined ? mostUnmeasuredMs : this.#limits.cpu() - this.#cpuAt
    this.#workedMs += Math.min(passed, used)
  }

  #resume(): void {
    this.#isBeside = false
    this.#resumedAt = this.#limits.clock()
    this.#cpuAt = this.#limits.cpu()
  }

  async #turn(): Promise<void> {
    const hasBegun = this.#hasSlot
    this.end()
    await (this.#slots.enter(hasBegun) ?? nextTurn())
    this.#hasSlot = true
    this.#turnEndsMs = this.#workedMs + this.#limits.turnMs
    this.#resume()
    if (this.#caller?.isGone()) throw callerGone()
  }
}
