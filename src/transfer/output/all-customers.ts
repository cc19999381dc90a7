import type {Client} from '../../client/client.js'
import {inIdOrder} from '../../client/walk.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import {callsOf, type PageQuery} from '../send/customer-calls.js'
import type {Runtime} from '../send/runtime.js'
import {Sender, sendingOf} from '../send/sender.js'
import type {Watermark} from './watermark.js'

export interface ReadOptions {
  readonly query?: PageQuery
  readonly retries?: number
  readonly runtime?: Runtime
  readonly signal?: AbortSignal
  readonly watermark?: Watermark
}

/**
 * Every customer that satisfies the predicates, in the order of ids, page by page; past any offset, since each page
 * begins behind the last id. Customers created meanwhile may be missing, none comes twice: a server that keeps no order
 * ends the walk with OrderBroken.
 */
export async function* allCustomers(client: Client, options: ReadOptions = {}): AsyncGenerator<Customer> {
  const {query = {}, retries, runtime, signal} = options
  const sender = new Sender(sendingOf({concurrency: 2, ...defined({retries, runtime, signal})}))
  const calls = callsOf(client)
  if (options.watermark) {
    await sender.send(() => calls.page({limit: 1}, undefined, signal))
    options.watermark.begin(client)
  }
  // The next page is on its way while this one is used.
  for await (const page of inIdOrder((after) => sender.send(() => calls.page(query, after, signal)), {ahead: true})) {
    for (const customer of page) options.watermark?.see(customer)
    yield* page
  }
}
