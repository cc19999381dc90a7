import type {Client, QueryValue} from '../../client/client.js'
import {deleteCustomerById} from '../../client/operations/customer-updates.js'
import {queryCustomers} from '../../client/operations/customers.js'
import type {Customer} from '../../domain/customers/customer.js'
import {usage} from '../failure.js'
import {allPages, type QueryFlags} from '../query-options.js'
import type {Ref} from '../refs.js'
import {customerExists, customerOf} from './calls.js'

/** Everything that is to go, read first, so that people see it and its version is known. */
export async function doomed(
  client: Client,
  refs: readonly Ref[],
  flags: QueryFlags,
  max: number | undefined,
): Promise<Customer[]> {
  if (flags.where === undefined) {
    const found = []
    for (const ref of refs) found.push(await customerOf(client, ref))
    return found
  }
  if (max === undefined)
    throw usage('--where needs --max.', 'Say how many customers may be deleted at the most: --max N.')
  const found: Customer[] = []
  for await (const page of allPages(client, queryCustomers, flags)) {
    found.push(...page)
    if (found.length > max)
      throw usage(`More than ${max} customers match; nothing was deleted.`, 'Narrow --where, or raise --max.')
  }
  return found
}

export function deleteCustomer(
  client: Client,
  {id, version}: {readonly id: string; readonly version: number},
  erase: boolean,
): Promise<Customer> {
  const query: Record<string, QueryValue> = erase ? {version, dataErasure: true} : {version}
  return client.call(deleteCustomerById, {id}, {query})
}

/** After a deletion without an answer: the customer as it was, if it is gone. */
export const goneCustomer = async (client: Client, customer: Customer): Promise<Customer | undefined> =>
  (await customerExists(client, {by: 'id', value: customer.id})) ? undefined : customer
