import type pg from 'pg'
import {isNoRoom} from './faults.js'

/** A connection leased from the pool. */
export interface Lease {
  readonly client: pg.Client
  /** For work that waits for something other than the database. */
  readonly holding: boolean
}

interface Member {
  readonly client: pg.Client
  readonly generation: number
  /** Set while it is idle. */
  idleTimer: NodeJS.Timeout | undefined
  isGone: boolean
}

interface Waiter {
  /** Ascends in order of arrival. */
  readonly turn: number
  readonly holding: boolean
  readonly timer: NodeJS.Timeout
  resolve(lease: Lease): void
  reject(error: unknown): void
}

export interface PoolOptions {
  readonly connect: () => Promise<pg.Client>
  /** Maximum number of connections. */
  readonly max: number
  /** How long a request waits for a connection. */
  readonly waitMs: number
  /** Idle timeout of connections. */
  readonly idleMs?: number
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
  readonly #members = new Map<pg.Client, Member>()
  readonly #idle: Member[] = []
  /** Waiters in order of arrival; those that will hold a connection are separate, since others may overtake them. */
  readonly #brief = new Set<Waiter>()
  readonly #holding = new Set<Waiter>()
  #turns = 0
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
    this.#options = {idleMs: 10_000, retryMs: 250, ...options}
    this.#ceiling = options.max
  }

  /** Waits for a connection. Rejects with the error that kept the pool from connecting. */
  acquire(holding: boolean): Promise<Lease> {
    if (this.#closed) return Promise.reject(new Error('the connections are closed'))
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#queueOf(waiter).delete(waiter)
        const message = 'timeout exceeded when waiting for a connection'
        reject(new Error(message, this.#lastFailure === undefined ? {} : {cause: this.#lastFailure}))
      }
      this.#turns += 1
      const timer = setTimeout(giveUp, this.#options.waitMs)
      const waiter: Waiter = {turn: this.#turns, holding, resolve, reject, timer}
      this.#queueOf(waiter).add(waiter)
      this.#serve()
    })
  }

  /** Returns a connection to the pool; a `broken` one is closed. */
  release({client, holding}: Lease, broken: boolean): void {
    if (holding) this.#holders -= 1
    const member = this.#members.get(client)
    if (member) {
      if (broken || this.#closed || member.generation < this.#generation) this.#drop(member)
      else this.#rest(member)
    }
    this.#serve()
  }

  /** Closes all connections, those in use at their release: they lead to a server that is no longer the primary. */
  outdate(): void {
    this.#generation += 1
    for (const member of [...this.#idle]) this.#drop(member)
  }

  /** Closes idle connections: another one has failed, and they may have failed with it. */
  distrust(): void {
    for (const member of [...this.#idle]) this.#drop(member)
  }

  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#emptied = resolve
      clearTimeout(this.#retryTimer)
      for (const member of [...this.#idle]) this.#drop(member)
      this.#fail(new Error('the connections are closed'))
      this.#noteEmpty()
    })
    return this.#closed
  }

  #queueOf({holding}: Pick<Waiter, 'holding'>): Set<Waiter> {
    return holding ? this.#holding : this.#brief
  }

  /** The first waiter that may get a connection now. */
  #next(): Waiter | undefined {
    const [brief] = this.#brief
    if (this.#holders >= Math.max(1, Math.floor(this.#ceiling / 3))) return brief
    const [holding] = this.#holding
    return brief && holding ? (brief.turn < holding.turn ? brief : holding) : (brief ?? holding)
  }

  #serve(): void {
    while (this.#idle.length > 0) {
      const waiter = this.#next()
      const member = waiter && this.#idle.pop()
      if (!member) break
      this.#lend(member, waiter)
    }
    const wanted = this.#closed ? 0 : this.#brief.size + this.#holding.size
    if (wanted === 0 && !this.#retryTimer) this.#ceiling = this.#options.max
    while (this.#connecting < wanted && this.#members.size + this.#connecting < this.#ceiling) this.#open()
  }

  #lend(member: Member, waiter: Waiter): void {
    clearTimeout(member.idleTimer)
    member.idleTimer = undefined
    clearTimeout(waiter.timer)
    this.#queueOf(waiter).delete(waiter)
    if (waiter.holding) this.#holders += 1
    waiter.resolve({client: member.client, holding: waiter.holding})
  }

  #open(): void {
    this.#connecting += 1
    const generation = this.#generation
    this.#options.connect().then(
      (client) => {
        this.#connecting -= 1
        const member: Member = {client, generation, idleTimer: undefined, isGone: false}
        this.#members.set(client, member)
        // A further connection was allowed: there may be more.
        if (this.#members.size >= this.#ceiling) this.#ceiling = Math.min(2 * this.#ceiling + 1, this.#options.max)
        // A user of the connection notices the loss by its failing statement.
        client.once('end', () => this.#drop(member))
        if (this.#closed || generation < this.#generation) this.#drop(member)
        else this.#rest(member)
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
    for (const queue of [this.#brief, this.#holding]) {
      for (const {timer, reject} of queue) {
        clearTimeout(timer)
        reject(error)
      }
      queue.clear()
    }
  }

  #rest(member: Member): void {
    member.idleTimer = setTimeout(() => this.#drop(member), this.#options.idleMs).unref()
    this.#idle.push(member)
  }

  #drop(member: Member): void {
    if (member.isGone) return
    member.isGone = true
    clearTimeout(member.idleTimer)
    const at = this.#idle.indexOf(member)
    if (at >= 0) this.#idle.splice(at, 1)
    this.#members.delete(member.client)
    member.client.end().catch(() => {})
    this.#noteEmpty()
  }

  #noteEmpty(): void {
    if (this.#members.size === 0 && this.#connecting === 0) this.#emptied?.()
  }
}
