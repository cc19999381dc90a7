import type {Client} from '../../client/client.js'
import type {Connection} from '../run/connection.js'

export type IdleConnection = ReturnType<typeof idleConnection>

/**
 * The connection of a session. The state of an embedded target is locked while it is open, and a session may rest for
 * hours: an unused one is released after a moment, and the next use opens it again. `idleMs` undefined: it stays open,
 * since nobody waits for it.
 */
export function idleConnection(connection: Connection, client: () => Promise<Client>, idleMs: number | undefined) {
  let uses = 0
  let timer: NodeJS.Timeout | undefined
  /** Keeps the connection open during some work that uses it by itself. */
  const hold = async <T>(work: () => Promise<T>): Promise<T> => {
    clearTimeout(timer)
    uses += 1
    try {
      return await work()
    } finally {
      uses -= 1
      if (uses === 0 && idleMs !== undefined)
        timer = setTimeout(() => void connection.release().catch(() => undefined), idleMs).unref()
    }
  }
  return {connection, hold, use: <T>(work: (client: Client) => Promise<T>) => hold(async () => work(await client()))}
}
