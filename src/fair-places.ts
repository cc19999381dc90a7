import {ApiError} from './domain/errors.js'

/** For whom work is done: places are shared by project, then by client. */
export interface Caller {
  readonly project: string
  /** The API client; others of the project share with it. */
  readonly client: string
  /** Whether nobody waits for the result any more. */
  isGone(): boolean
}

/** Work of the server itself. */
const nobody: Caller = {project: '', client: '', isGone: () => false}

/** A caller that has left gets no answer; what is thrown for it ends its work. */
export const callerGone = (): ApiError => ApiError.of('OverCapacity', {message: 'The caller has left.'})

interface Waiter {
  readonly caller: Caller
  /** Has worked before and made room for others: it is not refused. */
  readonly hasBegun: boolean
  readonly enter: () => void
  readonly refuse: (error: ApiError) => void
}

export interface PlaceLimits {
  /** Places that are taken at once. */
  readonly atOnce: number
  /** Callers that wait for one. */
  readonly waiting: number
  /** Told to who is refused. */
  readonly refusal: string
}

/** Clients that are remembered by when they had a place last. */
const remembered = 1_000

/**
 * Few places for long work, which take turns: a free one goes to the project, and within it to the client, that had one
 * longest ago. When too many wait, one of those who want most is refused.
 */
export class FairPlaces {
  readonly #limits: PlaceLimits
  readonly #waiting: Waiter[] = []
  /** When a project, and a client of it, had a place last; the longest ago first. */
  readonly #served = new Map<string, number>()
  #taken = 0
  #turn = 0

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /** Resolves once there is a place, undefined if there is one now. Throws OverCapacity. */
  enter(caller = nobody, hasBegun = false): Promise<void> | undefined {
    if (this.#taken < this.#limits.atOnce) {
      this.#take(caller)
      return undefined
    }
    const entered = new Promise<void>((enter, refuse) => this.#waiting.push({caller, hasBegun, enter, refuse}))
    if (this.#waiting.length > this.#limits.waiting) this.#refuseOne()
    return entered
  }

  leave(): void {
    this.#taken -= 1
    this.handOn()
  }

  /** Gives a place to who should have one next; false if nobody waits. */
  handOn(): boolean {
    const next = this.#waiting.length === 0 ? undefined : this.#next()
    if (!next) return false
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    this.#take(next.caller)
    next.enter()
    return true
  }

  /** Whether a client waits that should have its turn before this one goes on. */
  isWantedBeside(caller = nobody): boolean {
    return this.#waiting.some((one) => clientOf(one.caller) !== clientOf(caller))
  }

  #take(caller: Caller): void {
    this.#taken += 1
    this.#turn += 1
    for (const name of [caller.project, clientOf(caller)]) {
      this.#served.delete(name)
      this.#served.set(name, this.#turn)
    }
    while (this.#served.size > remembered) {
      for (const [oldest] of this.#served) {
        this.#served.delete(oldest)
        break
      }
    }
  }

  #next(): Waiter | undefined {
    const lastOf = (name: string): number => this.#served.get(name) ?? 0
    let next: Waiter | undefined
    for (const one of this.#waiting) {
      const earlier = next
        ? lastOf(one.caller.project) - lastOf(next.caller.project) ||
          lastOf(clientOf(one.caller)) - lastOf(clientOf(next.caller))
        : -1
      if (earlier < 0) next = one
    }
    return next
  }

  /** The last to come of the client with most, in the project with most; before all, one that has left. */
  #refuseOne(): void {
    const counts = new Map<string, number>()
    for (const {caller} of this.#waiting) {
      for (const name of [caller.project, clientOf(caller)]) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    const countOf = (name: string): number => counts.get(name) ?? 0
    let refused: Waiter | undefined
    for (const one of this.#waiting) {
      if (one.hasBegun) continue
      if (one.caller.isGone()) {
        refused = one
        break
      }
      const more = refused
        ? countOf(one.caller.project) - countOf(refused.caller.project) ||
          countOf(clientOf(one.caller)) - countOf(clientOf(refused.caller))
        : 0
      if (more >= 0) refused = one
    }
    if (!refused) return
    this.#waiting.splice(this.#waiting.indexOf(refused), 1)
    refused.refuse(ApiError.of('OverCapacity', {message: this.#limits.refusal, retryAfterSeconds: 2}))
  }
}

const clientOf = ({project, client}: Caller): string => `${project} ${client}`
