import * as v from 'valibot'
import {registryOf} from '../../domain/action.js'
import {unknownToken} from '../../domain/credentials/one-time-token.js'
import {customerActions} from '../../domain/customers/actions/index.js'
import {type Customer, customerShape} from '../../domain/customers/customer.js'
import {customerFacets} from '../../domain/customers/identity.js'
import {type ApiError, notFound} from '../../domain/errors.js'
import {Text, Version} from '../../domain/rules.js'
import {readVars} from '../../query/page.js'
import {parseWhere} from '../../query/parser.js'
import {compile} from '../../query/to-function.js'
import {CustomerReply} from '../customers/operations.js'
import {changeCustomer, removeCustomer} from '../customers/updates.js'
import {withCustomShapes} from '../documents/custom-shapes.js'
import {taking} from '../operation/change.js'
import {bearerOf, type Context} from '../operation/context.js'
import {operation, type Query} from '../operation/operation.js'
import {checkVersion, versionOf} from '../operation/parameters.js'
import {documentBy, isVisible} from '../operation/read.js'
import {oneTimeTokenReads, passwordReads} from '../operation/unexpected.js'
import {verifyEmail} from './emails.js'
import {customerOfToken} from './one-time-tokens.js'
import {changePassword, resetPassword, resetReads} from './passwords.js'

/** Operations on `/me`: the token's own customer, by the same rules, with fewer actions. */

const own = {
  area: 'My profile',
  method: 'POST',
  permission: {kind: 'bearer', anyOf: ['manage_my_profile'], bound: 'customer'},
  reply: CustomerReply,
  inStore: true,
} as const
const session = {kind: 'bearer', anyOf: ['manage_my_profile'], bound: 'either'} as const

const nobody = (): ApiError => notFound('The token belongs to no customer here.')

/** The customer that the token is bound to, if it is visible from the path's store. Throws ResourceNotFound. */
export async function me(context: Context): Promise<Customer> {
  const {customerId: id} = bearerOf(context)
  const customer = id === undefined ? undefined : await documentBy<Customer>(context, 'customer', {id})
  if (customer && isVisible(customer, context.storeKey)) return customer
  throw nobody()
}

async function checkWhere(context: Context, customer: Customer, query: Query): Promise<void> {
  const predicates = query.get('where') ?? []
  await withCustomShapes(context, predicates, (custom) => {
    const where = parseWhere(predicates, customerShape, readVars(query), custom)
    if (where && !compile<Customer>(where, customerFacets)(customer)) throw nobody()
  })
}

const getMe = operation({
  ...own,
  id: 'getMe',
  method: 'GET',
  path: '/{projectKey}/me',
  summary: 'read the customer of the token',
  query: ['where', 'expand', 'var.*'],
  handle: async (context, {query}) => {
    const customer = await me(context)
    await checkWhere(context, customer, query)
    return customer
  },
})

/** The actions that customers may use on themselves: those of the registry marked `my`. */
export const myCustomerActions = registryOf([...customerActions.values()].filter(({my}) => my === true))

export const updateMe = operation({
  ...own,
  id: 'updateMe',
  path: '/{projectKey}/me',
  summary: 'change the customer of the token by update actions',
  ...taking(myCustomerActions),
  handle: async (context, {body}) => changeCustomer(context, await me(context), body),
})

export const deleteMe = operation({
  ...own,
  id: 'deleteMe',
  method: 'DELETE',
  path: '/{projectKey}/me',
  summary: 'delete the customer of the token',
  query: ['version'],
  messages: ['CustomerDeleted'],
  handle: async (context, {query}) => {
    const version = versionOf(query)
    const customer = await me(context)
    checkVersion(customer, version)
    await removeCustomer(context, customer, false)
    return customer
  },
})

export const changeMyPassword = operation({
  ...own,
  id: 'changeMyPassword',
  path: '/{projectKey}/me/password',
  summary: 'replace the own password, knowing the current one',
  body: v.object({version: Version, currentPassword: Text, newPassword: Text}),
  secrets: ['currentPassword', 'newPassword'],
  unexpected: passwordReads,
  messages: ['CustomerPasswordUpdated'],
  handle: async (context, {body}) => changePassword(context, await me(context), body),
})

async function checkOwnToken(context: Context, value: string, purpose: 'password' | 'email'): Promise<void> {
  const {customer} = await customerOfToken(context, value, purpose)
  const {customerId = customer.id} = bearerOf(context)
  if (customerId !== customer.id) throw unknownToken(value)
}

export const resetMyPassword = operation({
  ...own,
  id: 'resetMyPassword',
  path: '/{projectKey}/me/password/reset',
  summary: 'set a new password by a reset token',
  permission: session,
  body: v.object({tokenValue: Text, newPassword: Text}),
  unexpected: resetReads,
  secrets: ['tokenValue', 'newPassword'],
  messages: ['CustomerPasswordUpdated'],
  handle: async (context, {body}) => {
    await checkOwnToken(context, body.tokenValue, 'password')
    return await resetPassword(context, body)
  },
})

export const confirmMyEmail = operation({
  ...own,
  id: 'confirmMyEmail',
  path: '/{projectKey}/me/email/confirm',
  summary: 'verify the own email by its token',
  permission: session,
  body: v.object({tokenValue: Text}),
  unexpected: oneTimeTokenReads,
  secrets: ['tokenValue'],
  messages: ['CustomerEmailVerified'],
  handle: async (context, {body}) => {
    await checkOwnToken(context, body.tokenValue, 'email')
    return await verifyEmail(context, body)
  },
})

export const profileOperations = [getMe, updateMe, deleteMe, changeMyPassword, resetMyPassword, confirmMyEmail]
