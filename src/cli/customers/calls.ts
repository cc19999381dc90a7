import {
  customerExistsById,
  customerExistsByKey,
  customerExistsByQuery,
  getCustomerById,
  getCustomerByKey,
  queryCustomers,
} from '../../api/customers/operations.js'
import type {Client, QueryValue} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {isFound} from '../input/is-found.js'
import {criterionOf, exactlyOne, type Ref} from '../input/refs.js'

/** Calls about customers that several commands share. */

export interface ReadOptions {
  readonly expand?: readonly string[] | undefined
}

const expandOf = ({expand}: ReadOptions): Record<string, QueryValue> =>
  expand === undefined || expand.length === 0 ? {} : {expand}

/** The one customer that a reference names. Throws not found, or ambiguous. */
export async function customerOf(client: Client, ref: Ref, options: ReadOptions = {}): Promise<Customer> {
  switch (ref.by) {
    case 'id':
      return client.call(getCustomerById, {id: ref.value}, {query: expandOf(options)})
    case 'key':
      return client.call(getCustomerByKey, {key: ref.value}, {query: expandOf(options)})
    case 'email':
    case 'number': {
      const query = {...criterionOf(ref), ...expandOf(options), limit: 3, withTotal: false}
      const {results} = await client.call(queryCustomers, {}, {query})
      return exactlyOne(results, ref, 'customer')
    }
  }
}

/** Whether a reference names a customer, without reading it. */
export function customerExists(client: Client, ref: Ref): Promise<boolean> {
  switch (ref.by) {
    case 'id':
      return isFound(client.call(customerExistsById, {id: ref.value}))
    case 'key':
      return isFound(client.call(customerExistsByKey, {key: ref.value}))
    case 'email':
    case 'number':
      return isFound(client.call(customerExistsByQuery, {}, {query: criterionOf(ref)}))
  }
}

/** Whether any customer satisfies the predicates. */
export const anyCustomer = (client: Client, query: Readonly<Record<string, QueryValue>>): Promise<boolean> =>
  isFound(client.call(customerExistsByQuery, {}, {query}))
