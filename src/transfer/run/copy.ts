import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {openSources, type Source} from '../input/source.js'
import {allCustomers, type ReadOptions} from '../output/all-customers.js'
import {anonymizer} from '../output/anonymize.js'
import {openSpool} from '../output/spool.js'
import {expandedReferences} from './customer-calls.js'

export interface CopyOptions extends ReadOptions {
  /** Seed of the pseudonyms; absent: customers are copied as they are. */
  readonly anonymize?: string
}

/**
 * Reads the customers of one project into a file that another can import, and hands its source to `use`. References are
 * named by key where they have one, since ids differ between projects.
 */
export async function withCustomersOf<T>(
  client: Client,
  options: CopyOptions,
  use: (sources: readonly Source[]) => Promise<T>,
): Promise<T> {
  const spool = await openSpool('customers.jsonl')
  try {
    const disguised = options.anonymize === undefined ? undefined : anonymizer(options.anonymize)
    const query = {...options.query, expand: expandedReferences}
    for await (const customer of allCustomers(client, {...options, query})) {
      options.signal?.throwIfAborted()
      await spool.add(portable(disguised ? disguised(customer) : customer))
    }
    await spool.close()
    const {list} = await openSources([spool.path], {format: 'jsonl', allowEmpty: true})
    return await use(list)
  } finally {
    await spool.dispose()
  }
}

/** The customer as another project can take it. */
function portable({password: _, ...customer}: Customer): object {
  return byKey(customer) as object
}

function byKey(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byKey)
  if (typeof value !== 'object' || value === null) return value
  if ('typeId' in value && 'id' in value) {
    const {typeId, id, obj} = value as {typeId: unknown; id: unknown; obj?: {readonly key?: unknown}}
    return typeof obj?.key === 'string' ? {typeId, key: obj.key} : {typeId, id}
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, byKey(member)]))
}
