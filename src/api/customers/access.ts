import type {Customer} from '../../domain/customers/customer.js'
import {byEmail} from '../../domain/customers/identity.js'
import {ApiError, notFound} from '../../domain/errors.js'
import type {Predicate} from '../../query/ast.js'
import type {Context} from '../operation/context.js'
import {isVisible} from '../operation/read.js'
import {holdsProjectWide} from '../pipeline/permit.js'

/** The customers that a request may see and write, with and without a store in the path (decision 27). */

/** Matches customers of the path's store and global ones; undefined without a store, when all are visible. */
export function visibleCustomers({storeKey}: Context): Predicate | undefined {
  if (storeKey === undefined) return undefined
  return {
    op: 'or',
    terms: [
      {op: 'empty', field: {path: ['stores'], type: 'unknown'}, negated: false},
      {
        op: 'nested',
        path: ['stores'],
        term: {op: 'compare', field: {path: ['key'], type: 'string'}, comparison: '=', value: storeKey},
      },
    ],
  }
}

export const missingById = (id: string): ApiError => notFound(`The Customer with ID '${id}' was not found.`)
const missingByKey = (key: string): ApiError => notFound(`The Customer with key '${key}' was not found.`)

/** How a request names a customer. */
export type CustomerName = {readonly id: string} | {readonly key: string}

/** The customer, if it is visible from the path's store. Throws ResourceNotFound. */
export async function visibleCustomer(context: Context, name: CustomerName): Promise<Customer> {
  const {platform, project, storeKey} = context
  const customer =
    'id' in name
      ? await platform.state.get<Customer>(project.key, 'customer', name.id)
      : await platform.state.find<Customer>(project.key, 'customer', `key:${name.key}`)
  if (customer && isVisible(customer, storeKey)) return customer
  throw 'id' in name ? missingById(name.id) : missingByKey(name.key)
}

/**
 * Throws insufficient_scope if the caller may see the customer but not write it: a global one, with a store's scope.
 */
export function checkWritable(context: Context, customer: Customer): void {
  if (context.storeKey === undefined || customer.stores.length > 0) return
  if (!isSelf(context, customer.id) && !holdsProjectWide(context, 'manage_customers')) throw writeRefused()
}

const isSelf = ({principal}: Context, id: string): boolean => principal.kind === 'bearer' && principal.customerId === id

const writeRefused = (): ApiError => ApiError.of('insufficient_scope', {missing: ['manage_customers']})

export async function writableCustomer(context: Context, name: CustomerName): Promise<Customer> {
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
  const {platform, project, storeKey} = context
  const find = (uniqueKey: string) => platform.state.find<Customer>(project.key, 'customer', uniqueKey)
  if (storeKey !== undefined && !(await platform.state.find(project.key, 'store', `key:${storeKey}`))) return undefined
  const ofStore = storeKey === undefined ? undefined : await find(byEmail(email, storeKey))
  return ofStore ?? (await find(byEmail(email)))
}
