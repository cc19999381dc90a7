import type {Credential} from '../../domain/credentials/credential.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {Project} from '../../domain/project/project.js'
import {REALM, type Store} from '../../store/store.js'
import {BoundedMap} from '../../work/bounded-map.js'
import type {ApiClient} from '../documents/api-client.js'
import {byState, RevisionCache, revisionOf} from '../documents/revision-cache.js'
import {
  type AccessToken,
  accessTokens,
  type Binding,
  namedScopes,
  type RefreshToken,
  refreshTokens,
} from '../documents/token.js'
import type {Bearer, Runtime} from '../operation/context.js'

/** Authentication fails closed: every function throws or returns undefined unless each check passed. */

const apiClients = 'api-client'
const credentials = 'credential'

const missingToken = 'This endpoint requires an access token. You can get one from the authorization server.'

/** The value of a `Bearer` header. Throws invalid_token for a missing or ill-formed one (RFC 6750 §2.1). */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) throw ApiError.of('invalid_token', {message: missingToken})
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1]
  if (token === undefined) throw ApiError.of('invalid_token', {message: missingToken})
  return token
}

/** Throws invalid_token unless the header carries the token of the local administration. */
export function checkAdmin({secrets, adminDigest}: Runtime, authorization: string | undefined): void {
  const given = secrets.digest(bearerToken(authorization))
  if (adminDigest === undefined || !secrets.sameDigest(given, adminDigest)) throw ApiError.of('invalid_token', {})
}

/** The stored access token of a value, active or not: a token issued here is never introspected elsewhere. */
export async function storedToken(runtime: Runtime, value: string): Promise<AccessToken | undefined> {
  return runtime.state.get<AccessToken>(REALM, accessTokens, runtime.secrets.digest(value))
}

/** The client, unless it does not exist or is past its scheduled deletion. */
export async function liveClient(state: Store, clientId: string, now: number): Promise<ApiClient | undefined> {
  return living(await state.get<ApiClient>(REALM, apiClients, clientId), now)
}

function living(client: ApiClient | undefined, now: number): ApiClient | undefined {
  return client && (client.deleteAt === undefined || Date.parse(client.deleteAt) > now) ? client : undefined
}

/** Tolerated clock difference between servers that share a state. */
const clockSkewMs = 60_000

/** Whether a token was issued in the future, by a server whose clock was ahead: its expiry cannot be trusted (decision 41). */
const isOfTheFuture = (token: AccessToken | RefreshToken, now: number): boolean =>
  Math.max(token.issuedAt ?? 0, 'lastUsedAt' in token ? token.lastUsedAt : 0) > now + clockSkewMs

/** Why a token is no longer active, for the request log; the caller only learns that it is inactive. */
export type TokenEnd = 'expired' | 'revoked' | 'future' | 'client' | 'grant' | 'session'

interface Dependencies {
  readonly client: ApiClient | undefined
  readonly grant: RefreshToken | undefined
  /** Of its customer, whose sessions may have ended. */
  readonly credential: Credential | undefined
}

type Names = Pick<AccessToken, 'projectKey' | 'clientId' | 'grant' | 'customerId'>

async function dependenciesOf(state: Store, {projectKey, clientId, grant, customerId}: Names): Promise<Dependencies> {
  const [client, refresh, credential] = await Promise.all([
    state.get<ApiClient>(REALM, apiClients, clientId),
    grant === undefined ? undefined : state.get<RefreshToken>(REALM, refreshTokens, grant),
    customerId === undefined ? undefined : state.get<Credential>(projectKey, credentials, customerId),
  ])
  return {client, grant: refresh, credential}
}

function endOf(token: AccessToken, {client, grant, credential}: Dependencies, now: number): TokenEnd | undefined {
  if (token.expiresAt <= now) return 'expired'
  if (token.revokedAt !== undefined) return 'revoked'
  if (isOfTheFuture(token, now)) return 'future'
  if (!living(client, now)) return 'client'
  if (token.grant !== undefined && (!grant || grant.revokedAt !== undefined)) return 'grant'
  if (token.customerId === undefined) return undefined
  return credential?.sessionEpoch === token.sessionEpoch && credential !== undefined ? undefined : 'session'
}

/**
 * The scopes of an access token that is active: neither expired, revoked nor issued in the future, and neither its client,
 * its customer's session nor the refresh token of its grant has ended (decision 21). Undefined for any other.
 */
export async function activeScopes({state, secrets}: Runtime, token: AccessToken, now: number) {
  const dependencies = await dependenciesOf(state, token)
  const {client} = dependencies
  return client && endOf(token, dependencies, now) === undefined ? namedScopes(token, client, secrets) : undefined
}

/** The tokens that were read last, of states that have to be asked: what each depends on is read together with it. */
const lastTokensOf = byState(() => new BoundedMap<string, AccessToken>(1_000))

const hasSameNames = (a: Names, b: Names): boolean =>
  a.projectKey === b.projectKey && a.clientId === b.clientId && a.grant === b.grant && a.customerId === b.customerId

/** A caller, and the times between which the token answers for it: they are compared at every use. */
interface CachedBearer {
  readonly bearer: Bearer
  readonly from: number
  /** Milliseconds since the epoch; the first at which the token is over. */
  readonly until: number
}

/** Of the tokens in use, the last so many are looked up only once. */
const bearersOf = byState((state) => new RevisionCache<CachedBearer>(state, 1_000))

/** The caller behind a bearer token, at once for a known one of which nothing has changed. Throws invalid_token. */
export function authenticateBearer(
  runtime: Runtime,
  authorization: string | undefined,
  project: Project | undefined | Promise<Project | undefined>,
  correlationId: string,
  now: number,
): Bearer | Promise<Bearer> {
  const value = bearerToken(authorization)
  const digest = runtime.secrets.digest(value)
  const cached = bearersOf(runtime.state).get(digest)
  if (cached && cached.from <= now && now < cached.until) return cached.bearer
  return readBearer(runtime, {value, digest}, project, correlationId, now)
}

async function readBearer(
  runtime: Runtime,
  {value, digest}: {readonly value: string; readonly digest: string},
  project: Project | undefined | Promise<Project | undefined>,
  correlationId: string,
  now: number,
): Promise<Bearer> {
  const {state} = runtime
  const dependsOn = [accessTokens, apiClients, refreshTokens].map((kind) => revisionOf(state, REALM, kind))
  const last = lastTokensOf(state).get(digest)
  const early = last && dependenciesOf(state, last)
  early?.catch(() => undefined)
  const token = await storedToken(runtime, value)
  if (!token) return externalBearer(runtime, value, await project, correlationId)
  const {projectKey, clientId, customerId, anonymousId, storeKey, grant, expiresAt} = token
  if (grant === undefined) dependsOn.pop()
  if (customerId !== undefined) dependsOn.push(revisionOf(state, projectKey, credentials))
  if (state.revision === undefined) lastTokensOf(state).set(digest, token)
  const dependencies = await (early && hasSameNames(last, token) ? early : dependenciesOf(state, token))
  const {client} = dependencies
  const scopes = client && namedScopes(token, client, runtime.secrets)
  const because = endOf(token, dependencies, now)
  if (!scopes || because !== undefined) {
    throw ApiError.of('invalid_token', {because: because ?? 'client', token: {...token, scopes: scopes ?? []}})
  }
  const bearer = Object.freeze<Bearer>({
    kind: 'bearer',
    projectKey,
    clientId,
    scopes,
    ...defined({customerId, anonymousId, storeKey, grant}),
  })
  const {deleteAt} = client
  const until = deleteAt === undefined ? expiresAt : Math.min(expiresAt, Date.parse(deleteAt))
  bearersOf(state).set(digest, {bearer, from: (token.issuedAt ?? 0) - clockSkewMs, until}, dependsOn)
  return bearer
}

/** The caller behind an external token, if the project trusts another authorization server (decision 30). */
async function externalBearer(
  runtime: Runtime,
  value: string,
  project: Project | undefined,
  correlationId: string,
): Promise<Bearer> {
  if (!project?.externalOAuth || !runtime.external) throw ApiError.of('invalid_token', {because: 'unknown'})
  const answer = await runtime.external(project, value, correlationId)
  if (!answer) throw ApiError.of('invalid_token', {because: 'unknown'})
  const parts = answer.scope.split(' ').filter((part) => part !== '')
  const base = {kind: 'bearer', projectKey: project.key, clientId: 'external', external: true} as const
  const binding = bindingOf(parts)
  if (binding === 'unclear') return {...base, scopes: []}
  const {customerId} = binding
  const isKnown = customerId === undefined || (await runtime.state.get(project.key, 'customer', customerId))
  return isKnown ? {...base, scopes: parts, ...binding} : {...base, scopes: []}
}

/** The customer or session in an external token's scope; `unclear` if it names more than one. */
function bindingOf(parts: readonly string[]): Binding | 'unclear' {
  const named = (name: string) => parts.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length))
  const customers = new Set(named('customer_id:'))
  const visitors = new Set(named('anonymous_id:'))
  const [customerId] = customers
  const [anonymousId] = visitors
  if (customers.size + visitors.size > 1 || customerId === '' || anonymousId === '') return 'unclear'
  return defined({customerId, anonymousId})
}
