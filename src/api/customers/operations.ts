import type * as v from 'valibot'
import {Customer} from '../../domain/customers/customer.js'
import {readingOf} from '../collections/reading.js'
import {ownCollection} from '../operation/collection-table.js'
import {existenceOf} from '../operation/registered.js'
import {customersIn} from './access.js'

/** The schema of a reply that is one customer. Its type is the domain's, whose members are read-only. */
export const CustomerReply = Customer as unknown as v.GenericSchema<Customer>

export const [getCustomerById, getCustomerByKey, queryCustomers] = readingOf({
  collection: ownCollection('customer'),
  area: 'Customers',
  path: '/{projectKey}/customers',
  label: 'Customer',
  things: ['a customer', 'customers'],
  permission: {kind: 'bearer', anyOf: ['view_customers']},
  reply: CustomerReply,
  inStore: true,
  visible: customersIn,
})

export const customerExistsById = existenceOf(getCustomerById)
export const customerExistsByKey = existenceOf(getCustomerByKey)
export const customerExistsByQuery = existenceOf(queryCustomers)

export const readingCustomers = [queryCustomers, getCustomerById, getCustomerByKey]
