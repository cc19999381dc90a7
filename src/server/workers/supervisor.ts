import {StateError} from '../../domain/errors.js'

/** One process that answers requests. */
export interface WorkerProcess {
  readonly pid: number
  /** Has it answer what it has begun, and end. */
  drain(): void
  /** Asks whether its event loop still turns. */
  ping(answered: () => void): void
  kill(): void
}

/** What becomes of a process, told by whoever started it. */
export interface WorkerEvents {
  listens(): void
  /** It cannot listen, and is about to end. */
  doesNotStart(error: Error): void
  /** As the end of a sentence: `was ended by SIGKILL`. */
  ended(how: string): void
}

export interface SupervisorOptions {
  readonly workers: number
  readonly fork: (slot: number, events: WorkerEvents) => WorkerProcess
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number
  /** Returns what calls it off. */
  readonly after: (milliseconds: number, action: () => void) => () => void
  readonly log: (line: string) => void
  /** Called once, when no worker listens any more and none can be started. */
  readonly onFailed: (error: Error) => void
}

class Slot {
  /** From 0. */
  readonly at: number
  process: WorkerProcess | undefined
  /** Absent while it does not listen. */
  listensSince: number | undefined
  /** How often in a row it ended early. */
  early = 0
  failure: Error | undefined
  /** How many pings in a row were not answered. */
  unanswered = 0
  callOff: (() => void) | undefined

  constructor(at: number) {
    this.at = at
  }

  get label(): string {
    return `worker ${this.at + 1}`
  }
}

/** A worker that has listened so long did not fail for the reason for which it is replaced. */
const steadyMs = 10_000
const firstDelayMs = 100
const maxDelayMs = 30_000
/** With no other worker left, the server ends after so many in one slot. */
const maxEarly = 5
const startMs = 30_000
/**
 * Pings that are not answered are counted rather than timed: after a machine has slept, one is late and not all of them.
 * No request holds the event loop for a second.
 */
const pingEveryMs = 5_000
const maxUnanswered = 6
/** Longer than a worker takes to drain. */
const stopMs = 10_000

/**
 * Keeps so many workers alive. One that ends is replaced, at once if it had been steady, and ever more slowly if it ends
 * early again and again; while another one listens, the server goes on without it. One that hangs is killed.
 */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #slots: readonly Slot[]
  #phase: 'starting' | 'running' | 'stopping' = 'starting'
  #started: {resolve: () => void; reject: (error: Error) => void} | undefined
  #emptied: (() => void) | undefined
  #stopping: Promise<void> | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#slots = Array.from({length: options.workers}, (_, at) => new Slot(at))
  }

  /** Process ids of the workers that listen. */
  get pids(): number[] {
    return this.#slots.flatMap(({process, listensSince}) =>
      process && listensSince !== undefined ? [process.pid] : [],
    )
  }

  /** Resolves when all listen. Rejects, with none left, if one does not. */
  async start(): Promise<void> {
    const started = new Promise<void>((resolve, reject) => {
      this.#started = {resolve, reject}
    })
    for (const slot of this.#slots) this.#fork(slot)
    try {
      await started
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** Resolves when all have ended; one that takes too long is killed. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    this.#phase = 'stopping'
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve
    })
    const callOff = this.#options.after(stopMs, () => {
      for (const {process} of this.#slots) process?.kill()
    })
    for (const slot of this.#slots) {
      slot.callOff?.()
      if (slot.listensSince === undefined) slot.process?.kill()
      else slot.process?.drain()
    }
    this.#noteEmpty()
    await emptied
    callOff()
  }

  #fork(slot: Slot): void {
    slot.failure = undefined
    slot.process = this.#options.fork(slot.at, {
      listens: () => this.#listens(slot),
      doesNotStart: (error) => {
        slot.failure = error
      },
      ended: (how) => this.#ended(slot, how),
    })
    slot.callOff = this.#options.after(startMs, () => {
      slot.failure ??= new Error(`it did not listen within ${startMs / 1000} seconds`)
      slot.process?.kill()
    })
  }

  #listens(slot: Slot): void {
    const {log, now} = this.#options
    slot.callOff?.()
    slot.listensSince = now()
    slot.unanswered = 0
    this.#ping(slot)
    if (this.#phase === 'running') log(`${slot.label} is process ${slot.process?.pid} now`)
    if (this.#phase !== 'starting' || this.pids.length < this.#slots.length) return
    this.#phase = 'running'
    this.#started?.resolve()
  }

  #ping(slot: Slot): void {
    const {process} = slot
    if (slot.unanswered === maxUnanswered) {
      const silentSeconds = (maxUnanswered * pingEveryMs) / 1000
      this.#options.log(`${slot.label} (process ${process?.pid}) has hung for ${silentSeconds} seconds and is killed`)
      process?.kill()
      return
    }
    slot.unanswered += 1
    process?.ping(() => {
      if (slot.process === process) slot.unanswered = 0
    })
    slot.callOff = this.#options.after(pingEveryMs, () => this.#ping(slot))
  }

  #ended(slot: Slot, how: string): void {
    const {log, now, after} = this.#options
    const {process, failure, listensSince} = slot
    const wasSteady = listensSince !== undefined && now() - listensSince >= steadyMs
    const what = `${slot.label} (process ${process?.pid}) ${failure ? `did not start: ${failure.message}` : how}`
    slot.callOff?.()
    slot.process = undefined
    slot.listensSince = undefined
    slot.early = wasSteady ? 0 : slot.early + 1
    if (this.#phase === 'stopping') this.#noteEmpty()
    else if (this.#phase === 'starting') this.#started?.reject(failureOf(failure, what))
    else if (slot.early >= maxEarly && this.pids.length === 0) {
      log(`${what}; it is not replaced again`)
      this.#phase = 'stopping'
      this.#options.onFailed(failureOf(failure, what))
    } else {
      const delayMs = wasSteady ? 0 : Math.min(firstDelayMs * 2 ** (slot.early - 1), maxDelayMs)
      log(`${what}; another takes its place${delayMs === 0 ? '' : ` in ${delayMs} ms`}`)
      slot.callOff = after(delayMs, () => this.#fork(slot))
    }
  }

  #noteEmpty(): void {
    if (this.#slots.every(({process}) => process === undefined)) this.#emptied?.()
  }
}

/** What kept a worker from listening, in its own words where it has met it before: a port in use, say. */
const failureOf = (failure: Error | undefined, what: string): StateError =>
  failure instanceof StateError
    ? failure
    : new StateError(
        'StateUnusable',
        `The server has no workers: ${what}.`,
        'workers',
        'Start it again; its log says more',
      )
