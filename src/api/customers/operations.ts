import type * as v from 'valibot'
import {Customer, customerShape} from '../../domain/customers/customer.js'
import {limits} from '../../limits.js'
import {byIdAndKey} from '../operation/by-id-and-key.js'
import {operation} from '../operation/operation.js'
import {pageOf, repliedPage, textOr} from '../operation/read.js'
import {existenceOf} from '../operation/registered.js'
import {visibleCustomer, visibleCustomers} from './access.js'

const area = 'Customers'
const permission = {kind: 'bearer', anyOf: ['view_customers']} as const

/** The schema of a reply that is one customer. Its type is the domain's, whose members are read-only. */
export const CustomerReply = Customer as unknown as v.GenericSchema<Customer>

export const [getCustomerById, getCustomerByKey] = byIdAndKey({
  id: 'getCustomer',
  head: 'customerExists',
  method: 'GET',
  path: '/{projectKey}/customers',
  summary: 'read a customer',
  area,
  permission,
  query: ['expand'],
  reply: CustomerReply,
  inStore: true,
  handle: async (context, name, {query}) =>
    textOr(context, 'customer', name, query, () => visibleCustomer(context, name)),
})

export const queryCustomers = operation({
  id: 'queryCustomers',
  head: 'customerExistsByQuery',
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

export const customerExistsById = existenceOf(getCustomerById)
export const customerExistsByKey = existenceOf(getCustomerByKey)
export const customerExistsByQuery = existenceOf(queryCustomers)

export const readingCustomers = [queryCustomers, getCustomerById, getCustomerByKey]
