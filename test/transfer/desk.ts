import type {Client} from '../../src/client/client.js'
import {connect} from '../../src/client/connect.js'
import type {Customer} from '../../src/domain/customers/customer.js'
import {seededRandom} from '../../src/server/http/faults.js'
import {type RunningServer, type ServerOptions, startServer} from '../../src/server/start.js'
import {callsOf} from '../../src/transfer/send/customer-calls.js'
import type {Runtime} from '../../src/transfer/send/runtime.js'

/** A clock that stands still but for waiting, which takes no time at all. */
export function quickRuntime(seed = 1): Runtime & {readonly waited: number[]} {
  const random = seededRandom(seed)
  const waited: number[] = []
  let now = Date.parse('2026-11-20T10:00:00.000Z')
  return {
    waited,
    random,
    now: () => now,
    wait: async (milliseconds, signal) => {
      signal?.throwIfAborted()
      waited.push(milliseconds)
      now += milliseconds
      await new Promise((resolve) => setImmediate(resolve))
    },
    bytes: (count) => Buffer.from(Array.from({length: count}, () => Math.floor(random() * 256))),
  }
}

export interface Shop {
  readonly server: RunningServer
  readonly client: Client
  /** Every customer, in the order of keys. */
  customers(): Promise<Customer[]>
  /** A client through another address of the same server. */
  through(apiUrl: string): Promise<Client>
}

/** A server in memory for the tests of one suite. */
export function shop(options: Partial<ServerOptions> = {}): () => Shop {
  let opened: Shop | undefined
  const clients: Client[] = []
  before(async () => {
    const server = await startServer({dataDir: ':memory:', projectKey: 'shop', settings: {passwordCost: 4}, ...options})
    const through = async (apiUrl: string): Promise<Client> => {
      const {client} = server
      if (!client) throw new Error('the server has no client')
      const credentials = {kind: 'client', clientId: client.clientId, secret: async () => client.clientSecret} as const
      const {projectKey, authUrl} = server
      const opened = await connect({kind: 'remote', projectKey, apiUrl, authUrl, credentials}, {retries: 0})
      clients.push(opened)
      return opened
    }
    const client = await through(server.apiUrl)
    const customers = async (): Promise<Customer[]> => {
      const found: Customer[] = []
      for (;;) {
        const {results} = await callsOf(client).page({}, found.at(-1)?.id)
        found.push(...results)
        if (results.length < 500) return found.toSorted((one, other) => ((one.key ?? '') < (other.key ?? '') ? -1 : 1))
      }
    }
    opened = {server, client, customers, through}
  })
  after(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await opened?.server.stop()
  })
  return () => {
    if (!opened) throw new Error('the server has not started')
    return opened
  }
}
