import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {grantedScopes, grants, stillHeld} from '../../oauth/scopes.js'
import {REALM, UniqueConflict, VersionConflict} from '../../store/store.js'
import {customerWithCredentials} from '../accounts/sign-in.js'
import {type ApiClient, heldBy} from '../documents/api-client.js'
import {type RefreshToken, refreshTokens} from '../documents/token.js'
import type {Context} from '../operation/context.js'
import {anonymousSessions} from '../operation/stored-kinds.js'
import {activeScopes} from '../pipeline/authenticate.js'
import {type Grant, idleSecondsOf, issueTokens, orGone, type TokenAnswer} from './tokens.js'

export type Form = Readonly<Record<string, string | undefined>>

/** A grant of the authorization service. Source: RFC 6749 §4 and §6. */
export interface GrantType {
  readonly type: string
  /** The parameters of the form beside `grant_type`. */
  readonly parameters: readonly string[]
  issue(context: Context, client: ApiClient, form: Form): Promise<TokenAnswer>
}

const missing = (name: string): ApiError =>
  ApiError.of('invalid_request', {message: `Missing required parameter: ${name}.`})

export function grantOf({grant_type: type}: Form, supported: readonly GrantType[]): GrantType {
  if (type === undefined) throw missing('grant_type')
  const grant = supported.find((one) => one.type === type)
  if (grant) return grant
  const shown = /^[\w:./-]{1,64}$/.test(type) ? `: ${type}` : ''
  throw ApiError.of('unsupported_grant_type', {message: `Invalid parameter: grant_type: Invalid grant type${shown}`})
}

const grantedFor = ({runtime}: Context, client: ApiClient, form: Form): readonly string[] =>
  grantedScopes(heldBy(client, runtime.secrets).scopes, form['scope'], client.projectKey)

/** A token for the client itself (RFC 6749 §4.4). */
export const clientCredentials: GrantType = {
  type: 'client_credentials',
  parameters: ['scope'],
  issue: (context, client, form) => {
    const scopes = grantedFor(context, client, form)
    return issueTokens(context, client, {projectKey: client.projectKey, scopes}, false)
  },
}

/**
 * A token for a customer who signs in (RFC 6749 §4.3). The scopes are checked before the password, so that a client
 * without them learns nothing about it.
 */
export const customerPassword: GrantType = {
  type: 'password',
  parameters: ['username', 'password', 'scope', 'refresh_token'],
  issue: async (context, client, form) => {
    const {username, password} = form
    if (username === undefined) throw missing('username')
    if (password === undefined) throw missing('password')
    const scopes = grantedFor(context, client, form)
    checkPasswordLength(password)
    const signedIn = await customerWithCredentials(context, username, password)
    if (typeof signedIn === 'string') {
      throw ApiError.of('invalid_customer_account_credentials', {because: signedIn})
    }
    const {customer, credential} = signedIn
    const {storeKey, project} = context
    const grant = {
      projectKey: project.key,
      scopes,
      customerId: customer.id,
      sessionEpoch: credential.sessionEpoch,
      ...defined({storeKey}),
    }
    const refusal = () => ApiError.of('invalid_customer_account_credentials', {because: 'email'})
    return issueTokens(context, client, grant, form['refresh_token'] !== 'false').catch(orGone(refusal))
  },
}

const maxPasswordBytes = 1024

function checkPasswordLength(password: string): void {
  if (Buffer.byteLength(password) <= maxPasswordBytes) return
  throw ApiError.of('invalid_request', {message: `The password must not exceed ${maxPasswordBytes} bytes.`})
}

export const anonymousScope = 'create_anonymous_token'
const anonymousIdForm = /^[A-Za-z0-9._~-]{1,256}$/

/** A token for an anonymous session. Its id can be used once, and must not collide with the id of a customer. */
export const anonymousSession: GrantType = {
  type: 'client_credentials',
  parameters: ['scope', 'anonymous_id'],
  issue: async (context, client, form) => {
    const {runtime, project} = context
    if (!grants(heldBy(client, runtime.secrets).scopes, {name: anonymousScope, projectKey: project.key})) {
      throw ApiError.of('unauthorized_client', {message: `The client lacks the scope ${anonymousScope}.`})
    }
    const scopes = grantedFor(context, client, form)
    const given = form['anonymous_id']
    if (given !== undefined && !anonymousIdForm.test(given)) {
      const message = 'An anonymous_id has 1 to 256 letters, digits and the characters . _ ~ -'
      throw ApiError.of('invalid_request', {message})
    }
    if (given !== undefined && (await runtime.state.get(project.key, 'customer', given))) {
      throw ApiError.of('invalid_request', {message: 'The anonymous_id is not available.'})
    }
    const anonymousId = given ?? runtime.secrets.uuid()
    const session = {
      kind: anonymousSessions,
      expect: 0,
      doc: {id: `${project.key}/${anonymousId}`, version: 1},
    }
    try {
      return await issueTokens(context, client, {projectKey: project.key, scopes, anonymousId}, true, [session])
    } catch (error) {
      if (error instanceof VersionConflict || error instanceof UniqueConflict)
        throw ApiError.of('AnonymousIdAlreadyInUse', {})
      throw error
    }
  },
}

const unknownRefreshToken = (): ApiError =>
  ApiError.of('invalid_grant', {message: 'The refresh token was not found. It may have expired.'})

/** A new access token for a refresh token, which stays valid and restarts its idle timeout (RFC 6749 §6). */
export const refreshToken: GrantType = {
  type: 'refresh_token',
  parameters: ['refresh_token', 'scope'],
  issue: async (context, client, form) => {
    const {runtime, now} = context
    const value = form['refresh_token']
    if (value === undefined) throw missing('refresh_token')
    const token = await runtime.state.get<RefreshToken>(REALM, refreshTokens, runtime.secrets.digest(value))
    const scopes = token?.clientId === client.id ? await activeScopes(runtime, token, now) : undefined
    if (!token || !scopes) throw unknownRefreshToken()
    const {id, projectKey, customerId, anonymousId, storeKey, sessionEpoch} = token
    const grant: Grant = {
      projectKey,
      scopes: grantedScopes(stillHeld(scopes, heldBy(client, runtime.secrets).scopes), form['scope'], projectKey),
      refreshDigest: id,
      ...defined({customerId, anonymousId, storeKey, sessionEpoch}),
    }
    return issueRefreshed(context, client, grant, token).catch(orGone(unknownRefreshToken))
  },
}

/** Stores the token of a refresh. Of parallel refreshes the first extends the idle timeout; the others leave it. */
async function issueRefreshed(
  context: Context,
  client: ApiClient,
  grant: Grant,
  token: RefreshToken,
): Promise<TokenAnswer> {
  const expiresAt = context.now + idleSecondsOf(context, client) * 1000
  const doc: RefreshToken = {...token, version: token.version + 1, expiresAt, lastUsedAt: context.now}
  const used = {kind: refreshTokens, expect: token.version, doc}
  try {
    return await issueTokens(context, client, grant, false, [used])
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error
    const current = await context.runtime.state.get<RefreshToken>(REALM, refreshTokens, token.id)
    if (!current || current.revokedAt !== undefined) throw unknownRefreshToken()
    return issueTokens(context, client, grant, false, [{kind: refreshTokens, require: token.id}])
  }
}
