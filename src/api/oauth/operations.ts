import * as v from 'valibot'
import {ApiError} from '../../domain/errors.js'
import {grants} from '../../oauth/scopes.js'
import {type ApiClient, heldBy} from '../documents/api-client.js'
import {kindOfToken, scopeText} from '../documents/token.js'
import type {Context} from '../operation/context.js'
import {revoke} from '../operation/effects.js'
import {operation} from '../operation/operation.js'
import {passwordReads} from '../operation/unexpected.js'
import {activeScopes, storedToken} from '../pipeline/authenticate.js'
import {
  anonymousScope,
  anonymousSession,
  clientCredentials,
  customerPassword,
  type Form,
  type GrantType,
  grantOf,
  refreshToken,
} from './grants.js'
import {TokenReply} from './tokens.js'

const area = 'Authorization'
const permission = {kind: 'basic'} as const
const maybe = v.optional(v.string())

const FormBody = v.record(v.string(), v.string()) as unknown as v.GenericSchema<unknown, Form>

function clientOf({principal}: Context): ApiClient {
  if (principal.kind === 'basic') return principal.client
  throw ApiError.of('invalid_client', {})
}

const taking = {method: 'POST', area, permission, bodyKind: 'form'} as const

const issuing = (...grants: readonly GrantType[]) =>
  ({
    ...taking,
    body: FormBody,
    formParameters: ['grant_type', ...new Set(grants.flatMap(({parameters}) => parameters))],
    secrets: ['password', 'refresh_token', 'access_token'],
    reply: TokenReply,
    handle: (context: Context, {body}: {readonly body: Form}) =>
      grantOf(body, grants).issue(context, clientOf(context), body),
  }) as const

const ofToken = {
  ...taking,
  body: v.object({token: maybe, token_type_hint: maybe}),
  formParameters: ['token', 'token_type_hint'],
  secrets: ['token'],
} as const

const carried = 'a token carries the epochs that were read, and is of no use under others'
const signingIn = {
  ...passwordReads,
  credential: carried,
  customer: 'it is required to be there; a sign-in beside a change came before it',
}

export const requestToken = operation({
  ...issuing(clientCredentials, refreshToken),
  unexpected: {credential: carried, 'api-client': 'the day of its last use is noted once'},
  id: 'requestToken',
  path: '/oauth/token',
  summary: 'issue a token for an API client, or a new one for a refresh token',
})

export const requestCustomerToken = operation({
  ...issuing(customerPassword),
  id: 'requestCustomerToken',
  unexpected: signingIn,
  path: '/oauth/{projectKey}/customers/token',
  summary: 'issue a token for a customer by email and password',
})

export const requestCustomerTokenInStore = operation({
  ...issuing(customerPassword),
  id: 'requestCustomerTokenInStore',
  unexpected: signingIn,
  path: '/oauth/{projectKey}/in-store/key={storeKey}/customers/token',
  summary: 'issue a token for a customer of a store, valid in it alone',
})

export const requestAnonymousToken = operation({
  ...issuing(anonymousSession),
  id: 'requestAnonymousToken',
  unexpected: {customer: 'ids of customers are made at random: none comes to be one that is taken'},
  path: '/oauth/{projectKey}/anonymous/token',
  summary: 'issue a token for a visitor who has not signed in',
  permission: {...permission, scope: anonymousScope},
})

/** The one reply for a token that is inactive or that the caller may not introspect (RFC 7662 §2.2). */
const inactive = {active: false} as const

const Introspection = v.union([
  v.object({active: v.literal(false)}),
  v.object({active: v.literal(true), scope: v.string(), exp: v.number(), client_id: v.string()}),
])

/** Required to introspect the tokens of other clients; a client may always introspect its own. */
const introspectionScope = 'introspect_oauth_tokens'

/** The introspection reply: active only once every check has passed. `exp` is in milliseconds, as in the API. */
async function introspection(context: Context, value: string) {
  const {runtime, now} = context
  const client = clientOf(context)
  const token = await storedToken(runtime, value)
  if (!token || token.projectKey !== client.projectKey) return inactive
  const maySee =
    token.clientId === client.id ||
    grants(heldBy(client, runtime.secrets).scopes, {name: introspectionScope, projectKey: token.projectKey})
  const scopes = maySee ? await activeScopes(runtime, token, now) : undefined
  if (!scopes) return inactive
  return {active: true, scope: scopeText(scopes, token), exp: token.expiresAt, client_id: token.clientId} as const
}

/** Counts inactive replies, since a client that gets many is guessing tokens (RFC 7662 §4). Throws TooManyRequests. */
async function guardedIntrospection(context: Context, value: string) {
  const {runtime, now} = context
  const client = clientOf(context)
  const answer = await introspection(context, value)
  runtime.inactiveAnswers.check(client.id, now)
  if (!answer.active) runtime.inactiveAnswers.failed(client.id, now)
  return answer
}

export const introspectToken = operation({
  ...ofToken,
  id: 'introspectToken',
  path: '/oauth/introspect',
  summary: 'tell whether a token is active, and what it opens',
  permission: {...permission, scope: introspectionScope},
  reply: Introspection,
  handle: async (context, {body}) => {
    if (body.token === undefined) throw ApiError.of('invalid_request', {message: 'Missing required parameter: token.'})
    return await guardedIntrospection(context, body.token)
  },
})

/** Answers 200 to ill-formed requests too, and revokes nothing for them (RFC 7009 §2.2). */
export const revokeToken = operation({
  ...ofToken,
  id: 'revokeToken',
  path: '/oauth/token/revoke',
  summary: 'revoke a token of the calling client',
  lenientBody: true,
  reply: v.object({}),
  handle: async (context, {body}) => {
    const {token} = body
    if (token !== undefined) {
      await revoke(context, clientOf(context).id, kindOfToken(token), context.runtime.secrets.digest(token))
    }
    return {}
  },
})

export const oauthOperations = [
  requestToken,
  requestCustomerToken,
  requestCustomerTokenInStore,
  requestAnonymousToken,
  introspectToken,
  revokeToken,
]
