import type {Client} from '../../client/client.js'
import type {Connection} from '../run/connection.js'

/**
 * The connection of a session. The state of an embedded target is locked while it is open, and a session may rest for
 * hours: an unused one is released after a moment, and the next use opens it again.
 */
export class IdleConnection {
  readonly connection: Connection
  readonly #idleMs: number | undefined
  readonly #client: () => Promise<Client>
  #uses = 0
  #timer: NodeJS.Timeout | undefined

  /** `idleMs` undefined: it stays open, since nobody waits for it. */
  constructor(connection: Connection, client: () => Promise<Client>, idleMs: number | undefined) {
    this.connection = connection
    this.#client = client
    this.#idleMs = idleMs
  }

  use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return this.hold(async () => work(await this.#client()))
  }

  /** Keeps the connection open during some work that uses it by itself. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.#timer)
    this.#uses += 1
    try {
      return await work()
    } finally {
      this.#uses -= 1
      if (this.#uses === 0 && this.#idleMs !== undefined) {
        this.#timer = setTimeout(() => void this.connection.release().catch(() => undefined), this.#idleMs)
        this.#timer.unref()
      }
    }
  }
}
