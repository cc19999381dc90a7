import type {Customer} from '../../domain/customers/customer.js'
import {byEmail} from '../../domain/customers/identity.js'
import {ApiError} from '../../domain/errors.js'
import {either, is} from '../../query/predicates.js'
import {documentOf, type Visibility} from '../collections/reading.js'
import type {Name} from '../operation/by-id-and-key.js'
import {ownCollection} from '../operation/collection-table.js'
import {bearerOf, type Context} from '../operation/context.js'
import {holdsProjectWide} from '../operation/permit.js'
import {isVisible} from '../operation/read.js'

/** The customers that a request may see and write, with and without a store in the path (decision 27). */

export const customersIn = ({storeKey}: Context): Visibility<Customer> => ({
  where:
    storeKey === undefined
      ? undefined
      : either(
          {op: 'empty', field: {path: ['stores'], type: 'unknown'}, negated: false},
          {op: 'nested', path: ['stores'], term: is('key', storeKey)},
        ),
  has: (customer) => isVisible(customer, storeKey),
  because: 'store',
})

const customers = ownCollection('customer')

export const visibleCustomer = (context: Context, name: Name): Promise<Customer> =>
  documentOf(context, customers, name, customersIn(context))

/** Throws insufficient_scope for a global customer that a scope of a store may see, but not write. */
export function checkWritable(context: Context, customer: Customer): void {
  if (context.storeKey === undefined || customer.stores.length > 0) return
  if (bearerOf(context).customerId !== customer.id && !holdsProjectWide(context, 'manage_customers'))
    throw writeRefused()
}

const writeRefused = (): ApiError => ApiError.of('insufficient_scope', {missing: ['manage_customers']})

export async function writableCustomer(context: Context, name: Name): Promise<Customer> {
  const customer = await visibleCustomer(context, name)
  checkWritable(context, customer)
  return customer
}

/** Throws insufficient_scope if a caller with a store's scope would change the stores of a customer. */
export function checkMove(context: Context, before: Customer, after: Customer): void {
  if (context.storeKey === undefined || before.stores === after.stores) return
  const keys = (customer: Customer) => customer.stores.map(({key}) => key)
  const same = before.stores.length === after.stores.length && keys(before).every((key) => keys(after).includes(key))
  if (!same && !holdsProjectWide(context, 'manage_customers')) throw writeRefused()
}

/**
 * The customer who may sign in with an email: of the path's store first, else global (decision 24). Undefined in a
 * store that does not exist, so that callers cannot probe for stores.
 */
export async function customerByEmail(context: Context, email: string): Promise<Customer | undefined> {
  const {runtime, project, storeKey} = context
  const find = (uniqueKey: string) => runtime.state.find<Customer>(project.key, 'customer', uniqueKey)
  if (storeKey !== undefined && !(await runtime.state.find(project.key, 'store', `key:${storeKey}`))) return undefined
  const ofStore = storeKey === undefined ? undefined : await find(byEmail(email, storeKey))
  return ofStore ?? (await find(byEmail(email)))
}
