import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {callsOf, type PageQuery, pageSize} from '../run/customer-calls.js'
import {Limiter} from '../run/limiter.js'
import {type Runtime, systemRuntime} from '../run/runtime.js'
import {Sender} from '../run/sender.js'

export interface ReadOptions {
  readonly query?: PageQuery
  readonly retries?: number
  readonly runtime?: Runtime
  readonly signal?: AbortSignal
}

const defaultRetries = 10

/**
 * Every customer that satisfies the predicates, in the order of ids, page by page; past any offset, since each page
 * begins behind the last id. Customers created meanwhile may be missing, none comes twice.
 */
export async function* allCustomers(client: Client, options: ReadOptions = {}): AsyncGenerator<Customer> {
  const {query = {}, retries = defaultRetries, runtime = systemRuntime, signal} = options
  const limiter = new Limiter({concurrency: 2}, runtime)
  const sender = new Sender({limiter, runtime, retries, ...(signal ? {signal} : {})})
  const calls = callsOf(client)
  let page = sender.send(() => calls.page(query))
  for (;;) {
    const customers = await page
    const last = customers.at(-1)
    const more = customers.length === (query.limit ?? pageSize) && last !== undefined
    // The next page is on its way while this one is used.
    if (more) page = sender.send(() => calls.page(query, last.id))
    if (more) page.catch(() => undefined)
    yield* customers
    if (!more) return
  }
}
