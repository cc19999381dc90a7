import * as v from 'valibot'
import type {Credential} from '../../domain/credentials/credential.js'
import {epochOf, type OneTimeToken} from '../../domain/credentials/one-time-token.js'
import type {Customer} from '../../domain/customers/customer.js'
import {ApiError} from '../../domain/errors.js'
import {isoTime} from '../../domain/iso-time.js'
import type {Predicate} from '../../query/ast.js'
import {isFacet} from '../../query/predicates.js'
import {REALM} from '../../store/store.js'
import {visibleCustomer, writableCustomer} from '../customers/access.js'
import {accessTokens, refreshTokens, type Token} from '../documents/token.js'
import {allWhere} from '../documents/walk.js'
import {commit} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {aftermathOf, credentialOf, removeTokens} from '../operation/effects.js'
import {operation} from '../operation/operation.js'
import {retrying} from '../operation/retrying.js'
import {removedTokenReads} from '../operation/unexpected.js'

/** Open sessions, one-time tokens and lockout of a customer. The platform neither shows nor ends them. */

const shared = {path: '/{projectKey}/_frontdesk/customers/{id}/sessions', area: 'Customers', inStore: true} as const

const ofCustomer = (id: string): Predicate => isFacet('customerId', id)

async function liveTokens(context: Context, id: string, kind: string, epoch: number | undefined): Promise<Token[]> {
  const tokens = await allWhere<Token>(context.runtime.state, REALM, kind, ofCustomer(id))
  return tokens.filter(
    ({projectKey, revokedAt, expiresAt, sessionEpoch}) =>
      projectKey === context.project.key &&
      revokedAt === undefined &&
      expiresAt > context.now &&
      sessionEpoch === epoch,
  )
}

async function openTokens({runtime, project, now}: Context, id: string, credential: Credential | undefined) {
  const tokens = await allWhere<OneTimeToken>(runtime.state, project.key, 'one-time-token', ofCustomer(id))
  return tokens
    .flatMap(({purpose, expiresAt, epoch}) => {
      const isOpen = credential && epoch === epochOf(credential, purpose) && Date.parse(expiresAt) > now
      return isOpen ? [{purpose, expiresAt}] : []
    })
    .sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1))
}

/** When sign-ins failed that still count, and until when the customer is locked out by them. */
async function failuresOf({runtime: {signInLockout}, project, now}: Context, {id, email}: Customer) {
  const target = {projectKey: project.key, email, account: id}
  const failedSignIns = (await signInLockout.failures(target, now)).map(isoTime)
  try {
    await signInLockout.check(target, now)
    return {failedSignIns}
  } catch (error) {
    if (!(error instanceof ApiError) || !error.is('TooManyRequests')) throw error
    return {failedSignIns, lockedUntil: isoTime(now + (error.retryAfterSeconds ?? 0) * 1000)}
  }
}

const SessionsReply = v.object({
  sessions: v.number(),
  openTokens: v.array(v.object({purpose: v.picklist(['password', 'email']), expiresAt: v.string()})),
  failedSignIns: v.array(v.string()),
  lockedUntil: v.exactOptional(v.string()),
})

export const getCustomerSessions = operation({
  ...shared,
  id: 'getCustomerSessions',
  method: 'GET',
  summary: 'tell how many sessions and one-time tokens of a customer are open, and whether it is locked out',
  permission: {kind: 'bearer', anyOf: ['view_customers']},
  reply: SessionsReply,
  handle: async (context, {params}) => {
    const customer = await visibleCustomer(context, {id: params.id})
    const credential = await credentialOf(context, customer.id)
    const [access = [], refresh = []] = await Promise.all(
      [accessTokens, refreshTokens].map((kind) => liveTokens(context, customer.id, kind, credential?.sessionEpoch)),
    )
    // An access token of a refresh token's grant is the same session.
    const alone = access.filter((token) => !('grant' in token))
    return {
      sessions: alone.length + refresh.length,
      openTokens: await openTokens(context, customer.id, credential),
      ...(await failuresOf(context, customer)),
    }
  },
})

/** Ends every session of a customer: its tokens are dead before the reply is sent, at their next use (decision 21). */
export const endCustomerSessions = operation({
  ...shared,
  id: 'endCustomerSessions',
  method: 'DELETE',
  summary: 'end every session of a customer',
  permission: {kind: 'bearer', anyOf: ['manage_customers']},
  reply: v.object({ended: v.number()}),
  unexpected: removedTokenReads,
  handle: async (context, {params}) => {
    await retrying(async () => {
      const customer = await writableCustomer(context, {id: params.id})
      const {changes} = await aftermathOf(context, customer.id, [{effect: 'endSessions'}])
      await commit(context, customer, [{kind: 'customer', require: customer.id, version: customer.version}, ...changes])
    })
    return {ended: await removeTokens(context, params.id)}
  },
})
