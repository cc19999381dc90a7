import type {Run} from './batch.js'
import {isLost} from './faults.js'
import {readingOn} from './hosts.js'
import type {Lease} from './pool.js'

/** How long others join: nobody gets behind statements that take long, nor stays with a former primary. */
const usualJoinedMs = 20

interface Shared {
  readonly lease: Promise<Lease>
  readonly until: number
  users: number
  isBroken: boolean
}

/** A connection of the pool for as long as somebody uses it, which others may join meanwhile. */
export class SharedConnection {
  readonly #lease: () => Promise<Lease>
  readonly #giveBack: (lease: Lease, isBroken: boolean) => void
  readonly #joinedMs: number
  #shared: Shared | undefined

  constructor(
    lease: () => Promise<Lease>,
    giveBack: (lease: Lease, isBroken: boolean) => void,
    joinedMs = usualJoinedMs,
  ) {
    this.#lease = lease
    this.#giveBack = giveBack
    this.#joinedMs = joinedMs
  }

  async use<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const shared = this.#joined()
    shared.users += 1
    try {
      return await work(await readingOn((await shared.lease).client))
    } catch (error) {
      shared.isBroken ||= isLost(error)
      throw error
    } finally {
      shared.users -= 1
      this.#leave(shared)
    }
  }

  #joined(): Shared {
    const now = performance.now()
    if (this.#shared && now < this.#shared.until) return this.#shared
    this.#shared = {lease: this.#lease(), until: now + this.#joinedMs, users: 0, isBroken: false}
    return this.#shared
  }

  /** The last user gives the connection back; nobody joins a broken one. */
  #leave(shared: Shared): void {
    if (shared.users > 0 && !shared.isBroken) return
    if (this.#shared === shared) this.#shared = undefined
    if (shared.users > 0) return
    shared.lease.then(
      (lease) => this.#giveBack(lease, shared.isBroken),
      // Its users have heard of it.
      () => {},
    )
  }
}
