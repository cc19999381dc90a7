import * as v from 'valibot'
import type {Effect} from '../../domain/action.js'
import {afterEffects, type Credential} from '../../domain/credentials/credential.js'
import {withRaisedEpoch} from '../../domain/credentials/one-time-token.js'
import type {Customer} from '../../domain/customers/customer.js'
import {canonicalEmail} from '../../domain/customers/identity.js'
import {ApiError, invalidOperation} from '../../domain/errors.js'
import {optional, Text, Version} from '../../domain/rules.js'
import {isFacet} from '../../query/predicates.js'
import {checkWritable, customerByEmail, writableCustomer} from '../customers/access.js'
import {CustomerReply} from '../customers/operations.js'
import {commit, putOf, revised} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {credentialOf, endedTokens} from '../operation/effects.js'
import {operation} from '../operation/operation.js'
import {checkVersion} from '../operation/parameters.js'
import {missing} from '../operation/read.js'
import {retrying} from '../operation/retrying.js'
import {oneTimeTokenReads, passwordReads} from '../operation/unexpected.js'
import {CustomerToken, createToken, customerOfToken, redeemable, TtlMinutes} from './one-time-tokens.js'
import {notePasswordWork, passwordFits} from './password-work.js'

const shared = {
  area: 'Passwords',
  method: 'POST',
  permission: {kind: 'bearer', anyOf: ['manage_customers']},
  inStore: true,
} as const

/** Sets a password in one commit with the raised version, the message and the sessions and tokens that it ends. */
async function setPassword(
  context: Context,
  before: Customer,
  credential: Credential,
  newPassword: string,
  {reset, effects}: {readonly reset: boolean; readonly effects: readonly Effect[]},
): Promise<Customer> {
  const {runtime} = context
  const version = before.version + 1
  const next = {...before, version, password: `****${runtime.secrets.token(3)}`}
  const message = {type: 'CustomerPasswordUpdated', payload: {reset}, resourceVersion: version}
  const {resource, messages} = revised(context, 'customer', next, [message])
  const put = putOf('customer', before.version, resource)
  const all: readonly Effect[] = [{effect: 'setPassword', password: newPassword}, ...effects]
  await notePasswordWork(runtime, context.project.key, runtime.settings.passwordCost)
  const ended = reset ? await endedTokens(context, before.id, ['password']) : []
  await commit(context, resource, [put, ...messages, ...ended], async () => {
    const hash = await runtime.passwords.hash(context.project.key, newPassword, 'newPassword')
    const raised = afterEffects(credential, all, hash)
    const doc = reset ? withRaisedEpoch(raised, 'password') : raised
    return [{kind: 'credential', expect: credential.version, doc}]
  })
  return resource
}

export const resetReads = {
  ...oneTimeTokenReads,
  message: 'one that shows no value of the token stays as it is',
  'failed-sign-in': passwordReads['failed-sign-in'],
}

const CustomerChangePassword = v.object({id: Text, version: Version, currentPassword: Text, newPassword: Text})

/** Replaces the password of a customer who knows the current one; wrong ones count towards the lockout. */
export async function changePassword(
  context: Context,
  before: Customer,
  body: {readonly version: number; readonly currentPassword: string; readonly newPassword: string},
): Promise<Customer> {
  const {runtime, project, now} = context
  const {passwords, settings, signInLockout} = runtime
  passwords.check(body.newPassword, 'newPassword')
  checkVersion(before, body.version)
  const target = {projectKey: project.key, email: before.email, account: before.id}
  const effects: Effect[] = settings.changePasswordEndsSessions ? [{effect: 'endSessions'}] : []
  // A concurrent sign-in may renew the hash.
  return retrying(async () => {
    await signInLockout.check(target, now)
    const credential = await credentialOf(context, before.id)
    if (!(await passwordFits(context, body.currentPassword, credential)) || !credential) {
      await signInLockout.failed(target, now)
      throw ApiError.of('InvalidCurrentPassword', {})
    }
    await signInLockout.check(target, now)
    return setPassword(context, before, credential, body.newPassword, {reset: false, effects})
  }, ['credential'])
}

export const changeCustomerPassword = operation({
  ...shared,
  id: 'changeCustomerPassword',
  path: '/{projectKey}/customers/password',
  summary: 'replace a password, knowing the current one',
  body: CustomerChangePassword,
  secrets: ['currentPassword', 'newPassword'],
  messages: ['CustomerPasswordUpdated'],
  unexpected: passwordReads,
  reply: CustomerReply,
  handle: async (context, {body}) => changePassword(context, await writableCustomer(context, {id: body.id}), body),
})

const CustomerCreatePasswordResetToken = v.object({
  email: Text,
  ttlMinutes: optional(TtlMinutes),
  invalidateOlderTokens: optional(v.boolean()),
})

/** The customer whose password is reset; without a store in the path, also the only one with the email in any. */
async function customerToReset(context: Context, email: string): Promise<Customer> {
  const nobody = missing('Customer', {id: email})
  const direct = await customerByEmail(context, email)
  if (direct) return direct
  if (context.storeKey !== undefined) throw nobody
  const where = isFacet('lowercaseEmail', canonicalEmail(email))
  const page = {where, limit: 2, offset: 0}
  const {results} = await context.runtime.state.query<Customer>(context.project.key, 'customer', page)
  const [only, another] = results
  if (!only || another) throw nobody
  return only
}

export const createPasswordToken = operation({
  ...shared,
  id: 'createPasswordToken',
  path: '/{projectKey}/customers/password-token',
  summary: 'create a token that resets a password',
  body: CustomerCreatePasswordResetToken,
  secrets: ['value'],
  messages: ['CustomerPasswordTokenCreated'],
  unexpected: {...oneTimeTokenReads, customer: 'another with the email, who comes meanwhile, comes after'},
  reply: CustomerToken,
  handle: (context, {body}) =>
    retrying(async () => {
      const customer = await customerToReset(context, body.email)
      checkWritable(context, customer)
      if (customer.authenticationMode === 'ExternalAuth') {
        throw invalidOperation('The customer signs in with an external service and has no password to reset.')
      }
      return await createToken(context, customer, 'password', body)
    }),
})

export const getCustomerByPasswordToken = operation({
  ...shared,
  id: 'getCustomerByPasswordToken',
  method: 'GET',
  path: '/{projectKey}/customers/password-token={passwordToken}',
  summary: 'read the customer whose password a token resets',
  permission: {kind: 'bearer', anyOf: ['view_customers']},
  query: ['expand'],
  secrets: ['passwordToken'],
  reply: CustomerReply,
  handle: async (context, {params}) => (await customerOfToken(context, params.passwordToken, 'password')).customer,
})

const CustomerResetPassword = v.object({tokenValue: Text, newPassword: Text, version: optional(Version)})

/** Consumes a reset token in one commit with all that it ends: one of parallel uses succeeds (decision 20). */
export async function resetPassword(
  context: Context,
  body: {readonly tokenValue: string; readonly newPassword: string; readonly version?: number | undefined},
): Promise<Customer> {
  context.runtime.passwords.check(body.newPassword, 'newPassword')
  return retrying(async () => {
    const {customer, credential} = await redeemable(context, body.tokenValue, 'password')
    if (body.version !== undefined) checkVersion(customer, body.version)
    const reset = {reset: true, effects: [{effect: 'endSessions'}]} as const
    const changed = await setPassword(context, customer, credential, body.newPassword, reset)
    const target = {projectKey: context.project.key, email: changed.email, account: changed.id}
    await context.runtime.signInLockout.forget(target, context.now)
    return changed
  })
}

export const resetCustomerPassword = operation({
  ...shared,
  id: 'resetCustomerPassword',
  path: '/{projectKey}/customers/password/reset',
  summary: 'set a new password by a reset token',
  body: CustomerResetPassword,
  secrets: ['tokenValue', 'newPassword'],
  messages: ['CustomerPasswordUpdated'],
  unexpected: resetReads,
  reply: CustomerReply,
  handle: async (context, {body}) => resetPassword(context, body),
})

export const passwordOperations = [
  changeCustomerPassword,
  createPasswordToken,
  getCustomerByPasswordToken,
  resetCustomerPassword,
]
