import type {Client} from '../client/client.js'
import type {Customer} from '../domain/customers/customer.js'
import {openSpool} from './files/spool.js'
import type {Source} from './input/row.js'
import {openSources} from './input/source.js'
import {allCustomers, type ReadOptions} from './output/all-customers.js'
import {anonymizer} from './output/anonymize.js'
import {expandedReferences} from './send/customer-calls.js'
import {byKey, type NewIds} from './target/references.js'

export interface CopyOptions extends ReadOptions {
  /** Seed of the pseudonyms; absent: customers are copied as they are. */
  readonly anonymize?: string
  /** What references became in the target, from `bringReferences`; those without a key are named by these ids. */
  readonly newIds?: NewIds
  /** Leaves out of a customer what the target would refuse. */
  readonly trim?: (customer: Customer) => Promise<Customer>
}

/**
 * Reads the customers of one project into a temporary file that another project can import. Hands its source to `use`, with
 * the number of customers without a key. Names references by key if they have one, since ids differ between projects.
 *
 *     await withCustomersOf(staging, {anonymize: 'a seed'}, (sources) => importCustomers(client, sources, options))
 */
export async function withCustomersOf<T>(
  client: Client,
  options: CopyOptions,
  use: (sources: readonly Source[], read: {readonly withoutKey: number}) => Promise<T>,
): Promise<T> {
  const spool = await openSpool()
  try {
    const disguised = options.anonymize === undefined ? undefined : anonymizer(options.anonymize)
    const query = {...options.query, expand: expandedReferences}
    let withoutKey = 0
    for await (const customer of allCustomers(client, {...options, query})) {
      options.signal?.throwIfAborted()
      if (customer.key === undefined) withoutKey += 1
      const trimmed = (await options.trim?.(customer)) ?? customer
      const {password: _, ...copied} = disguised ? disguised(trimmed) : trimmed
      await spool.add(byKey(copied, options.newIds ?? new Map()) as object)
    }
    await spool.close()
    const {list} = await openSources([spool.path], {format: 'jsonl', encoding: 'utf-8', allowEmpty: true})
    const sources = list.map((source) => ({...source, copied: true as const}))
    return await use(sources, {withoutKey})
  } finally {
    await spool.dispose()
  }
}
