import {customerActions} from '../../domain/customers/actions/index.js'
import type {Customer} from '../../domain/customers/customer.js'
import {userIdentifiers} from '../../domain/customers/fields.js'
import {omit} from '../../domain/equal.js'
import {flagOf} from '../../query/page.js'
import {regroupedCart} from '../carts/operations.js'
import {byIdAndKey} from '../operation/by-id-and-key.js'
import {foldedOver, taking, type Update} from '../operation/change.js'
import {commit, putOf, revised} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {aftermathOf, credentialOf, endedTokens, noAftermath} from '../operation/effects.js'
import {decisiveKinds} from '../operation/facts.js'
import {checkVersion, versionOf} from '../operation/parameters.js'
import {retrying} from '../operation/retrying.js'
import {cartReads, oneTimeTokenReads, passwordReads, removedTokenReads} from '../operation/unexpected.js'
import {checkMove, writableCustomer} from './access.js'
import {type Erasure, erasedKinds, erasureOf, unownedCarts} from './erasure.js'
import {CustomerReply} from './operations.js'

const shared = {
  area: 'Customers',
  path: '/{projectKey}/customers',
  permission: {kind: 'bearer', anyOf: ['manage_customers']},
  reply: CustomerReply,
  inStore: true,
} as const

/** Folds the actions over a customer and commits it with messages and effects; without a change nothing is written. */
export function changeCustomer(context: Context, before: Customer, body: Update<Customer>): Promise<Customer> {
  // A concurrent sign-in may change a cart or renew the hash in the credential.
  return retrying(async () => {
    const {next, messages, effects, required} = await foldedOver(context, before, body)
    if (next === before) return before
    checkMove(context, before, next)
    const {resource, messages: stored} = revised(context, 'customer', next, messages)
    const put = putOf('customer', before.version, resource)
    const {changes, complete} = effects.length === 0 ? noAftermath : await aftermathOf(context, before.id, effects)
    const isRegrouped = effects.some(({effect}) => effect === 'recalculateCart')
    const cart = isRegrouped ? await regroupedCart(context, resource) : []
    await commit(context, resource, [...required, put, ...stored, ...changes, ...cart], complete)
    return resource
  }, ['cart', 'credential', ...decisiveKinds])
}

export const [updateCustomerById, updateCustomerByKey] = byIdAndKey({
  ...shared,
  id: 'updateCustomer',
  method: 'POST',
  summary: 'change a customer by update actions',
  query: ['expand'],
  ...taking(customerActions),
  unexpected: {...cartReads, ...oneTimeTokenReads},
  handle: async (context, name, {body}) => changeCustomer(context, await writableCustomer(context, name), body),
})

/** Removes a customer, its credential and its tokens. Its carts become nobody's; `erase` removes it from all documents. */
export async function removeCustomer(context: Context, customer: Customer, erase: boolean): Promise<void> {
  const message = {
    type: 'CustomerDeleted',
    payload: erase ? {} : {email: customer.email},
    resourceVersion: customer.version,
  }
  // The message about an erasure is without the identifiers that people gave the customer.
  const subject = erase ? (omit(customer, userIdentifiers) as Customer) : customer
  const {messages} = revised(context, 'customer', subject, [message])
  // A cart that is taken over or changed meanwhile is read anew; the version of the customer is the caller's.
  const erasure = await retrying(async () => {
    const credential = await credentialOf(context, customer.id)
    let forgotten: Erasure | undefined
    const removals = [
      {kind: 'customer', expect: customer.version, remove: customer.id},
      ...(credential ? [{kind: 'credential', expect: credential.version, remove: customer.id}] : []),
      ...messages,
    ]
    // From here on nothing can come to refer to the customer, so that the look for what does is complete.
    const complete = async () => {
      const ended = await endedTokens(context, customer.id, ['password', 'email'], erase ? 'erased' : 'scrubbed')
      if (!erase) return [...ended, ...(await unownedCarts(context, customer.id))]
      forgotten = await erasureOf(context, customer)
      return [...ended, ...forgotten.changes]
    }
    await commit(context, customer, removals, complete)
    return forgotten
  }, ['credential', ...erasedKinds])
  await erasure?.finish()
}

/** Decision 14. */
export const [deleteCustomerById, deleteCustomerByKey] = byIdAndKey({
  ...shared,
  id: 'deleteCustomer',
  method: 'DELETE',
  summary: 'delete a customer',
  query: ['version', 'dataErasure', 'expand'],
  messages: ['CustomerDeleted'],
  unexpected: {...removedTokenReads, 'failed-sign-in': passwordReads['failed-sign-in']},
  handle: async (context, name, {query}) => {
    const version = versionOf(query)
    const erase = flagOf(query, 'dataErasure', false)
    const customer = await writableCustomer(context, name)
    checkVersion(customer, version)
    await removeCustomer(context, customer, erase)
    return customer
  },
})

export const changingCustomers = [updateCustomerById, updateCustomerByKey, deleteCustomerById, deleteCustomerByKey]
