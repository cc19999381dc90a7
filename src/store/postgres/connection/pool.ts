import type pg from 'pg'
import {isNoRoom} from './faults.js'

/** A connection of the pool. */
export interface Lease {
  readonly client: pg.Client
  readonly generation: number
  /** Whether it is lent to work that waits for something other than the database. */
  holding: boolean
  /** Set while it is idle. */
  idleTimer: NodeJS.Timeout | undefined
}

interface Waiter {
  readonly holding: boolean
  readonly timer: NodeJS.Timeout
  resolve(lease: Lease): void
  reject(error: unknown): void
}

/** Idle timeout of connections. */
const idleMs = 10_000

export interface PoolOptions {
  readonly connect: () => Promise<pg.Client>
  /** Maximum number of connections. */
  readonly max: number
  /** How long a request waits for a connection. */
  readonly waitMs: number
  /** Pause between attempts to open more connections than the database last allowed. */
  readonly retryMs?: number
}

/**
 * The connection pool of one server. If the database allows fewer than `max`, requests wait for the existing ones; a
 * connection that fails does not affect others. Work that holds a connection while it waits for something else gets at
 * most a third of them, so that other requests never wait behind it.
 */
export class Pool {
  readonly #options: Required<PoolOptions>
  readonly #members = new Set<Lease>()
  readonly #idle: Lease[] = []
  /** In order of arrival; those that will hold a connection may be overtaken. */
  readonly #waiters = new Set<Waiter>()
  #connecting = 0
  #holders = 0
  #generation = 0
  /** Number of connections that the database presently allows. */
  #ceiling: number
  #retryTimer: NodeJS.Timeout | undefined
  #lastFailure: unknown
  #closed: Promise<void> | undefined
  #emptied: (() => void) | undefined

  constructor(options: PoolOptions) {
    this.#options = {retryMs: 250, ...options}
    this.#ceiling = options.max
  }

  /** Waits for a connection. Rejects with the error that kept the pool from connecting. */
  acquire(holding: boolean): Promise<Lease> {
    if (this.#closed) return Promise.reject(new Error('the connections are closed'))
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiters.delete(waiter)
        const message = 'timeout exceeded when waiting for a connection'
        reject(new Error(message, this.#lastFailure === undefined ? {} : {cause: this.#lastFailure}))
      }
      const timer = setTimeout(giveUp, this.#options.waitMs)
      const waiter: Waiter = {holding, resolve, reject, timer}
      this.#waiters.add(waiter)
      this.#serve()
    })
  }

  /** Returns a connection to the pool; a `broken` one is closed. */
  release(lease: Lease, broken: boolean): void {
    if (lease.holding) this.#holders -= 1
    lease.holding = false
    if (broken) this.#drop(lease)
    else this.#rest(lease)
    this.#serve()
  }

  /** Closes all connections, those in use at their release: they lead to a server that is no longer the primary. */
  outdate(): void {
    this.#generation += 1
    this.closeIdle()
  }

  /** Closes idle connections: another one has failed, and they may have failed with it. */
  closeIdle(): void {
    for (const lease of [...this.#idle]) this.#drop(lease)
  }

  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#emptied = resolve
      clearTimeout(this.#retryTimer)
      this.closeIdle()
      this.#fail(new Error('the connections are closed'))
      this.#noteEmpty()
    })
    return this.#closed
  }

  /** The first waiter that may get a connection now. */
  #next(): Waiter | undefined {
    const mayHold = this.#holders < Math.max(1, Math.floor(this.#ceiling / 3))
    for (const waiter of this.#waiters) if (mayHold || !waiter.holding) return waiter
    return undefined
  }

  #serve(): void {
    for (let waiter = this.#next(); waiter; waiter = this.#next()) {
      const lease = this.#idle.pop()
      if (!lease) break
      clearTimeout(lease.idleTimer)
      clearTimeout(waiter.timer)
      this.#waiters.delete(waiter)
      if (waiter.holding) this.#holders += 1
      lease.holding = waiter.holding
      waiter.resolve(lease)
    }
    const wanted = this.#closed ? 0 : this.#waiters.size
    if (wanted === 0 && !this.#retryTimer) this.#ceiling = this.#options.max
    while (this.#connecting < wanted && this.#members.size + this.#connecting < this.#ceiling) this.#open()
  }

  #open(): void {
    this.#connecting += 1
    const generation = this.#generation
    this.#options.connect().then(
      (client) => {
        this.#connecting -= 1
        const lease: Lease = {client, generation, holding: false, idleTimer: undefined}
        this.#members.add(lease)
        // A further connection was allowed: there may be more.
        if (this.#members.size >= this.#ceiling) this.#ceiling = Math.min(2 * this.#ceiling + 1, this.#options.max)
        // A user of the connection notices the loss by its failing statement.
        client.once('end', () => this.#drop(lease))
        this.#rest(lease)
        this.#serve()
      },
      (error: unknown) => {
        this.#connecting -= 1
        this.#refused(error)
      },
    )
  }

  #refused(error: unknown): void {
    this.#lastFailure = error
    this.#noteEmpty()
    if (this.#closed) return
    if (this.#members.size === 0 && !isNoRoom(error)) {
      // Connections still being opened will serve later waiters.
      if (this.#connecting === 0) this.#fail(error)
      return
    }
    this.#ceiling = this.#members.size
    this.#retryTimer ??= setTimeout(() => {
      this.#retryTimer = undefined
      this.#ceiling = Math.min(this.#members.size + 1, this.#options.max)
      this.#serve()
    }, this.#options.retryMs)
  }

  #fail(error: unknown): void {
    for (const {timer, reject} of this.#waiters) {
      clearTimeout(timer)
      reject(error)
    }
    this.#waiters.clear()
  }

  /** Makes a connection idle, unless it is gone or must not be used any more. */
  #rest(lease: Lease): void {
    if (!this.#members.has(lease)) return
    if (this.#closed || lease.generation < this.#generation) this.#drop(lease)
    else {
      lease.idleTimer = setTimeout(() => this.#drop(lease), idleMs).unref()
      this.#idle.push(lease)
    }
  }

  #drop(lease: Lease): void {
    if (!this.#members.delete(lease)) return
    clearTimeout(lease.idleTimer)
    const at = this.#idle.indexOf(lease)
    if (at >= 0) this.#idle.splice(at, 1)
    lease.client.end().catch(() => {})
    this.#noteEmpty()
  }

  #noteEmpty(): void {
    if (this.#members.size === 0 && this.#connecting === 0) this.#emptied?.()
  }
}
