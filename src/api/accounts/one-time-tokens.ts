import * as v from 'valibot'
import {newCredential} from '../../domain/credentials/credential.js'
import {
  epochOf,
  maxTtlMinutes,
  type OneTimeToken,
  type TokenPurpose,
  ttlMinutesShownInMessage,
  unknownToken,
  usableToken,
  withRaisedEpoch,
} from '../../domain/credentials/one-time-token.js'
import {Attribution, type Customer} from '../../domain/customers/customer.js'
import {capital} from '../../domain/equal.js'
import {isoTime} from '../../domain/iso-time.js'
import {between} from '../../domain/rules.js'
import type {Change, Requirement} from '../../store/store.js'
import {checkWritable} from '../customers/access.js'
import {attributionOf, commit, messageOf} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {credentialOf, endedTokens} from '../operation/effects.js'
import {isVisible} from '../operation/read.js'

export const TtlMinutes = between(1, maxTtlMinutes, `It goes from 1 to ${maxTtlMinutes} minutes.`)

/** A one-time token in the reply of its creation, the only one with its value. Source: API › CustomerToken. */
export const CustomerToken = v.object({
  id: v.string(),
  createdAt: v.string(),
  lastModifiedAt: v.string(),
  lastModifiedBy: Attribution,
  createdBy: Attribution,
  customerId: v.string(),
  expiresAt: v.string(),
  value: v.string(),
  invalidateOlderTokens: v.boolean(),
})

export type CustomerToken = v.InferOutput<typeof CustomerToken>

interface TokenOptions {
  readonly ttlMinutes?: number | undefined
  readonly invalidateOlderTokens?: boolean | undefined
}

/**
 * Creates a token and stores its digest with its message; the customer keeps its version (decision 20). Nothing is stored
 * if the customer or the credential has changed since it was read: throws ConcurrentModification, for `retrying`.
 */
export async function createToken(
  context: Context,
  customer: Customer,
  purpose: TokenPurpose,
  {ttlMinutes = 1440, invalidateOlderTokens = false}: TokenOptions,
): Promise<CustomerToken> {
  const {secrets} = context.runtime
  const stored = await credentialOf(context, customer.id)
  // Written in any case: whatever ends the tokens of a customer writes it too, and learns of this one.
  const next = stored ? {...stored, version: stored.version + 1} : newCredential(customer.id)
  const credential = invalidateOlderTokens ? withRaisedEpoch(next, purpose) : next
  const value = secrets.token(30)
  const id = secrets.uuid()
  const expiresAt = isoTime(context.now + ttlMinutes * 60_000)
  const message = messageOf(
    context,
    {
      type: `Customer${capital(purpose)}TokenCreated`,
      payload: {
        customerId: customer.id,
        expiresAt,
        ...(ttlMinutes <= ttlMinutesShownInMessage ? {value} : {}),
        invalidateOlderTokens,
      },
    },
    {sequenceNumber: 1, resource: {typeId: `customer-${purpose}-token`, id}, resourceVersion: 1},
  )
  const token: OneTimeToken = {
    id: secrets.digest(value),
    version: 1,
    purpose,
    customerId: customer.id,
    expiresAt,
    epoch: epochOf(credential, purpose),
    ...(context.project.messages.enabled ? {messageId: message.doc.id} : {}),
  }
  const changes: (Change | Requirement)[] = [
    {kind: 'customer', require: customer.id, version: customer.version},
    ...(invalidateOlderTokens ? await endedTokens(context, customer.id, [purpose]) : []),
    {kind: 'credential', expect: stored?.version ?? 0, doc: credential},
    {kind: 'one-time-token', expect: 0, doc: token},
    ...(context.project.messages.enabled ? [message] : []),
  ]
  await commit(context, customer, changes)
  const by = attributionOf(context)
  const now = isoTime(context.now)
  const {id: customerId, email} = customer
  context.runtime.outbox?.({
    ...{projectKey: context.project.key, customerId, email, purpose},
    ...{createdAt: now, expiresAt, value},
  })
  return {
    id,
    createdAt: now,
    lastModifiedAt: now,
    lastModifiedBy: by,
    createdBy: by,
    customerId,
    expiresAt,
    value,
    invalidateOlderTokens,
  }
}

/** The customer of a token value, if this caller may see it. Throws ResourceNotFound and the expiry errors. */
export async function customerOfToken(context: Context, value: string, purpose: TokenPurpose) {
  const {runtime, project, storeKey, now} = context
  const stored = await runtime.state.get<OneTimeToken>(project.key, 'one-time-token', runtime.secrets.digest(value))
  const credential = stored && (await credentialOf(context, stored.customerId))
  const token = usableToken(value, stored, credential, purpose, now)
  const customer = await runtime.state.get<Customer>(project.key, 'customer', token.customerId)
  if (!customer || !credential || !isVisible(customer, storeKey)) {
    throw unknownToken(value)
  }
  return {customer, credential}
}

export async function redeemable(context: Context, value: string, purpose: TokenPurpose) {
  const found = await customerOfToken(context, value, purpose)
  checkWritable(context, found.customer)
  return found
}
