import {
  introspectToken,
  requestAnonymousToken,
  requestCustomerToken,
  requestCustomerTokenInStore,
  requestToken,
} from '../../api/oauth/operations.js'
import type {Client} from '../../client/client.js'
import {ApiError} from '../../domain/errors.js'
import {isoTimeOf} from '../../domain/iso-time.js'
import {Failure} from '../process/failure.js'

/** Token requests by flow. */
export const flows = ['client', 'password', 'anonymous', 'refresh'] as const
export type Flow = (typeof flows)[number]

export interface IssuedToken {
  readonly access_token: string
  readonly expires_in: number
  readonly scope: string
  readonly token_type: string
  readonly refresh_token?: string
}

export interface TokenRequest {
  readonly flow: Flow
  readonly scope?: string | undefined
  readonly email?: string | undefined
  readonly password?: string | undefined
  readonly anonymousId?: string | undefined
  readonly refreshToken?: string | undefined
}

export async function issueToken(client: Client, request: TokenRequest): Promise<IssuedToken> {
  const {flow, scope, email: username, password, anonymousId, refreshToken} = request
  const ofCustomer = client.storeKey === undefined ? requestCustomerToken : requestCustomerTokenInStore
  const grant = {grant_type: 'client_credentials', scope}
  const requests = {
    client: () => client.form(requestToken, grant),
    refresh: () => client.form(requestToken, {grant_type: 'refresh_token', refresh_token: refreshToken, scope}),
    anonymous: () => client.form(requestAnonymousToken, {...grant, anonymous_id: anonymousId}),
    password: () => client.form(ofCustomer, {grant_type: 'password', username, password, scope}),
  } satisfies Record<Flow, () => Promise<unknown>>
  return (await requests[flow]()) as IssuedToken
}

/** Rethrows the refusal of scopes that an API client does not hold by name, and tells which client to make (decision 63). */
export const orOtherClient = (scope: string | undefined) => (error: unknown) => {
  const isExceeded =
    error instanceof ApiError && error.is('invalid_scope') && /^Permissions exceeded/.test(error.message)
  if (!isExceeded || scope === undefined) throw error
  const body = JSON.stringify({name: 'reduced', scope})
  const hints = [
    `Use an API client that holds ${scope} by name: \`frontdesk api POST api-clients --body '${body}'\` makes it, and so does the Merchant Center; then \`frontdesk login\`.`,
  ]
  throw new Failure('denied', error.code, error.message, {cause: error, hints})
}

/** When a token expires, in milliseconds since the epoch; now, if the service does not say. */
export function expiryOf({expires_in}: IssuedToken, now: number): number {
  const end = now + expires_in * 1000
  return isoTimeOf(end) === undefined ? now : end
}

/** Whether a token is active, and what else the service says of it. */
export async function introspect(client: Client, token: string): Promise<{readonly active: boolean}> {
  const answer = await client.form(introspectToken, {token})
  if (typeof answer.active === 'boolean') return answer
  throw new Failure('unavailable', 'NoIntrospection', 'The service does not say whether the token is active.', {
    hints: ['Check the address of the authorization service: `frontdesk whoami --origins`.'],
  })
}

/** Scopes as flags give them: short names get the project, as in `view_customers` → `view_customers:shop`. */
export function scopeText(scopes: readonly string[] | undefined, projectKey: string): string | undefined {
  if (scopes === undefined || scopes.length === 0) return undefined
  return scopes
    .flatMap((text) => text.split(/[\s,]+/))
    .filter((scope) => scope !== '')
    .map((scope) => (scope.includes(':') ? scope : `${scope}:${projectKey}`))
    .join(' ')
}
