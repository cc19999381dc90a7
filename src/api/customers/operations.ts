import * as v from 'valibot'
import {Customer, customerShape} from '../../domain/customers/customer.js'
import {limits} from '../../limits.js'
import {byIdAndKey, existence, existenceByQuery} from '../operation/by-id-and-key.js'
import {operation} from '../operation/operation.js'
import {type PagedResult, repliedPage, wholeOrExpanded} from '../operation/read.js'
import {visibleCustomer, visibleCustomers} from './access.js'

const area = 'Customers'
const permission = {kind: 'bearer', anyOf: ['view_customers']} as const

/** The schema of a reply that is one customer. Its type is the domain's, whose members are read-only. */
export const CustomerReply = Customer as unknown as v.GenericSchema<Customer>

/** The schema of a page of resources. */
export const pageOf = <R>(schema: v.GenericSchema<R>) =>
  v.object({
    limit: v.number(),
    offset: v.number(),
    count: v.number(),
    total: v.exactOptional(v.number()),
    results: v.array(schema),
  }) as unknown as v.GenericSchema<PagedResult<R & {id: string; version: number}>>

export const [getCustomerById, getCustomerByKey] = byIdAndKey({
  id: 'getCustomer',
  method: 'GET',
  path: '/{projectKey}/customers',
  summary: 'read a customer',
  area,
  permission,
  query: ['expand'],
  reply: CustomerReply,
  inStore: true,
  handle: async (context, name, {query}) =>
    wholeOrExpanded(context, 'customer', name, query, () => visibleCustomer(context, name)),
})

export const customerExistsById = existence('customerExistsById', getCustomerById, 'tell whether a customer exists')
export const customerExistsByKey = existence('customerExistsByKey', getCustomerByKey, 'tell whether a customer exists')

export const queryCustomers = operation({
  id: 'queryCustomers',
  method: 'GET',
  path: '/{projectKey}/customers',
  summary: 'find customers by predicates',
  area,
  permission,
  query: ['where', 'sort', 'expand', 'limit', 'offset', 'withTotal', 'var.*'],
  reply: pageOf(CustomerReply),
  inStore: true,
  // A client learns here that this server takes batches (`createCustomers`), and of how many drafts.
  headers: {'x-frontdesk-batch': `${limits.batchedDrafts}`},
  handle: async (context, {query}) =>
    repliedPage<Customer>(context, 'customer', customerShape, query, visibleCustomers(context)),
})

export const customerExistsByQuery = existenceByQuery(
  'customerExistsByQuery',
  queryCustomers,
  'tell whether any customer satisfies the predicates',
)
