import type {Credential} from '../domain/credentials/credential.js'
import {ApiError} from '../domain/errors.js'
import {REALM, type Store} from '../store/store.js'
import type {Bearer, Platform} from './context.js'
import type {ApiClient} from './documents/api-client.js'
import type {Project} from './documents/project.js'
import type {Token} from './documents/token.js'

/** Answers start closed: every function here throws or returns nothing unless each check passed. */

const missingToken = 'This endpoint requires an access token. You can get one from the authorization server.'

/** The value of a `Bearer` header. Throws invalid_token for a missing or ill-formed one (RFC 6750 §2.1). */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) throw ApiError.of('invalid_token', {message: missingToken})
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1]
  if (token === undefined) throw ApiError.of('invalid_token', {message: missingToken})
  return token
}

/** Throws invalid_token unless the header carries the token of the local administration. */
export function checkAdmin({secrets, adminDigest}: Platform, authorization: string | undefined): void {
  const given = secrets.digest(bearerToken(authorization))
  if (adminDigest === undefined || !secrets.sameDigest(given, adminDigest)) throw ApiError.of('invalid_token', {})
}

export async function storedToken(platform: Platform, value: string): Promise<Token | undefined> {
  return platform.state.get<Token>(REALM, 'token', platform.secrets.digest(value))
}

/** A client that exists and has not passed its day of deletion. */
export async function liveClient(state: Store, clientId: string, now: number): Promise<ApiClient | undefined> {
  const client = await state.get<ApiClient>(REALM, 'api-client', clientId)
  return client && (client.deleteAt === undefined || Date.parse(client.deleteAt) > now) ? client : undefined
}

/**
 * Whether a stored token still stands for its grant: neither expired nor revoked, its client, its customer's session
 * and the refresh token it came with not ended (decision 21).
 */
export async function isActive(platform: Platform, token: Token, now: number): Promise<boolean> {
  const {state} = platform
  if (token.expiresAt <= now || token.revokedAt !== undefined) return false
  if (!(await liveClient(state, token.clientId, now))) return false
  if (token.grant !== undefined) {
    const grant = await state.get<Token>(REALM, 'token', token.grant)
    if (grant?.revokedAt !== undefined) return false
  }
  if (token.customerId === undefined) return true
  const credential = await state.get<Credential>(token.projectKey, 'credential', token.customerId)
  return credential !== undefined && credential.sessionEpoch === token.sessionEpoch
}

/** The caller behind a bearer token. Throws invalid_token. */
export async function authenticateBearer(
  platform: Platform,
  authorization: string | undefined,
  project: Project | undefined,
  correlationId: string,
  now: number,
): Promise<Bearer> {
  const value = bearerToken(authorization)
  const token = await storedToken(platform, value)
  if (!token) return externalBearer(platform, value, project, correlationId)
  if (token.use !== 'access' || !(await isActive(platform, token, now))) throw ApiError.of('invalid_token', {})
  const {projectKey, clientId, scopes, customerId, anonymousId, storeKey} = token
  return {
    kind: 'bearer',
    projectKey,
    clientId,
    scopes,
    ...(customerId === undefined ? {} : {customerId}),
    ...(anonymousId === undefined ? {} : {anonymousId}),
    ...(storeKey === undefined ? {} : {storeKey}),
  }
}

/** A token that is not ours, where the project trusts another authorization server (decision 30). */
async function externalBearer(
  platform: Platform,
  value: string,
  project: Project | undefined,
  correlationId: string,
): Promise<Bearer> {
  if (!project?.externalOAuth || !platform.external) throw ApiError.of('invalid_token', {})
  const answer = await platform.external(project, value, correlationId)
  if (!answer) throw ApiError.of('invalid_token', {})
  const parts = answer.scope.split(/\s+/)
  const bound = (name: string) => parts.find((part) => part.startsWith(`${name}:`))?.slice(name.length + 1)
  const customerId = bound('customer_id')
  const anonymousId = bound('anonymous_id')
  return {
    kind: 'bearer',
    projectKey: project.key,
    clientId: 'external',
    scopes: parts,
    external: true,
    ...(customerId ? {customerId} : {}),
    ...(anonymousId ? {anonymousId} : {}),
  }
}

const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Id and secret of a `Basic` header, percent-decoded as RFC 6749 appendix B says. Undefined for anything ill-formed. */
function basicCredentials(authorization: string | undefined): {id: string; secret: string} | undefined {
  const encoded = /^basic +([^\s]+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined || encoded.length > 8192 || !base64Form.test(encoded)) return undefined
  try {
    const text = new TextDecoder('utf-8', {fatal: true}).decode(Buffer.from(encoded, 'base64'))
    const colon = text.indexOf(':')
    if (colon < 1 || colon === text.length - 1) return undefined
    const plain = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
    return {id: plain(text.slice(0, colon)), secret: plain(text.slice(colon + 1))}
  } catch {
    return undefined
  }
}

/** The API client of an HTTP Basic header; unknown ids cost the same work as wrong secrets. Throws invalid_client. */
export async function authenticateBasic(
  platform: Platform,
  authorization: string | undefined,
  now: number,
): Promise<ApiClient> {
  const {secrets, state} = platform
  const given = basicCredentials(authorization)
  if (!given) throw ApiError.of('invalid_client', {})
  const client = await liveClient(state, given.id, now)
  const matches = secrets.sameDigest(secrets.digest(given.secret), client?.secretDigest ?? secrets.digest(''))
  if (!client || !matches) throw ApiError.of('invalid_client', {})
  return client
}
