import * as v from 'valibot'
import {withRaisedEpoch} from '../../domain/credentials/one-time-token.js'
import type {Customer} from '../../domain/customers/customer.js'
import {optional, Text, Version} from '../../domain/rules.js'
import {writableCustomer} from '../customers/access.js'
import {CustomerReply} from '../customers/operations.js'
import {commit, putOf, revised} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {endedTokens} from '../operation/effects.js'
import {operation} from '../operation/operation.js'
import {checkVersion} from '../operation/parameters.js'
import {retrying} from '../operation/retrying.js'
import {oneTimeTokenReads} from '../operation/unexpected.js'
import {CustomerToken, createToken, customerOfToken, redeemable, TtlMinutes} from './one-time-tokens.js'

const shared = {
  area: 'Emails',
  method: 'POST',
  permission: {kind: 'bearer', anyOf: ['manage_customers']},
  inStore: true,
} as const

const CustomerCreateEmailToken = v.object({
  id: Text,
  version: optional(Version),
  ttlMinutes: TtlMinutes,
  invalidateOlderTokens: optional(v.boolean()),
})

export const createEmailToken = operation({
  ...shared,
  id: 'createEmailToken',
  path: '/{projectKey}/customers/email-token',
  summary: 'create a token that verifies an email',
  body: CustomerCreateEmailToken,
  secrets: ['value'],
  messages: ['CustomerEmailTokenCreated'],
  unexpected: oneTimeTokenReads,
  reply: CustomerToken,
  handle: (context, {body}) =>
    retrying(async () => {
      const customer = await writableCustomer(context, {id: body.id})
      if (body.version !== undefined) checkVersion(customer, body.version)
      return await createToken(context, customer, 'email', body)
    }),
})

export const getCustomerByEmailToken = operation({
  ...shared,
  id: 'getCustomerByEmailToken',
  method: 'GET',
  path: '/{projectKey}/customers/email-token={emailToken}',
  summary: 'read the customer whose email a token verifies',
  permission: {kind: 'bearer', anyOf: ['view_customers']},
  query: ['expand'],
  secrets: ['emailToken'],
  reply: CustomerReply,
  handle: async (context, {params}) => (await customerOfToken(context, params.emailToken, 'email')).customer,
})

const CustomerEmailVerify = v.object({tokenValue: Text, version: optional(Version)})

/** Consumes an email token; all email tokens of the customer end with it (decision 21). */
export async function verifyEmail(
  context: Context,
  body: {readonly tokenValue: string; readonly version?: number | undefined},
): Promise<Customer> {
  return retrying(async () => {
    const {customer, credential} = await redeemable(context, body.tokenValue, 'email')
    if (body.version !== undefined) checkVersion(customer, body.version)
    const version = customer.version + 1
    const message = {type: 'CustomerEmailVerified', payload: {}, resourceVersion: version}
    const {resource, messages} = revised(context, 'customer', {...customer, version, isEmailVerified: true}, [message])
    const raised = withRaisedEpoch({...credential, version: credential.version + 1}, 'email')
    await commit(context, resource, [
      putOf('customer', customer.version, resource),
      {kind: 'credential', expect: credential.version, doc: raised},
      ...(await endedTokens(context, customer.id, ['email'])),
      ...messages,
    ])
    return resource
  })
}

export const confirmEmail = operation({
  ...shared,
  id: 'confirmEmail',
  path: '/{projectKey}/customers/email/confirm',
  summary: 'verify an email by its token',
  body: CustomerEmailVerify,
  secrets: ['tokenValue'],
  messages: ['CustomerEmailVerified'],
  unexpected: oneTimeTokenReads,
  reply: CustomerReply,
  handle: async (context, {body}) => verifyEmail(context, body),
})

export const emailOperations = [createEmailToken, getCustomerByEmailToken, confirmEmail]
